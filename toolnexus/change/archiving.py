"""Archived notes: a note that moves into the archive stays the same note, byte for byte.

For the conservation law it is the file that it was: what stood in it before is looked for where it
lies now, headings, code and front matter included.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import TypeVar

    from toolnexus.change.located import Side
    from toolnexus.change.plan import Change

    Value = TypeVar("Value")


def archived_in(
    before: Side, after: Side, changes: Sequence[Change]
) -> tuple[Side, tuple[Change, ...]]:
    """Return the files before a plan, and its other changes, as if what it archives had lain there.

    A note that is still where it was afterwards, or whose new place was taken, is left as it is:
    the law then sees that its claims are lost.

    Args:
        before: The files it changes, before.
        after: The same files after it.
        changes: What it says it did.
    """
    moved = {
        change.path: change.to
        for change in changes
        if change.kind == "archived"
        and change.path in before.titles
        and change.path not in after.titles
        and change.to in after.titles
        and change.to not in before.titles
    }
    if not moved:
        return before, tuple(changes)
    side = replace(
        before,
        claims=tuple(
            replace(claim, path=moved.get(claim.path, claim.path)) for claim in before.claims
        ),
        headings=_moved(before.headings, moved),
        structure=_moved(before.structure, moved),
        fronts=_moved(before.fronts, moved),
        titles=_moved(before.titles, moved),
        sources=_moved(before.sources, moved),
    )
    return side, tuple(
        replace(
            change,
            path=moved.get(change.path, change.path),
            to=moved.get(change.to, change.to),
        )
        for change in changes
    )


def _moved(values: Mapping[str, Value], moved: Mapping[str, str]) -> dict[str, Value]:
    return {moved.get(path, path): value for path, value in values.items()}
