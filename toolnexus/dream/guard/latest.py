"""Latest wins: whether somebody said otherwise later on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolnexus.dream.guard.about import HOLDS
from toolnexus.dream.guard.case import EPOCH, KINDS, Case
from toolnexus.dream.guard.ground import Ground, Said
from toolnexus.dream.guard.verdict import Verdict, review
from toolnexus.dream.guard.vocabulary import denies

if TYPE_CHECKING:
    from toolnexus.transcripts.turn import Turn

WORDS_BESIDE = 2
"""How many of a claim's words a later turn must hold beside the value."""


def is_latest(case: Case) -> Verdict | None:
    """No later turn of the user's holds the value that would go, and not the one that comes."""
    if case.request.claim is None:
        return None
    for turn in case.facts.turns.turns_about(case.before):
        if turn.role in case.facts.evidence_roles and _is_later(case, turn) and _stands_by(case, turn):
            return review(
                f"a later turn, {turn.address}, still says what the claim says",
                f"cite a turn after {turn.address}, if there is one",
            )
    return None


def _is_later(case: Case, turn: Turn) -> bool:
    """Whether a turn comes after all cited ones."""
    when = turn.ts or EPOCH
    for cited in case.cited:
        other = cited.turn.ts or EPOCH
        same_place = turn.conversation == cited.turn.conversation
        if when < other or (when == other and not same_place):
            return False
        if when == other and turn.number <= cited.turn.number:
            return False
    return True


def _stands_by(case: Case, turn: Turn) -> bool:
    """Whether a turn says what the claim says: its value, and enough of its words."""
    ground = Ground((Said(turn.text, turn.ts),))
    if _holds_new(case, ground) or not _holds_old(case, ground):
        return False
    if case.is_removal and denies(turn.text, case.language):
        return False
    if all(map(case.is_small, case.changed)):
        return True
    wanted = {stem for sentence in case.changed for stem in case.topic_stems(sentence)}
    return sum(map(ground.has_stem, wanted)) >= WORDS_BESIDE + (not _old_values(case))


def _old_values(case: Case) -> tuple[tuple[str, str], ...]:
    source = case.lost
    return tuple((kind, value) for kind in KINDS for value in source[kind])


def _holds_old(case: Case, ground: Ground) -> bool:
    if lost := _old_values(case):
        return any(HOLDS[kind](ground, value) for kind, value in lost)
    return bool(case.lost_words) and all(map(ground.has_stem, case.lost_words))


def _holds_new(case: Case, ground: Ground) -> bool:
    gained = [(kind, value) for kind in KINDS for value in case.gained[kind]]
    if gained:
        return any(HOLDS[kind](ground, value) for kind, value in gained)
    return bool(case.gained_words) and any(map(ground.has_stem, case.gained_words))
