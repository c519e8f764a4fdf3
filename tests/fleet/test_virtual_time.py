"""Virtual time: a loop in which waiting takes none, and a clock that people set."""

from __future__ import annotations

import asyncio
import socket
from datetime import UTC, datetime, timedelta

import pytest

from toolnexus.clock import RunningClock
from toolnexus.testing.virtual_time import VirtualTime

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)


def test_waits_pass_at_once_and_in_order():
    """Whoever waits less comes first, each at its own moment."""
    time = VirtualTime(NOON)
    seen: list[tuple[str, datetime]] = []

    async def wait(name: str, hours: float) -> None:
        await asyncio.sleep(hours * 3600)
        seen.append((name, time.now()))

    async def main() -> None:
        await asyncio.gather(wait("late", 48), wait("soon", 1))

    time.run(main())
    assert seen == [("soon", NOON + timedelta(hours=1)), ("late", NOON + timedelta(hours=48))]


def test_a_clock_that_is_set_does_not_move_the_waits():
    """Timers count what passes; the clock shows what it was set to."""
    time = VirtualTime(NOON)

    async def main() -> None:
        time.set_clock(timedelta(hours=-3))
        await asyncio.sleep(60)

    time.run(main())
    assert time.now() == NOON - timedelta(hours=3) + timedelta(seconds=60)
    assert time.monotonic() == pytest.approx(60)


def test_real_events_come_before_time_passes():
    """What has arrived is read at once, before any timer."""
    time = VirtualTime(NOON)
    ours, theirs = socket.socketpair()

    async def main() -> bytes:
        reader, writer = await asyncio.open_connection(sock=ours)
        theirs.sendall(b"hello")
        async with asyncio.timeout(3600):
            data = await reader.readexactly(5)
        writer.close()
        return data

    with theirs:
        assert time.run(main()) == b"hello"
    assert time.now() < NOON + timedelta(hours=1)


def test_a_running_clock_goes_on_from_where_it_was_set():
    """It shows the instant and what has passed since."""
    virtual = VirtualTime(NOON)
    clock = RunningClock(NOON - timedelta(days=9), virtual.monotonic)
    virtual.sleep(90)
    assert clock.now() == NOON - timedelta(days=9) + timedelta(seconds=90)
