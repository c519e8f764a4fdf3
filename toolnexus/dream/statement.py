"""Statements: claims read once, to be judged by many sayings."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from toolnexus.dream.sentence import read_sentences
from toolnexus.dream.speech import alike, words
from toolnexus.dream.token import VALUE_KINDS, WORD_KINDS, Token
from toolnexus.text.lexicon import fold_words
from toolnexus.text.words import stem

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolnexus.dream.sentence import Sentence


@dataclass(frozen=True, slots=True)
class Statement:
    """What a claim says.

    Attributes:
        tokens: Its words and values, in order.
        stems: The keys of its content words and names.
        context: The stems of what it is said under.
        topic: The stems of the title of the note that it stands in.
        language: Its language.
        lead: The token that names what it is about; None where it begins with its verb.
        written: Its sentences as keys, by which a turn that says it word for word is known.
    """

    tokens: tuple[Token, ...]
    stems: frozenset[str]
    context: frozenset[str]
    topic: frozenset[str]
    language: str
    lead: Token | None = None
    written: tuple[tuple[str, ...], ...] = ()

    def wanted(self, selves: frozenset[str]) -> tuple[int, ...]:
        """Return which tokens a sentence about the same should have: content but the speaker."""
        return tuple(
            number
            for number, token in enumerate(self.tokens)
            if token.kind in VALUE_KINDS | WORD_KINDS
            and not (token.kind in WORD_KINDS and token.folded.removesuffix("'s") in selves)
        )


def read_statement(text: str, context: Sequence[str] = (), topic: str = "") -> Statement:
    """Read a claim.

    Args:
        text: Its words.
        context: What it is said under: title, headings, parent items.
        topic: The title of the note that it stands in; empty for MEMORY.md and USER.md.

    Example:
        >>> read_statement("Ines lives in Lyon.").lead.key
        'ine'
    """
    sentences = read_sentences(text)
    tokens = tuple(token for sentence in sentences for token in sentence.tokens)
    language = sentences[0].language if sentences else "en"
    return Statement(
        tokens,
        frozenset(token.key for token in tokens if token.kind in WORD_KINDS),
        frozenset(stem(word) for part in context for word in fold_words(part)),
        frozenset(stem(word) for word in fold_words(topic)),
        language,
        _lead(tokens, language),
        tuple(written(sentence) for sentence in sentences),
    )


def written(sentence: Sentence) -> tuple[str, ...]:
    """Return a sentence's words and values, as far as they can be compared."""
    return tuple(token.folded or token.key for token in sentence.tokens)


def is_written(sentence: Sentence, keys: tuple[str, ...]) -> bool:
    """Whether a sentence consists of just these words and values."""
    return len(sentence.tokens) == len(keys) and written(sentence) == keys


def _lead(tokens: Sequence[Token], language: str) -> Token | None:
    """Return the first content word when a verb follows it: then it is the subject."""
    for token, behind in pairwise(tokens):
        if token.kind in WORD_KINDS:
            return token if is_verb(behind, language) else None
        if token.kind != "light":
            return None
    return None


def is_verb(token: Token, language: str) -> bool:
    """Whether a word looks like the verb behind a subject."""
    if token.folded in words("be", language) or token.key in alike(language).values():
        return True
    return language == "en" and token.kind == "word" and token.folded.endswith(("s", "ed"))
