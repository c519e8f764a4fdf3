"""Untrue: whether a sentence denies, somewhere else in it, what one of its words tells.

A negation may stand far off: "I do not, whatever Kim says, live in Berlin"; or behind: "That I live
in Berlin is not true".
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from toolnexus.dream.guard.vocabulary import contrasts, holds, listed
from toolnexus.dream.sentence import read_sentences
from toolnexus.dream.speech import words
from toolnexus.dream.token import EXACT_KINDS, WORD_KINDS
from toolnexus.text.lexicon import fold_words, light_words

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from toolnexus.dream.sentence import Sentence
    from toolnexus.dream.token import Token


def is_untrue_behind(sentence: Sentence, said: Token) -> bool:
    """Whether the rest of a sentence, or a clause of it, only says that it is not so.

    Example:
        >>> from toolnexus.dream.sentence import read_sentences
        >>> for text in ("That I moved is not true.", "I moved, the old number is wrong."):
        ...     (sentence,) = read_sentences(text)
        ...     print(is_untrue_behind(sentence, sentence.tokens[2]))
        True
        False
    """
    behind = [token for token in sentence.tokens if token.start > said.start]
    clauses = (list(part) for _, part in groupby(behind, key=lambda token: token.clause))
    return any(_says_untrue(part, sentence.language) for part in clauses)


def calls_untrue(text: str) -> bool:
    """Whether a text opens with a sentence that only says that something is not so: nonsense.

    Example:
        >>> calls_untrue("As if! We stay."), calls_untrue("The number is wrong.")
        (True, False)
    """
    first = next(iter(read_sentences(text)), None)
    return first is not None and _says_untrue(first.tokens, first.language)


def is_denied_across(sentence: Sentence, said: Token, topic: Collection[str]) -> bool:
    """Whether a clause before denies the claim's own verb, and nothing new begins behind it.

    Args:
        sentence: The sentence.
        said: The word in it that tells of the change.
        topic: The stems of what the claim says, without what would be replaced.
    """
    language = sentence.language
    starting = words("self", language) | words("other", language)
    before = [token for token in sentence.tokens if token.start < said.start]
    clauses = [list(part) for _, part in groupby(before, key=lambda token: token.clause)]
    for part in reversed(clauses):
        speaks = any(token.folded in starting for token in part)
        if part[0].clause != said.clause and any(token.kind == "negation" for token in part):
            content = {token.key for token in part if _is_content(token)}
            return (speaks or bool(content)) and content <= set(topic)
        if (speaks and _speaks_first(part, starting)) or any(
            contrasts(token.folded, language) for token in part
        ):
            return False
    return False


def _speaks_first(part: Sequence[Token], starting: Collection[str]) -> bool:
    return part[0].folded in starting


def _is_content(token: Token) -> bool:
    return token.kind in WORD_KINDS | EXACT_KINDS


def _says_untrue(part: Sequence[Token], language: str) -> bool:
    """Whether words say "not true", and nothing else of content."""
    phrases = listed("untrue", language)
    if not holds(" ".join(token.folded for token in part), phrases):
        return False
    known = {word for phrase in phrases for word in fold_words(phrase)} | light_words(language)
    return all(token.folded in known or not _is_content(token) for token in part)
