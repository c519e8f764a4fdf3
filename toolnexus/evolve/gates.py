"""Gates: when a job runs by itself, counted in recorded turns and in time. Pure.

Both gates have to be open: enough turns since the last run, and enough time. Then the count begins
anew. A trigger that finds the job still under way is dropped, and counted: jobs never pile up.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from toolnexus.clock import format_instant, parse_instant


@dataclass(frozen=True, slots=True)
class Gate:
    """What has to come together before a job runs by itself.

    Attributes:
        every_turns: Turns since the last run.
        min_interval: Time since the last run.
    """

    every_turns: int
    min_interval: timedelta = timedelta()


@dataclass(frozen=True, slots=True)
class GateState:
    """How far a job's gates are.

    Attributes:
        turns: Turns that were recorded since the last trigger.
        last: When the job was last begun by itself; None when it never was.
        runs: How often it was.
        dropped: How many triggers found it under way.

    Example:
        >>> gate, now = Gate(2, timedelta(hours=1)), parse_instant("2026-03-01T12:00:00Z")
        >>> state = GateState().recorded(2)
        >>> state.is_open(gate, now), state.begun(now).recorded(2).is_open(gate, now)
        (True, False)
    """

    turns: int = 0
    last: datetime | None = None
    runs: int = 0
    dropped: int = 0

    def recorded(self, turns: int) -> GateState:
        """Return the same once more turns were recorded."""
        return replace(self, turns=self.turns + turns)

    def is_open(self, gate: Gate, now: datetime) -> bool:
        """Whether the job may be begun. A clock that was put back keeps nothing shut for long."""
        if self.turns < gate.every_turns:
            return False
        return self.last is None or not timedelta() <= now - self.last < gate.min_interval

    def begun(self, now: datetime) -> GateState:
        """Return the same once the job is begun."""
        return replace(self, turns=0, last=now, runs=self.runs + 1)

    def with_dropped(self) -> GateState:
        """Return the same once a trigger was dropped, because the job is under way."""
        return replace(self, turns=0, dropped=self.dropped + 1)


def read_gate_state(value: Any) -> GateState:
    """Read how far a job's gates are; what is damaged counts as never.

    Example:
        >>> read_gate_state({"turns": 3, "last": "never", "dropped": -1})
        GateState(turns=3, last=None, runs=0, dropped=0)
    """
    if not isinstance(value, dict):
        return GateState()
    turns, runs, dropped = (_count(value.get(key)) for key in ("turns", "runs", "dropped"))
    return GateState(turns, _instant(value.get("last")), runs, dropped)


def gate_value(state: GateState) -> dict[str, object]:
    """Return how far a job's gates are as plain values, for JSON."""
    last = None if state.last is None else format_instant(state.last)
    return {"turns": state.turns, "last": last, "runs": state.runs, "dropped": state.dropped}


def _count(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0


def _instant(value: object) -> datetime | None:
    try:
        return parse_instant(value) if isinstance(value, str) else None
    except ValueError:
        return None
