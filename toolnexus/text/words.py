"""Words that carry a text's content, as stems: what two statements about one thing share."""

from __future__ import annotations

import re

from toolnexus.text.lexicon import fold_words, guess_language, light_words, negations
from toolnexus.text.values import Values, values

__all__ = ["Values", "content_words", "stem", "values"]

# Scripts written without blanks: their "words" are pairs of neighbouring characters.
_UNSPACED = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u3040-\u30ff\u3400-\u9fff\U00020000-\U0003ffff]+"
)
_VOWEL = re.compile(r"[aeiouyäöüáéíóúâêôãõàèìòù]")


def content_words(text: str) -> tuple[str, ...]:
    """Return the stems of a text's content words, in order; light words and negations are left out.

    Example:
        >>> content_words("She was moving to the new flats in Lyon.")
        ('mov', 'new', 'flat', 'lyon')
    """
    words = fold_words(text)
    language = guess_language(words)
    light = light_words(language) | negations(language)
    stems: list[str] = []
    for word in words:
        if word in light or word.endswith("n't"):
            continue
        bare = word.removesuffix("'s").rpartition("'")[2]
        if _UNSPACED.search(bare):
            stems += _pairs(bare)
        elif len(bare) > 1 or not bare.isascii() or bare.isdigit():
            stems.append(stem(bare))
    return tuple(stems)


def stem(word: str) -> str:
    """Cut a folded word to what its forms share; short words and words with digits stay whole.

    One rule set serves the five languages: it only has to send forms of one word to one stem.

    Example:
        >>> [stem(word) for word in ("moves", "moved", "moving", "cities", "city", "stopped")]
        ['mov', 'mov', 'mov', 'city', 'city', 'stop']
    """
    if len(word) < 4 or not word.isalpha():
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    for ending in ("ing", "ed", "en"):
        root = word.removesuffix(ending)
        if root != word and len(root) >= 3 and _VOWEL.search(root):
            doubled = root[-1] == root[-2] and root[-1] not in "lsz"
            return root[:-1] if doubled and len(root) > 3 else root
    if len(word) > 3 and word[-1] in "aeo":
        word = word[:-1]
    return word


def _pairs(word: str) -> list[str]:
    """Split a run of an unspaced script into overlapping pairs; what stands between stays whole."""
    pairs: list[str] = []
    position = 0
    for run in _UNSPACED.finditer(word):
        if rest := word[position : run.start()]:
            pairs.append(rest)
        chars = run.group()
        pairs += [chars[index : index + 2] for index in range(max(len(chars) - 1, 1))]
        position = run.end()
    if rest := word[position:]:
        pairs.append(rest)
    return pairs
