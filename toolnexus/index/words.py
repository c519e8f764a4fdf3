"""Words as the index sees them: folded, stemmed, and the keys that identifiers and dates leave.

A *key* is an identifier, a number or a date squashed to one plain token, so that ``LH-1234``,
``lh 1234`` and ``LH1234``, or ``14 March 2026`` and ``2026-03-14``, meet at the same spot.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

STOP_WORDS = frozenset(
    """a about after all also am an and any are as at be because been before being but by can
    could did do does doing done for from get got had has have having he her here hers him his how
    i if in into is it its just like me might my no not of off on one or our out over own she
    should so some such tell than that the their them then there these they this those to too up us
    very was we were what when where which while who whom whose why will with would you
    your""".split()  # noqa: SIM905  # a list of ninety quoted words reads worse
)
_SUFFIXES = tuple(
    """ations ation ences ence ances ance ments ment ingly edly ness ings ing ions ion ies ied ed
    es ly s""".split()  # noqa: SIM905  # as above
)
_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan", "february feb", "march mar", "april apr", "may", "june jun", "july jul",
            "august aug", "september sep sept", "october oct", "november nov", "december dec",
        ),
        start=1,
    )
    for name in names.split()
}  # fmt: skip
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_WHOLE_WORD = re.compile(r"\w+")
_WORD = re.compile(r"[^\W_]+")
_TOKEN = re.compile(r"[^\s\"“”„'’`()\[\]{}<>|,;!?*=]+")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]{2,}")
_LETTER_OR_DIGIT = re.compile(r"[^\W_]")
_LETTER = re.compile(r"[^\W\d_]")
_DIGIT = re.compile(r"\d")
# All but plain words. It begins with a set of characters, so that the rest is tried in few places.
_UNUSUAL = re.compile(
    r"[\d@_/\\:+#A-Z.>]"
    r"(?:(?<=[\d@_/\\:+#])|(?<=[a-z][A-Z])|(?<=[A-Z])[A-Z&.-]|(?<=\w[.>])\w)"
)
_JOINED = re.compile(r"@|[^\W_](?:[._/:\\]|::|->)[^\W_]")
_CAMEL = re.compile(r"[a-z][A-Z]")
_CAPITALS = re.compile(r"[A-Z][A-Z&.-]{0,4}[A-Z]")
_SIGNED = re.compile(r"[A-Za-z](?:\+\+|#)")
_GROUPED = re.compile(r"[,'’]\d{3}")  # at least; the form itself begins to match at every digit
_THOUSANDS = re.compile(r"(?<![\w.,])\d{1,3}(?:[,'’]\d{3})+(?![\w])")
_NUMERIC_DATE = re.compile(r"\d[-.]\d")  # at least; most texts have none, and the forms are slow
_ISO_DATE = re.compile(r"(?<!\d)(?P<y>\d{4})-(?P<m>\d{2})(?:-(?P<d>\d{2}))?(?![\d-])")
_DOTTED_DATE = re.compile(r"(?<![\d.])(?P<d>\d{1,2})\.(?P<m>\d{1,2})\.(?P<y>\d{4})(?!\d)")
_DAY_MONTH = re.compile(
    rf"\b(?P<d>\d{{1,2}})(?:st|nd|rd|th)?\.?\s+(?:of\s+)?(?P<m>{_MONTH})\b\.?(?:,?\s+(?P<y>\d{{4}}))?",
    re.IGNORECASE,
)
_MONTH_DAY = re.compile(
    rf"\b(?P<m>{_MONTH})\b\.?\s+(?P<d>\d{{1,2}})(?:st|nd|rd|th)?\b(?:,?\s+(?P<y>\d{{4}}))?",
    re.IGNORECASE,
)
_MONTH_YEAR = re.compile(rf"\b(?P<m>{_MONTH})\b\.?,?\s+(?P<y>\d{{4}})\b", re.IGNORECASE)
_NUMERIC_DATES = (_ISO_DATE, _DOTTED_DATE)
_NAMED_DATES = (_DAY_MONTH, _MONTH_DAY, _MONTH_YEAR)
_MONTH_STARTS = tuple(dict.fromkeys(name[:3] for name in _MONTHS))
_MAX_KEY = 64


def fold(text: str) -> str:
    """Fold a text for comparison: compatibility forms, case and accents are gone.

    Example:
        >>> fold("Zürich ＣＡＦÉ")
        'zurich cafe'
    """
    if text.isascii():
        return text.lower()
    parts = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    return "".join(char for char in parts if not unicodedata.combining(char))


def words(text: str) -> list[str]:
    """Return a text's words, folded, in order.

    Example:
        >>> words("The spare key: LH-1234")
        ['the', 'spare', 'key', 'lh', '1234']
    """
    return _WORD.findall(fold(text))


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """Cut a folded English word down, so that its common forms meet; lighter than Porter.

    Example:
        >>> stem("preferred") == stem("preferences") == "prefer"
        True
    """
    if len(word) < 4 or not word.isalpha():
        return word
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= 3 and not word.endswith("ss"):
            word = word[: -len(suffix)]
            break
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "aeious":
        return word[:-1]
    return word[:-1] if len(word) > 3 and word[-1] in "eyi" else word


def stems(text: str) -> list[str]:
    """Return the stems of a text's words, in order."""
    return [stem(word) for word in words(text)]


