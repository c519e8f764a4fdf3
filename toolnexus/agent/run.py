"""Runs: what became of one prompt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from toolnexus.errors import ToolnexusError
    from toolnexus.models.completion import Usage
    from toolnexus.models.message import Message

Outcome = Literal["done", "budget", "steps", "stuck", "cut", "cancelled", "failed"]


@dataclass(frozen=True, slots=True)
class Refusal:
    """A call, or a reply, that was not carried out.

    Attributes:
        tool: The tool that was asked for; empty for a reply.
        reason: Why, as the model was told.
    """

    tool: str
    reason: str


@dataclass(frozen=True, slots=True)
class Run:
    """What became of one prompt. It never raises what ended it; `error` holds that.

    Attributes:
        outcome: ``done``; ``budget`` when that was spent; ``steps`` when there were too many;
            ``stuck`` when call after call was refused; ``cut`` when the answer was cut off by its
            length; ``cancelled``; ``failed`` when the model or the disk failed.
        text: The last words of the model; for ``done`` its answer.
        messages: The conversation without the soul, valid as another run's history.
        usage: What this run cost.
        refused: What was not carried out.
        steps: Replies of the model, those that summarise or save before that left out.
        reason: Why it ended, in a sentence; empty for ``done``.
        error: What ended it, for ``failed``.
    """

    outcome: Outcome
    text: str
    messages: tuple[Message, ...]
    usage: Usage
    refused: tuple[Refusal, ...] = ()
    steps: int = 0
    reason: str = ""
    error: ToolnexusError | None = None

    def raise_for_error(self) -> Run:
        """Return the run, or raise what made it fail.

        Raises:
            ToolnexusError: the error of a run that failed.
        """
        if self.error is not None:
            raise self.error
        return self
