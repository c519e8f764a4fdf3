"""State: what one beat leaves for the next. Damage and clocks that jump cost as little as can be.

It lies in the state folder as ``beat`` (tasks, failures, spending) and ``beat-last`` (how the last
beat went, for people and for `quiet`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from toolnexus.clock import format_instant, parse_instant
from toolnexus.heartbeat.due import Record

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

STATE = "beat"
LONGEST_BACKOFF = timedelta(days=1)

_KEPT_DAYS = 7
_JUMP = timedelta(days=1)  # a record farther ahead than this was made by a clock that was wrong
_MOST_SLACK = timedelta(minutes=1)  # schedulers are not punctual to the second

Tick = tuple[str, datetime]


@dataclass(frozen=True, slots=True)
class Backoff:
    """Failures in a row, and until when the next try waits.

    Attributes:
        failures: How many.
        failed_at: When the last one was.
        delay: How long to wait from then on.
        reason: What it failed of.
    """

    failures: int
    failed_at: datetime
    delay: timedelta
    reason: str = ""

    @property
    def until(self) -> datetime:
        """When the next try may be made."""
        return self.failed_at + self.delay

    def holds(self, now: datetime) -> bool:
        """Whether a try has to wait; never when the clock stands before the failure."""
        slack = min(_MOST_SLACK, self.delay / 10)
        return self.failed_at <= now < self.until - slack


@dataclass(frozen=True, slots=True)
class BeatState:
    """What is remembered of earlier beats.

    Attributes:
        tasks: The recurring tasks' pasts, by key.
        ticks: One-time tasks that were done and whose box could not be ticked, by key and moment.
        backoff: Failures in a row; None after a success.
        spent_usd: US dollars by day of the home's zone, the last days only.
        told: Notices that a person was given already and need not get at every beat.
    """

    tasks: Mapping[str, Record] = field(default_factory=dict)
    ticks: frozenset[Tick] = frozenset()
    backoff: Backoff | None = None
    spent_usd: Mapping[str, float] = field(default_factory=dict)
    told: tuple[str, ...] = ()

    def seeing(self, recurring: Iterable[str], once: Collection[Tick], now: datetime) -> BeatState:
        """Return the state of a beat that sees these open tasks: others are forgotten.

        Args:
            recurring: Keys of the recurring ones.
            once: The one-time ones.
            now: When it sees them: a new one is first due at its next slot from then on.
        """
        known = {key: self.tasks.get(key) or Record(now) for key in recurring}
        tasks = {key: _settled(record, now) for key, record in known.items()}
        return replace(self, tasks=tasks, ticks=self.ticks & frozenset(once))

    def did(self, keys: Collection[str], ticks: Iterable[Tick], now: datetime) -> BeatState:
        """Return the state after a run that completed."""
        tasks = {
            key: replace(record, done=now) if key in keys else record
            for key, record in self.tasks.items()
        }
        return replace(self, tasks=tasks, ticks=self.ticks | frozenset(ticks), backoff=None)

    def failed(self, now: datetime, apart: timedelta, reason: str) -> BeatState:
        """Return the state after a failure: wait 1, 2, 4 … times as long as beats are apart.

        Args:
            now: When it failed.
            apart: How far apart beats are; see `interval_between`.
            reason: What it failed of.
        """
        failures = 1 if self.backoff is None else self.backoff.failures + 1
        seconds = apart.total_seconds() * 2.0 ** min(failures - 1, 30)
        delay = timedelta(seconds=min(LONGEST_BACKOFF.total_seconds(), seconds))
        return replace(self, backoff=Backoff(failures, now, delay, reason))

    def spending(self, day: str, usd: float) -> BeatState:
        """Return the state after more money was spent on a day."""
        spent = {**self.spent_usd, day: self.spent_usd.get(day, 0.0) + usd}
        others = sorted(spent.keys() - {day})  # with days of a clock that ran ahead
        kept = [*others[1 - _KEPT_DAYS :], day]
        return replace(self, spent_usd={name: spent[name] for name in kept})


def interval_between(now: datetime, last: datetime | None, before: datetime | None) -> timedelta:
    """Tell how far apart beats are: the shorter of the last two gaps, for a machine may have slept.

    Args:
        now: When this beat is.
        last: When the one before it was; None when there was none.
        before: When the one before that was.

    Example:
        >>> from datetime import UTC
        >>> noon = datetime(2026, 11, 30, 12, tzinfo=UTC)
        >>> interval_between(noon, noon - timedelta(days=2), noon - timedelta(days=2, minutes=30))
        datetime.timedelta(seconds=1800)
    """
    if last is None:
        return timedelta(0)
    gaps = [now - last] if before is None else [now - last, last - before]
    return max(timedelta(0), min(gaps))


def render_state(state: BeatState) -> dict[str, object]:
    """Write a state as JSON values; `parse_state` reads it."""
    document: dict[str, object] = {
        "tasks": {key: _render_record(record) for key, record in state.tasks.items()},
        "ticks": [[key, moment.isoformat()] for key, moment in sorted(state.ticks)],
        "spent_usd": dict(state.spent_usd),
        "told": list(state.told),
    }
    if state.backoff is not None:
        document["backoff"] = {
            "failures": state.backoff.failures,
            "failed_at": format_instant(state.backoff.failed_at),
            "delay_seconds": state.backoff.delay.total_seconds(),
            "reason": state.backoff.reason,
        }
    return document


def parse_state(value: object) -> BeatState:
    """Read a state; what cannot be read of it is left out.

    Example:
        >>> parse_state({"tasks": "nonsense", "spent_usd": {"2026-11-30": 0.25}}).spent_usd
        {'2026-11-30': 0.25}
    """
    document = _mapping(value)
    records = ((key, _record(item)) for key, item in _mapping(document.get("tasks")).items())
    ticks = (_tick(item) for item in _list(document.get("ticks")))
    spent = _mapping(document.get("spent_usd")).items()
    return BeatState(
        tasks={key: record for key, record in records if record is not None},
        ticks=frozenset(tick for tick in ticks if tick is not None),
        backoff=_backoff(document.get("backoff")),
        spent_usd={day: usd for day, value in spent if (usd := _amount(value)) is not None},
        told=tuple(item for item in _list(document.get("told")) if isinstance(item, str)),
    )


def instant_in(value: object) -> datetime | None:
    """Read an instant; None when it is none."""
    try:
        return parse_instant(value) if isinstance(value, str) else None
    except (ValueError, OverflowError):
        return None


def _settled(record: Record, now: datetime) -> Record:
    """Bring back what a clock that ran ahead has noted."""
    done = record.done
    if done is not None and done > now + _JUMP:
        done = now
    return Record(min(record.seen, now), done)


def _render_record(record: Record) -> dict[str, str]:
    rendered = {"seen": format_instant(record.seen)}
    if record.done is not None:
        rendered["done"] = format_instant(record.done)
    return rendered


def _record(value: object) -> Record | None:
    given = _mapping(value)
    seen = instant_in(given.get("seen"))
    return None if seen is None else Record(seen, instant_in(given.get("done")))


def _tick(value: object) -> Tick | None:
    match value:
        case [str(key), str(moment)]:
            try:
                return key, datetime.fromisoformat(moment).replace(tzinfo=None)
            except ValueError:
                return None
    return None


def _backoff(value: object) -> Backoff | None:
    given = _mapping(value)
    failures, failed_at = given.get("failures"), instant_in(given.get("failed_at"))
    seconds, reason = _amount(given.get("delay_seconds")), given.get("reason")
    if failed_at is None or type(failures) is not int or failures < 1 or seconds is None:
        return None
    delay = min(LONGEST_BACKOFF, timedelta(seconds=min(seconds, 1e6)))
    return Backoff(min(failures, 1000), failed_at, delay, reason if isinstance(reason, str) else "")


def _amount(value: object) -> float | None:
    """Read a number that is finite and not below zero."""
    if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < 1e12:
        return float(value)
    return None


def _mapping(value: object) -> Mapping[str, object]:
    return value if isinstance(value, Mapping) else {}


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []
