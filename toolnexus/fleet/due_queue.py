"""A queue of what is due when: the soonest first, each key once."""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Hashable
    from datetime import datetime

Key = TypeVar("Key", bound="Hashable")
_SMALL = 64


class DueQueue(Generic[Key]):
    """Keys with the moment at which each is due. What is put twice moves.

    Example:
        >>> from datetime import UTC, datetime
        >>> queue = DueQueue()
        >>> queue.put("ava", datetime(2026, 11, 30, 9, tzinfo=UTC))
        >>> queue.put("ava", datetime(2026, 11, 30, 8, tzinfo=UTC))
        >>> len(queue), queue.soonest().hour
        (1, 8)
    """

    def __init__(self) -> None:
        self._at: dict[Key, tuple[datetime, int]] = {}
        self._heap: list[tuple[datetime, int, Key]] = []
        self._count = 0

    def __len__(self) -> int:
        return len(self._at)

    def put(self, key: Key, at: datetime) -> None:
        """Put a key in its place; those of one moment keep the order they came in."""
        self._count += 1
        self._at[key] = (at, self._count)
        heapq.heappush(self._heap, (at, self._count, key))
        if len(self._heap) > _SMALL + 2 * len(self._at):  # mostly places that were left since
            self._heap = [(at, number, key) for key, (at, number) in self._at.items()]
            heapq.heapify(self._heap)

    def remove(self, key: Key) -> None:
        """Take a key out; one that is not in it is fine."""
        self._at.pop(key, None)

    def pop(self, now: datetime) -> tuple[Key, datetime] | None:
        """Take out and return the soonest key that is due, and since when; None when none is."""
        self._drop_stale()
        if not self._heap or self._heap[0][0] > now:
            return None
        at, _, key = heapq.heappop(self._heap)
        del self._at[key]
        return key, at

    def soonest(self) -> datetime | None:
        """Return when the next key is due; None when there is none."""
        self._drop_stale()
        return self._heap[0][0] if self._heap else None

    def soonest_after(self, now: datetime) -> datetime | None:
        """Return when the next key is due that is not yet; None when there is none."""
        self._drop_stale()
        if not self._heap or self._heap[0][0] > now:
            return self.soonest()
        return min((at for at, _ in self._at.values() if at > now), default=None)

    def due(self, now: datetime) -> int:
        """Count the keys that are due."""
        return sum(at <= now for at, _ in self._at.values())

    def _drop_stale(self) -> None:
        while self._heap and self._at.get(self._heap[0][2]) != self._heap[0][:2]:
            heapq.heappop(self._heap)
