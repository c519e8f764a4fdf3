"""Circles: what rests on itself by way of others, and an order in which parents come first."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


def find_circles(
    count: int, pairs: Iterable[tuple[int, int]]
) -> tuple[list[int], tuple[tuple[int, ...], ...]]:
    """Order things so that parents come before children, and find those that go in circles.

    Tarjan's algorithm, without recursion: a chain may be longer than Python's stack.

    Args:
        count: How many things there are; they are numbered from 0.
        pairs: Child and parent.

    Returns:
        All numbers, parents first; and the circles, each with its numbers in ascending order. A
        thing that rests on itself is a circle of one.

    Example:
        >>> find_circles(3, [(0, 1), (1, 0), (1, 2)])
        ([2, 1, 0], ((0, 1),))
    """
    parents: defaultdict[int, list[int]] = defaultdict(list)
    for child, parent in pairs:
        parents[child].append(parent)
    search = _Search(parents)
    for number in range(count):
        if number not in search.found_at:
            search.run(number)
    circles = [
        tuple(sorted(group))
        for group in search.groups
        if len(group) > 1 or group[0] in parents[group[0]]
    ]
    return [number for group in search.groups for number in group], tuple(sorted(circles))


class _Search:
    """One depth-first search over everything; `groups` come out with parents first."""

    def __init__(self, parents: defaultdict[int, list[int]]) -> None:
        self.found_at: dict[int, int] = {}
        self.groups: list[list[int]] = []
        self._parents = parents
        self._lowest: dict[int, int] = {}
        self._open: list[int] = []
        self._is_open: set[int] = set()

    def run(self, start: int) -> None:
        """Search from one thing on."""
        ways: list[tuple[int, Iterator[int]]] = [(start, self._enter(start))]
        while ways:
            number, rest = ways[-1]
            onward = next(rest, None)
            if onward is None:
                ways.pop()
                self._leave(number)
                if ways:
                    below = ways[-1][0]
                    self._lowest[below] = min(self._lowest[below], self._lowest[number])
            elif onward not in self.found_at:
                ways.append((onward, self._enter(onward)))
            elif onward in self._is_open:
                self._lowest[number] = min(self._lowest[number], self.found_at[onward])

    def _enter(self, number: int) -> Iterator[int]:
        self.found_at[number] = self._lowest[number] = len(self.found_at)
        self._open.append(number)
        self._is_open.add(number)
        return iter(self._parents[number])

    def _leave(self, number: int) -> None:
        """Close a group where its first thing is left."""
        if self._lowest[number] != self.found_at[number]:
            return
        group = []
        while True:
            last = self._open.pop()
            self._is_open.remove(last)
            group.append(last)
            if last == number:
                break
        self.groups.append(group)
