"""Schedules: when a task of HEARTBEAT.md is due, as its author wrote it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, time, timedelta

from toolnexus.settings.cron import Cron, parse_cron

_UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
_MAX_EVERY = timedelta(days=366 * 10)
_EVERY = re.compile(r"every\s+([0-9]{1,6})\s*([mhdw])(?:\s+at\s+(\S+))?", re.IGNORECASE)
_AT = re.compile(
    r"at\s+([0-9]{4}-[0-9]{2}-[0-9]{2})(?:[ Tt]\s*([0-9]{2}:[0-9]{2}))?", re.IGNORECASE
)
_TIME = re.compile(r"[0-9]{2}:[0-9]{2}")


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
            return _parse_cron(rest)


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


def _parse_cron(text: str) -> Cron:
    try:
        return parse_cron(text)
    except ValueError as error:
        hint = "give minute, hour, day, month and weekday, as in 'cron 0 9 * * 1'"
        raise BadSchedule(f"'cron {text.strip()}' {error}", hint) from None
