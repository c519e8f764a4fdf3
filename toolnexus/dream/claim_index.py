"""Which claims a turn touches: those that share enough content words with it."""

from __future__ import annotations

import math
import re
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING

from toolnexus.dream.speech import alike, guess_language
from toolnexus.text.lexicon import fold_words, light_words, negations
from toolnexus.text.words import stem

if TYPE_CHECKING:
    from collections.abc import Sequence

_SHORT = 5
_SHARE = 0.4
_NAMES = re.compile(r"\b[A-ZÀ-Þ]")
_DIGITS = re.compile(r"\d+")


class ClaimIndex:
    """An index over claims by the stems of their words, in memory.

    A claim that must share `n` of its stems is listed under all but its `n - 1` most common ones:
    whatever shares enough with it shares one of those.

    Args:
        texts: The claims' words.

    Example:
        >>> index = ClaimIndex(["The spare key is under the blue pot.", "Ines plays the cello."])
        >>> index.touched(frozenset({"key", "pot", "play", "cello"}))
        [0, 1]
    """

    def __init__(self, texts: Sequence[str]) -> None:
        self._stems = [_claim_stems(text) for text in texts]
        self._needed = [
            _needed(len(stems), len(_NAMES.findall(text)), len(_DIGITS.findall(text)))
            for text, stems in zip(texts, self._stems, strict=True)
        ]
        counts = Counter(each for stems in self._stems for each in stems)
        self._claims: dict[str, list[int]] = {}
        for number, stems in enumerate(self._stems):
            rarest = sorted(stems, key=lambda each: (counts[each], each))
            for each in rarest[: max(0, len(stems) - self._needed[number]) + 1]:
                self._claims.setdefault(each, []).append(number)

    def touched(self, said: frozenset[str]) -> list[int]:
        """Return the claims that share enough stems, by number."""
        listed = (self._claims[each] for each in said if each in self._claims)
        near = {number for numbers in listed for number in numbers}
        return sorted(number for number in near if self.shares(number, said))

    def shares(self, number: int, stems: frozenset[str]) -> bool:
        """Whether a claim, by its number, shares enough with some stems."""
        return len(self._stems[number] & stems) >= self._needed[number]


@lru_cache(maxsize=2)
def index_of(texts: tuple[str, ...]) -> ClaimIndex:
    """Return the index over some claims; the phases of one pass ask for the same one."""
    return ClaimIndex(texts)


def content_stems(text: str) -> frozenset[str]:
    """Return the stems of a text's content words, as its sentences have them, but cheaper."""
    folded = fold_words(text)
    language = guess_language(folded)
    return frozenset(filter(None, (_stem(word, language) for word in folded)))


@lru_cache(maxsize=1 << 15)
def _claim_stems(text: str) -> frozenset[str]:
    """Return a claim's stems; several phases of one pass ask for those of the same claims."""
    return content_stems(text)


@lru_cache(maxsize=1 << 16)
def _stem(word: str, language: str) -> str:
    """Return a content word's stem as sentences have it; empty for other words."""
    if word in light_words(language) or word in negations(language):
        return ""
    found = stem(word.removesuffix("'s").rpartition("'")[2])
    found = alike(language).get(found, found)
    return found if len(found) > 1 or not found.isascii() else ""


def _needed(stems: int, names: int, numbers: int) -> int:
    """Return how many stems a sentence must share: two, one of a short claim, more of a long one.

    What is below can make no verdict, even where all of the claim's numbers agree, its names are
    others, and one of its words is the speaker's own name.
    """
    if stems < _SHORT:
        return 1
    words = stems - names - 1
    return max(2, math.ceil(_SHARE * words - (1 - _SHARE) * numbers))
