"""Due times: when a task's next slot comes. Pure arithmetic on instants and a home's zone."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta, tzinfo

from toolnexus.heartbeat.zone import instant_of
from toolnexus.home.schedule import At, Every, Schedule
from toolnexus.settings.cron import Cron

_DAY = timedelta(days=1)
_FARTHEST_DAYS = 366 * 40  # a 29 February on a given weekday comes within forty years


@dataclass(frozen=True, slots=True)
class Record:
    """What is known of a task's past.

    Attributes:
        seen: When a beat first saw it open.
        done: When it was last done; None when it never was.
    """

    seen: datetime
    done: datetime | None = None

    @property
    def base(self) -> datetime:
        """The instant that its next slot comes after."""
        return self.seen if self.done is None else max(self.seen, self.done)


def next_slot(schedule: Schedule, record: Record, zone: tzinfo) -> datetime | None:
    """Return a task's next slot: it is due from then on, once, however many it has missed.

    Args:
        schedule: When it is to be done.
        record: Its past.
        zone: The home's zone.

    Returns:
        An instant in UTC; None when there is none any more.

    Example:
        >>> from datetime import UTC
        >>> record = Record(datetime(2026, 11, 30, 8, tzinfo=UTC))
        >>> next_slot(Every(_DAY, time(9)), record, UTC).isoformat()
        '2026-11-30T09:00:00+00:00'
    """
    match schedule:
        case At(moment):
            return instant_of(moment, zone)
        case Every(interval, at):
            return _next_interval(interval, at, record, zone)
        case Cron():
            return next_match(schedule, record.base, zone)


def next_match(cron: Cron, after: datetime, zone: tzinfo) -> datetime | None:
    """Return the first instant after another at which a cron expression matches.

    A time that the clock jumps over is kept at the jump. A time that it shows twice counts once,
    unless every hour matches: what is to be done all day long is done in the second hour as well.

    Example:
        >>> from datetime import UTC
        >>> from toolnexus.settings.cron import parse_cron
        >>> next_match(parse_cron("0 9 * * 1"), datetime(2026, 11, 30, 9, tzinfo=UTC), UTC).day
        7
    """
    all_day = len(cron.hours) == 24
    day = after.astimezone(zone).date() - _DAY
    for _ in range(_FARTHEST_DAYS):
        if _is_day(cron, day):
            slots = _slots_of(cron, day, zone, twice=all_day)
            found = min((slot for slot in slots if slot > after), default=None)
            if found is not None:
                return found
        if day >= date.max - _DAY:
            break
        day += _DAY
    return None


def _next_interval(
    interval: timedelta, at: time | None, record: Record, zone: tzinfo
) -> datetime | None:
    """Return the next of the slots that are an interval apart, counted from when it was seen.

    Whole days are counted on the home's clock, so that 09:00 stays 09:00; hours and minutes pass
    at their own pace.
    """
    if interval % _DAY:
        start = record.seen.replace(second=0, microsecond=0)
        passed = max(0, (record.base - start) // interval)
        return start + (passed + 1) * interval
    seen = record.seen.astimezone(zone).replace(tzinfo=None, second=0, microsecond=0)
    start = seen if at is None else datetime.combine(seen.date(), at)
    if at is None or instant_of(start, zone) <= record.seen:
        start += interval if at is None else _DAY
    local_base = record.base.astimezone(zone).replace(tzinfo=None)
    number = max(0, (local_base - start) // interval)
    while (slot := instant_of(start + number * interval, zone)) <= record.base:
        number += 1
    return slot


def _is_day(cron: Cron, day: date) -> bool:
    if day.month not in cron.months:
        return False
    in_month, in_week = day.day in cron.days, day.isoweekday() % 7 in cron.weekdays
    return (in_month or in_week) if cron.either_day else (in_month and in_week)


def _slots_of(cron: Cron, day: date, zone: tzinfo, *, twice: bool) -> set[datetime]:
    readings = [
        datetime.combine(day, time(hour, minute)) for hour in cron.hours for minute in cron.minutes
    ]
    slots = {instant_of(reading, zone) for reading in readings}
    if twice:
        slots |= {instant_of(reading, zone, second=True) for reading in readings}
    return slots
