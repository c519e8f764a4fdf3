"""Relative dates: the days that words such as "last week" mean in a turn of a certain date."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import lru_cache
from typing import Any

from toolnexus.text.lexicon import number_words

_TEXT_CAP_CHARS = 600
"""A quote's worth: the library takes about a millisecond for ten words."""

# What is worth asking about: a turn without one of these names no relative date. The library is
# asked about the words around it and decides.
_HINT = re.compile(
    r"\b(?:yesterday|today|tonight|tomorrow|ago|last|next|this|weeks?|months?|years?|days?"
    r"|gestern|vorgestern|heute|morgen|letzte\w*|nächste\w*|vor|woche\w*|monat\w*|jahr\w*|tage\w*"
    r"|hier|avant-hier|aujourd'hui|demain|semaines?|mois|ans?|année|jours?"
    r"|ayer|anteayer|hoy|mañana|hace|semanas?|mes(?:es)?|años?|días?"
    r"|ontem|anteontem|hoje|amanhã|há|mês|anos?|dias?)\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_AROUND = 3
_WEEK_DAYS = 6
"""How many days a week's last day lies behind its first."""


@dataclass(frozen=True, slots=True)
class Span:
    """The days that words may mean, both ends included.

    Attributes:
        first: The first of them.
        last: The last of them.
    """

    first: date
    last: date

    def allows(self, year: int | None, month: int | None, day: int | None) -> bool:
        """Whether a date, of which parts may be left open, lies in it.

        Example:
            >>> Span(date(2026, 11, 9), date(2026, 11, 15)).allows(2026, 11, None)
            True
        """
        days = (self.last - self.first).days
        if day is not None and days > _WEEK_DAYS:
            return False  # "last month" says nothing about the day
        each = (self.first + timedelta(days=n) for n in range(days + 1))
        return any(
            (year is None or d.year == year)
            and (month is None or d.month == month)
            and (day is None or d.day == day)
            for d in each
        )


@lru_cache(maxsize=256)
def find_relative_dates(text: str, said: datetime, language: str = "en") -> tuple[Span, ...]:
    """Return what the relative dates of a text mean.

    Args:
        text: What was said; no more than 600 characters of it are looked at.
        said: When.
        language: Its language, such as ``en``.

    Example:
        >>> from toolnexus.clock import parse_instant
        >>> said = parse_instant("2026-11-20T10:00:00Z")
        >>> find_relative_dates("We moved last week.", said)
        (Span(first=datetime.date(2026, 11, 9), last=datetime.date(2026, 11, 15)),)
    """
    numbers = number_words(language)
    words = [numbers.get(w.casefold(), w) for w in _WORD.findall(text[:_TEXT_CAP_CHARS])]
    hinted = {n for n, word in enumerate(words) if _HINT.fullmatch(word)}
    spans: dict[Span, None] = {}
    for number in sorted(hinted):
        for phrase in _phrases(words, number):
            if (span := _resolve(phrase, said, language)) is not None:
                spans[span] = None
                break
    return tuple(spans)


def _phrases(words: list[str], at: int) -> list[str]:
    """Return the phrases around a word, longest first."""
    found = [
        words[start:end]
        for start in range(max(0, at - _AROUND), at + 1)
        for end in range(at + 1, min(len(words), at + _AROUND) + 1)
        if end - start <= _AROUND
    ]
    return [" ".join(phrase) for phrase in sorted(found, key=len, reverse=True)]


def _resolve(phrase: str, said: datetime, language: str) -> Span | None:
    """Ask the library what a phrase means; None when it is no relative date."""
    try:
        found = _parser(language, said).get_date_data(phrase)
    except (ValueError, OverflowError, TypeError, AttributeError, RecursionError):
        return None
    if found is None or found.date_obj is None:
        return None
    return _span(found.date_obj.date(), str(found.period))


def _span(day: date, period: str) -> Span | None:
    try:
        if period == "week":
            first = day - timedelta(days=day.weekday())
            return Span(first, first + timedelta(days=_WEEK_DAYS))
        if period == "month":
            first = day.replace(day=1)
            return Span(first, (first + timedelta(days=31)).replace(day=1) - timedelta(days=1))
        if period == "year":
            return Span(day.replace(month=1, day=1), day.replace(month=12, day=31))
    except OverflowError:
        return None
    return Span(day, day)


@lru_cache(maxsize=32)
def _parser(language: str, said: datetime) -> Any:
    from dateparser.date import DateDataParser

    return DateDataParser(
        languages=[language],
        settings={
            "RELATIVE_BASE": said.replace(tzinfo=None),
            "PARSERS": ["relative-time"],
            "RETURN_TIME_AS_PERIOD": False,
        },
    )
