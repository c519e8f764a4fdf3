"""A plug's events, one at a time, whether it yields them or has them awaited."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterable, Iterable
from typing import TYPE_CHECKING, TypeVar

from toolnexus.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

Item = TypeVar("Item")


def stream(events: Iterable[Item] | AsyncIterable[Item]) -> Iterator[Item]:
    """Yield events one at a time; the next one is asked for when it is needed, and not before.

    Raises:
        UsageError: when they have to be awaited and an event loop runs in this thread, or are no
            events at all.

    Example:
        >>> list(stream(iter([1, 2])))
        [1, 2]
    """
    if isinstance(events, AsyncIterable):
        return _awaited(events)
    if isinstance(events, Iterable):
        return iter(events)
    raise UsageError("events() of the plug gives nothing that can be gone through")


def _awaited(events: AsyncIterable[Item]) -> Iterator[Item]:
    """Await each event on a loop of our own."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        pass
    else:
        hint = "await home.aplug(…), which works beside the loop"
        raise UsageError("an event loop runs here, so that events cannot be awaited", hint=hint)
    with asyncio.Runner() as runner:
        each = aiter(events)
        while (event := runner.run(_next(each))) is not None:
            yield event


async def _next(events: AsyncIterator[Item]) -> Item | None:
    return await anext(events, None)
