"""Three-way merging of texts, claim by claim: what we changed, carried over onto what is there now.

Every change is a hunk: one claim replaced, removed or added. A hunk is applied only where its claim
still stands as it was; what a person wrote is never touched.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from toolnexus.change.units import Unit, match_units, split_units

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

# Up to this many pairs of claims a changed stretch is paired by likeness; beyond, by order.
_PAIRING_CAP = 10_000


@dataclass(frozen=True, slots=True)
class Hunk:
    """One change between two texts.

    Attributes:
        line: Where it begins in the base, counted from 1; for an addition, the line it comes
            before.
        end_line: The last base line that it replaces; `line - 1` for an addition.
        before: The lines it replaces; empty for an addition.
        after: The lines it puts there; empty for a removal.
    """

    line: int
    end_line: int
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Merged:
    """A merge's outcome.

    Attributes:
        text: The merged text.
        applied: The hunks that stand in it, those included that stood there already.
        left: The hunks that could not be placed, or that the caller wanted left.
    """

    text: str
    applied: tuple[Hunk, ...] = ()
    left: tuple[Hunk, ...] = ()


def merge_texts(
    base: str, ours: str, theirs: str, *, leave: Callable[[Hunk], bool] | None = None
) -> Merged:
    r"""Carry the change from `base` to `ours` over onto `theirs`.

    Args:
        base: What both come from.
        ours: The base with our changes.
        theirs: The base with the changes of someone whose words win.
        leave: Tells which hunks must not be applied; None applies all that can be placed.

    Example:
        >>> merge_texts("- a\n- b\n", "- A\n- b\n", "- a\n- b\n- c\n").text
        '- A\n- b\n- c\n'
    """
    diff = _Diff(base, ours)
    if theirs == ours:
        return Merged(theirs, tuple(change.hunk for change in diff.changes))
    unwanted = {change for change in diff.changes if leave is not None and leave(change.hunk)}
    if theirs == base and not unwanted:
        return Merged(ours, tuple(change.hunk for change in diff.changes))
    target = _Target(diff.base, theirs)
    places = {
        change: place
        for change in diff.changes
        if change not in unwanted and (place := target.place(change)) is not None
    }
    edits = [
        (place.start, place.end, change.ours) for change, place in places.items() if place.is_open
    ]
    return Merged(
        target.apply(edits, newline=_newline_of(ours)),
        tuple(change.hunk for change in places),
        tuple(change.hunk for change in diff.changes if change not in places),
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Change:
    """A hunk in terms of units: `base[start:end]` gives way to `ours`."""

    start: int
    end: int
    old: Sequence[Unit]
    ours: Sequence[Unit]
    hunk: Hunk


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a hunk goes in the other text; not open when it stands there already."""

    start: int
    end: int
    is_open: bool = True


class _Diff:
    """The changes from one text to another, as small as claims."""

    def __init__(self, base: str, ours: str) -> None:
        self.base = split_units(base)
        self._ours = split_units(ours)
        self._end_line = base.count("\n") + 1
        self.changes = list(self._changes())

    def _changes(self) -> Iterator[_Change]:
        pairs = sorted(match_units(self.base, self._ours).items())
        i = j = 0
        for a, b in [*pairs, (len(self.base), len(self._ours))]:
            yield from self._stretch((i, a), (j, b))
            i, j = a + 1, b + 1

    def _stretch(self, old: tuple[int, int], new: tuple[int, int]) -> Iterator[_Change]:
        """Cut one changed stretch into hunks of one claim each."""
        olds = _groups(self.base, *old)
        news = _groups(self._ours, *new)
        pairs = _pair(
            [self.base[a:b] for a, b in olds],
            [self._ours[a:b] for a, b in news],
        )
        position = old[0]
        for left, right in pairs:
            start, end = (position, position) if left is None else olds[left]
            position = end
            added = self._ours[slice(*news[right])] if right is not None else []
            yield self._change(start, end, added)

    def _change(self, start: int, end: int, added: Sequence[Unit]) -> _Change:
        old = self.base[start:end]
        if old:
            line, end_line = old[0].line, old[-1].end_line
        else:
            line = self.base[start].line if start < len(self.base) else self._end_line
            end_line = line - 1
        before = "".join(unit.text for unit in old)
        after = "".join(unit.text for unit in added)
        return _Change(start, end, old, added, Hunk(line, end_line, before, after))


