"""The last beat, as the state folder has it: for the next one, and for whoever plans it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from toolnexus.heartbeat.state import instant_in

_SKEW = timedelta(minutes=1)  # two machines' clocks may differ by as much


@dataclass(frozen=True, slots=True)
class LastBeat:
    """When the last beat of a home was, and what it left to come.

    Attributes:
        at: When it was, to the second; None when there was none.
        before: When the one before it was.
        next_due: When the next task is due.
        is_cut: It began and never came to its end.
        is_quiet: There is nothing to do until `quiet_until`, as long as the files stay as they are.
        quiet_until: None stands for good.
        rests_on: The stamps of those files; see `quiet.fingerprint`.
    """

    at: datetime | None = None
    before: datetime | None = None
    next_due: datetime | None = None
    is_cut: bool = False
    is_quiet: bool = False
    quiet_until: datetime | None = None
    rests_on: object = None

    def stands_for(self, slot: datetime, now: datetime) -> bool:
        """Whether it was made for a slot: at or after it, and not by a clock that ran ahead.

        Args:
            slot: The slot, a whole second.
            now: The moment.

        Example:
            >>> from datetime import UTC
            >>> nine = datetime(2026, 11, 30, 9, tzinfo=UTC)
            >>> LastBeat(at=nine + _SKEW / 2).stands_for(nine, nine + _SKEW)
            True
        """
        return not self.is_cut and self.at is not None and slot <= self.at <= now + _SKEW


def parse_last(value: object) -> LastBeat:
    """Read what `beat-last` holds; what cannot be read of it is left out."""
    if not isinstance(value, Mapping):
        return LastBeat()
    quiet = value.get("quiet")
    rest = quiet if isinstance(quiet, Mapping) and "rests_on" in quiet else None
    return LastBeat(
        at=instant_in(value.get("at")),
        before=instant_in(value.get("before")),
        next_due=instant_in(value.get("next_due")),
        is_cut=value.get("outcome") == "running",
        is_quiet=rest is not None,
        quiet_until=None if rest is None else instant_in(rest.get("until")),
        rests_on=None if rest is None else rest["rests_on"],
    )
