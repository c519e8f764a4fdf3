"""Text as the full-text engine should see it, where scripts without spaces need our help."""

from __future__ import annotations

import re
from functools import cache

# Parts words for the engine and stands in no text that we hand to it: positions can be mapped back.
SEPARATOR = "\x1f"
# Japanese kana and Chinese characters: each is a word of its own, else a whole sentence would be.
_UNSPACED = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"


def searchable(text: str) -> str:
    """Return a text with its unspaced characters parted.

    Example:
        >>> searchable("住在Berlin").split(SEPARATOR)
        ['', '住', '', '在', 'Berlin']
    """
    if text.isascii():
        return text
    return _unspaced_char().sub(rf"{SEPARATOR}\1{SEPARATOR}", text)


def split_unspaced(word: str) -> list[str]:
    """Part a word of unspaced characters into overlapping pairs, which are about as long as words.

    Example:
        >>> split_unspaced("住在柏林"), split_unspaced("Berlin")
        (['住在', '在柏', '柏林'], ['Berlin'])
    """
    if word.isascii():
        return [word]
    parts: list[str] = []
    for run in _run().findall(word):
        if _unspaced_char().match(run) and len(run) > 1:
            parts.extend(run[at : at + 2] for at in range(len(run) - 1))
        else:
            parts.append(run)
    return parts


# Ranges as wide as these take long to compile, and most homes have no use for them.
@cache
def _unspaced_char() -> re.Pattern[str]:
    return re.compile(f"([{_UNSPACED}])")


@cache
def _run() -> re.Pattern[str]:
    return re.compile(f"[{_UNSPACED}]+|[^{_UNSPACED}]+")
