"""Gates: reasons to skip a beat, cheapest first. Each is one pure function in a list."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from toolnexus.heartbeat.outlook import next_due
from toolnexus.heartbeat.zone import instant_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import time, tzinfo

    from toolnexus.heartbeat.outlook import Outlook
    from toolnexus.heartbeat.state import BeatState
    from toolnexus.heartbeat.types import SkipCause
    from toolnexus.settings import ActiveHours, HeartbeatSettings


@dataclass(frozen=True, slots=True)
class Situation:
    """What the gates judge.

    Attributes:
        now: The moment.
        zone: The home's zone.
        settings: The heartbeat's settings.
        state: What earlier beats left.
        outlook: Gives what is due; asked only by gates that need HEARTBEAT.md.
        online: Whether there is a model.
        is_busy: Whether another beat runs.
    """

    now: datetime
    zone: tzinfo
    settings: HeartbeatSettings
    state: BeatState
    outlook: Callable[[], Outlook]
    online: bool
    is_busy: bool = False

    @property
    def day(self) -> str:
        """The day in the home's zone, which money is counted by."""
        return self.now.astimezone(self.zone).date().isoformat()


@dataclass(frozen=True, slots=True)
class Skip:
    """A gate that is closed.

    Attributes:
        because: Which.
        reason: Why, in words that begin with its name.
        lasting: Whether it stays closed until `until` (None: for good) as long as nobody edits
            HEARTBEAT.md or the settings.
    """

    because: SkipCause
    reason: str
    lasting: bool = False
    until: datetime | None = None


def closed_gate(situation: Situation, *, force: bool = False) -> Skip | None:
    """Return the first gate that is closed; None when the beat may run.

    Args:
        situation: What to judge.
        force: Pass every gate but busy.
    """
    gates = GATES[:1] if force else GATES
    return next((skip for gate in gates if (skip := gate(situation)) is not None), None)


def is_awake(hours: ActiveHours, local: time) -> bool:
    """Whether a time of day lies in the active hours, which may wrap midnight.

    Example:
        >>> from datetime import time
        >>> from toolnexus.settings import ActiveHours
        >>> is_awake(ActiveHours(time(22), time(6)), time(23, 30))
        True
    """
    if hours.start < hours.end:
        return hours.start <= local < hours.end
    return local >= hours.start or local < hours.end


def busy(situation: Situation) -> Skip | None:
    """Another beat runs: this one coalesces into it."""
    if not situation.is_busy:
        return None
    return Skip("busy", "busy: another beat of this home is under way, and stands for this one")


def asleep(situation: Situation) -> Skip | None:
    """It is outside the active hours."""
    hours = situation.settings.active_hours
    local = situation.now.astimezone(situation.zone)
    if hours is None or is_awake(hours, local.time()):
        return None
    reason = f"outside active hours ({hours.start:%H:%M}-{hours.end:%H:%M}): it is {local:%H:%M}"
    opening = datetime.combine(local.date(), hours.start)
    if instant_of(opening, situation.zone) <= situation.now:
        opening += timedelta(days=1)
    until = instant_of(opening, situation.zone)
    return Skip("outside active hours", reason, lasting=True, until=until)


def empty(situation: Situation) -> Skip | None:
    """HEARTBEAT.md is absent, or holds nothing but structure."""
    if not situation.outlook().agenda.is_empty:
        return None
    return Skip("empty", "empty: HEARTBEAT.md asks for nothing", lasting=True)


def nothing_due(situation: Situation) -> Skip | None:
    """No task is due, and there is no prose for a model to read."""
    outlook = situation.outlook()
    if outlook.asks(online=situation.online):
        return None
    needs_model = outlook.agenda.has_prose or any(
        entry.task.schedule is None for entry in outlook.agenda.open
    )
    why = f" ({NO_MODEL})" if needs_model and not situation.online else ""
    until = next_due(outlook.agenda, outlook.state, situation.zone)
    return Skip("nothing due", f"nothing due{why}", lasting=True, until=until)


def spent(situation: Situation) -> Skip | None:
    """The day's money is spent, or a beat may cost nothing; without a model it does not."""
    settings = situation.settings
    if not situation.online:
        return None
    if settings.tokens_per_beat == 0:
        return Skip("budget spent", "budget spent: tokens_per_beat is 0")
    usd = situation.state.spent_usd.get(situation.day, 0.0)
    if settings.usd_per_day is None or usd < settings.usd_per_day:
        return None
    reason = f"budget spent: {usd:.4f} of {settings.usd_per_day:.4f} US dollars of {situation.day}"
    return Skip("budget spent", reason)


def backing_off(situation: Situation) -> Skip | None:
    """Beats have failed, and the next try waits a while."""
    backoff = situation.state.backoff
    if backoff is None or not backoff.holds(situation.now):
        return None
    times = "once" if backoff.failures == 1 else f"{backoff.failures} times in a row"
    until = backoff.until.astimezone(situation.zone)
    reason = f"backing off until {until:%Y-%m-%d %H:%M}: failed {times}: {backoff.reason}"
    return Skip("backing off", reason)


NO_MODEL = "no model is set: prose and tasks without a time in HEARTBEAT.md were not looked at"
GATES = (busy, asleep, empty, nothing_due, spent, backing_off)
