"""The word lists beside this module, and which language a text is in."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from importlib.resources import files

LANGUAGES = ("en", "de", "fr", "es", "pt")

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


def fold_words(text: str) -> list[str]:
    """Split a text into words: NFKC, case folded, apostrophes straight.

    Example:
        >>> fold_words("Don’t panic: 42!")
        ["don't", 'panic', '42']
    """
    folded = unicodedata.normalize("NFKC", text).casefold().replace("’", "'")
    return _WORD.findall(folded)


@cache
def light_words(language: str) -> frozenset[str]:
    """Return the words of a language that carry no content: articles, pronouns, auxiliaries."""
    return frozenset(" ".join(_lines(f"light_words.{language}")).casefold().split())


@cache
def negations(language: str) -> frozenset[str]:
    """Return the words of a language that turn a statement around."""
    return frozenset(" ".join(_lines(f"negations.{language}")).casefold().split())


@cache
def number_words(language: str) -> dict[str, str]:
    """Return the number words of a language with their value in digits."""
    pairs = (line.casefold().split() for line in _lines(f"numbers.{language}"))
    return {pair[0]: pair[1] for pair in pairs}


@cache
def calendar_words(name: str) -> dict[str, int]:
    """Return the names of ``months`` or ``weekdays`` in all languages with their number."""
    rows = (line.casefold().split() for line in _lines(name))
    return {word: int(row[0]) for row in rows for word in row[1:]}


def guess_language(words: list[str]) -> str:
    """Return the language whose light words and negations a text uses most; English when in doubt.

    Example:
        >>> guess_language(fold_words("Sie wohnt nicht mehr in Paris"))
        'de'
    """
    counts = {
        language: sum(
            word in light_words(language) or word in negations(language) for word in words
        )
        for language in LANGUAGES
    }
    return max(LANGUAGES, key=lambda language: counts[language])


def _lines(name: str) -> list[str]:
    source = (files("toolnexus.text") / "data" / f"{name}.txt").read_text(encoding="utf-8")
    return [line for line in source.splitlines() if line and not line.startswith("#")]
