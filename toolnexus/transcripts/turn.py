"""What a conversation is made of."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeGuard, get_args

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

Role = Literal["user", "assistant", "tool", "system"]
ROLES: tuple[Role, ...] = get_args(Role)

TORN = "torn-transcript"
UNREADABLE = "unreadable-transcript"
ESCAPING = "escaping-symlink"


def is_role(value: object) -> TypeGuard[Role]:
    """Tell whether a value is one of the four roles.

    Example:
        >>> is_role("user"), is_role("User")
        (True, False)
    """
    return isinstance(value, str) and value in ROLES


@dataclass(frozen=True, slots=True)
class Speech:
    """What one role says in a turn. A user's line may carry tool output beside the user's words."""

    role: Role
    text: str


@dataclass(frozen=True, slots=True)
class Turn:
    """One line of a transcript.

    Attributes:
        role: Whose turn it is. A user turn that holds tool results and no words is of role tool.
        text: What that role says, and nothing else: never another's words.
        ts: When it was said, aware and in UTC; None when nothing tells.
        id: Its own id; empty when it has none.
        name: Who speaks; empty when it is not said.
        conversation: The conversation's id; empty for a turn not yet written.
        number: Its physical line in the file, counted from 1; 0 for a turn not yet written.
        tool_text: Tool output that rides in another role's turn; empty for role tool.
        inherited: Whether `ts` is its predecessor's, because it has none of its own.
        record: The JSON object it was read from, unknown keys included; empty for a new turn.
        injected: Whether it merely repeats memory, where `injected.mark_turns` has looked.

    Example:
        >>> Turn("user", "We moved to Berlin.").speeches()
        (Speech(role='user', text='We moved to Berlin.'),)
    """

    role: Role
    text: str
    ts: datetime | None = None
    id: str = ""
    name: str = ""
    conversation: str = ""
    number: int = 0
    tool_text: str = ""
    inherited: bool = False
    record: Mapping[str, object] = field(default_factory=dict, repr=False)
    injected: bool = False

    @property
    def address(self) -> str:
        """Where it stands: ``conversation#number``."""
        return f"{self.conversation}#{self.number}"

    @property
    def is_unprompted(self) -> bool:
        """Whether the persona said it of its own accord, in a heartbeat."""
        return self.record.get("unprompted") is True

    def speeches(self) -> tuple[Speech, ...]:
        """Return who says what in it, the turn's own role first."""
        own = Speech(self.role, self.text)
        return (own, Speech("tool", self.tool_text)) if self.tool_text else (own,)


@dataclass(frozen=True, slots=True)
class TranscriptProblem:
    """Something wrong in a transcript.

    Attributes:
        line: Physical line, counted from 1; 0 when it is about the file as a whole.
        rule: ``torn-transcript``, ``unreadable-transcript`` or ``escaping-symlink``.
        message: What is wrong.
        skipped: Whether the line was left out; else its turn was read all the same.
        file: The file's name in the transcripts folder; empty where only a line was looked at.
    """

    line: int
    rule: str
    message: str
    skipped: bool = True
    file: str = ""


@dataclass(frozen=True, slots=True)
class Conversation:
    """A transcript, read as a whole: its turns in file order, and what could not be read."""

    id: str
    turns: tuple[Turn, ...] = ()
    problems: tuple[TranscriptProblem, ...] = ()
