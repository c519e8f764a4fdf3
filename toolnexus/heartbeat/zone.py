"""Zones: a home's own clock, and what its readings mean where clocks are put forward or back."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from pathlib import Path

_LOCALTIME = Path("/etc/localtime")
_MINUTE = timedelta(minutes=1)
_FIRST_YEAR, _LAST_YEAR = 1, 9999


def home_zone(name: str | None) -> tzinfo:
    """Return a home's time zone.

    Args:
        name: An IANA name; None stands for the machine's own: ``$TZ``, else ``/etc/localtime``,
            else UTC.

    Raises:
        ZoneInfoNotFoundError: when there is no zone of that name; settings are checked for that.

    Example:
        >>> str(home_zone("Europe/Berlin"))
        'Europe/Berlin'
    """
    from zoneinfo import ZoneInfo

    if name is not None:
        return ZoneInfo(name)
    variable = os.environ.get("TZ", "").lstrip(":")
    try:
        if variable:
            return ZoneInfo(variable)
        with _LOCALTIME.open("rb") as file:
            return ZoneInfo.from_file(file, _machine_key())
    except (OSError, ValueError, LookupError):
        return UTC


def instant_of(reading: datetime, zone: tzinfo, *, second: bool = False) -> datetime:
    """Return the instant at which a home's clock shows a time of day.

    A time that the clock jumps over stands for the moment of the jump. One that it shows twice
    stands for the first time.

    Args:
        reading: What the clock shows, without a zone.
        zone: The clock's zone.
        second: Ask for the second of two times; where there is but one, it is that.

    Returns:
        An instant in UTC.

    Example:
        >>> berlin = home_zone("Europe/Berlin")
        >>> instant_of(datetime(2027, 3, 28, 2, 30), berlin).isoformat()
        '2027-03-28T01:00:00+00:00'
    """
    if not _FIRST_YEAR < reading.year < _LAST_YEAR:  # a zone's offset could lead out of all years
        return reading.replace(tzinfo=UTC)
    later = reading.replace(tzinfo=zone, fold=0).astimezone(UTC)
    if later.astimezone(zone).replace(tzinfo=None) == reading:
        return reading.replace(tzinfo=zone, fold=int(second)).astimezone(UTC)
    earlier = reading.replace(tzinfo=zone, fold=1).astimezone(UTC)
    return _jump_between(min(earlier, later), max(earlier, later), zone)


def describe(instant: datetime, zone: tzinfo) -> str:
    """Write an instant for a person or a model, with the weekday and the zone.

    Example:
        >>> describe(datetime(2026, 11, 30, 8, tzinfo=UTC), home_zone("Europe/Berlin"))
        'Monday, 2026-11-30 09:00 (Europe/Berlin, UTC+01:00)'
    """
    local = instant.astimezone(zone)
    weekday = _WEEKDAYS[local.weekday()]
    offset = timezone(local.utcoffset() or timedelta(0))
    named = str(zone)
    shown = f"{offset}" if named == f"{offset}" else f"{named}, {offset}"
    return f"{weekday}, {local:%Y-%m-%d %H:%M} ({shown})"


_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def _jump_between(low: datetime, high: datetime, zone: tzinfo) -> datetime:
    """Find the minute at which the zone's offset changes, between two instants."""
    before = low.astimezone(zone).utcoffset()
    while high - low > _MINUTE:
        middle = low + timedelta(minutes=(high - low) // _MINUTE // 2)
        if middle.astimezone(zone).utcoffset() == before:
            low = middle
        else:
            high = middle
    return high


def _machine_key() -> str:
    """Name the machine's zone after the file that the link leads to."""
    real = os.path.realpath(_LOCALTIME)
    return real.rpartition("/zoneinfo/")[2] if "/zoneinfo/" in real else "local time"
