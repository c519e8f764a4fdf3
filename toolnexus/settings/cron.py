"""Cron schedules of five fields, read into the sets of values that they stand for.

The settings' beats and the tasks of HEARTBEAT.md are read here alike.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
WEEKDAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
_LONGEST_MONTH = {2: 29, 4: 30, 6: 30, 9: 30, 11: 30}
_ITEM = r"(?:(\*)|(\w+)(?:-(\w+))?)(?:/([0-9]{1,2}))?"


@dataclass(frozen=True, slots=True)
class Cron:
    """A schedule; each field holds the values it allows, sorted.

    Attributes:
        text: The five fields as written.
        weekdays: 0 is Sunday.
        any_day: Whether the day of the month is ``*``; where neither it nor the weekday is, a day
            that fits either fits, as cron has it.
        any_weekday: Whether the weekday is ``*``.
    """

    text: str
    minutes: tuple[int, ...]
    hours: tuple[int, ...]
    days: tuple[int, ...]
    months: tuple[int, ...]
    weekdays: tuple[int, ...]
    any_day: bool
    any_weekday: bool

    @property
    def either_day(self) -> bool:
        """Whether a day that fits the month's days or the week's is enough: both are restricted."""
        return not self.any_day and not self.any_weekday


def parse_cron(text: str) -> Cron:
    """Read a schedule: lists, ranges, steps and English names of months and weekdays.

    Raises:
        ValueError: when it is none, with the field that is wrong; or when its day never comes.

    Example:
        >>> parse_cron("*/30 8-20 * * mon-fri").minutes
        (0, 30)
    """
    fields = text.split()
    if len(fields) != 5:
        raise ValueError(f"needs the five fields minute hour day month weekday, not {len(fields)}")
    minute, hour, day, month, weekday = fields
    cron = Cron(
        text=" ".join(fields),
        minutes=_values(minute, "minute", 0, 59),
        hours=_values(hour, "hour", 0, 23),
        days=_values(day, "day", 1, 31),
        months=_values(month, "month", 1, 12, MONTHS),
        weekdays=_fold_sunday(_values(weekday, "weekday", 0, 7, WEEKDAYS)),
        any_day=day.startswith("*"),
        any_weekday=weekday.startswith("*"),
    )
    if cron.any_weekday and not _day_comes(cron):
        raise ValueError("names a day that never comes")
    return cron


def _values(
    field: str, what: str, low: int, high: int, names: tuple[str, ...] = ()
) -> tuple[int, ...]:
    """Read one field into its values."""
    found: set[int] = set()
    for item in field.split(","):
        match = re.fullmatch(_ITEM, item)
        if match is None:
            raise ValueError(f"has a {what} that cannot be read: '{item}'")
        star, first, last, step = match.groups()
        start = low if star else _value(first, what, low, high, names)
        end = high if star or (step and not last) else start
        if last:
            end = _value(last, what, low, high, names)
        if end < start:
            raise ValueError(f"has a {what} range that runs backwards: '{item}'")
        stride = int(step) if step else 1
        if not stride:
            raise ValueError(f"has a {what} step of nothing: '{item}'")
        found.update(range(start, end + 1, stride))
    return tuple(sorted(found))


def _value(word: str, what: str, low: int, high: int, names: tuple[str, ...]) -> int:
    if word.lower() in names:
        return names.index(word.lower()) + low
    if not re.fullmatch(r"[0-9]{1,2}", word) or not low <= int(word) <= high:
        raise ValueError(f"has a {what} out of range: '{word}' ({low} to {high})")
    return int(word)


def _fold_sunday(weekdays: tuple[int, ...]) -> tuple[int, ...]:
    """Cron knows Sunday as 0 and as 7."""
    return tuple(sorted({day % 7 for day in weekdays}))


def _day_comes(cron: Cron) -> bool:
    return any(min(cron.days) <= _LONGEST_MONTH.get(month, 31) for month in cron.months)
