"""Quotes: finding words someone cites in the text they are said to stand in."""

from __future__ import annotations

import unicodedata
from itertools import pairwise

_FOLDS = str.maketrans(
    {
        **dict.fromkeys("“”„‟«»″〝〞＂", '"'),
        **dict.fromkeys("‘’‚‛‹›′`´＇", "'"),
        **dict.fromkeys("‐‑‒–—―−﹘﹣－", "-"),
        # Marks that are not seen: soft hyphen, zero-width characters, byte order mark.
        **dict.fromkeys("\u00ad\u200b\u200c\u200d\u2060\ufeff", ""),
    }
)
_MAX_PASSAGE = 300


def normalise_quote(text: str) -> str:
    r"""Return the text as quotes are compared: NFKC, white space, quote marks and dashes folded.

    Case counts.

    Example:
        >>> normalise_quote("We\u00a0 moved — “finally”")
        'We moved - "finally"'
    """
    if text.isascii():
        return " ".join(text.replace("`", "'").split())
    return _Normal(text).text


def find_quote(quote: str, text: str) -> tuple[int, int] | None:
    """Return where a quote stands in a text, as start and length in code points of that text.

    None when it does not stand there, or says nothing.

    Example:
        >>> find_quote('"the  sea"', "I love “the sea”.")
        (7, 9)
    """
    wanted = normalise_quote(quote)
    exact = text.find(quote)
    if wanted and exact >= 0 and quote == quote.strip():
        return exact, len(quote)
    if not wanted:
        return None
    normal = _Normal(text)
    at = normal.text.find(wanted)
    while at >= 0:
        start, length = normal.source_span(at, at + len(wanted))
        # A letter that others melt into may be cut in two: then it is another letter.
        if normalise_quote(text[start : start + length]) == wanted:
            return start, length
        at = normal.text.find(wanted, at + 1)
    return None


def closest_passage(quote: str, text: str) -> str:
    """Return the passage of a text that is most like a quote: whole words, some 300 characters.

    Example:
        >>> closest_passage("we moved to Berlin", "We finally moved to Berlin. It rained.")
        'finally moved to Berlin.'
    """
    from rapidfuzz import fuzz

    normal = _Normal(text)
    wanted = normalise_quote(quote)[:_MAX_PASSAGE]
    if not wanted or not normal.text:
        return ""
    found = fuzz.partial_ratio_alignment(wanted.lower(), normal.text.lower())
    if found is None or len(normal.text.lower()) != len(normal.text):
        found = fuzz.partial_ratio_alignment(wanted, normal.text)
    if found is None or found.dest_start == found.dest_end:
        return ""
    start, length = normal.source_span(found.dest_start, found.dest_end)
    end = start + length
    while start > 0 and not text[start - 1].isspace() and not text[start].isspace():
        start -= 1
    while end < len(text) and not text[end].isspace() and end - start < _MAX_PASSAGE:
        end += 1
    return " ".join(text[start:end].split())


class _Normal:
    """A text as quotes are compared, with the way back to where each character came from."""

    __slots__ = ("_ends", "_starts", "text")

    def __init__(self, text: str) -> None:
        chars: list[str] = []
        self._starts: list[int] = []
        self._ends: list[int] = []
        for start, end in pairwise(_cluster_bounds(text)):
            for char in _compared(text[start:end]):
                if char.isspace():
                    if not chars:
                        continue
                    if chars[-1] == " ":
                        self._ends[-1] = end
                        continue
                chars.append(" " if char.isspace() else char)
                self._starts.append(start)
                self._ends.append(end)
        if chars and chars[-1] == " ":
            chars.pop()
        self.text = "".join(chars)

    def source_span(self, start: int, end: int) -> tuple[int, int]:
        """Return start and length, in the text itself, of a stretch of the compared text."""
        first = self._starts[start]
        return first, self._ends[end - 1] - first


def _compared(cluster: str) -> str:
    """Fold what stands together; marks that a dropped character kept apart find their order."""
    folded = unicodedata.normalize("NFKC", cluster).translate(_FOLDS)
    return folded if folded.isascii() else unicodedata.normalize("NFKC", folded)


def _cluster_bounds(text: str) -> list[int]:
    """Return the offsets between which characters combine with nothing outside."""
    if text.isascii():
        return list(range(len(text) + 1))
    bounds = [index for index, char in enumerate(text) if index == 0 or not _combines(char)]
    return [*bounds, len(text)] if text else []


def _combines(char: str) -> bool:
    """Tell whether a character may melt into the one before: marks, and jamo of Hangul."""
    if _FOLDS.get(ord(char)) == "":  # dropped: what it parts stands together
        return True
    if char < "\u0300":
        return False
    return (
        unicodedata.category(char)[0] == "M"
        or "\u1160" <= char <= "\u11ff"
        or unicodedata.combining(unicodedata.normalize("NFKD", char)[0]) != 0
    )
