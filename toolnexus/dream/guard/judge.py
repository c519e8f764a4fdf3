"""The judgement: a request put to the rules, in order."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from toolnexus.dream.guard.about import is_about
from toolnexus.dream.guard.assent import is_confirmed
from toolnexus.dream.guard.asserted import is_asserted, names_subject
from toolnexus.dream.guard.case import Case
from toolnexus.dream.guard.citation import check_citations
from toolnexus.dream.guard.grounded import adds_no_words, is_grounded, loses_nothing
from toolnexus.dream.guard.hand import is_free, respects_hand, respects_undo
from toolnexus.dream.guard.latest import is_latest
from toolnexus.dream.guard.marks import adds_no_marks
from toolnexus.dream.guard.negated import contradicts_claim, gains_no_negation, loses_no_negation
from toolnexus.dream.guard.placed import is_placed
from toolnexus.dream.guard.subject import keeps_subject
from toolnexus.dream.guard.verdict import Verdict
from toolnexus.dream.guard.whole import is_read_right, is_whole, keeps_unit
from toolnexus.dream.guard.whose import is_theirs

if TYPE_CHECKING:
    from collections.abc import Callable

    from toolnexus.dream.guard.request import Facts, Request

RULES: tuple[Callable[[Case], Verdict | None], ...] = (
    is_about,
    is_grounded,
    is_whole,
    is_read_right,
    gains_no_negation,
    adds_no_marks,
    respects_undo,
    is_confirmed,
    is_asserted,
    names_subject,
    is_theirs,
    keeps_subject,
    adds_no_words,
    loses_nothing,
    loses_no_negation,
    contradicts_claim,
    is_placed,
    keeps_unit,
    respects_hand,
    is_latest,
)
"""What a case has to pass; a rule that has nothing against it returns None."""


def judge(request: Request, facts: Facts) -> Verdict:
    """Say whether a change may be made: accept, refuse, or leave it to a person.

    A refusal of any rule wins over a review of another. Nothing is changed, and no text of a
    model's or a user's raises.

    Args:
        request: What a model asks for.
        facts: The transcripts, the owner, what a person did and what waits.

    Returns:
        The answer, with the reason and what would be accepted; for what is accepted or waits,
        the evidence that counts.
    """
    if (no := is_free(request, facts)) is not None:
        return no
    cited = check_citations(request, facts)
    if isinstance(cited, Verdict):
        return cited
    case = Case(request, facts, cited)
    evidence = tuple(each.evidence for each in cited)
    doubt: Verdict | None = None
    for rule in RULES:
        verdict = rule(case)
        if verdict is None:
            continue
        if verdict.answer == "refuse":
            return verdict
        doubt = doubt or verdict
    return replace(doubt or Verdict("accept"), evidence=evidence)
