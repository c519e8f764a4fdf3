"""Derived notes: what was extracted, distilled or imagined, and names what it was made of.

Such a note may say what no claim said before, so the conservation law lets it in under three rules
of its own: it is new, its front matter names notes that are there or turns of a transcript, and it
takes nothing over from another file. What stands in it counts for nothing else: no claim of
another file may be called kept because a derived note says it too.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import TypeVar

    from toolnexus.change.located import Side
    from toolnexus.change.plan import Change, ChangeKind

    Value = TypeVar("Value")

DERIVED: frozenset[ChangeKind] = frozenset({"extracted", "distilled", "imagined"})
"""The kinds of change that bring in a derived note; each is told with the note's path."""


def derived_paths(before: Side, after: Side, changes: Sequence[Change]) -> frozenset[str]:
    """Return the notes that a plan lawfully derives.

    Args:
        before: The files it changes, before.
        after: The same files after it.
        changes: What it says it did.
    """
    told = {change.path for change in changes if change.kind in DERIVED}
    new = {path for path in told if path in after.titles and path not in before.titles}
    return frozenset(
        path
        for path in new
        if set(after.sources.get(path, ())) - told and _is_unmoved(path, changes)
    )


def without(side: Side, paths: frozenset[str]) -> Side:
    """Return one side of a plan without some of its files."""
    if not paths:
        return side
    return replace(
        side,
        claims=tuple(claim for claim in side.claims if claim.path not in paths),
        headings=_left_out(side.headings, paths),
        structure=_left_out(side.structure, paths),
        fronts=_left_out(side.fronts, paths),
        titles=_left_out(side.titles, paths),
        sources=_left_out(side.sources, paths),
    )


def structure_in(side: Side, paths: frozenset[str]) -> Iterator[tuple[str, str]]:
    """Yield the code, comments and the like of some files, each with its file.

    A derived note has none: what no claim is would be judged by nobody.
    """
    for path in sorted(paths):
        for piece in side.structure.get(path, ()):
            yield path, piece


def _is_unmoved(path: str, changes: Sequence[Change]) -> bool:
    """Whether no other change of the plan moves anything into a file."""
    return all(change.to != path for change in changes if change.kind not in DERIVED)


def _left_out(values: Mapping[str, Value], paths: frozenset[str]) -> dict[str, Value]:
    return {path: value for path, value in values.items() if path not in paths}
