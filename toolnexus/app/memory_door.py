"""The memory tool's door: a persona's own way to its notes, every write of it revertible."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolnexus.agent.memory_actions import READING_ACTIONS, step_for
from toolnexus.app.notes_met import NotesMet
from toolnexus.errors import UsageError

if TYPE_CHECKING:
    from toolnexus.agent.memory_actions import MemoryAction, MemoryArguments
    from toolnexus.app.memory import Memory

_RUN = "run(dreamer) makes one, with a guard behind each change"


class HomeMemory:
    """A home's memory, as the persona's agent works on it.

    Args:
        home: The home. What is read and written is always as it is on the disk at that moment.
        met: Is given the notes that are read.
    """

    def __init__(self, home: Memory, met: NotesMet | None = None) -> None:
        self._home = home
        self._met = met or NotesMet()

    def perform(self, action: MemoryAction, arguments: MemoryArguments) -> str:
        """Do it, and tell in plain sentences what was done.

        Raises:
            ToolnexusError: when it cannot be done; nothing has changed then.
        """
        if action in READING_ACTIONS:
            read = self._home.steady(lambda home: step_for(home, action, arguments))
            self._met.meet(read.path)
            return read.reply
        _, step = self._home.perform("memory", lambda home: step_for(home, action, arguments))
        return step.reply


class DreamerMemory(HomeMemory):
    """A home's memory, as a dreamer sees it outside of a pass: to be read, and no more."""

    def perform(self, action: MemoryAction, arguments: MemoryArguments) -> str:
        """Read; see `HomeMemory.perform`.

        Raises:
            UsageError: when something is to be changed.
        """
        if action not in READING_ACTIONS:
            raise UsageError(f"a dreamer does '{action}' within a pass alone", hint=_RUN)
        return super().perform(action, arguments)
