"""A clock that tests move by hand."""

from __future__ import annotations

import threading
from datetime import UTC, datetime, timedelta

_LOOK_SECONDS = 0.02


class VirtualClock:
    """A clock that stands still until it is moved, and wakes who waits for what comes to pass.

    Args:
        instant: Where it begins, aware.

    Example:
        >>> clock = VirtualClock(datetime(2026, 11, 30, 8, tzinfo=UTC))
        >>> clock.advance(minutes=30).isoformat()
        '2026-11-30T08:30:00+00:00'
    """

    def __init__(self, instant: datetime) -> None:
        self._instant = instant.astimezone(UTC)
        self._moved = threading.Condition()

    def now(self) -> datetime:
        """Return the instant that it was moved to, in UTC."""
        return self._instant

    def advance(self, **length: float) -> datetime:
        """Move it by a length, given as to `timedelta`; return where it stands then."""
        return self.move_to(self._instant + timedelta(**length))

    def move_to(self, instant: datetime) -> datetime:
        """Move it to an instant, also an earlier one; return it in UTC."""
        with self._moved:
            self._instant = instant.astimezone(UTC)
            self._moved.notify_all()
            return self._instant

    def wait_until(self, instant: datetime, woken: threading.Event) -> None:
        """Wait until it is moved to an instant or beyond, or the event is set."""
        with self._moved:
            while self._instant < instant and not woken.is_set():
                self._moved.wait(_LOOK_SECONDS)
