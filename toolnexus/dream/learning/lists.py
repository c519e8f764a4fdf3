"""The word lists of learning: what is relative, what is secret."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import Literal

from toolnexus.text.lexicon import LANGUAGES, fold_words

Heading = Literal["relative", "secret", "unsettled", "past"]


def listed(text: str, heading: Heading) -> str:
    """Return the first word or phrase of a list that stands in a text; empty when none does.

    The lists of all languages count, because a claim is too short to tell its language by.

    Example:
        >>> listed("The wifi password is on the fridge.", "secret")
        'password'
    """
    found = _pattern(heading).search(f" {' '.join(fold_words(text))} ")
    return found[0] if found else ""


@cache
def _pattern(heading: Heading) -> re.Pattern[str]:
    phrases = {phrase for language in LANGUAGES for phrase in _phrases(heading, language)}
    either = "|".join(map(re.escape, sorted(phrases, key=len, reverse=True)))
    return re.compile(rf"(?<= )(?:{either})(?= )")


def _phrases(heading: Heading, language: str) -> frozenset[str]:
    if language not in LANGUAGES:
        return frozenset()
    source = files("toolnexus.dream.learning") / "data" / f"learn.{language}.txt"
    found: set[str] = set()
    current = ""
    for line in source.read_text(encoding="utf-8").casefold().splitlines():
        if line.startswith("["):
            current = line.strip("[] ")
        elif not line.startswith("#") and current == heading:
            found |= {phrase.strip() for phrase in line.split(",") if phrase.strip()}
    return frozenset(found)
