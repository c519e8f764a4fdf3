"""Assent: whether a user's "yes" stands by an answer of the persona's, or turns it.

"Yes, in my dreams" opens with a word of assent and is none. So what stands behind that word, in its
sentence, may repeat, thank and agree, and say nothing else.
"""

from __future__ import annotations

from functools import partial
from itertools import takewhile
from typing import TYPE_CHECKING, Literal

from toolnexus.dream.guard.about import HOLDS
from toolnexus.dream.guard.ground import Ground, Said
from toolnexus.dream.guard.verdict import Verdict, review
from toolnexus.dream.guard.vocabulary import (
    contrasts,
    joins,
    language_of,
    listed,
    negates,
    retracts,
    says,
)
from toolnexus.dream.saying import assents
from toolnexus.dream.sentence import read_sentences
from toolnexus.dream.speech import words
from toolnexus.text.lexicon import LANGUAGES, fold_words, light_words
from toolnexus.text.words import content_words, stem, values

if TYPE_CHECKING:
    from toolnexus.dream.guard.case import Case, Cited
    from toolnexus.dream.guard.request import Facts, Request
    from toolnexus.transcripts.turn import Turn

_OPENING_CHARS = 80
Assent = Literal["plain", "doubtful", "none"]
"""What a reply is: an assent, one that may be to something else, or none."""


def read_assent(reply: Turn, answer: Cited, request: Request) -> Assent:
    """Tell how a user's turn stands by the words of the persona's that are quoted.

    Args:
        reply: The user's turn behind the answer.
        answer: The words that are quoted from the answer.
        request: The change that they are quoted for.
    """
    if _keeps_value(reply, request):
        return "none"
    if _repeats_value(reply, request):
        return "plain"
    sentences = read_sentences(reply.text)
    if not assents(reply) or not sentences or sentences[0].asks or _takes_back(reply, request):
        return "none"
    opening = reply.text[sentences[0].start : sentences[0].end]
    language = language_of(reply.text)
    rest = _behind_assent(fold_words(opening), language)
    if retracts(opening, language) or _turns_it(rest, language):
        return "none"
    said = Ground((Said(f"{answer.turn.text}\n{request.before}\n{request.after}"),))
    if any(word in words("relation", language) and not said.has_stem(stem(word)) for word in rest):
        return "none"
    known = light_words(language) | listed("agreeing", language) | words("assent", language)
    strange = [w for w in rest if w not in known and not said.has_stem(stem(w))]
    return "doubtful" if strange or _asks_more(answer) else "plain"


def is_confirmed(case: Case) -> Verdict | None:
    """What the persona said is confirmed by words that say nothing else."""
    for cited in case.cited:
        if cited.turn.role in case.facts.evidence_roles:
            continue
        reply = confirming_turn(cited.turn, case.facts)
        if reply is not None and read_assent(reply, cited, case.request) == "doubtful":
            return review(
                f"{reply.address} may confirm something else than {cited.turn.address}",
                "a turn in which the user says so themselves would settle it",
            )
    return None


def confirming_turn(turn: Turn, facts: Facts) -> Turn | None:
    """Return the user's turn behind an answer; tool turns may stand between."""
    behind = [
        t
        for t in facts.turns.turns_around(turn.conversation, turn.number, 3)
        if t.number > turn.number
    ]
    return next((t for t in behind if t.role not in {"tool", "system"}), None)


def _behind_assent(spoken: list[str], language: str) -> list[str]:
    """Return what stands behind the words of assent that a sentence opens with."""
    every = {word for each in LANGUAGES for word in words("assent", each)}
    opening = list(takewhile(lambda word: word in every or joins(word, language), spoken))
    return spoken[len(opening) :]


def _turns_it(rest: list[str], language: str) -> bool:
    """Whether words supposes, wish or limit what was assented to."""
    if says(" ".join(rest), "turning", language):
        return True
    turning = words("hypothetical", language) | words("other", language)
    return any(word in turning for word in rest)


def _asks_more(answer: Cited) -> bool:
    """Whether a question stands behind the quoted words, to which a yes would be the answer."""
    end = answer.start + len(answer.quote)
    for sentence in read_sentences(answer.turn.text):
        if sentence.start < end or not sentence.asks:
            continue
        language = sentence.language
        known = listed("agreeing", language) | words("assent", language) | light_words(language)
        if any(token.folded not in known for token in sentence.tokens):
            return True
    return False


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
