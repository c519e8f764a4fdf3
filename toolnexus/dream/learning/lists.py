"""The word lists of learning: what is relative, what is secret."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Literal

from toolnexus.dream.word_lists import pattern_of, phrases
from toolnexus.text.lexicon import LANGUAGES, fold_words

if TYPE_CHECKING:
    import re

Heading = Literal["relative", "secret", "unsettled", "past"]


def listed(text: str, heading: Heading) -> str:
    """Return the first word or phrase of a list that stands in a text; empty when none does.

    The lists of all languages count, because a claim is too short to tell its language by.

    Example:
        >>> listed("The wifi password is on the fridge.", "secret")
        'password'
    """
    found = pattern_of(_listed(heading)).search(f" {' '.join(fold_words(text))} ")
    return found[0] if found else ""


@cache
def exceptions(language: str) -> re.Pattern[str]:
    """Return what finds the words of a language that take something out: except, only.

    Example:
        >>> exceptions("en").findall(" everything except nuts ")
        ['except']
    """
    return pattern_of(phrases("toolnexus.dream.learning", "learn", language, "exception"))


@cache
def _listed(heading: Heading) -> frozenset[str]:
    package = "toolnexus.dream.learning"
    return frozenset().union(*(phrases(package, "learn", each, heading) for each in LANGUAGES))
