"""Testimony: what turns of the transcripts say about the claims of a note.

A dream leaves it: its history tells which claims came out of which turns, and its ledger which
turns support a claim, and which one speaks against it.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from toolnexus.text.fold import fold_claim

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from toolnexus.change.plan import Change, Evidence
    from toolnexus.home.note import Note
    from toolnexus.home.ripening import LinkKind

MOST_TURNS = 8
"""How many turns are told of that say the same about one thing, the strongest first."""


@dataclass(frozen=True, slots=True)
class Testimony:
    """A turn speaks for a claim, or against it.

    Attributes:
        claim: The claim's number in its note.
        kind: ``derived_from`` where the claim came out of the turn, else ``supported_by`` or
            ``refuted_by``.
        evidence: The turn, and the words in it.
        strength: How much of the claim it speaks of, 0 to 1.
    """

    claim: int
    kind: LinkKind
    evidence: Evidence
    strength: float


def made_by_dreams(
    changes: Iterable[Change], moved: Mapping[str, str]
) -> dict[str, list[tuple[str, Evidence]]]:
    """Gather what dreams wrote on the evidence of turns: folded words and evidence, by path.

    Args:
        changes: What was done to the home, oldest first.
        moved: Where notes went since.
    """
    found: defaultdict[str, list[tuple[str, Evidence]]] = defaultdict(list)
    for change in changes:
        if change.kind in {"corrected", "added"} and change.after:
            path = moved.get(change.path, change.path)
            words = fold_claim(change.after)
            found[path] += [(words, evidence) for evidence in change.evidence]
    return dict(found)


def still_said(note: Note, made: Iterable[tuple[str, Evidence]]) -> tuple[Testimony, ...]:
    """Return what dreams wrote in a note that stands in it now, each with its turn.

    Args:
        note: The note.
        made: What dreams wrote in it, as `made_by_dreams` has it.
    """
    words = list(made)
    by_fold: dict[str, int] = {}
    for number, claim in enumerate(note.document.claims if words else ()):
        by_fold.setdefault(claim.fold, number)
    return tuple(
        Testimony(by_fold[fold], "derived_from", evidence, 1.0)
        for fold, evidence in words
        if fold in by_fold
    )


def about_claim(told: Iterable[Testimony], claim: int) -> tuple[Testimony, ...]:
    """Return what is said about one claim of a note."""
    return tuple(_strongest([each for each in told if each.claim == claim]))


def about_note(told: Sequence[Testimony], claims: int) -> tuple[Testimony, ...]:
    """Return what is said about a note as a whole: each of its claims is a like part of it."""
    share = 1.0 / max(claims, 1)
    parts = [
        Testimony(each.claim, each.kind, each.evidence, each.strength * share) for each in told
    ]
    return tuple(_strongest(parts))


def _strongest(told: Sequence[Testimony]) -> Iterator[Testimony]:
    """Keep one testimony of each turn and kind, and of each kind the strongest few."""
    best: dict[tuple[str, str, int], Testimony] = {}
    for each in told:
        key = each.kind, each.evidence.conversation, each.evidence.turn
        if key not in best or each.strength > best[key].strength:
            best[key] = each
    seen: defaultdict[str, int] = defaultdict(int)
    for each in sorted(best.values(), key=lambda each: -each.strength):
        seen[each.kind] += 1
        if seen[each.kind] <= MOST_TURNS:
            yield each
