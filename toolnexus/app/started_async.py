"""Started personas for programs with an event loop: its callbacks come on the loop."""

from __future__ import annotations

import asyncio
import contextvars
import inspect
from typing import TYPE_CHECKING, Any

from toolnexus.agent.calls import off_loop
from toolnexus.app.started import STOP_SECONDS

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping
    from types import TracebackType
    from typing import Self

    from toolnexus.app.acting import Acting
    from toolnexus.app.started import Started

_IN_CALLBACK: contextvars.ContextVar[bool] = contextvars.ContextVar("in_callback", default=False)


class AsyncStarted:
    """A persona that acts by itself; see `Started`. ``async with`` or ``await`` starts it.

    Args:
        home: Its home.
        options: The arguments of `Home.start`.
    """

    def __init__(self, home: Acting, options: Mapping[str, Any]) -> None:
        self._home = home
        self._options = dict(options)
        self._started: Started | None = None

    def wake(self) -> None:
        """Make a beat now; while one goes on, once more right after it."""
        if self._started is not None:
            self._started.wake()

    async def settle(self, timeout_seconds: float = STOP_SECONDS) -> bool:
        """Wait until what is due by now has been done; tell whether it has."""
        started = self._started
        return started is None or await off_loop(lambda: started.settle(timeout_seconds))

    async def stop(self, timeout_seconds: float = STOP_SECONDS) -> bool:
        """Begin nothing any more, and wait for what goes on to end; tell whether it has.

        From within a callback it does not wait, for that would be waiting for itself.
        """
        started = self._started
        if started is None:
            return True
        seconds = 0.0 if _IN_CALLBACK.get() else timeout_seconds
        return await off_loop(lambda: started.stop(seconds))

    async def _start(self) -> Self:
        if self._started is None:
            loop = asyncio.get_running_loop()
            options = dict(self._options)
            for name in ("on_beat", "on_error"):
                if options.get(name) is not None:
                    options[name] = _on_loop(options[name], loop)
            self._started = await off_loop(lambda: self._home.start(**options))
        return self

    def __await__(self) -> Generator[Any, None, Self]:
        return self._start().__await__()

    async def __aenter__(self) -> Self:
        return await self._start()

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.stop()


def _on_loop(
    callback: Callable[[Any], object], loop: asyncio.AbstractEventLoop
) -> Callable[[Any], None]:
    """Return a function that has a callback called on a loop, and waits for its end."""

    async def call(value: object) -> None:
        _IN_CALLBACK.set(True)
        given = callback(value)
        if inspect.isawaitable(given):
            await given

    def tell(value: object) -> None:
        asyncio.run_coroutine_threadsafe(call(value), loop).result()

    return tell
