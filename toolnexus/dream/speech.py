"""How people say that something changed, may be, is asked or is told: word lists by language."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Literal

from toolnexus.dream.word_lists import pattern_of, phrases, sections
from toolnexus.text.lexicon import LANGUAGES, light_words, negations
from toolnexus.text.words import stem

if TYPE_CHECKING:
    import re
    from collections.abc import Mapping

Manner = Literal[
    "asking",
    "assent",
    "be",
    "change",
    "comparing",
    "conjunction",
    "considering",
    "from",
    "hypothetical",
    "joining",
    "other",
    "refusing",
    "relation",
    "self",
    "sender",
    "telling",
    "than",
]


def words(manner: Manner, language: str) -> frozenset[str]:
    """Return a language's words for something, folded.

    Args:
        manner: What they say.
        language: One of ``en de fr es pt``; any other has none.

    Example:
        >>> "if" in words("hypothetical", "en")
        True
    """
    return phrases("toolnexus.dream", "speech", language, manner)


def considering(language: str) -> re.Pattern[str]:
    """Return what finds the words of a language for what is only planned, wished or weighed.

    Example:
        >>> considering("en").findall(" i plan to move ")
        ['plan']
    """
    return pattern_of(words("considering", language))


@cache
def relative_days(language: str) -> dict[str, int]:
    """Return the words that name a day as seen from today, with how many days it lies ahead.

    Example:
        >>> relative_days("en")["yesterday"]
        -1
    """
    lines = _sections(language).get("day", ())
    pairs = (pair.split() for line in lines for pair in line.split(","))
    return {pair[0]: int(pair[1]) for pair in pairs if len(pair) == 2}


@cache
def alike(language: str) -> dict[str, str]:
    """Return, for the stems of words that say one thing, the one that stands for them.

    Who moved to Berlin lives there.

    Example:
        >>> alike("en")["mov"]
        'liv'
    """
    groups = (
        [stem(word) for word in line.split()] for line in _sections(language).get("alike", ())
    )
    return {member: group[0] for group in groups for member in group}


@cache
def likes(language: str) -> dict[str, tuple[str, ...]]:
    """Return, for the stems of words that say one thing, all of those words.

    Example:
        >>> "moved" in likes("en")["liv"]
        True
    """
    groups = (line.split() for line in _sections(language).get("alike", ()))
    return {stem(word): tuple(group) for group in groups for word in group}


def guess_language(folded: list[str]) -> str:
    """Return the language whose common words a text uses most; English when in doubt.

    Claims are short: the words listed here tell more than articles alone.

    Example:
        >>> guess_language(["vive", "en", "madrid"])
        'es'
    """
    counts = dict.fromkeys(LANGUAGES, 0)
    tongues = _tongues()
    for word in folded:
        for language in tongues.get(word, ()):
            counts[language] += 1
    return max(LANGUAGES, key=counts.__getitem__)


@cache
def _tongues() -> dict[str, tuple[str, ...]]:
    """Return the languages that each common word is one of."""
    tongues: dict[str, tuple[str, ...]] = {}
    for language in LANGUAGES:
        listed = " ".join(line for lines in _sections(language).values() for line in lines)
        common = light_words(language) | negations(language) | set(listed.replace(",", " ").split())
        for word in common:
            tongues[word] = (*tongues.get(word, ()), language)
    return tongues


def _sections(language: str) -> Mapping[str, tuple[str, ...]]:
    return sections("toolnexus.dream", "speech", language)
