"""The person's hand: pins, what waits, what a person wrote or took back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolnexus.clock import format_instant
from toolnexus.dream.guard.case import EPOCH
from toolnexus.dream.guard.verdict import Verdict, refuse, review
from toolnexus.text.fold import fold_claim

if TYPE_CHECKING:
    from toolnexus.dream.guard.case import Case
    from toolnexus.dream.guard.request import Facts, Request


def is_free(request: Request, facts: Facts) -> Verdict | None:
    """A claim may be changed: not pinned, not waiting, and changed by it at all."""
    claim = request.claim
    if claim is None:
        if facts.may_add:
            return None
        return refuse("a dream adds nothing new", "correct or remove claims that turns contradict")
    if claim.claim.pinned:
        return refuse(
            "a person pinned this claim with <!-- keep -->",
            "leave it as it is; only they change it",
        )
    if (claim.path, claim.claim.fold) in facts.waiting:
        return refuse(
            "a change of this claim waits for a person already", "leave it until it is decided"
        )
    if request.action == "replace" and fold_claim(request.after) == claim.claim.fold:
        return refuse("this would change nothing", "leave a claim that is right as it is")
    return None


def respects_hand(case: Case) -> Verdict | None:
    """A claim that a person wrote yields only to what was said after that."""
    claim = case.request.claim
    edited = case.facts.edited.get((claim.path, claim.fold)) if claim is not None else None
    if edited is None or case.latest[0] > edited:
        return None
    return review(
        f"a person wrote this claim on {format_instant(edited)}, after the cited turns",
        "a turn later than that would settle it",
    )


def respects_undo(case: Case) -> Verdict | None:
    """What a person took back is not done again on the same evidence."""
    claim = case.request.claim
    key = ("" if claim is None else claim.claim.fold, fold_claim(case.after) if case.after else "")
    undone = case.facts.undone.get(key)
    if undone is None or case.latest[0] > max(undone, EPOCH):
        return None
    return refuse(
        f"a person took this change back on {format_instant(undone)}",
        "only a turn later than that can bring it up again",
    )
