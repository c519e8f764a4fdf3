"""Bounds: what keeps a run from going on for ever, whatever its model does."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Bounds:
    """How far a run may go.

    Attributes:
        steps: Replies of the model, tool calls included.
        same_call: The same call with the same result is refused from this time on.
        idle_steps: Steps in a row in which every call was refused, after which it is given up.
        result_chars: Characters of a tool's result that the model gets to see.
        tool_seconds: How long a tool may take that sets no time of its own.
        window_tokens: What the model can take in; None never compacts.
    """

    steps: int = 24
    same_call: int = 3
    idle_steps: int = 4
    result_chars: int = 16_000
    tool_seconds: float = 60.0
    window_tokens: int | None = None
