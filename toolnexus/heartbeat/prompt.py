"""The prompt of a beat: what the model is told when it wakes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolnexus.heartbeat.reply import TOKEN
from toolnexus.heartbeat.zone import describe

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime, tzinfo

    from toolnexus.heartbeat.agenda import Entry

_PROMPT = f"""\
This is a heartbeat: you woke by yourself, nobody has written to you. Do what HEARTBEAT.md in your
instructions asks for now, with your tools where they help. What you reply is delivered as it is to
the person you look after, so write what they should read and nothing else: no report of what you
looked at, no question whether to go on. When nothing needs them, reply {TOKEN} and nothing else."""


def heartbeat_prompt() -> str:
    """Return what a persona is told at every beat.

    Example:
        >>> "HEARTBEAT_OK" in heartbeat_prompt()
        True
    """
    return _PROMPT


def compose_prompt(now: datetime, zone: tzinfo, due: Iterable[Entry]) -> str:
    """Compose the message that a beat begins with: the prompt, the time, the due tasks."""
    parts = [heartbeat_prompt(), f"It is {describe(now, zone)}."]
    tasks = list_tasks(due)
    if tasks:
        parts.append(f"These tasks are due now:\n{tasks}")
    return "\n\n".join(parts)


def list_tasks(due: Iterable[Entry]) -> str:
    """Write tasks as a list, each with what is nested in it."""
    return "\n".join(line for entry in due for line in (f"- {entry.task.text}", *entry.details))


def remind(due: tuple[Entry, ...]) -> str:
    """Write due tasks as they stand, for a reminder that needs no model; a single one bare."""
    if len(due) == 1 and not due[0].details:
        return due[0].task.text
    return list_tasks(due)
