"""Folding: the same claim twice in one file becomes one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolnexus.change.plan import Change
from toolnexus.home.claims import located_claims
from toolnexus.home.leads import lead_of
from toolnexus.home.operations.place import cut_out, descendants
from toolnexus.home.operations.step import Step
from toolnexus.home.repeats import may_repeat

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from toolnexus.change.located import LocatedClaim
    from toolnexus.home.snapshot import Snapshot
    from toolnexus.text.types import Document, Link


def fold_duplicates(
    home: Snapshot, path: str, leaves: Callable[[str], bool] = lambda _: False
) -> Step:
    """Fold the duplicate claims of a file into the first of each; empty when there are none.

    Left alone are pinned claims, numbered items (their place has a meaning), table rows (two equal
    rows may be two events), claims that say something about a block behind them, claims that other
    claims are nested in, and claims that stand behind different lead-ins.

    Args:
        home: The home as read.
        path: The file.
        leaves: Tells, by its text, whether a claim is left as it is.
    """
    note = home.notes[path]
    if not note.is_writable or not may_repeat(note.document):
        return Step()
    located = located_claims(home, path)
    doubles = [n for n in _doubles(note.document, located) if not leaves(located[n].claim.text)]
    if not doubles:
        return Step()
    spans = [(note.document.claims[n].start, note.document.claims[n].end, "") for n in doubles]
    changes = tuple(
        Change(
            "merged",
            path,
            note.document.claims[number].line,
            note.document.claims[number].text,
            to=path,
            reason="the same claim stands in this file twice",
        )
        for number in doubles
    )
    return Step({path: cut_out(home.text(path), spans)}, changes)


def _doubles(document: Document, located: tuple[LocatedClaim, ...]) -> Iterator[int]:
    first: dict[tuple[str, tuple[str, ...], str], int] = {}
    for number, claim in enumerate(located):
        key = (claim.fold, claim.context, lead_of(document, number))
        if key not in first:
            first[key] = number
        elif _is_foldable(document, number) and _labels(document, number) == _labels(
            document, first[key]
        ):
            yield number


def _is_foldable(document: Document, number: int) -> bool:
    claim = document.claims[number]
    if claim.pinned or claim.ordered or claim.kind == "row" or claim.text.endswith(":"):
        return False
    if descendants(document, number):
        return False
    following = [c.start for c in document.claims if c.start >= claim.end]
    behind = [s.start for s in document.structure if s.kind != "rule" and s.start >= claim.end]
    headings = [h.start for h in document.headings if h.start >= claim.end]
    next_other = min([*following, *headings], default=None)
    return not behind or (next_other is not None and next_other < min(behind))


def _labels(document: Document, number: int) -> list[str]:
    """Return the words that a claim's links are shown as: folding must not lose other words."""
    claim = document.claims[number]
    return [_label(link) for link in document.links if claim.start <= link.start < claim.end]


def _label(link: Link) -> str:
    return " ".join(link.label.split()).casefold()
