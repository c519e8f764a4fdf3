"""Ground: all that the cited turns say, as what a new text may stand on."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property
from typing import TYPE_CHECKING

from toolnexus.dream.guard.amount import find_amounts
from toolnexus.dream.guard.relative_date import Span, find_relative_dates
from toolnexus.dream.guard.vocabulary import language_of, looks_ahead, negates
from toolnexus.dream.speech import alike
from toolnexus.text.lexicon import LANGUAGES, fold_words
from toolnexus.text.quotes import normalise_quote
from toolnexus.text.words import content_words, stem, values

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import datetime

    from toolnexus.text.words import Values

_DATE = re.compile(r"(?:(?P<year>\d{4})|-)-(?P<month>\d\d)(?:-(?P<day>\d\d))?")
_SLASHED = re.compile(r"(?<![\d/])(\d{1,2})/(\d{1,2})(?:/(\d{2}|\d{4}))?(?![\d/])")
_YEAR = re.compile(r"[12]\d{3}")
_WEEKDAY = "weekday-"
_WEEK_DAYS = 7


@dataclass(frozen=True)  # no slots: what is not asked for is not read
class Said:
    """One thing that was said: its words, and when."""

    text: str
    when: datetime | None = None

    @cached_property
    def language(self) -> str:
        """Its language."""
        return language_of(self.text)

    @cached_property
    def values(self) -> Values:
        """Its numbers, dates, names, negations, addresses and quotations."""
        return values(self.text)

    @cached_property
    def reckoned(self) -> frozenset[str]:
        """Its numbers that are said in several words: two dozen are 24."""
        return frozenset(a.value for a in find_amounts(self.text, self.language) if a.parts)

    @cached_property
    def slashed_dates(self) -> tuple[tuple[int, int, str], ...]:
        """Its dates such as 4/28: both numbers in either order, and the year as far as given."""
        found = ((int(a), int(b), year) for a, b, year in _SLASHED.findall(self.text))
        return tuple(each for a, b, year in found for each in ((a, b, year), (b, a, year)))

    @cached_property
    def relative_dates(self) -> tuple[Span, ...]:
        """What its relative dates mean."""
        if self.when is None:
            return ()
        return (*find_relative_dates(self.text, self.when, self.language), *self._weekdays())

    def _weekdays(self) -> Iterator[Span]:
        """Yield the days next to when it was said that a weekday in it may mean."""
        assert self.when is not None
        for named in self.values.dates:
            if not named.startswith(_WEEKDAY):
                continue
            ahead = (int(named.removeprefix(_WEEKDAY)) - 1 - self.when.weekday()) % _WEEK_DAYS
            further = ahead + _WEEK_DAYS if looks_ahead(self.text, self.language) else ahead
            for days in {ahead - _WEEK_DAYS, ahead, further}:
                try:
                    day = self.when.date() + timedelta(days=days)
                except OverflowError:
                    continue
                yield Span(day, day)


@dataclass(frozen=True)  # no slots: as above
class Ground:
    """Several things that were said, asked whether something stands in them.

    Example:
        >>> ground = Ground((Said("We finally moved to Berlin, all three of us."),))
        >>> ground.has_name("berlin"), ground.has_name("munich"), ground.has_number("3")
        (True, False, True)
    """

    said: tuple[Said, ...]

    @cached_property
    def words(self) -> frozenset[str]:
        """Its words, folded."""
        words = {word for each in self.said for word in fold_words(each.text)}
        return frozenset(words | {word.removesuffix("'s") for word in words})

    @cached_property
    def stems(self) -> frozenset[str]:
        """The stems of its words, those that carry no content included, and their likes."""
        found: set[str] = set()
        for each in self.said:
            same = alike(each.language)
            stems = {*map(stem, fold_words(each.text)), *content_words(each.text)}
            found |= stems | {same[s] for s in stems if s in same}
        return frozenset(found)

    @cached_property
    def folded(self) -> str:
        """All of it, folded as quotes are compared."""
        return "\n".join(normalise_quote(each.text).casefold() for each in self.said)

    def has_stem(self, wanted: str) -> bool:
        """Whether it holds a word of that stem, or one that says the same."""
        if wanted in self.stems:
            return True
        return any(alike(each).get(wanted) in self.stems for each in LANGUAGES)

    def has_number(self, number: str) -> bool:
        """Whether it holds a number, in digits or words; the year of a date counts."""
        if any(number in each.values.numbers or number in each.reckoned for each in self.said):
            return True
        if not _YEAR.fullmatch(number):
            return False
        dates = (date for each in self.said for date in each.values.dates)
        return any(d.startswith(number) for d in dates) or self._allows(int(number), None, None)

    def has_date(self, date: str, kept_years: Iterable[str] = ()) -> bool:
        """Whether it holds a date, or one follows from when something in it was said.

        Args:
            date: As in `Values.dates`.
            kept_years: Years that the claim had before: they need not be said again.
        """
        if any(date in each.values.dates for each in self.said):
            return True
        wanted = _DATE.fullmatch(date)
        if wanted is None:
            return date.startswith(_WEEKDAY) and self._allows_weekday(date)
        if any(_agrees(wanted, each, kept_years) for each in self.said):
            return True
        year, month, day = (int(p) if (p := wanted[name]) else None for name in _DATE.groupindex)
        return self._allows(year, month, day)

    def has_plain_date(self, date: str) -> bool:
        """Whether a date follows from the day on which something in it was said."""
        wanted = _DATE.fullmatch(date)
        if wanted is None:
            return False
        year, month, day = (int(p) if (p := wanted[name]) else None for name in _DATE.groupindex)
        return self._allows(year, month, day)

    def has_name(self, name: str) -> bool:
        """Whether it holds a name as a word of its own."""
        if name in self.words or name.replace("'", "") in self.words:
            return True
        parts = fold_words(name)
        return len(parts) > 1 and all(part in self.words for part in parts)

    def has_address(self, address: str) -> bool:
        """Whether it holds an e-mail address or URL."""
        pattern = rf"(?<![\w.+-]){re.escape(address)}(?![\w@]|[./-]\w)"
        return re.search(pattern, self.folded) is not None

    def has_phrase(self, phrase: str) -> bool:
        """Whether it holds words as they stand."""
        wanted = normalise_quote(phrase).casefold()
        return bool(wanted) and wanted in self.folded

    def has_negation(self) -> bool:
        """Whether something in it is negated."""
        return any(negates(each.text, each.language) for each in self.said)

    def _allows(self, year: int | None, month: int | None, day: int | None) -> bool:
        return any(
            span.allows(year, month, day) for each in self.said for span in each.relative_dates
        )

    def _allows_weekday(self, date: str) -> bool:
        wanted = int(date.removeprefix(_WEEKDAY))
        spans = (span for each in self.said for span in each.relative_dates)
        return any(s.first == s.last and s.first.isoweekday() == wanted for s in spans)


def _agrees(wanted: re.Match[str], said: Said, kept_years: Iterable[str]) -> bool:
    """Whether a date that was said is the wanted one, as far as it was said.

    A year that nobody said is that of the turn, or the claim's own.
    """
    years = {*kept_years, *(() if said.when is None else (f"{said.when.year:04d}",))}
    years |= set(said.values.numbers)
    for date in said.values.dates:
        found = _DATE.fullmatch(date)
        if found is None or found["month"] != wanted["month"]:
            continue
        if wanted["day"] is not None and found["day"] != wanted["day"]:
            continue
        if wanted["year"] is None or found["year"] == wanted["year"]:
            return True
        if found["year"] is None and wanted["year"] in years:
            return True
    if wanted["day"] is None:
        return False
    day = (int(wanted["month"]), int(wanted["day"]))
    slashed = (year for month, day_, year in said.slashed_dates if (month, day_) == day)
    return any(wanted["year"] is None or _is_year(wanted["year"], y, years) for y in slashed)


def _is_year(wanted: str, said: str, years: set[str]) -> bool:
    return wanted.endswith(said) if said else wanted in years


def is_unspaced(word: str) -> bool:
    """Whether a word is of a script without case, where blanks may part no words.

    Example:
        >>> is_unspaced("柏林"), is_unspaced("Berlin")
        (True, False)
    """
    return bool(word) and unicodedata.category(word[0]) == "Lo"
