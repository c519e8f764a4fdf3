"""A small persona that talks, and what it has recorded."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from small_homes import write_files

from toolnexus.app import Home
from toolnexus.models.message import AssistantMessage, Message, ToolMessage
from toolnexus.testing.clock import VirtualClock

if TYPE_CHECKING:
    from pathlib import Path

FILES = {
    "SOUL.md": "You are Ava.\n",
    "MEMORY.md": "- Likes tea.\n",
    "persona.yaml": "owner: Maria\nmodel: none\n",
}
MORNING = datetime(2026, 11, 30, 8, tzinfo=UTC)


@dataclass
class Listing:
    """A store of a host's own: what is there, and no more than `get` and `list`."""

    said: dict[str, list[Any]] = field(default_factory=dict)
    at: str = "2026-11-20T14:00:00Z"

    def get(self, conversation: str) -> Any:
        """Return a conversation's messages."""
        return self.said.get(conversation)

    def list(self) -> list[dict[str, str]]:
        """List the conversations."""
        return [{"id": conversation, "updated_at": self.at} for conversation in self.said]


def open_ava(root: Path, model: Any = None, **options: Any) -> Home:
    """Write the persona, unless it is there already, and open it."""
    if not root.exists():
        write_files(root, FILES)
    clock = options.pop("clock", None) or VirtualClock(MORNING)
    return Home.open(root, model=model, clock=clock, **options)


def recorded(home: Home, conversation: str) -> list[tuple[str, str]]:
    """Return who said what in a conversation."""
    found = home.transcripts.get(conversation)
    return [] if found is None else [(turn.role, turn.text) for turn in found.turns]


def assert_sendable(messages: tuple[Message, ...]) -> None:
    """Check that every call has its result right behind it, and every result its call."""
    waiting: list[str] = []
    for message in messages:
        if isinstance(message, ToolMessage):
            assert message.call_id in waiting
            waiting.remove(message.call_id)
            continue
        assert waiting == []
        if isinstance(message, AssistantMessage):
            waiting = [call.id for call in message.calls]
    assert waiting == []
