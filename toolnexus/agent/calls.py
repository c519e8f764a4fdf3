"""Calls with an end: what takes too long, or is no longer wanted, is left behind."""

from __future__ import annotations

import asyncio
import contextvars
import inspect
import threading
import time
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeoutError
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

_T = TypeVar("_T")
_CALLERS_LOOP: contextvars.ContextVar[asyncio.AbstractEventLoop | None] = contextvars.ContextVar(
    "callers_loop", default=None
)
_POLL_SECONDS = 0.05


class Cancel(Protocol):
    """Tells whether a run is no longer wanted: a `threading.Event` or an `asyncio.Event`."""

    def is_set(self) -> bool:
        """Whether it is no longer wanted."""
        ...


class TimedOutError(Exception):
    """A call did not return in time and was left behind."""


class CancelledRunError(Exception):
    """A call was left behind because the run is no longer wanted."""


def call_bounded(
    function: Callable[[], _T], seconds: float | None, cancel: Cancel | None = None
) -> _T:
    """Call a function on a thread of its own, and leave it behind when its time is up.

    The thread is a daemon: one that never returns does not keep the program from ending.

    Args:
        function: What to call; a coroutine that it returns is run to its end there.
        seconds: How long to wait; None waits for as long as it takes.
        cancel: Looked at while waiting; None is never set.

    Raises:
        TimedOutError: when it did not return in time.
        CancelledRunError: when it was cancelled meanwhile.
    """
    future = _start(function, run_coroutines=True)
    deadline = None if seconds is None else time.monotonic() + seconds
    while True:
        left = None if deadline is None else max(0.0, deadline - time.monotonic())
        try:
            return future.result(_wait(left, cancel))
        except FutureTimeoutError:
            if future.done():  # the function's own error, which has that name too
                raise
        _check(left, cancel)


async def acall_bounded(
    function: Callable[[], Coroutine[Any, Any, _T]],
    seconds: float | None,
    cancel: Cancel | None = None,
) -> _T:
    """Await a coroutine, and cancel it when its time is up; see `call_bounded`.

    Raises:
        TimedOutError: when it did not return in time.
        CancelledRunError: when it was cancelled meanwhile.
    """
    task = asyncio.ensure_future(function())
    loop = asyncio.get_running_loop()
    deadline = None if seconds is None else loop.time() + seconds
    try:
        while True:
            left = None if deadline is None else max(0.0, deadline - loop.time())
            await asyncio.wait({task}, timeout=_wait(left, cancel))
            if task.done():
                return task.result()
            _check(left, cancel)
    finally:
        task.cancel()


async def on_thread(function: Callable[[], _T]) -> _T:
    """Call a function on a daemon thread; a coroutine that it returns is awaited here."""
    value = await asyncio.wrap_future(_start(function, run_coroutines=False))
    return await value if inspect.isawaitable(value) else value


async def off_loop(function: Callable[[], _T]) -> _T:
    """Call a function on a daemon thread; coroutines that are called there run on this loop.

    So an async tool works with what belongs to its caller's loop, also where the work around it is
    not async.
    """
    token = _CALLERS_LOOP.set(asyncio.get_running_loop())
    try:
        return await on_thread(function)
    finally:
        _CALLERS_LOOP.reset(token)


def _wait(left: float | None, cancel: Cancel | None) -> float | None:
    """Return how long to wait before looking again."""
    if cancel is None:
        return left
    return _POLL_SECONDS if left is None else min(_POLL_SECONDS, left)


def _check(left: float | None, cancel: Cancel | None) -> None:
    if cancel is not None and cancel.is_set():
        raise CancelledRunError
    if left == 0.0:
        raise TimedOutError


def _finished(coroutine: Coroutine[Any, Any, _T]) -> _T:
    """Run a coroutine to its end: on the loop of who waits for it, else on one of its own."""
    loop = _CALLERS_LOOP.get()
    if loop is None:
        return asyncio.run(coroutine)
    return asyncio.run_coroutine_threadsafe(coroutine, loop).result()


def _start(function: Callable[[], _T], *, run_coroutines: bool) -> Future[_T]:
    """Call a function on a daemon thread, in the caller's context."""
    future: Future[_T] = Future()

    def fulfil() -> None:
        if not future.set_running_or_notify_cancel():
            return
        try:
            value: Any = function()
            if run_coroutines and inspect.iscoroutine(value):
                value = _finished(value)
        except SystemExit as error:  # this thread is not the program's, which it may not end
            future.set_exception(RuntimeError(f"it tried to end the program: {error}"))
        except BaseException as error:  # noqa: BLE001 - raised again where the call was made
            future.set_exception(error)
        else:
            future.set_result(value)

    context = contextvars.copy_context()
    threading.Thread(target=context.run, args=(fulfil,), daemon=True).start()
    return future
