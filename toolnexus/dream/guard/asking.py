"""Asking: whether a question asks for the very thing that it would be quoted for.

"I live in Berlin now, can you find me a baker?" says where they live; "I live in Berlin now?" and
"We live in Berlin now, don't we?" do not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolnexus.dream.guard.vocabulary import listed
from toolnexus.dream.token import EXACT_KINDS, WORD_KINDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolnexus.dream.sentence import Sentence
    from toolnexus.dream.token import Token


def is_asked(sentence: Sentence, said: Token) -> bool:
    """Whether a sentence with a question mark asks whether what it says is so.

    It does not where something else is asked for, before or behind: "how do I …", "can you …".

    Args:
        sentence: The sentence.
        said: The word in it that tells of the change.

    Example:
        >>> from toolnexus.dream.sentence import read_sentences
        >>> for text in ("I live in Lyon now?", "I live in Lyon now, any tips?"):
        ...     (sentence,) = read_sentences(text)
        ...     print(is_asked(sentence, sentence.tokens[-1]))
        True
        False
    """
    if not sentence.asks:
        return False
    querying = listed("querying", sentence.language)
    if any(token.folded.removesuffix("'s") in querying for token in sentence.tokens):
        return False
    upto = [token for token in sentence.tokens if token.clause <= said.clause]
    behind = [token for token in sentence.tokens if token.clause > said.clause]
    return all(_is_tag(token, upto, sentence.language) for token in behind)


def _is_tag(token: Token, upto: Sequence[Token], language: str) -> bool:
    """Whether a word behind only asks for a yes: right, don't we."""
    if token.kind in EXACT_KINDS:
        return False
    if token.kind not in WORD_KINDS or token.folded in listed("tag", language):
        return True
    return any(token.key == each.key for each in upto)
