"""Paces: when a kind of job of a home comes round. Pure arithmetic."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from datetime import UTC, datetime, time, timedelta, tzinfo
from hashlib import blake2b
from typing import TYPE_CHECKING

from toolnexus.app.pacing import BEAT_EVERY, DREAM_EVERY
from toolnexus.heartbeat.due import Record, next_slot
from toolnexus.heartbeat.zone import home_zone
from toolnexus.home.schedule import Every

if TYPE_CHECKING:
    from toolnexus.settings import Settings
    from toolnexus.settings.cron import Cron

NIGHT = time(3)
"""When jobs that come once in so many days come, on the home's own clock."""

_DAY, _SECOND = timedelta(days=1), timedelta(seconds=1)
_ANCHOR = Record(datetime(2001, 1, 1, tzinfo=UTC))  # a Monday; slots are counted from here
_MOST_SHARE = 10  # a job is put off by a tenth of the time between two slots at most


@dataclass(frozen=True, slots=True)
class Pace:
    """When a kind of job comes round: every so often, or by a cron schedule.

    Slots do not depend on when anything was started: two schedulers agree on them.

    Attributes:
        schedule: The interval, a whole number of seconds, or the cron schedule.
        zone: The home's zone.
    """

    schedule: Every | Cron
    zone: tzinfo = field(default=UTC)

    def after(self, instant: datetime) -> datetime | None:
        """Return the first slot after an instant; None when there is none any more.

        Example:
            >>> half_hourly = Pace(Every(timedelta(minutes=30)))
            >>> half_hourly.after(datetime(2026, 11, 30, 8, 10, tzinfo=UTC)).isoformat()
            '2026-11-30T08:30:00+00:00'
        """
        return next_slot(self.schedule, Record(_ANCHOR.seen, instant), self.zone)

    def spread(self, key: str, slot: datetime, most: timedelta) -> timedelta:
        """Tell how long after a slot its job begins: the same for whoever asks.

        Args:
            key: Names the home and the kind of job.
            slot: The slot.
            most: The longest that it may be put off; nor is it by more than a tenth of the time
                until the next slot.
        """
        following = self.after(slot)
        if not most or following is None:
            return timedelta(0)
        digest = blake2b(f"{key} {slot.timestamp():.0f}".encode("utf-8", "replace"), digest_size=4)
        share = int.from_bytes(digest.digest(), "big") / 2**32
        return min(most, (following - slot) / _MOST_SHARE) * share


def beat_pace(settings: Settings) -> Pace:
    """Return the pace of a home's beats: its cron schedule, its interval, or each half hour."""
    heart = settings.heartbeat
    zone = home_zone(heart.timezone)
    if heart.cron is not None:
        return Pace(heart.cron, zone)
    return _every(heart.every or BEAT_EVERY, zone)


def dream_pace(settings: Settings) -> Pace:
    """Return the pace of a home's dreams: its interval, or once a night."""
    return _every(settings.dream.every or DREAM_EVERY, home_zone(settings.heartbeat.timezone))


def _every(interval: timedelta, zone: tzinfo) -> Pace:
    """Return the pace of an interval, in whole seconds, for state is kept to the second."""
    seconds = max(1, math.ceil(interval.total_seconds()))
    whole = timedelta(seconds=seconds)
    return Pace(Every(whole, None if whole % _DAY else NIGHT), zone)
