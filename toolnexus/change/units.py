"""Units: a Markdown text cut into the smallest stretches of lines that change as one.

A list item or paragraph with its continuation lines is one unit; a heading, a table row, a line of
code or of front matter, and a blank line are each one of their own.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_ITEM = re.compile(r"([-*+]|\d{1,9}[.)])([ \t]|$)")
_HEADING = re.compile(r"#{1,6}([ \t]|$)")
_FENCE = re.compile(r"`{3,}|~{3,}")
# Two stretches without a common unique line are compared pair by pair up to this many pairs.
_PAIRS_CAP = 250_000


@dataclass(frozen=True, slots=True)
class Unit:
    """A stretch of lines.

    Attributes:
        text: Its lines, line endings included.
        key: What it is compared by: the lines without their endings.
        line: Its first line, counted from 1; `end_line` its last.
        context: The heading lines and parent items it stands under, outermost first.
    """

    text: str
    key: str
    line: int
    end_line: int
    context: tuple[str, ...] = ()

    @property
    def is_blank(self) -> bool:
        """Whether there is nothing in it."""
        return not self.key.strip()


def split_units(text: str) -> list[Unit]:
    r"""Cut a text into units; joined, their texts are the text again.

    Example:
        >>> [unit.key for unit in split_units("# A\n- x\n  y\n- z\n")]
        ['# A', '- x\n  y', '- z']
    """
    cutter = _Cutter()
    lines = text.split("\n")
    pieces = [line + "\n" for line in lines[:-1]] + [line for line in lines[-1:] if line]
    for number, piece in enumerate(pieces, 1):
        cutter.add(piece, number)
    return cutter.units()


class _Cutter:
    """Goes over lines and decides for each whether it begins a unit."""

    def __init__(self) -> None:
        self._groups: list[tuple[int, list[str]]] = []
        self._fence = ""
        self._in_front = False
        self._open = False  # whether the last unit takes continuation lines
        self._quoting = False  # whether the last line was one of a block quote

    def add(self, piece: str, number: int) -> None:
        line = piece.rstrip("\r\n")
        words = line.lstrip(" \t")
        if number == 1 and line.lstrip("\ufeff").rstrip() == "---":
            self._in_front = True
            starts, opens = True, False
        elif self._in_front:
            self._in_front = line.rstrip() not in {"---", "..."}
            starts, opens = True, False
        elif self._fence:
            if words.startswith(self._fence):
                self._fence = ""
            starts, opens = True, False
        else:
            starts, opens = self._body_line(line, words)
        if starts or not self._open:
            self._groups.append((number, [piece]))
        else:
            self._groups[-1][1].append(piece)
        self._open = opens

    def _body_line(self, line: str, words: str) -> tuple[bool, bool]:
        """Tell whether a line of the body begins a unit, and whether that goes on behind it."""
        was_quoting, self._quoting = self._quoting, words.startswith(">")
        if self._quoting:
            return not was_quoting, True
        if not line.strip() or _HEADING.match(words) or words.startswith("|"):
            return True, False
        fence = _FENCE.match(words)
        if fence:
            self._fence = fence[0]
            return True, False
        return _ITEM.match(words) is not None, True

    def units(self) -> list[Unit]:
        found = []
        above = _Above()
        for number, pieces in self._groups:
            text = "".join(pieces)
            key = "\n".join(piece.rstrip("\r\n") for piece in pieces)
            context = above.context_of(key)
            found.append(Unit(text, key, number, number + len(pieces) - 1, context))
        return found


class _Above:
    """Remembers the headings and items that the next unit stands under."""

    def __init__(self) -> None:
        self._headings: list[tuple[int, str]] = []
        self._items: list[tuple[int, str]] = []

    def context_of(self, key: str) -> tuple[str, ...]:
        stripped = key.lstrip(" \t")
        if not stripped:
            return ()
        heading = _HEADING.match(stripped)
        if heading:
            level = len(stripped) - len(stripped.lstrip("#"))
            self._headings = [each for each in self._headings if each[0] < level]
            context = tuple(text for _, text in self._headings)
            self._headings.append((level, stripped))
            self._items = []
            return context
        indent = len(key) - len(stripped)
        self._items = [each for each in self._items if each[0] < indent]
        context = tuple(text for _, text in (*self._headings, *self._items))
        if _ITEM.match(stripped):
            self._items.append((indent, stripped))
        return context


def match_units(old: Sequence[Unit], new: Sequence[Unit]) -> dict[int, int]:
    """Pair the units that stand in both, in order: index in `old` to index in `new`.

    Units that are unique on both sides are paired first and the gaps between them after that, so
    that blank lines and the like never pull apart what belongs together.
    """
    return dict(_match([unit.key for unit in old], [unit.key for unit in new]))


def _match(old: list[str], new: list[str]) -> Iterator[tuple[int, int]]:
    stack = [(0, len(old), 0, len(new))]
    while stack:
        a, a_end, b, b_end = stack.pop()
        while a < a_end and b < b_end and old[a] == new[b]:
            yield a, b
            a, b = a + 1, b + 1
        while a < a_end and b < b_end and old[a_end - 1] == new[b_end - 1]:
            a_end, b_end = a_end - 1, b_end - 1
            yield a_end, b_end
        if a == a_end or b == b_end:
            continue
        anchors = _anchors(old, new, (a, a_end, b, b_end))
        if anchors:
            ends = [*anchors, (a_end, b_end)]
            starts = [(a, b), *((i + 1, j + 1) for i, j in anchors)]
            yield from anchors
            stack += [
                (i, i_end, j, j_end) for (i, j), (i_end, j_end) in zip(starts, ends, strict=True)
            ]
        elif (a_end - a) * (b_end - b) <= _PAIRS_CAP:
            matcher = SequenceMatcher(None, old[a:a_end], new[b:b_end], autojunk=False)
            for block in matcher.get_matching_blocks():
                yield from ((a + block.a + k, b + block.b + k) for k in range(block.size))


def _anchors(
    old: list[str], new: list[str], span: tuple[int, int, int, int]
) -> list[tuple[int, int]]:
    """Pair what is unique on both sides of a span, as many as keep their order."""
    a, a_end, b, b_end = span
    theirs = _unique(new, b, b_end)
    pairs = [
        (index, theirs[key])
        for key, index in _unique(old, a, a_end).items()
        if key.strip() and key in theirs
    ]
    return _rising(sorted(pairs))


def _unique(keys: list[str], start: int, end: int) -> dict[str, int]:
    places: dict[str, int] = {}
    for index in range(start, end):
        places[keys[index]] = -1 if keys[index] in places else index
    return {key: index for key, index in places.items() if index >= 0}


def _rising(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the longest run of pairs, sorted by their first, whose second rises too."""
    tails: list[int] = []  # the smallest end of a rising run of each length
    holders: list[int] = []  # the pair that is that end
    previous = [-1] * len(pairs)
    for index, (_, second) in enumerate(pairs):
        length = bisect_left(tails, second)
        previous[index] = holders[length - 1] if length else -1
        tails[length : length + 1] = [second]
        holders[length : length + 1] = [index]
    run = []
    index = holders[-1] if holders else -1
    while index >= 0:
        run.append(pairs[index])
        index = previous[index]
    return run[::-1]
