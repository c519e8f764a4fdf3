"""HEARTBEAT.md in a home: read into an agenda, its boxes ticked by a plan. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolnexus.change.plan import Change, FileWrite, Plan
from toolnexus.errors import HomeError
from toolnexus.heartbeat.agenda import Agenda, read_agenda
from toolnexus.home.layout import HEARTBEAT_FILE
from toolnexus.home.operations.step import require_writable

if TYPE_CHECKING:
    from collections.abc import Collection

    from toolnexus.heartbeat.state import Tick
    from toolnexus.home.snapshot import Snapshot


def agenda_of(home: Snapshot) -> Agenda:
    """Read what a home's HEARTBEAT.md asks for; one that is absent asks for nothing.

    Raises:
        HomeError: when it cannot be read: to take it for empty would be to fail silently.
        ConflictError: when it was changed since the home was read.
    """
    note = home.notes.get(HEARTBEAT_FILE)
    if note is None or note.kind == "left-out":
        found = next((one for one in home.problems if one.path == HEARTBEAT_FILE), None)
        if found is not None:
            raise HomeError(found.message, path=HEARTBEAT_FILE, hint=found.hint)
        return Agenda()
    return read_agenda(home.text(HEARTBEAT_FILE), note.document)


def plan_ticks(home: Snapshot, ticks: Collection[Tick]) -> Plan:
    """Plan to tick one-time tasks; those that a person has ticked, changed or removed are left.

    Args:
        home: The home as it is now.
        ticks: The tasks, by key and moment.

    Raises:
        UsageError: when the file is one that is never written.
        HomeError: when it cannot be read.
    """
    agenda = agenda_of(home)
    after = agenda.ticked(ticks)
    if after == agenda.text:
        return Plan("beat", logged=False)
    require_writable(home.notes[HEARTBEAT_FILE])
    write = FileWrite(HEARTBEAT_FILE, agenda.text.encode(), after.encode())
    changes = tuple(
        Change(
            "corrected",
            HEARTBEAT_FILE,
            task.line,
            f"[ ] {task.text}",
            f"[x] {task.text}",
            reason="its time came, and the beat was made",
        )
        for task in agenda.matching(ticks)
    )
    return Plan("beat", (write,), changes, logged=False)
