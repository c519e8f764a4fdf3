"""Beats: what became of one heartbeat."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from datetime import datetime

    from toolnexus.errors import ToolnexusError

BeatOutcome = Literal["delivered", "silent", "skipped", "failed"]
SkipCause = Literal[
    "busy", "outside active hours", "empty", "nothing due", "budget spent", "backing off"
]
BACKING_OFF_EXIT = 69


@dataclass(frozen=True, slots=True)
class BeatUsage:
    """What a beat cost.

    Attributes:
        model_calls: Replies of the model.
        tokens_in: Tokens that it read; `tokens_out` those that it wrote.
        usd: Money in US dollars; None where the model's price is unknown.
        seconds: How long the beat took.
    """

    model_calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    usd: float | None = 0.0
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Beat:
    """What became of one heartbeat; as a text it is its reply.

    Attributes:
        outcome: ``delivered`` when a reply reached somebody, ``silent`` when there was nothing to
            say, ``skipped`` by a gate, ``failed``.
        reply: What was said; empty when nothing was. For ``failed`` what could not be delivered.
        skipped_because: The gate that was closed; empty when none was.
        reason: Why it was skipped or failed, in a sentence; offline also what was left out.
        tasks: The texts of the tasks that were due.
        usage: What it cost.
        next_due: When the next task is due; None when none is.
        error: What went wrong, perhaps beside a delivery that did not; None when nothing did.
        notices: What was noticed on the way.
    """

    outcome: BeatOutcome
    reply: str = ""
    skipped_because: SkipCause | Literal[""] = ""
    reason: str = ""
    tasks: tuple[str, ...] = ()
    usage: BeatUsage = BeatUsage()
    next_due: datetime | None = None
    error: ToolnexusError | None = None
    notices: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.reply

    @property
    def exit_code(self) -> int:
        """What a command ends with: the error's code; 69 while backing off; else 0."""
        if self.error is not None:
            return self.error.exit_code
        return BACKING_OFF_EXIT if self.skipped_because == "backing off" else 0
