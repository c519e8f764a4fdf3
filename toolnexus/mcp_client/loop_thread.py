"""An event loop on a thread of its own, for work that is asked for from any thread."""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from concurrent.futures import Future

_T = TypeVar("_T")


class LoopThread:
    """An event loop that runs until it is closed. Its thread never keeps a program from ending.

    Example:
        >>> async def twice(n: int) -> int:
        ...     return 2 * n
        >>> loop = LoopThread()
        >>> loop.submit(twice(4)).result()
        8
        >>> loop.close()
    """

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()

    def submit(self, coroutine: Coroutine[Any, Any, _T]) -> Future[_T]:
        """Begin a coroutine on the loop."""
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop)

    def call(self, function: Callable[[], object]) -> None:
        """Call a function on the loop, some time soon."""
        self._loop.call_soon_threadsafe(function)

    def close(self) -> None:
        """Cancel what still runs, and end the thread. Closing twice is closing once."""
        if self._loop.is_closed():
            return
        self.submit(_cancel_others()).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


async def _cancel_others() -> None:
    """Cancel every other task, and await the end of the async generators."""
    others = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)
    await asyncio.get_running_loop().shutdown_asyncgens()
