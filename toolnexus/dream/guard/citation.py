"""Citations: whether a quote stands where it is said to stand, and whether its speaker counts."""

from __future__ import annotations

from functools import partial
from itertools import takewhile
from typing import TYPE_CHECKING

from toolnexus.dream.guard.about import HOLDS
from toolnexus.dream.guard.case import Cited
from toolnexus.dream.guard.ground import Ground, Said
from toolnexus.dream.guard.verdict import Verdict, refuse
from toolnexus.dream.guard.vocabulary import contrasts, joins, language_of, negates
from toolnexus.dream.saying import assents
from toolnexus.dream.speech import words
from toolnexus.text.lexicon import fold_words
from toolnexus.text.quotes import closest_passage, find_quote, normalise_quote
from toolnexus.text.secrets import mask
from toolnexus.text.words import content_words, values

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolnexus.agent.memory_actions import CitedTurn
    from toolnexus.dream.guard.request import Facts, Request
    from toolnexus.transcripts.turn import Turn

FEWEST_CHARS = 8
"""A shorter quote proves nothing, unless it is the whole turn."""
_OPENING_CHARS = 80


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
    follow_up = _next_turn(turn, facts)
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
    if _confirms(follow_up, request):
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


def _next_turn(turn: Turn, facts: Facts) -> Turn | None:
    """Return the user's turn behind an answer; tool turns may stand between."""
    behind = [
        t
        for t in facts.turns.turns_around(turn.conversation, turn.number, 3)
        if t.number > turn.number
    ]
    return next((t for t in behind if t.role not in {"tool", "system"}), None)


def _confirms(turn: Turn, request: Request) -> bool:
    """Whether a turn of the user's stands by the answer before it."""
    if _keeps_value(turn, request):
        return False
    return (assents(turn) and not _takes_back(turn, request)) or _repeats_value(turn, request)


def _takes_back(turn: Turn, request: Request) -> bool:
    """Whether a turn takes its first word of assent back: "yes and no", "yes, but"."""
    language = language_of(turn.text)
    behind = fold_words(turn.text[:_OPENING_CHARS])[1:]
    assent = words("assent", language)
    opening = list(takewhile(lambda word: word in assent or joins(word, language), behind))
    rest = behind[len(opening) : len(opening) + 1]
    if any(contrasts(word, language) for word in rest):
        return True
    if not any(negates(word, language) for word in rest):
        return False
    gains = len(values(request.after).negations) > len(values(request.before).negations)
    is_meant = gains or request.action == "remove"
    return not is_meant or any(joins(word, language) for word in opening)


def _keeps_value(turn: Turn, request: Request) -> bool:
    """Whether a turn says the value that would be replaced, and not the one in its place."""
    if request.action != "replace":
        return False
    ground = Ground((Said(turn.text, turn.ts),))
    old, new = values(request.before), values(request.after)
    for kind in ("numbers", "dates", "names"):
        lost = set(getattr(old, kind)) - set(getattr(new, kind))
        gained = set(getattr(new, kind)) - set(getattr(old, kind))
        has = partial(HOLDS[kind], ground)
        if gained and any(map(has, lost)) and not any(map(has, gained)):
            return True
    return False


def _repeats_value(turn: Turn, request: Request) -> bool:
    """Whether a turn says itself what the new text brings in."""
    old, new = values(request.before), values(request.after)
    ground = Ground((Said(turn.text, turn.ts),))
    numbers = [n for n in new.numbers if n not in old.numbers]
    names = [n for n in new.names if n not in old.names]
    dates = [d for d in new.dates if d not in old.dates]
    if numbers or names or dates:
        return (
            all(map(ground.has_number, numbers))
            and all(map(ground.has_name, names))
            and all(map(ground.has_date, dates))
        )
    gained = set(content_words(request.after)) - set(content_words(request.before))
    return bool(gained) and all(map(ground.has_stem, gained))
