"""Moments: whether a quote tells of what is so now, or of another time, a bound or a difference.

"I will live in Berlin", "as a child I lived in Berlin" and "we moved from Berlin to Madrid" all say
Berlin, and none says that the user lives there.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from toolnexus.dream.guard.place import find_places
from toolnexus.dream.guard.vocabulary import holds, listed, says
from toolnexus.dream.speech import words
from toolnexus.dream.token import EXACT_KINDS, VALUE_KINDS
from toolnexus.text.lexicon import fold_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from toolnexus.dream.guard.case import Case
    from toolnexus.dream.guard.vocabulary import Heading
    from toolnexus.dream.sentence import Sentence
    from toolnexus.dream.token import Token

_CLOSE = 2
"""So many words may stand between "at most" or "from" and the value."""
_LEFT_REACH = 5
"""So many words before a value may leave it behind: "moved out of our flat in Berlin"."""
_OPENING = 2
"""A clause of so few words in front only says when: "Before, I lived in Lyon"."""


def other_moment(case: Case, sentence: Sentence, said: Token) -> str:
    """Tell what a sentence says of another time, or of no value; empty where it tells of now.

    Args:
        case: The change that it is quoted for: what the claim itself tells of is no objection.
        sentence: The sentence.
        said: The word in it that tells of the change.
    """
    language = sentence.language
    clause = _spoken(_clause(sentence, said))
    if _lies_ahead(case, sentence, said) and not _dates(case):
        return "will be so"
    if (
        _tells(case, clause, "past", language)
        or _was(case, sentence, said)
        or _is_bygone(case, sentence, said)
    ):
        return "was so once"
    if case.is_removal:
        return ""
    if _tells(case, _spoken(sentence.tokens), "paused", language) and not _dates(case):
        return "is so for a while"
    if _is_left(case, sentence, said):
        return "is left behind"
    if said.kind == "number" and _is_bound(case, sentence, said):
        return "is only a bound, or a difference"
    return ""


def _tells(case: Case, spoken: str, heading: Heading, language: str) -> bool:
    """Whether a clause holds a word of a list, and the claim none."""
    own = f"{case.before} {case.after}"
    return says(spoken, heading, language) and not says(own, heading, language)


def _lies_ahead(case: Case, sentence: Sentence, said: Token) -> bool:
    """Whether a clause puts what it says into the future; a verb for that stands before it.

    "I will live in Berlin", "I live in Berlin from next year", not "how Berlin will change me".
    """
    language, clause = sentence.language, _clause(sentence, said)
    head = _spoken(token for token in clause if token.start < said.start)
    if _tells(case, head, "future", language):
        return True
    tail = _spoken(token for token in clause if token.start > said.start)
    own = f"{case.before} {case.after}"
    phrases = frozenset(phrase for phrase in listed("future", language) if " " in phrase)
    return holds(tail, phrases) and not says(own, "future", language)


def _dates(case: Case) -> bool:
    """Whether what comes in is a day or an hour: it may well lie ahead."""
    return bool(case.gained["dates"]) or any(":" in number for number in case.gained["numbers"])


def _was(case: Case, sentence: Sentence, said: Token) -> bool:
    """Whether a clause tells of a state that was: "I lived in Berlin", and not "since May"."""
    language = sentence.language
    clause = {token.folded for token in _clause(sentence, said)}
    if clause.isdisjoint(listed("was", language)):
        return False
    lasting = listed("lasting", language) | words("change", language)
    own = fold_words(f"{case.before} {case.after}")
    return clause.isdisjoint(lasting) and listed("was", language).isdisjoint(own)


def _is_bygone(case: Case, sentence: Sentence, said: Token) -> bool:
    """Whether a clause tells of what is no more: "my old number was", not "the old one became"."""
    language = sentence.language
    clause = [t for t in sentence.tokens if t.clause == said.clause]
    if any(token.folded in words("change", language) for token in clause):
        return False
    own = set(fold_words(f"{case.before} {case.after}"))
    bygone = listed("bygone", language) - own
    for one, two in pairwise([t for t in clause if t.start <= said.start]):
        is_age = one.kind == "number" or one.folded in listed("time", language)
        if two.folded in bygone and not is_age:
            return True
    return False


def _is_left(case: Case, sentence: Sentence, said: Token) -> bool:
    """Whether the value is what somebody left: "moved from Berlin to Madrid", "left Berlin"."""
    language, tokens = sentence.language, sentence.tokens
    at = tokens.index(said)
    own = f"{case.before} {case.after}"
    before = [t for t in tokens[max(0, at - _LEFT_REACH) : at] if t.clause == said.clause]
    selves = [n for n, token in enumerate(before) if token.folded in words("self", language)]
    to = listed("to", language)
    reached = [n for n, token in enumerate(before) if token.folded in to]
    close = before[max([*selves, *reached], default=-1) + 1 :]
    if says(_spoken(close), "leaving", language) and not says(own, "leaving", language):
        return True
    if _is_from(tokens, at, language) and not _says_from(case, said, language):
        return _goes_on_to(tokens[at + 1 :], said, to)
    return False


def _is_from(tokens: Sequence[Token], at: int, language: str) -> bool:
    near = tokens[max(0, at - _CLOSE) : at]
    return any(token.folded in words("from", language) for token in near)


def _says_from(case: Case, said: Token, language: str) -> bool:
    """Whether the new text, too, tells from where: "reduced from 650 to 520"."""
    return any(
        _is_from(place.sentence.tokens, place.number, language)
        for place in find_places(case.after)
        if place.is_same(said)
    )


def _goes_on_to(behind: Sequence[Token], said: Token, to: frozenset[str]) -> bool:
    """Whether another value of the kind follows behind "to", in the same clause."""
    for number, token in enumerate(behind):
        if token.clause != said.clause:
            return False
        if token.folded in to:
            follows = behind[number + 1 : number + 1 + _CLOSE]
            return any(_same_kind(each, said) for each in follows)
    return False


def _same_kind(one: Token, other: Token) -> bool:
    if one.kind in EXACT_KINDS:
        return one.kind == other.kind
    return one.kind in VALUE_KINDS and other.kind not in EXACT_KINDS


def _is_bound(case: Case, sentence: Sentence, said: Token) -> bool:
    """Whether a number only bounds a value, or tells how much more it is: "at most", "by 100"."""
    language, tokens = sentence.language, sentence.tokens
    at = tokens.index(said)
    near = _spoken(tokens[max(0, at - _CLOSE - 1) : at])
    close = _spoken(tokens[max(0, at - 1) : at])
    difference = says(near, "difference", language) or says(close, "by", language)
    own = f"{case.before} {case.after}"
    if difference and not (says(own, "difference", language) or says(own, "by", language)):
        return True
    if says(near, "unbound", language):  # "the rent went up to 950"
        return False
    return says(near, "bound", language) and not says(own, "bound", language)


def _clause(sentence: Sentence, said: Token) -> list[Token]:
    """Return the clause that a word stands in, with a short one in front of it."""
    clause = [token for token in sentence.tokens if token.clause == said.clause]
    front = [token for token in sentence.tokens if token.clause == said.clause - 1]
    return [*front, *clause] if len(front) <= _OPENING else clause


def _spoken(tokens: Iterable[Token]) -> str:
    return " ".join(token.folded or token.key for token in tokens)
