"""Journals: what a session tells of itself as it happens: to a run's file, and to who listens."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from toolnexus.agent.run_file import SCHEMA
from toolnexus.models.wire import render_message, render_usage

if TYPE_CHECKING:
    from toolnexus.agent.run import Refusal, Run
    from toolnexus.agent.run_file import RunFile
    from toolnexus.models.completion import Completion
    from toolnexus.models.message import Message

OnTurn = Callable[["Message", str], None]
"""Is given each turn of an answer once it is whole, with the reason why a reply ended; a tool's
result has none. What is said for the sake of a compaction is no turn."""


class Journal:
    """Writes a session's steps down, each before the next is taken.

    Args:
        file: Where to; None writes nothing.
        on_turn: Is given the turns of the answer.
    """

    def __init__(self, file: RunFile | None = None, on_turn: OnTurn | None = None) -> None:
        self._file = file
        self._on_turn = on_turn

    def note_start(self, agent: str, model: str, messages: tuple[Message, ...]) -> None:
        """Note who runs, and the conversation that it goes on with."""
        self._append("start", {"schema": SCHEMA, "agent": agent, "model": model})
        for message in messages:
            self.note_message(message)

    def note_message(self, message: Message) -> None:
        """Note what is said to the model."""
        self._append("message", {"message": render_message(message)})

    def note_reply(self, completion: Completion) -> None:
        """Note what the model said, word for word, and what it cost."""
        entry: dict[str, object] = {
            "message": render_message(completion.message),
            "finish": completion.finish,
            "usage": render_usage(completion.usage),
        }
        self._append("reply", entry)

    def note_turn(self, turn: Message, finish: str = "") -> None:
        """Hand a turn of the answer to who listens."""
        if self._on_turn is not None:
            self._on_turn(turn, finish)

    def note_refusal(self, refusal: Refusal) -> None:
        """Note what was not carried out."""
        self._append("refused", {"tool": refusal.tool, "reason": refusal.reason})

    def note_end(self, run: Run) -> None:
        """Note how it ended."""
        entry = {
            "outcome": run.outcome,
            "reason": run.reason,
            "steps": run.steps,
            "usage": render_usage(run.usage),
        }
        self._append("end", entry)

    def _append(self, kind: str, entry: dict[str, object]) -> None:
        if self._file is not None:
            self._file.append(kind, entry)
