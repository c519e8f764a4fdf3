"""Rivals: whether a value was said of another thing of the kind that a claim is about.

The train leaves at another hour than the flight, and tea is drunk by the cup, too. A claim of few
words has little beside its value; so what there is must not be another word where it was said.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from toolnexus.dream.guard.vocabulary import filler_stems, listed
from toolnexus.dream.sentence import read_sentences
from toolnexus.dream.speech import words
from toolnexus.dream.statement import is_verb, read_statement
from toolnexus.dream.token import WORD_KINDS
from toolnexus.text.lexicon import calendar_words

if TYPE_CHECKING:
    from toolnexus.dream.guard.case import Case
    from toolnexus.dream.guard.place import Place
    from toolnexus.dream.sentence import Sentence
    from toolnexus.dream.token import Token

_LINK = 1
"""So many words such as "of" may stand between a count and what is counted."""


def rival_of(case: Case, slot: Place, said: Place) -> str:
    """Return the word of another thing that a value was said of; empty for none.

    Args:
        case: The change.
        slot: Where the value would stand.
        said: Where it was said.
    """
    for rival in (_other_matter, _other_subject, _other_sort):
        if found := rival(case, slot, said):
            return found
    return ""


def _other_matter(case: Case, slot: Place, said: Place) -> str:
    """Cups of tea, where the claim counts cups of coffee."""
    if slot.token.kind != "number":
        return ""
    mine, theirs = _matter(slot), _matter(said)
    if mine is None or theirs is None or mine.key == theirs.key:
        return ""
    return "" if _is_said(case, mine) or _is_known(case, theirs) else theirs.folded


def _matter(place: Place) -> Token | None:
    """Return what a number measures: the word behind its unit, or behind an "of"."""
    language = place.sentence.language
    unit, gap = place.token.unit, 0
    for token in place.sentence.tokens[place.number + 1 :]:
        if token.clause != place.token.clause:
            return None
        if token.key == unit or (unit and token.folded and token.folded.startswith(unit)):
            continue
        if token.folded in listed("of", language) and gap < _LINK:
            gap += 1
            continue
        is_apart = token.kind not in WORD_KINDS or not (gap or "'" in token.folded)
        return None if is_apart or not _tells(token, language) else token
    return None


def _other_subject(case: Case, slot: Place, said: Place) -> str:
    """The train, where the claim opens with the flight."""
    mine = _subject(case, slot.sentence)
    if mine is None or mine.start >= slot.token.start or _is_said(case, mine):
        return ""
    clause = [t for t in said.sentence.tokens if t.clause == said.token.clause]
    before = [t for t in clause if t.start < said.token.start]
    language = said.sentence.language
    if any(token.folded in words("self", language) for token in before):
        return ""
    theirs = next((t for t in before if t.kind in WORD_KINDS and _tells(t, language)), None)
    return "" if theirs is None or _is_known(case, theirs) else theirs.folded


def _subject(case: Case, sentence: Sentence) -> Token | None:
    """Return the thing that a claim opens with; None where it opens with its verb or a name."""
    first = sentence.tokens[0]
    if first.folded in listed("subject", sentence.language):
        return next((t for t in sentence.tokens if t.kind in WORD_KINDS), None)
    lead = read_statement(case.after).lead
    return first if lead is not None and lead.key == first.key else None


def _other_sort(case: Case, slot: Place, said: Place) -> str:
    """The house insurance, where the claim has the car's; the birthday party, not the birthday."""
    language = said.sentence.language
    theirs = list(pairwise(said.sentence.tokens))
    for sort, thing in pairwise(slot.sentence.tokens):
        if not (_is_thing(sort, language) and _is_thing(thing, language)):
            continue
        if slot.token.start in {sort.start, thing.start} or _is_said(case, sort):
            continue
        for other, same in theirs:
            if same.key != thing.key or not _is_thing(other, language) or _has_gap(other, same):
                continue
            if not _is_known(case, other):
                return other.folded
    return _other_head(case, slot, said)


def _other_head(case: Case, slot: Place, said: Place) -> str:
    mine = _subject(case, slot.sentence)
    language, tokens = said.sentence.language, said.sentence.tokens
    if mine is None:
        return ""
    for thing, other, behind in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if thing.key != mine.key or not _is_thing(other, language) or _has_gap(thing, other):
            continue
        is_noun = behind.folded in words("be", language) or behind.folded in words(
            "change", language
        )
        if is_noun and not is_verb(other, language) and not _is_known(case, other):
            return other.folded
    return ""


def _has_gap(one: Token, two: Token) -> bool:
    return two.start - one.end > 1 or one.clause != two.clause


def _is_thing(token: Token, language: str) -> bool:
    return token.kind in WORD_KINDS and _tells(token, language)


def _tells(token: Token, language: str) -> bool:
    """Whether a word says what, and not only when, or that something changed."""
    if token.folded in words("change", language) or token.key in filler_stems():
        return False
    if token.folded in listed("time", language) or token.folded in listed("bygone", language):
        return False
    return not any(token.folded in calendar_words(kind) for kind in ("months", "weekdays"))


def _is_said(case: Case, token: Token) -> bool:
    return case.turns.has_stem(token.key) or token.key in case.owner_stems


def _is_known(case: Case, token: Token) -> bool:
    """Whether a word is the claim's own, or what it stands under."""
    if token.folded.removesuffix("'s") in case.context_words | case.owner_words:
        return True
    own = (t for text in (case.before, case.after) for s in read_sentences(text) for t in s.tokens)
    return any(token.key == each.key for each in own)