class WordForms:
    """A word in any of its forms, found in a text without looking at every other word.

    Args:
        word: The word, folded.
        start: Forms that begin like this count too; empty for none.

    Example:
        >>> WordForms("preferences").stand_in("she preferred tea")
        True
    """

    def __init__(self, word: str, start: str = "") -> None:
        self._stem = stem(word)
        self._start = start
        self._form = re.compile(re.escape(self._stem) + r"[^\W_]*")

    def stand_in(self, folded: str) -> bool:
        """Tell whether a form stands in a folded text."""
        return self._has_form(folded) or (bool(self._start) and self._has_start(folded))

    def _has_form(self, folded: str) -> bool:
        if self._stem not in folded:  # a word begins with its stem
            return False
        return any(
            _begins_word(folded, match.start()) and stem(match[0]) == self._stem
            for match in self._form.finditer(folded)
        )

    def _has_start(self, folded: str) -> bool:
        at = folded.find(self._start)
        while at >= 0 and not _begins_word(folded, at):
            at = folded.find(self._start, at + 1)
        return at >= 0


def _begins_word(text: str, at: int) -> bool:
    return at == 0 or not _LETTER_OR_DIGIT.match(text, at - 1)


def content_words(text: str) -> list[str]:
    """Return a text's words without stop words, each once; all when nothing else is left."""
    every = list(dict.fromkeys(words(text)))
    return [word for word in every if word not in STOP_WORDS] or every


def keys(text: str) -> tuple[str, ...]:
    """Return the keys that a text leaves: identifiers, numbers and dates, each one plain token.

    Example:
        >>> keys("Seat on LH-1234, 14 March 2026")
        ('lh1234', 'date20260314', 'date0314', 'month202603')
    """
    found = [squash(token) for token in identifiers(text)]
    if _GROUPED.search(text):
        found += [re.sub(r"\D", "", match[0]) for match in _THOUSANDS.finditer(text)]
    found += date_keys(text)
    if not text.isascii():
        for run in _CJK.findall(text):
            found += ["".join(pair) for pair in pairwise(run)]
    return tuple(dict.fromkeys(key for key in found if 1 < len(key) <= _MAX_KEY))


def identifiers(text: str) -> list[str]:
    """Return what in a text is written like an identifier rather than a word, as written.

    Example:
        >>> identifiers("Mail ana@example.org about C++ and v2.3.1 (see [[trip-2026]]).")
        ['ana@example.org', 'C++', 'v2.3.1', 'trip-2026']
    """
    return [
        found
        for line in text.split("\n")
        if _UNUSUAL.search(line)
        for token in _TOKEN.findall(line)
        if (found := _identifier_in(token))
    ]


@lru_cache(maxsize=65536)
def _identifier_in(token: str) -> str:
    """Return a token without its punctuation when it is an identifier, else the empty text."""
    if _is_plain(token):
        return ""
    trimmed = _trim(token)
    return trimmed if _is_identifier(trimmed) else ""


def _is_plain(token: str) -> bool:
    """Tell quickly that a token is an ordinary word, as most are."""
    return token.isalpha() and (token.islower() or token.istitle())


def _trim(token: str) -> str:
    """Drop the punctuation around a token, but not the signs of C# and C++."""
    token = token.strip(".:/-–—…~&%^")
    return token if _SIGNED.fullmatch(token) else token.strip("#+") or token


def _is_identifier(token: str) -> bool:
    if _is_plain(token) or not _LETTER_OR_DIGIT.search(token):
        return False
    if _DIGIT.search(token) and _LETTER.search(token):
        return True
    if _SIGNED.fullmatch(token) or _JOINED.search(token):
        return True
    return bool(_CAMEL.search(token) or _CAPITALS.fullmatch(token))


def squash(token: str) -> str:
    """Squash an identifier to one plain token.

    Example:
        >>> squash("LH-1234"), squash("C++")
        ('lh1234', 'cplusplus')
    """
    if "+" in token or "#" in token:
        token = re.sub(r"(?<=[A-Za-z])\+\+", "plusplus", token)
        token = re.sub(r"(?<=[A-Za-z])#$", "sharp", token)
    return "".join(filter(str.isalnum, fold(token)))


def date_keys(text: str) -> list[str]:
    """Return the keys of the dates in a text: the day with and without its year, and the month."""
    found: list[str] = []
    for match in _dates_in(text):
        parts = match.groupdict()
        found += _date_key(parts.get("y"), parts["m"], parts.get("d"))
    return list(dict.fromkeys(found))


def _dates_in(text: str) -> Iterator[re.Match[str]]:
    if _NUMERIC_DATE.search(text):
        for form in _NUMERIC_DATES:
            yield from form.finditer(text)
    if not _names_month(text):  # most texts do not
        return
    for line in text.split("\n"):  # such a date does not run on into the next line
        if _DIGIT.search(line) and _has_month_word(line):
            for form in _NAMED_DATES:
                yield from form.finditer(line)


def _names_month(text: str) -> bool:
    folded = text.casefold()
    return any(start in folded for start in _MONTH_STARTS)


def _has_month_word(line: str) -> bool:
    """Tell whether a whole word is a month's name, not only the beginning of another."""
    folded = line.casefold()
    if not any(start in folded for start in _MONTH_STARTS):
        return False
    return not _MONTHS.keys().isdisjoint(_WHOLE_WORD.findall(folded))


def _date_key(year: str | None, month: str, day: str | None) -> list[str]:
    number = _MONTHS.get(month.lower()) or (int(month) if month.isdigit() else 0)
    if not 1 <= number <= 12 or (day and not 1 <= int(day) <= 31):
        return []
    found = [f"date{year}{number:02}{int(day):02}"] if year and day else []
    found += [f"date{number:02}{int(day):02}"] if day else []
    return found + ([f"month{year}{number:02}"] if year else [])