class _Target:
    """The other text, and where things of the base stand in it."""

    def __init__(self, base: Sequence[Unit], theirs: str) -> None:
        self._base = base
        self._theirs = split_units(theirs)
        self._text = theirs
        self._places = match_units(base, self._theirs)
        self._moved = _moved_units(base, self._theirs, self._places)

    def place(self, change: _Change) -> _Place | None:
        """Find where a change goes; None when its claim no longer stands as it was."""
        if not change.old:
            return self._place_addition(change)
        spots = [self._find(index) for index in range(change.start, change.end)]
        if all(b == spots[0] + k for k, b in enumerate(spots)) and spots[0] >= 0:
            return _Place(spots[0], spots[-1] + 1)
        return self._if_done(change) if spots[0] < 0 else None

    def apply(self, edits: Sequence[tuple[int, int, Sequence[Unit]]], *, newline: str) -> str:
        """Make the edits; all else stays byte for byte."""
        own = _newline_of(self._text) or newline
        pieces: list[str] = []
        position = 0
        for start, end, units in sorted(edits, key=lambda edit: edit[:2]):
            pieces += [unit.text for unit in self._theirs[position:start]]
            pieces += [_with_newline(unit.text, own) for unit in units]
            position = max(position, end)
        pieces += [unit.text for unit in self._theirs[position:]]
        closed = [piece if piece.endswith("\n") else piece + (own or "\n") for piece in pieces[:-1]]
        return "".join((*closed, *pieces[-1:]))

    def _find(self, index: int) -> int:
        return self._places.get(index, self._moved.get(index, -1))

    def _gap(self, start: int, end: int) -> tuple[int, int]:
        """Bound the stretch of the other text that lies where a stretch of the base was."""
        low = max((self._places[i] + 1 for i in range(start) if i in self._places), default=0)
        high = min(
            (self._places[i] for i in range(end, len(self._base)) if i in self._places),
            default=len(self._theirs),
        )
        return low, high

    def _if_done(self, change: _Change) -> _Place | None:
        """Tell whether someone else made the very same change."""
        low, high = self._gap(change.start, change.end)
        wanted = _keys(change.ours)
        if not wanted:
            return _Place(low, low, is_open=False) if low >= high else None
        keys = [unit.key for unit in self._theirs[low:high]]
        return _Place(low, low, is_open=False) if _holds(keys, wanted) else None

    def _place_addition(self, change: _Change) -> _Place | None:
        low, high = self._gap(change.start, change.start)
        keys = [unit.key for unit in self._theirs[low:high]]
        wanted = _keys(change.ours)
        if wanted and _holds(keys, wanted):
            return _Place(low, low, is_open=False)
        before, behind = self._places.get(change.start - 1), self._places.get(change.start)
        if before is not None:
            return _Place(before + 1, before + 1)
        if behind is not None:
            return _Place(behind, behind)
        if self._base and change.start == len(self._base):
            return _Place(len(self._theirs), len(self._theirs))
        return None


def _moved_units(
    base: Sequence[Unit], theirs: Sequence[Unit], places: dict[int, int]
) -> dict[int, int]:
    """Find claims that someone moved within their section: the only one of its words on both sides.

    A claim under another heading or item says something about something else, so it is not it.
    """
    taken = set(places.values())
    mine = _only([(i, unit) for i, unit in enumerate(base) if i not in places])
    other = _only([(j, unit) for j, unit in enumerate(theirs) if j not in taken])
    standing = {(unit.key, unit.context) for unit in (base[i] for i in places)}
    return {
        index: other[mark] for mark, index in mine.items() if mark in other and mark not in standing
    }


def _only(units: list[tuple[int, Unit]]) -> dict[tuple[str, tuple[str, ...]], int]:
    found: dict[tuple[str, tuple[str, ...]], int] = {}
    for index, unit in units:
        mark = (unit.key, unit.context)
        found[mark] = -1 if mark in found or unit.is_blank else index
    return {mark: index for mark, index in found.items() if index >= 0}


def _groups(units: Sequence[Unit], start: int, end: int) -> list[tuple[int, int]]:
    """Cut a stretch into claims, each with the blank lines behind it (the first, before it too)."""
    heads = [index for index in range(start, end) if not units[index].is_blank]
    if not heads:
        return [(start, end)] if start < end else []
    return list(zip([start, *heads[1:]], [*heads[1:], end], strict=True))


def _pair(
    olds: Sequence[Sequence[Unit]], news: Sequence[Sequence[Unit]]
) -> list[tuple[int | None, int | None]]:
    """Pair old claims with the new ones in their place: alike ones where the numbers differ."""
    if len(olds) == len(news):
        return [(index, index) for index in range(len(olds))]
    if not olds or not news or len(olds) * len(news) > _PAIRING_CAP:
        couples = [(index, index) for index in range(min(len(olds), len(news)))]
    else:
        couples = _alike([_words(units) for units in olds], [_words(units) for units in news])
    pairs: list[tuple[int | None, int | None]] = []
    i = j = 0
    for a, b in [*couples, (len(olds), len(news))]:
        pairs += [(index, None) for index in range(i, a)]
        pairs += [(None, index) for index in range(j, b)]
        if a < len(olds) and b < len(news):
            pairs.append((a, b))
        i, j = a + 1, b + 1
    return pairs


def _alike(olds: list[frozenset[str]], news: list[frozenset[str]]) -> list[tuple[int, int]]:
    """Pair in order so that the most words are shared."""
    best = [[0.0] * (len(news) + 1) for _ in range(len(olds) + 1)]
    for i in range(len(olds) - 1, -1, -1):
        for j in range(len(news) - 1, -1, -1):
            paired = best[i + 1][j + 1] + _likeness(olds[i], news[j])
            best[i][j] = max(best[i + 1][j], best[i][j + 1], paired)
    couples = []
    i = j = 0
    while i < len(olds) and j < len(news):
        if best[i][j] == best[i + 1][j]:
            i += 1
        elif best[i][j] == best[i][j + 1]:
            j += 1
        else:
            couples.append((i, j))
            i, j = i + 1, j + 1
    return couples


def _likeness(a: frozenset[str], b: frozenset[str]) -> float:
    return len(a & b) / max(len(a | b), 1)


def _words(units: Sequence[Unit]) -> frozenset[str]:
    return frozenset(" ".join(unit.key for unit in units).casefold().split())


def _keys(units: Sequence[Unit]) -> list[str]:
    return [unit.key for unit in units if not unit.is_blank]


def _holds(keys: list[str], wanted: list[str]) -> bool:
    filled = [key for key in keys if key.strip()]
    size = len(wanted)
    return any(filled[k : k + size] == wanted for k in range(len(filled) - size + 1))


def _newline_of(text: str) -> str:
    """Tell the line ending that a text uses; empty when it has but one line."""
    newlines = text.count("\n")
    if not newlines:
        return ""
    return "\r\n" if 2 * text.count("\r\n") > newlines else "\n"


def _with_newline(text: str, newline: str) -> str:
    if not newline:
        return text
    return text.replace("\r\n", "\n").replace("\n", newline)
