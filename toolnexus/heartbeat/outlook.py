"""The outlook: what is due at one moment, and when the next task will be. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from toolnexus.heartbeat.agenda import Agenda, Entry, unique
from toolnexus.heartbeat.due import next_slot
from toolnexus.heartbeat.zone import instant_of
from toolnexus.home.schedule import At

if TYPE_CHECKING:
    from datetime import datetime, tzinfo

    from toolnexus.heartbeat.state import BeatState, Tick


@dataclass(frozen=True, slots=True)
class Outlook:
    """An agenda at one moment.

    Attributes:
        agenda: What HEARTBEAT.md asks for.
        due: The tasks that are due, each text once.
        state: The beats' state, now that these tasks were seen.
    """

    agenda: Agenda
    due: tuple[Entry, ...]
    state: BeatState

    @property
    def due_keys(self) -> frozenset[str]:
        """The keys of the tasks that are due."""
        return frozenset(entry.key for entry in self.due)

    def due_ticks(self, now: datetime, zone: tzinfo) -> frozenset[Tick]:
        """Return the one-time tasks whose moment has come."""
        once = _once(self.agenda)
        return frozenset((key, at) for key, at in once if instant_of(at, zone) <= now)

    def asks(self, *, online: bool) -> bool:
        """Whether there is anything to do: without a model prose and timeless tasks are nothing."""
        return bool(self.due) or (online and self.agenda.has_prose)


def look(agenda: Agenda, state: BeatState, now: datetime, zone: tzinfo, *, online: bool) -> Outlook:
    """Tell what is due.

    Args:
        agenda: What HEARTBEAT.md asks for.
        state: What earlier beats left.
        now: The moment.
        zone: The home's zone.
        online: Whether there is a model, which a task without a schedule needs.
    """
    recurring = [entry.key for entry in agenda.open if _recurs(entry)]
    seen = state.seeing(recurring, _once(agenda), now)
    due = (entry for entry in agenda.open if _is_due(entry, seen, now, zone, online=online))
    return Outlook(agenda, unique(due), seen)


def next_due(agenda: Agenda, state: BeatState, zone: tzinfo) -> datetime | None:
    """Return when the next task is due, which may be past; None when none has a time.

    Args:
        agenda: What HEARTBEAT.md asks for.
        state: The state after the beat.
        zone: The home's zone.
    """
    slots = (_slot(entry, state, zone) for entry in agenda.open)
    return min((slot for slot in slots if slot is not None), default=None)


def _once(agenda: Agenda) -> frozenset[Tick]:
    return frozenset(
        (entry.key, entry.task.schedule.moment)
        for entry in agenda.open
        if isinstance(entry.task.schedule, At)
    )


def _recurs(entry: Entry) -> bool:
    return entry.task.schedule is not None and not isinstance(entry.task.schedule, At)


def _is_due(entry: Entry, state: BeatState, now: datetime, zone: tzinfo, *, online: bool) -> bool:
    if entry.task.schedule is None:
        return online
    slot = _slot(entry, state, zone)
    return slot is not None and slot <= now


def _slot(entry: Entry, state: BeatState, zone: tzinfo) -> datetime | None:
    """Return a task's next slot; None for one without a time, or that was done for good."""
    schedule = entry.task.schedule
    if schedule is None:
        return None
    if isinstance(schedule, At):
        done = (entry.key, schedule.moment) in state.ticks
        return None if done else instant_of(schedule.moment, zone)
    record = state.tasks.get(entry.key)
    return None if record is None else next_slot(schedule, record, zone)
