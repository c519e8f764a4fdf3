"""Calls that end, whatever they call."""

from __future__ import annotations

import asyncio
import contextvars
import threading

import pytest

from toolnexus.agent.calls import (
    CancelledRunError,
    TimedOutError,
    acall_bounded,
    call_bounded,
    on_thread,
)

place = contextvars.ContextVar("place", default="nowhere")


def test_values_and_errors_come_back():
    """What the function returns or raises is returned or raised, in the caller's context."""
    place.set("here")
    assert call_bounded(place.get, 5) == "here"
    with pytest.raises(KeyError):
        call_bounded(lambda: {}["x"], 5)
    with pytest.raises(TimeoutError, match="own"):
        call_bounded(lambda: (_ for _ in ()).throw(TimeoutError("own")), 5)


def test_a_coroutine_is_run():
    """A coroutine function can be called from sync code."""

    async def work() -> int:
        await asyncio.sleep(0)
        return 3

    assert call_bounded(work, 5) == 3


def test_what_never_returns_is_left_behind():
    """A call that hangs costs its time and no more."""
    never = threading.Event()
    with pytest.raises(TimedOutError):
        call_bounded(never.wait, 0.02)
    never.set()


def test_a_cancelled_call_is_left_behind():
    """An event that is set ends the wait at once."""
    never, cancel = threading.Event(), threading.Event()
    cancel.set()
    with pytest.raises(CancelledRunError):
        call_bounded(never.wait, None, cancel)
    never.set()


def test_async_calls_end_too():
    """Time and cancellation bound awaited calls and threads alike."""
    never, cancel = threading.Event(), threading.Event()

    async def check() -> None:
        with pytest.raises(TimedOutError):
            await acall_bounded(lambda: asyncio.sleep(60), 0.02)
        with pytest.raises(TimedOutError):
            await acall_bounded(lambda: on_thread(never.wait), 0.02)
        assert await acall_bounded(lambda: on_thread(lambda: 3), 5) == 3
        cancel.set()
        with pytest.raises(CancelledRunError):
            await acall_bounded(lambda: asyncio.sleep(60), None, cancel)

    asyncio.run(check())
    never.set()
