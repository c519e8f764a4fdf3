"""Tickers: a job called at a pace, one call at a time, on a thread of its own."""

from __future__ import annotations

import contextvars
import threading
from functools import partial
from typing import TYPE_CHECKING

from toolnexus.clock import SystemClock

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from toolnexus.clock import Clock

LONGEST_WAIT_SECONDS = 30.0
"""How long the machine's clock is trusted to go on as it went: it can be set, or be suspended."""
_LOOK_SECONDS = 0.02  # how often a clock is looked at that moves by itself in no known way


class Ticker:
    """Calls a job at a pace.

    While a call goes on, what becomes due meanwhile counts as one, and is made right after it.

    Args:
        name: Names the thread.
        job: What to call; it has to see to its own errors.
        first: When it is due first.
        after: Returns the first slot after an instant.
        clock: Tells the time; one that has ``wait_until(instant, woken)`` also waits.
    """

    def __init__(
        self,
        name: str,
        job: Callable[[], object],
        first: datetime,
        after: Callable[[datetime], datetime],
        clock: Clock,
    ) -> None:
        self._job = job
        self._due = self._begun = first
        self._after = after
        self._clock = clock
        self._woken = threading.Event()
        self._changed = threading.Condition()
        self._idle = self._stopping = False
        context = contextvars.copy_context()  # so that async tools find their caller's loop
        run = partial(context.run, self._loop)
        self._thread = threading.Thread(target=run, name=name, daemon=True)
        self._thread.start()

    def wake(self) -> None:
        """Make the job due now; while it goes on, once more right after it."""
        with self._changed:
            self._idle = False
            self._woken.set()
            self._changed.notify_all()

    def settle(self, timeout_seconds: float) -> bool:
        """Wait until what is due by now has been done; tell whether it has.

        Args:
            timeout_seconds: How long to wait, by the machine's clock.
        """
        with self._changed:
            return self._changed.wait_for(self._is_settled, timeout_seconds)

    def stop(self) -> None:
        """Let nothing begin any more; what goes on, goes on to its end."""
        self._stopping = True
        self.wake()

    def join(self, timeout_seconds: float) -> bool:
        """Wait for the thread to end, unless it is the one that asks; tell whether it has ended."""
        if threading.current_thread() is not self._thread:
            self._thread.join(timeout_seconds)
        return not self._thread.is_alive()

    def _loop(self) -> None:
        while not self._stopping:
            if self._is_due():
                self._job()
                with self._changed:
                    self._due = max(self._due, self._after(self._begun))
            else:
                self._wait()

    def _is_due(self) -> bool:
        """Tell whether to call the job now, and note that it begins."""
        with self._changed:
            now = self._clock.now()
            self._due = min(self._due, self._after(now))  # the clock may have been put back
            due = self._woken.is_set() or now >= self._due
            self._idle = not due
            if due:
                self._woken.clear()
                self._begun = now
            self._changed.notify_all()
            return due

    def _is_settled(self) -> bool:
        return self._stopping or (self._idle and self._clock.now() < self._due)

    def _wait(self) -> None:
        wait_until = getattr(self._clock, "wait_until", None)
        if wait_until is not None:
            wait_until(self._due, self._woken)
            return
        left = (self._due - self._clock.now()).total_seconds()
        trusted = LONGEST_WAIT_SECONDS if isinstance(self._clock, SystemClock) else _LOOK_SECONDS
        if left > 0:
            self._woken.wait(min(left, trusted))
