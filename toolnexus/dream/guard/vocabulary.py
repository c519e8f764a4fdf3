"""The guard's own words: what says that something is over, and what says nothing."""

from __future__ import annotations

from functools import cache
from typing import Literal

from toolnexus.dream.speech import guess_language, words
from toolnexus.dream.word_lists import pattern_of, phrases
from toolnexus.text.lexicon import LANGUAGES, fold_words, negations
from toolnexus.text.words import content_words, stem

Heading = Literal[
    "again",
    "agreeing",
    "also",
    "bidding",
    "bound",
    "by",
    "bygone",
    "contrast",
    "difference",
    "dropping",
    "ending",
    "filler",
    "future",
    "group",
    "habit",
    "kind",
    "lasting",
    "leaving",
    "lost",
    "made",
    "mine",
    "mistaken",
    "my",
    "negating",
    "next",
    "of",
    "only",
    "passage",
    "passing",
    "past",
    "paused",
    "post",
    "querying",
    "retracting",
    "subject",
    "tag",
    "taking",
    "than",
    "time",
    "to",
    "trying",
    "turning",
    "unbound",
    "unending",
    "unsaid",
    "untrue",
    "wanting",
    "was",
    "without",
    "working",
]
_LANGUAGE_WORDS = 60
_REACH = 4
"""How many words behind a negation may be the one that it denies."""


def language_of(text: str) -> str:
    """Return the language that a text begins in; English when in doubt.

    Example:
        >>> language_of("Wir sind nach Berlin gezogen")
        'de'
    """
    return guess_language(fold_words(text[: _LANGUAGE_WORDS * 20])[:_LANGUAGE_WORDS])


def listed(heading: Heading, language: str) -> frozenset[str]:
    """Return the words and phrases of a language under a heading, folded.

    Example:
        >>> "not only" in listed("unending", "en")
        True
    """
    return _phrases(heading, language)


def says(text: str, heading: Heading, language: str) -> bool:
    """Whether a text holds a word or phrase under a heading.

    Example:
        >>> says("No coffee this morning.", "passing", "en")
        True
    """
    return holds(text, _phrases(heading, language))


def denies(text: str, language: str) -> bool:
    """Whether a text holds a word of negation or of ending.

    Example:
        >>> denies("We sold the car.", "en"), denies("I don't drive.", "en"), denies("Fog.", "en")
        (True, True, False)
    """
    return negates(text, language) or ends(text, language)


def ends(text: str, language: str) -> bool:
    """Whether a text holds a word of ending.

    Example:
        >>> ends("We sold the car.", "en"), ends("I don't drive.", "en")
        (True, False)
    """
    return holds(text, _phrases("ending", language))


def looks_ahead(text: str, language: str) -> bool:
    """Whether a text holds a word that may put a weekday a week further on.

    Example:
        >>> looks_ahead("We fly next Friday.", "en"), looks_ahead("We fly on Friday.", "en")
        (True, False)
    """
    return holds(text, _phrases("next", language))


def negates(text: str, language: str) -> bool:
    """Whether a text holds a word of negation."""
    return any(word in negations(language) or word.endswith("n't") for word in fold_words(text))


def denied_words(text: str) -> frozenset[str]:
    """Return the stems of the words that negations in a text deny: the next that carry content.

    Example:
        >>> denied_words("She did not move.")
        frozenset({'mov'})
    """
    language, folded = language_of(text), fold_words(text)
    found: set[str] = set()
    for at, word in enumerate(folded):
        if negates(word, language):
            found.update(content_words(" ".join(folded[at + 1 : at + 1 + _REACH]))[:1])
    return frozenset(found)


def tells_of_change(text: str, language: str) -> bool:
    """Whether a text holds a word of change.

    Example:
        >>> tells_of_change("we finally moved", "en"), tells_of_change("we live", "en")
        (True, False)
    """
    return holds(text, _changes(language))


def contrasts(word: str, language: str) -> bool:
    """Whether a folded word sets what follows apart from what stands before: but, only."""
    return word in _phrases("contrast", language)


def joins(text: str, language: str) -> bool:
    """Whether a text names several things at once: one and another, one or another."""
    return any(word in _phrases("also", language) for word in fold_words(text))


def retracts(text: str, language: str) -> bool:
    """Whether a text takes back what was said before it: just kidding, scratch that."""
    return holds(text, _phrases("retracting", language))


def unsays(text: str, language: str) -> bool:
    """Whether a text says that what follows is not so, or made up, or believed by others."""
    return holds(text, _phrases("unsaid", language))


def opens_subject(word: str, language: str) -> bool:
    """Whether a folded word opens a subject of its own: the company, somebody."""
    return word in _phrases("subject", language)


def bids(word: str, language: str) -> bool:
    """Whether a folded word that opens a sentence asks for words, or a part: write, act."""
    return word in _phrases("bidding", language)


@cache
def filler_stems() -> frozenset[str]:
    """Return the stems of the words that a correction may add without saying anything new."""
    every = (phrase for language in LANGUAGES for phrase in _phrases("filler", language))
    return frozenset(stem(word) for phrase in every for word in phrase.split())


@cache
def _changes(language: str) -> frozenset[str]:
    return words("change", language) | _phrases("ending", language)


def _phrases(heading: Heading, language: str) -> frozenset[str]:
    return phrases("toolnexus.dream.guard", "guard", language, heading)


def holds(text: str, listed: frozenset[str]) -> bool:
    """Whether a text holds one of some words and phrases, folded."""
    return bool(pattern_of(listed).search(f" {' '.join(fold_words(text))} "))
