"""Units: the smallest stretches of MEMORY.md that can move without tearing sense apart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from toolnexus.home.claims import section_chain
from toolnexus.home.operations.place import descendants, subtree_span

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from toolnexus.home.note import Note
    from toolnexus.home.snapshot import Snapshot
    from toolnexus.text.types import Claim


@dataclass(frozen=True, slots=True)
class Unit:
    """Claims that move together.

    An item goes with what is nested in it, a numbered list as a whole, a line that announces a
    list with that list.

    Attributes:
        numbers: The outermost claims, as numbers in `Document.claims`.
        start: Where their lines begin; `end` is behind them.
        chain: The headings above them, without the title of MEMORY.md.
        texts: Their words.
        lines: How many lines they take; `size_bytes` how many bytes.
        targets: The notes that they link.
    """

    numbers: tuple[int, ...]
    start: int
    end: int
    chain: tuple[str, ...]
    texts: tuple[str, ...]
    lines: int
    size_bytes: int
    targets: tuple[str, ...] = ()


def find_units(home: Snapshot) -> list[Unit]:
    """Return what of MEMORY.md may move, in order.

    Left out are pinned claims, table rows, and claims that belong to code or a comment beside them.
    """
    memory = home.memory
    if memory is None:
        return []
    return [_unit(home, memory, numbers) for numbers in _groups(home, memory)]


def _groups(home: Snapshot, memory: Note) -> Iterator[tuple[int, ...]]:
    claims = memory.document.claims
    roots = [number for number, claim in enumerate(claims) if claim.parent < 0]
    group: list[int] = []
    for number in roots:
        if group and _belongs(home, memory, group, number):
            group.append(number)
            continue
        if group and _may_move(home, memory, group):
            yield tuple(group)
        group = [number]
    if group and _may_move(home, memory, group):
        yield tuple(group)


def _belongs(home: Snapshot, memory: Note, group: Sequence[int], number: int) -> bool:
    """Whether a claim goes on with a group: the next of a numbered list, or a list announced."""
    claims = memory.document.claims
    first, last, claim = claims[group[0]], claims[group[-1]], claims[number]
    if claim.headings != last.headings or claim.kind != "item":
        return False
    if home.text(memory.path)[subtree_span(memory.document, group[-1])[1] : claim.start].strip():
        return False
    announced = first.kind == "paragraph" and first.text.endswith(":")
    return announced or (claim.ordered and last.ordered)


def _may_move(home: Snapshot, memory: Note, group: Sequence[int]) -> bool:
    document = memory.document
    inside = [n for number in group for n in (number, *descendants(document, number))]
    claims = [document.claims[number] for number in inside]
    if any(claim.pinned or claim.kind == "row" for claim in claims):
        return False
    start, end = document.claims[group[0]].start, subtree_span(document, group[-1])[1]
    return not any(
        start <= piece.start < end or _touches(home.text(memory.path), end, piece.start, claims[-1])
        for piece in document.structure
        if piece.kind != "rule"
    )


def _touches(text: str, end: int, piece_start: int, claim: Claim) -> bool:
    """Whether a piece of structure right behind a claim may be what the claim speaks of."""
    if piece_start < end or text[end:piece_start].strip():
        return False
    indented = text[piece_start : piece_start + 1] in {" ", "\t"}
    return indented or claim.text.endswith(":") or piece_start == end


def _unit(home: Snapshot, memory: Note, numbers: tuple[int, ...]) -> Unit:
    document, text = memory.document, home.text(memory.path)
    start = document.claims[numbers[0]].start
    end = subtree_span(document, numbers[-1])[1]
    targets = tuple(
        found.path
        for link, found in zip(document.links, home.resolutions.get(memory.path, ()), strict=False)
        if start <= link.start < end and found.path is not None and found.path in home.notes
    )
    source = text[start:end]
    return Unit(
        numbers,
        start,
        end,
        section_chain(memory, document.claims[numbers[0]]),
        tuple(document.claims[number].text for number in numbers),
        source.count("\n") or 1,
        len(source.encode()),
        targets,
    )
