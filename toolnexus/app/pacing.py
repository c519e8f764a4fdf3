"""Pacing: how often a started persona beats and dreams, as a caller says it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from toolnexus.errors import UsageError
from toolnexus.settings import parse_duration

if TYPE_CHECKING:
    from collections.abc import Callable

    from toolnexus.app.host import ModelLike
    from toolnexus.settings import HeartbeatSettings

BEAT_EVERY = timedelta(minutes=30)
"""Time between two beats where neither the caller nor the settings say it."""
DREAM_EVERY = timedelta(days=1)
"""Time between two dreams where neither the caller nor the settings say it."""
_NEVER = datetime.max.replace(tzinfo=UTC)
_HINT = "such as '30m', '24h' or a timedelta"
_DREAM_WORDS = ("every", "every_ms", "store", "instructions", "model")

Interval = str | timedelta


@dataclass(frozen=True, slots=True)
class DreamPlan:
    """How a started persona dreams.

    Attributes:
        every: Time between two passes; None leaves it to the settings.
        store: Where the conversations are; None leaves it to the home.
        instructions: The host's guidance.
        model: Who thinks; None leaves it to the home.
    """

    every: timedelta | None = None
    store: object | None = None
    instructions: str = ""
    model: ModelLike | None = None


def interval_of(every: Interval) -> timedelta:
    """Read a length of time.

    Raises:
        UsageError: when it is none, or not longer than zero.

    Example:
        >>> interval_of("1h30m")
        datetime.timedelta(seconds=5400)
    """
    try:
        interval = parse_duration(every) if isinstance(every, str) else every
    except ValueError as error:
        raise UsageError(f"'every' {error}", hint=f"give a length of time, {_HINT}") from None
    if not isinstance(interval, timedelta):
        raise UsageError(f"'every' is no length of time: {every!r}", hint=f"give one, {_HINT}")
    if interval <= timedelta():
        raise UsageError("'every' must be longer than zero", hint=f"give a length of time, {_HINT}")
    return interval


def interval_of_ms(every_ms: float) -> timedelta:
    """Read a length of time in milliseconds.

    Raises:
        UsageError: when it is no number above zero.

    Example:
        >>> interval_of_ms(1500)
        datetime.timedelta(seconds=1, microseconds=500000)
    """
    if isinstance(every_ms, bool) or not isinstance(every_ms, int | float) or not every_ms > 0:
        raise UsageError(f"'every_ms' must be > 0, not {every_ms!r}", hint="it is in milliseconds")
    try:
        interval = timedelta(milliseconds=every_ms)
    except OverflowError:
        raise UsageError(f"'every_ms' is too long: {every_ms!r}") from None
    if not interval:
        raise UsageError(f"'every_ms' is too short: {every_ms!r}", hint="it is in milliseconds")
    return interval


def dream_plan_of(dream: Mapping[str, object] | bool | None) -> DreamPlan | None:
    """Read how a persona is to dream: ``{"every": "24h"}``, ``{"every_ms": …, "store": …}``.

    Returns:
        The plan; None for no dreams. True dreams at the pace of the settings.

    Raises:
        UsageError: when a word is not known or a value will not do.
    """
    if dream is None or dream is False:
        return None
    given = {} if dream is True else dream
    if not isinstance(given, Mapping):
        raise UsageError("'dream' is a mapping", hint='such as {"every": "24h"}')
    unknown = [word for word in given if word not in _DREAM_WORDS]
    if unknown:
        raise UsageError(f"'dream' has no '{unknown[0]}'", hint=f"it has {', '.join(_DREAM_WORDS)}")
    every: timedelta | None = None
    if given.get("every") is not None:
        every = interval_of(given["every"])  # type: ignore[arg-type]
    if "every_ms" in given:
        every = interval_of_ms(given["every_ms"])  # type: ignore[arg-type]
    instructions = given.get("instructions") or ""
    if not isinstance(instructions, str):
        raise UsageError("'instructions' of 'dream' is no text")
    return DreamPlan(every, given.get("store"), instructions, given.get("model"))  # type: ignore[arg-type]


def slots_of(
    every: timedelta, now: datetime, last: datetime | None
) -> tuple[datetime, Callable[[datetime], datetime]]:
    """Return when a job is due first, and what gives its slots after that.

    Args:
        every: Time between two slots.
        now: When it is started.
        last: When the job was done last, in an earlier life; None when it never was. A job that
            should have been done since is due now.
    """
    anchor = now + every if last is None else min(last, now) + every

    def after(instant: datetime) -> datetime:
        try:
            return anchor + ((instant - anchor) // every + 1) * every
        except OverflowError:
            return _NEVER

    return anchor, after


def beat_slots(
    settings: HeartbeatSettings, now: datetime, last: datetime | None
) -> tuple[datetime, Callable[[datetime], datetime]]:
    """Return the slots of beats as a home's settings say them."""
    if settings.cron is None:
        return slots_of(settings.every or BEAT_EVERY, now, last)
    from toolnexus.heartbeat.due import next_match
    from toolnexus.heartbeat.zone import home_zone

    cron, zone = settings.cron, home_zone(settings.timezone)

    def after(instant: datetime) -> datetime:
        return next_match(cron, instant, zone) or _NEVER

    return after(now), after
