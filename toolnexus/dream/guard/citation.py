"""Citations: whether a quote stands where it is said to stand, and whether its speaker counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolnexus.dream.guard.assent import confirming_turn, read_assent
from toolnexus.dream.guard.case import Cited
from toolnexus.dream.guard.verdict import Verdict, refuse
from toolnexus.text.quotes import closest_passage, find_quote, normalise_quote
from toolnexus.text.secrets import mask

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolnexus.agent.memory_actions import CitedTurn
    from toolnexus.dream.guard.request import Facts, Request
    from toolnexus.transcripts.turn import Turn

FEWEST_CHARS = 8
"""A shorter quote proves nothing, unless it is the whole turn."""


def check_citations(request: Request, facts: Facts) -> tuple[Cited, ...] | Verdict:
    """Look up what a request cites; the citations that count, or why none does."""
    if not request.evidence:
        return refuse(
            "no evidence is given",
            "cite the turn in which the user said so: conversation, turn and their exact words; "
            "a claim that no turn speaks of stays",
        )
    found: list[Cited] = []
    for citation in request.evidence:
        cited = _look_up(citation, facts)
        if isinstance(cited, Verdict):
            return cited
        found.append(cited)
    return _by_whom(found, request, facts)


def _look_up(citation: CitedTurn, facts: Facts) -> Cited | Verdict:
    where = f"{citation.conversation}#{citation.turn}"
    turn = _find(citation, facts)
    if turn is None:
        return refuse(
            f"there is no turn {where}", "cite a turn that was shown to you or that a search finds"
        )
    quote = citation.quote
    span = find_quote(quote, turn.text)
    if span is None:
        if turn.tool_text and find_quote(quote, turn.tool_text) is not None:
            return _no_speaker(turn, "a tool's output")
        near = closest_passage(quote, mask(turn.text))
        return refuse(
            f"the quote does not stand in {where}",
            f'the closest words there are "{near}"' if near else "quote its words exactly",
        )
    wanted = normalise_quote(quote)
    if len(wanted) < FEWEST_CHARS and wanted != normalise_quote(turn.text):
        return refuse(
            f"the quote from {where} is too short to prove anything",
            f"quote at least {FEWEST_CHARS} characters, or the whole turn",
        )
    start, length = span
    return Cited(turn, turn.text[start : start + length], start)


def _find(citation: CitedTurn, facts: Facts) -> Turn | None:
    found = facts.turns.find_turn(citation.conversation, citation.turn)
    if found is None and isinstance(citation.turn, str):
        number = citation.turn.strip().removeprefix("#")
        if number.isascii() and number.isdecimal() and len(number) < 10:
            found = facts.turns.find_turn(citation.conversation, int(number))
    return found


def _by_whom(cited: Sequence[Cited], request: Request, facts: Facts) -> tuple[Cited, ...] | Verdict:
    """Set aside the citations whose speakers do not count; say why when none is left."""
    counting: list[Cited] = []
    objection: Verdict | None = None
    for each in cited:
        problem = _objection(each, cited, request, facts)
        if problem is None:
            counting.append(each)
        objection = objection or problem
    own = [each for each in counting if each.turn.role in facts.evidence_roles]
    if own:
        return tuple(counting)
    return objection or refuse("no cited turn counts", "cite a turn of the user")


def _objection(
    each: Cited, cited: Sequence[Cited], request: Request, facts: Facts
) -> Verdict | None:
    turn = each.turn
    if turn.is_unprompted:
        return _no_speaker(turn, "what the persona said unprompted")
    if facts.recalled.covers_quote(turn, each.start, each.start + len(each.quote)):
        return refuse(
            f"{turn.address} only repeats what memory says",
            "cite a turn in which the user says so themselves",
        )
    if turn.role in facts.evidence_roles:
        return None
    if turn.role != "assistant":
        return _no_speaker(turn, f"a {turn.role} turn")
    follow_up = confirming_turn(turn, facts)
    if follow_up is None or follow_up.role not in facts.evidence_roles:
        return _no_speaker(turn, "the persona's own turn")
    if all(
        (c.turn.conversation, c.turn.number) != (follow_up.conversation, follow_up.number)
        for c in cited
    ):
        return refuse(
            f"{turn.address} is the persona's own turn, which counts only if the user confirms it",
            f"cite {follow_up.address} too, if the user confirms it there",
        )
    if read_assent(follow_up, each, request) != "none":
        return None
    return refuse(
        f"the user does not confirm {turn.address} in {follow_up.address}",
        "cite a turn in which the user says so themselves",
    )


def _no_speaker(turn: Turn, what: str) -> Verdict:
    return refuse(
        f"{turn.address} is {what}, which is never evidence",
        "cite a turn in which the user says so; without one the claim stays",
    )
