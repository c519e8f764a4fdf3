"""Namesakes: whether a quote speaks of another one than the claim, with the same name or thing.

"Tom, my dentist," is not her brother Tom, and the dog of the neighbours is not the user's.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from toolnexus.dream.guard.vocabulary import listed
from toolnexus.dream.speech import words
from toolnexus.dream.token import WORD_KINDS
from toolnexus.text.lexicon import LANGUAGES, fold_words
from toolnexus.text.words import stem

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from toolnexus.dream.guard.case import Case
    from toolnexus.dream.sentence import Sentence
    from toolnexus.dream.token import Token

_LONGEST = 6
"""So many words has what is set beside a name to tell whose it is."""


def is_relation(token: Token, language: str) -> bool:
    """Whether a word names a relation, in whatever number: sister, neighbours."""
    bare = token.folded.removesuffix("'s")
    if bare in words("relation", language):
        return True
    return token.kind in WORD_KINDS and token.key in _relation_stems(language)


@cache
def _relation_stems(language: str) -> frozenset[str]:
    return frozenset(map(stem, words("relation", language)))


def is_namesake(case: Case, sentence: Sentence) -> bool:
    """Whether somebody is set apart from the one of that name whom the claim calls a relation."""
    own = {*fold_words(case.before), *case.context_words}
    if not any(own & words("relation", language) for language in LANGUAGES):
        return False
    kept = {stem(word) for name in case.old.names for word in fold_words(name)}
    known = {stem(word.removesuffix("'s")) for word in own} | case.owner_stems
    tokens = sentence.tokens
    for at, token in enumerate(tokens):
        if token.key not in kept:
            continue
        for noun in (*_before(tokens, at, sentence.language), *_beside(sentence, at)):
            if noun.key not in known and noun.key not in kept:
                return True
    return False


def _before(tokens: Sequence[Token], at: int, language: str) -> Iterator[Token]:
    """Yield the noun in "my dentist Tom"."""
    if at < 2:
        return
    whose, noun = tokens[at - 2 : at]
    is_close = noun.clause == tokens[at].clause
    if is_close and noun.kind in WORD_KINDS and whose.folded in listed("mine", language):
        yield noun


def _beside(sentence: Sentence, at: int) -> Iterator[Token]:
    """Yield the nouns of a clause that is set behind a name: "Tom, my dentist,"."""
    language, tokens = sentence.language, sentence.tokens
    clause = [t for t in tokens if t.clause == tokens[at].clause + 1]
    is_last = at + 1 < len(tokens) and tokens[at + 1].clause != tokens[at].clause
    if not is_last or not clause or len(clause) > _LONGEST:
        return
    opening = listed("mine", language) | listed("subject", language)
    if clause[0].folded in opening:
        yield from (t for t in clause if t.kind in WORD_KINDS)


def belongs_to_another(case: Case, sentence: Sentence) -> bool:
    """Whether what would go is somebody else's: the dog of our neighbours."""
    language = sentence.language
    known = {*fold_words(case.before), *case.context_words}
    topic = {key for each in case.changed for key in case.topic_stems(each)}
    selves = words("self", language)
    for number in {token.clause for token in sentence.tokens}:
        clause = [token for token in sentence.tokens if token.clause == number]
        if any(token.folded in selves for token in clause):
            continue
        if any(t.key in topic for t in clause) and any(
            is_relation(t, language) and t.folded.removesuffix("'s") not in known for t in clause
        ):
            return True
    return False
