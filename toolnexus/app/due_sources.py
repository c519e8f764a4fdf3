"""Due sources: which conversations and raw notes are to be extracted, told alike everywhere."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from toolnexus.dream.learning.learnt import read_learnt
from toolnexus.home.ripening import TRANSCRIPT

if TYPE_CHECKING:
    from collections.abc import Container, Mapping, Sequence
    from datetime import datetime, timedelta

    from toolnexus.transcripts.cursor import Cursor


class Conversations(Protocol):
    """What is asked of the index of conversations, refreshed."""

    def cursors(self) -> Sequence[Cursor]:
        """Return how far each conversation goes."""
        ...

    def last_said(self) -> Mapping[str, datetime]:
        """Return when something was last said in each."""
        ...


@dataclass(frozen=True, slots=True)
class Reached:
    """How far sources were extracted from.

    Attributes:
        conversations: Where each was left.
        notes: The digests of raw notes as they were, by path.
    """

    conversations: Mapping[str, Cursor] = field(default_factory=dict)
    notes: Mapping[str, str] = field(default_factory=dict)

    def leaves_note(self, path: str, digest: str, *, is_drawn: bool) -> bool:
        """Whether there is something in a raw note that was not looked at.

        Args:
            path: The note.
            digest: The digest of its text.
            is_drawn: Whether a note says that it was extracted from it.

        Example:
            >>> Reached(notes={"a.md": "1"}).leaves_note("a.md", "2", is_drawn=True)
            True
        """
        known = self.notes.get(path)
        return not is_drawn if known is None else known != digest


def read_reached(kept: Any) -> Reached:
    """Read how far sources were extracted from; what is damaged counts as never looked at.

    Example:
        >>> read_reached("damaged")
        Reached(conversations={}, notes={})
    """
    kept = kept if isinstance(kept, dict) else {}
    notes = kept.get("notes")
    return Reached(
        read_learnt(kept.get("conversations")) or {}, dict(notes) if isinstance(notes, dict) else {}
    )


def due_conversations(
    turns: Conversations, reached: Reached, drawn: Container[str], now: datetime, age: timedelta
) -> tuple[str, ...]:
    """Return the conversations that are due, sorted.

    Args:
        turns: The index of conversations, refreshed.
        reached: How far they were extracted from.
        drawn: What notes say that they were extracted from, as ``transcript:conversation``.
        now: The moment that ages are counted to.
        age: The age from which a conversation is due.
    """
    ends = {cursor.conversation: cursor for cursor in turns.cursors()}

    def is_new(name: str) -> bool:
        if name in reached.conversations:
            return reached.conversations[name] != ends[name]
        return f"{TRANSCRIPT}{name}" not in drawn

    return tuple(
        name
        for name, said in sorted(turns.last_said().items())
        if name in ends and now - said >= age and is_new(name)
    )
