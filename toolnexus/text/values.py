"""Values: the numbers, dates, names, negations, addresses and quotations a statement stands on.

Two statements whose words look alike say different things as soon as one of these differs.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from toolnexus.text.lexicon import (
    calendar_words,
    fold_words,
    guess_language,
    light_words,
    negations,
    number_words,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

_ADDRESS = re.compile(
    r"(?<![\w.+-])[\w.+-]{1,200}@[\w-]+(?:\.[\w-]+)+|(?:https?://|www\.)[^\s<>()\[\]\"']*[^\s<>()\[\]\"'.,;:!?]"
)
_QUOTED = re.compile(
    r"\"([^\"\n]{2,200})\"|“([^”\n]{2,200})”|„([^“”\n]{2,200})[“”]|«([^»\n]{2,200})»"
)
_SLASHED_DATE = re.compile(r"\b\d{1,4}/\d{1,2}/\d{1,4}\b")
_NUMBER = re.compile(r"(?<![^\W\d_])[-+−]?\d+(?:[.,:]\d+)*|(?<![^\W\d_])[^\W\d_]+\d\w*(?:\.\d+)*")
_THOUSANDS = re.compile(r"\d{1,3}(?:([.,])\d{3})(?:\1\d{3})*(?:[.,]\d+)?")
_ORDINAL = re.compile(r"(?<!\d)(\d+)(?:st|nd|rd|th|er|ère|º|ª)\b", re.IGNORECASE)
_ENDS = (".", "!", "?", "…", ":")
_MARKS = "\"'“„«¿¡([*_~=-"
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_UNCASED = frozenset({"Lo"})


@dataclass(frozen=True, slots=True)
class Values:
    """The values of a text, each kind sorted and normalised so that equal values are equal text.

    Attributes:
        numbers: In digits, number words too: ``3``, ``1000``, ``3.5``, ``8:30``, ``a320``.
        dates: ``2026-05-03``, ``--05-03`` (no year), ``2026-05``, ``--05``, ``weekday-1``.
        names: Capitalised words inside a sentence, folded; in scripts without case every word.
        negations: Folded; ``not`` for every word in n't; repeated as often as they stand there.
        addresses: E-mail addresses and URLs.
        quoted: What stands in quotation marks, folded.
    """

    numbers: tuple[str, ...] = ()
    dates: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    negations: tuple[str, ...] = ()
    addresses: tuple[str, ...] = ()
    quoted: tuple[str, ...] = ()


def values(text: str) -> Values:
    """Return the values that a text holds.

    Example:
        >>> found = values("Since 3 May Ines has not paid Clara 1,200 euros.")
        >>> found.dates, found.numbers, found.negations, found.names
        (('--05-03',), ('1200',), ('not',), ('clara', 'ines'))
    """
    text = unicodedata.normalize("NFKC", text)
    language = guess_language(fold_words(text))
    addresses, text = _take(_ADDRESS, text)
    quoted = [next(filter(None, match.groups())) for match in _QUOTED.finditer(text)]
    dates, rest = _dates(text)
    names = _names(rest, language)
    return Values(
        numbers=_unique(_numbers(rest, language)),
        dates=_unique(dates),
        names=_unique(names),
        negations=tuple(sorted(_negations(text, language))),
        addresses=_unique(address.casefold() for address in addresses),
        quoted=_unique(" ".join(each.casefold().split()) for each in quoted),
    )


def _unique(found: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(set(found)))


def _take(pattern: re.Pattern[str], text: str) -> tuple[list[str], str]:
    return pattern.findall(text), pattern.sub(" , ", text)


def _dates(text: str) -> tuple[list[str], str]:
    """Return the dates of a text, and the text without them."""
    found: list[str] = []

    def take(match: re.Match[str]) -> str:
        parts = match.groupdict()
        month = parts["month"].casefold()
        number = calendar_words("months").get(month) or int(month)
        year = f"{int(parts['year']):04d}" if parts.get("year") else "-"
        day = f"-{int(parts['day']):02d}" if parts.get("day") else ""
        found.append(f"{year}-{number:02d}{day}")
        return " , "

    for pattern in _date_patterns():
        text = pattern.sub(take, text)
    # Day and month of a slashed date change places from country to country: kept as written.
    found += _SLASHED_DATE.findall(text)
    text = _SLASHED_DATE.sub(" , ", text)
    weekdays = calendar_words("weekdays")
    found += [f"weekday-{weekdays[word]}" for word in fold_words(text) if word in weekdays]
    return found, text


@cache
def _date_patterns() -> tuple[re.Pattern[str], ...]:
    names = "|".join(sorted(calendar_words("months"), key=len, reverse=True))
    month = rf"\b(?P<month>{names})\b\.?"
    day = r"(?<![\w.,:/-])(?P<day>[12]\d|3[01]|0?[1-9])(?:st|nd|rd|th|er|º|\.)?"
    year = r"(?P<year>\d{4})\b"
    of = r"(?:(?:of|de|del)\s+)?"
    forms = (
        r"\b(?P<year>\d{4})-(?P<month>\d\d?)-(?P<day>\d\d?)\b",
        rf"\b(?P<day>\d\d?)\.(?P<month>\d\d?)\.{year}",
        rf"{day}\s+{of}{month}(?:,?\s+{of}{year})?",
        rf"{month}\s+(?P<day>[12]\d|3[01]|0?[1-9])(?:st|nd|rd|th)?\b(?![.:,]\d)(?:,?\s+{year})?",
        rf"{month}\s+{of}{year}",
    )
    return tuple(re.compile(form, re.IGNORECASE) for form in forms)


def _numbers(text: str, language: str) -> list[str]:
    found = [_number(match.group()) for match in _NUMBER.finditer(_ORDINAL.sub(r"\1 ", text))]
    words = number_words(language)
    return found + [words[word] for word in fold_words(text) if word in words]


def _number(written: str) -> str:
    """Normalise a number: no thousands marks, a point for decimals, no trailing zeros of them."""
    written = written.casefold().replace("−", "-").removeprefix("+")
    if written[-1].isalpha() or written[0].isalpha() or ":" in written:
        return written
    if _THOUSANDS.fullmatch(written.removeprefix("-")):
        mark = _THOUSANDS.fullmatch(written.removeprefix("-"))
        assert mark is not None
        written = written.replace(mark.group(1), "")
    whole, _, decimals = written.replace(",", ".").partition(".")
    if "." in decimals:  # a version, not a number
        return written
    decimals = decimals.rstrip("0")
    return f"{whole}.{decimals}" if decimals else whole


def _names(text: str, language: str) -> list[str]:
    light = light_words(language) | negations(language)
    found: list[str] = []
    end = 0
    for match in _WORD.finditer(text):
        gap, is_first, end = text[end : match.start()], end == 0, match.end()
        word = match.group()
        is_uncased = unicodedata.category(word[0]) in _UNCASED
        if not (is_uncased or word[0].isupper()):
            continue
        folded = word.casefold().replace("’", "'").removesuffix("'s")
        if is_uncased or (folded not in light and not _opens(gap, is_first=is_first)):
            found.append(folded)
    return found


def _opens(gap: str, *, is_first: bool) -> bool:
    """Whether a word behind a gap opens a sentence: a line, or the words behind a full stop.

    Args:
        gap: What stands between it and the word before.
        is_first: Whether there is no word before.
    """
    before = gap.rstrip()
    blank = gap[len(before) :]
    if "\n" in blank:
        return True
    bare = before.rstrip(_MARKS)
    if bare != before:
        before = bare.rstrip()
        blank = bare[len(before) :]
        if is_first and not before and not blank:
            return True
    elif is_first and not before:
        return True
    return "\n" in blank or (bool(blank) and before.endswith(_ENDS))


def _negations(text: str, language: str) -> list[str]:
    known = negations(language)
    found = ["not" if word.endswith("n't") else word for word in fold_words(text)]
    return ["not" if word == "cannot" else word for word in found if word in known or word == "not"]
