"""The compactor: when a conversation is summarised, and the chance to save facts before that."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from toolnexus.agent.compaction import (
    FULL_SHARE,
    SAVE_FIRST,
    Compaction,
    plan_compaction,
    summary_request,
    with_summary,
)
from toolnexus.models.message import UserMessage

if TYPE_CHECKING:
    from toolnexus.agent.conversation import Conversation
    from toolnexus.models.completion import Request

Purpose = Literal["work", "save", "summarise"]

_SAVING_STEPS = 3
_WORTH_IT = 0.9  # a compaction that leaves more than this share is the last


@dataclass(frozen=True, slots=True)
class Ask:
    """Ask the model. `purpose` tells work from saving and summarising before a compaction."""

    request: Request
    purpose: Purpose = "work"


class Compactor:
    """Keeps a conversation within the model's window.

    Args:
        conversation: What it keeps short.
        window_tokens: What the model can take in; None compacts only when the model objects.
        saves: Whether the model has a tool to save facts with.
    """

    def __init__(
        self, conversation: Conversation, window_tokens: int | None, *, saves: bool
    ) -> None:
        self._conversation = conversation
        self._window_tokens = window_tokens
        self._saves = saves
        self._possible = True
        self._required = False
        self._saved = False
        self._saving_from: int | None = None
        self._saving_steps = 0
        self._plan: Compaction | None = None

    @property
    def is_saving(self) -> bool:
        """Whether the model is being given the chance to save facts."""
        return self._saving_from is not None

    def require(self) -> bool:
        """Compact before the next question, because the model objected; False when it cannot be."""
        self._required = self._possible
        return self._required

    def next(self) -> Ask | None:
        """Return what to ask before the work goes on; None when it can."""
        if self.is_saving:
            if self._saving_steps < _SAVING_STEPS:
                self._saving_steps += 1
                return Ask(self._conversation.request(), "save")
            self.end_saving()
        if not self._is_too_long():
            return None
        window = self._window_tokens or self._conversation.tokens
        room = max(1, window - self._conversation.fixed_tokens)
        self._plan = plan_compaction(self._conversation.messages, room)
        if self._plan is None:
            self._give_up()
            return None
        if self._saves and not self._saved and not self._required:
            return self._begin_saving()
        return Ask(summary_request(self._plan.older, room), "summarise")

    def end_saving(self) -> None:
        """Go back to before the question whether there is something to save."""
        if self._saving_from is not None:
            self._conversation.cut_back(self._saving_from)
            self._saving_from, self._saved = None, True

    def take_summary(self, summary: str) -> None:
        """Put a summary in the place of the older part."""
        if self._plan is None or not summary.strip():
            self._give_up()
            return
        before = self._conversation.tokens
        self._conversation.restart(with_summary(summary, self._plan.tail))
        self._plan = None
        self._saved = self._required = False
        if self._conversation.tokens > before * _WORTH_IT:
            self._give_up()

    def _begin_saving(self) -> Ask:
        self._saving_from, self._saving_steps = len(self._conversation.messages), 1
        self._conversation.say(UserMessage(SAVE_FIRST))
        return Ask(self._conversation.request(), "save")

    def _is_too_long(self) -> bool:
        if self._required:
            return True
        window = self._window_tokens
        full = window is not None and self._conversation.tokens > window * FULL_SHARE
        return self._possible and full

    def _give_up(self) -> None:
        self._possible = self._required = False
