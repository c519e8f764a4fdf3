"""Schedules: when a task of HEARTBEAT.md is due, as its author wrote it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from typing import Final

MINUTES: Final = range(60)
HOURS: Final = range(24)
DAYS: Final = range(1, 32)
MONTHS: Final = range(1, 13)
WEEKDAYS: Final = range(8)  # Sunday is 0 and 7

_UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
_MAX_EVERY = timedelta(days=366 * 10)
_EVERY = re.compile(r"every\s+([0-9]{1,6})\s*([mhdw])(?:\s+at\s+(\S+))?", re.IGNORECASE)
_AT = re.compile(
    r"at\s+([0-9]{4}-[0-9]{2}-[0-9]{2})(?:[ Tt]\s*([0-9]{2}:[0-9]{2}))?", re.IGNORECASE
)
_TIME = re.compile(r"[0-9]{2}:[0-9]{2}")
_MONTH_NAMES = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_DAY_NAMES = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]
_LONGEST_MONTH = {2: 29, 4: 30, 6: 30, 9: 30, 11: 30}


class BadSchedule(ValueError):  # noqa: N818 - said of the text, not of us
    """A schedule that cannot be read.

    Args:
        message: What is wrong with it.
        hint: How it can be written.
    """

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.hint = hint


@dataclass(frozen=True, slots=True)
class At:
    """Once: at this moment on the home's own clock; a date alone means the start of that day."""

    moment: datetime


@dataclass(frozen=True, slots=True)
class Every:
    """Again and again.

    Attributes:
        interval: How far apart.
        at: The time of day, for intervals of whole days; None for any.
    """

    interval: timedelta
    at: time | None = None


@dataclass(frozen=True, slots=True)
class Cron:
    """Whenever the home's own clock matches a cron expression.

    Attributes:
        expression: Its five fields, as written.
        minutes: The minutes that match; `hours`, `days`, `months` (from 1) likewise.
        weekdays: The days of the week that match, Sunday being 0.
        either_day: Both the day of the month and of the week are restricted: either one suffices.
    """

    expression: str
    minutes: frozenset[int]
    hours: frozenset[int]
    days: frozenset[int]
    months: frozenset[int]
    weekdays: frozenset[int]
    either_day: bool = False


Schedule = At | Every | Cron


def parse_schedule(text: str) -> Schedule:
    """Read what stands in a task's parenthesis.

    Args:
        text: It begins with ``at``, ``every`` or ``cron``.

    Raises:
        BadSchedule: when it cannot be read.

    Example:
        >>> parse_schedule("every 3d at 09:00")
        Every(interval=datetime.timedelta(days=3), at=datetime.time(9, 0))
    """
    word, _, rest = text.strip().partition(" ")
    match word.lower():
        case "at":
            return _parse_at(text.strip())
        case "every":
            return _parse_every(text.strip())
        case _:
            return parse_cron(rest)


def _parse_at(text: str) -> At:
    hint = "write a date, as in 'at 2027-01-15' or 'at 2027-01-15 09:00'"
    match = _AT.fullmatch(text)
    if match is None:
        if _TIME.fullmatch(text.rsplit(maxsplit=1)[-1]):
            message = f"'{text}' is a time without a date"
            raise BadSchedule(message, f"{hint}; for every day, 'every 1d at 09:00'")
        raise BadSchedule(f"'{text}' is no date", hint)
    try:
        return At(datetime.fromisoformat(f"{match[1]}T{match[2] or '00:00'}"))
    except ValueError:
        raise BadSchedule(f"'{text}': there is no such date or time", hint) from None


def _parse_every(text: str) -> Every:
    hint = "write 'every 30m', 'every 2h', 'every 1w' or 'every 3d at 09:00'"
    match = _EVERY.fullmatch(text)
    if match is None:
        raise BadSchedule(f"'{text}' cannot be read", hint)
    unit = match[2].lower()
    interval = timedelta(**{_UNITS[unit]: int(match[1])})
    if not timedelta(0) < interval <= _MAX_EVERY:
        raise BadSchedule(f"'{text}' is not between one minute and ten years", hint)
    if match[3] is None:
        return Every(interval)
    if unit not in "dw":
        raise BadSchedule(f"'{text}': a time of day goes with days and weeks only", hint)
    return Every(interval, _time_of_day(match[3], hint))


def _time_of_day(text: str, hint: str) -> time:
    try:
        if _TIME.fullmatch(text):
            return time.fromisoformat(text)
    except ValueError:
        pass
    raise BadSchedule(f"'{text}' is no time of day", hint) from None


def parse_cron(text: str) -> Cron:
    """Read a cron expression of five fields.

    Raises:
        BadSchedule: when a field cannot be read, or no day ever matches.

    Example:
        >>> sorted(parse_cron("0 9 * * mon-fri").weekdays)
        [1, 2, 3, 4, 5]
    """
    fields = text.split()
    if len(fields) != 5:
        message = f"'cron {text.strip()}' has {len(fields)} fields in place of five"
        raise BadSchedule(
            message, "give minute, hour, day, month and weekday, as in 'cron 0 9 * * 1'"
        )
    minutes = _cron_field(fields[0], "minute", MINUTES)
    hours = _cron_field(fields[1], "hour", HOURS)
    days = _cron_field(fields[2], "day", DAYS)
    months = _cron_field(fields[3], "month", MONTHS, _MONTH_NAMES, first_name=1)
    weekdays = _cron_field(fields[4], "weekday", WEEKDAYS, _DAY_NAMES)
    free_weekday = fields[4].startswith("*")
    if free_weekday and all(min(days) > _LONGEST_MONTH.get(month, 31) for month in months):
        raise BadSchedule(f"'cron {text.strip()}' never comes: no such day in those months", "")
    return Cron(
        " ".join(fields),
        minutes,
        hours,
        days,
        months,
        frozenset(day % 7 for day in weekdays),
        either_day=not free_weekday and not fields[2].startswith("*"),
    )


def _cron_field(
    text: str, name: str, allowed: range, names: list[str] | None = None, first_name: int = 0
) -> frozenset[int]:
    """Read one field: a list of ``*``, values and ranges, each with an optional ``/step``."""
    values: set[int] = set()
    hint = f"a {name} is {allowed[0]} to {allowed[-1]}, a range, a list, '*' or '*/step'"

    def number(word: str) -> int:
        if names and word.lower() in names:
            return names.index(word.lower()) + first_name
        if re.fullmatch(r"[0-9]{1,2}", word) and int(word) in allowed:
            return int(word)
        raise BadSchedule(f"'{text}' is no {name}", hint)

    for part in text.split(","):
        span, slash, step_text = part.partition("/")
        if slash and not re.fullmatch(r"[1-9][0-9]?", step_text):
            raise BadSchedule(f"'{text}': '{step_text}' is no step", hint)
        first, dash, last = span.partition("-")
        if span == "*":
            # A step counts the seven days, not Sunday twice.
            low, high = allowed[0], 6 if allowed is WEEKDAYS else allowed[-1]
        else:
            low = number(first)
            high = number(last) if dash else (allowed[-1] if slash else low)
        if high < low:
            raise BadSchedule(f"'{text}': the range '{span}' runs backwards", hint)
        values.update(range(low, high + 1, int(step_text) if slash else 1))
    return frozenset(values)
