"""Virtual time: an event loop in which a week passes at once, for tests of whatever waits."""

from __future__ import annotations

import asyncio
import selectors
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Mapping

_T = TypeVar("_T")


class VirtualTime:
    """A clock that moves only when everybody in its event loop waits, and then at once.

    Work that is done meanwhile takes no time. Threads are not waited for: hand functions to
    `aside`, which calls them in the loop itself.

    Args:
        instant: What the clock shows at first.

    Example:
        >>> time = VirtualTime(datetime(2026, 11, 30, tzinfo=UTC))
        >>> time.run(asyncio.sleep(7 * 86_400))
        >>> time.now().isoformat()
        '2026-12-07T00:00:00+00:00'
    """

    def __init__(self, instant: datetime) -> None:
        self._instant = instant.astimezone(UTC)
        self._seconds = 0.0

    def now(self) -> datetime:
        """Return the present instant, in UTC."""
        return self._instant + timedelta(seconds=self._seconds)

    def monotonic(self) -> float:
        """Return the seconds that have passed."""
        return self._seconds

    def set_clock(self, by: timedelta) -> None:
        """Set the clock forward, or back, as people and machines do; no time passes."""
        self._instant += by

    def sleep(self, seconds: float) -> None:
        """Let time pass at once, for code that waits outside the loop."""
        self._seconds += seconds

    async def aside(self, function: Callable[[], _T]) -> _T:
        """Call a function after everybody else had a turn; the loop stands still meanwhile."""
        await asyncio.sleep(0)
        return function()

    def run(self, main: Coroutine[Any, Any, _T]) -> _T:
        """Run a coroutine to its end, in a loop of this time."""
        with asyncio.Runner(loop_factory=lambda: _VirtualLoop(self)) as runner:
            return runner.run(main)


class _VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop whose time is virtual."""

    def __init__(self, time: VirtualTime) -> None:
        self._virtual = time
        super().__init__(_Jumping(time))

    def time(self) -> float:
        """Return the virtual seconds."""
        return self._virtual.monotonic()


class _Jumping(selectors.BaseSelector):
    """A selector that, instead of waiting, moves the time on by as much."""

    def __init__(self, time: VirtualTime) -> None:
        self._time = time
        self._inner = selectors.DefaultSelector()

    def register(self, fileobj: Any, events: int, data: Any = None) -> selectors.SelectorKey:
        """Watch a file."""
        return self._inner.register(fileobj, events, data)

    def unregister(self, fileobj: Any) -> selectors.SelectorKey:
        """Watch a file no more."""
        return self._inner.unregister(fileobj)

    def modify(self, fileobj: Any, events: int, data: Any = None) -> selectors.SelectorKey:
        """Watch a file for something else."""
        return self._inner.modify(fileobj, events, data)

    def get_map(self) -> Mapping[Any, selectors.SelectorKey]:
        """Return what is watched."""
        return self._inner.get_map()

    def close(self) -> None:
        """Watch nothing any more."""
        self._inner.close()

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """Return what is ready; when nothing is, as much time has passed as one would wait."""
        if timeout is None:  # without a timer only a real event can bring the loop on
            return self._inner.select(None)
        ready = self._inner.select(0)
        if not ready and timeout > 0:
            self._time.sleep(timeout)
        return ready
