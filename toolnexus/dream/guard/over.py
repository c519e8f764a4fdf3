"""Over: whether quotes say that a claim is over, or only that something else is.

A word of ending or negation proves little: "I am allergic to penicillin, not to aspirin" denies
nothing of penicillin, and who never stopped goes on. So each such word is held against what it
ends or denies.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from toolnexus.dream.guard.signs import Sign, read_signs
from toolnexus.dream.guard.vocabulary import contrasts, listed, says
from toolnexus.dream.sentence import read_sentences
from toolnexus.dream.speech import words
from toolnexus.dream.token import WORD_KINDS
from toolnexus.text.lexicon import calendar_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from toolnexus.dream.guard.case import Case
    from toolnexus.dream.sentence import Sentence
    from toolnexus.dream.token import Token

End = Literal["ended", "denied", "another", ""]
"""What quotes say of a claim: it has ended, is not so; something else is over; nothing of it."""

_REACH = 3
"""So many content words behind a negation are what it denies."""
_WORDS_OF_ENDING = 1
"""So many words of content an ending has that speak of nothing: "stopped"."""


def how_over(case: Case) -> End:
    """Return how the quotes end a claim, by what their words of ending and negation are about."""
    found: set[End] = set()
    for said in case.quotes.said:
        for sentence in read_sentences(said.text):
            signs = read_signs(sentence)
            for part in _parts(sentence):
                found.add(_end_of(case, sentence, part, signs))
    return next((end for end in _ORDER if end in found), "")


_ORDER: tuple[End, ...] = ("ended", "denied", "another")


def ends_another(case: Case) -> bool:
    """Whether quotes speak most of a claim where they end nothing: "no coffee, but tea is great".

    What ends has to have words of its own: in "the gym, I quit it" it is the gym that ends.
    """
    topic = _topic(case)
    ended, others, own = 0, 0, False
    for said in case.quotes.said:
        for sentence in read_sentences(said.text):
            signs = read_signs(sentence)
            for part in _parts(sentence):
                content = {token.key for token in part if token.kind in WORD_KINDS}
                shared = len(content & topic)
                if any(signs.get(token.start) for token in part):
                    ended += shared
                    own = own or len(content - topic) > _WORDS_OF_ENDING
                else:
                    others += shared
    return own and others > ended


def _end_of(case: Case, sentence: Sentence, part: Sequence[Token], signs: dict[int, Sign]) -> End:
    """Return what one part of a sentence says of the claim's end."""
    topic, language = _topic(case), sentence.language
    here = {signs[token.start] for token in part if token.start in signs}
    if not here:
        return ""
    spoken = " ".join(token.folded for token in part)
    own_words = set(listed("made", language)) - {t.folded for t in part if t.key in topic}
    if any(token.folded in own_words for token in part):
        return "another"
    if "end" in here:
        own = {t.key for t in part if t.start not in signs and _tells(t, language)}
        if own & topic and not says(spoken, "paused", language):
            return "ended"
        if not own and not says(spoken, "mistaken", language):
            return "" if says(spoken, "paused", language) else "ended"
    if any(not topic.isdisjoint(scope) for scope in _scopes(part, signs, language)):
        return "" if _is_passing(case, sentence) else "denied"
    return "another"


def _scopes(
    part: Sequence[Token], signs: dict[int, Sign], language: str
) -> Iterator[frozenset[str]]:
    """Yield what each negation of a part denies: the content behind it; else that before it."""
    speakers = words("self", language) | words("other", language)
    for at, token in enumerate(part):
        if signs.get(token.start) != "not":
            continue
        scope: list[str] = []
        for behind in part[at + 1 :]:
            if behind.folded in speakers or len(scope) == _REACH:
                break
            if behind.kind in WORD_KINDS:
                scope.append(behind.key)
        before = (t.key for t in part[:at] if t.kind in WORD_KINDS)
        yield frozenset(scope or before)


def _is_passing(case: Case, sentence: Sentence) -> bool:
    """Whether a sentence tells of a day, where the claim tells of no such day."""
    spoken = " ".join(token.folded for token in sentence.tokens)
    language = sentence.language
    return says(spoken, "passing", language) and not says(case.before, "passing", language)


def _tells(token: Token, language: str) -> bool:
    """Whether a word says what it is that ends, and not only when."""
    if token.kind not in WORD_KINDS or token.folded in words("change", language):
        return False
    names = calendar_words("months"), calendar_words("weekdays"), listed("time", language)
    return not any(token.folded in each for each in names)


def _topic(case: Case) -> frozenset[str]:
    return frozenset(stem for sentence in case.changed for stem in case.topic_stems(sentence))


def _parts(sentence: Sentence) -> Iterator[list[Token]]:
    """Yield a sentence's clauses, parted at words of contrast, too."""
    part: list[Token] = []
    for token in sentence.tokens:
        if part and (token.clause != part[-1].clause or contrasts(token.folded, sentence.language)):
            yield part
            part = []
        part.append(token)
    yield part
