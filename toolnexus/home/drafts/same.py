"""Folding what is the same, without a model: the same notes and the same claims become one."""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import partial
from typing import TYPE_CHECKING

from toolnexus.home.claims import holds_claims, located_claims
from toolnexus.home.leads import lead_of
from toolnexus.home.operations.fold import fold_duplicates
from toolnexus.home.operations.merge import is_mergeable, merge_into
from toolnexus.home.ripening import is_archived
from toolnexus.text.fold import fold_claim

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from toolnexus.home.drafts.draft import Draft
    from toolnexus.home.note import Note
    from toolnexus.home.snapshot import Snapshot

Said = tuple[str, tuple[str, ...]]


def merge_same(draft: Draft, among: Callable[[str], bool] = lambda _: True) -> bool:
    """Fold notes that say the same about the same, then claims that stand in a file twice.

    Args:
        draft: The job's changes so far.
        among: Tells, by its path, whether a file is looked at.

    Returns:
        Whether anything was folded.
    """
    merged = False
    refused: set[tuple[str, str]] = set()
    while (pair := next(_same_pairs(draft.home, refused, among), None)) is not None:
        gone, kept = pair
        if draft.take(merge_into(draft.home, [gone], kept)):
            merged = True
        else:
            refused.add(pair)
    for path, note in list(draft.home.notes.items()):
        if holds_claims(note) and note.is_writable and among(path):
            leaves = partial(draft.spared.leaves, path, kind="merged")
            merged |= draft.take(fold_duplicates(draft.home, path, leaves))
    return merged


def due_for_merging(home: Snapshot) -> frozenset[str]:
    """Return the notes whose every word another note says as well, so that one is enough."""
    return frozenset(gone for gone, _ in _same_pairs(home, set(), lambda _: True))


def _same_pairs(
    home: Snapshot, refused: set[tuple[str, str]], among: Callable[[str], bool]
) -> Iterator[tuple[str, str]]:
    """Yield pairs of notes, the one that goes and the one that stays; archived ones are none."""
    titled: defaultdict[str, list[Note]] = defaultdict(list)
    for note in home.notes.values():
        if not (holds_claims(note) and note.kind == "note") or is_archived(note.path):
            continue
        if not among(note.path):
            continue
        if note.is_writable and note.document.claims:
            titled[fold_claim(note.title)].append(note)
    for notes in titled.values():
        if len(notes) < 2:
            continue
        ranked = sorted(notes, key=lambda note: rank_of(home, note))
        for place, kept in enumerate(ranked):
            for gone in ranked[place + 1 :]:
                pair = (gone.path, kept.path)
                if pair not in refused and _are_same(home, gone, kept):
                    yield pair


def rank_of(home: Snapshot, note: Note) -> tuple[int, int, str]:
    """The most linked note stays, then the one with the shortest slug."""
    return -len(home.backlinks.get(note.path, ())), len(note.slug), note.path


def _are_same(home: Snapshot, one: Note, other: Note) -> bool:
    """Whether all that one of two notes says, the other says as well, about the same."""
    if any(claim.pinned for note in (one, other) for claim in note.document.claims):
        return False
    if not is_mergeable(home, one.path, other.path):
        return False
    first, second = _said(home, one), _said(home, other)
    return (first <= second or second <= first) and _ordered(one) == _ordered(other)


def _said(home: Snapshot, note: Note) -> Counter[Said]:
    return Counter(
        (claim.fold, (*claim.context, lead_of(note.document, number)))
        for number, claim in enumerate(located_claims(home, note.path))
    )


def _ordered(note: Note) -> list[str]:
    """Return the claims whose place has a meaning: numbered items and table rows."""
    return [c.fold for c in note.document.claims if c.ordered or c.kind == "row"]
