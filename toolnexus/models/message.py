"""Messages: what a conversation with a model is made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A model's wish to have a tool called.

    Attributes:
        id: What the result is matched by.
        name: The tool.
        arguments_text: Its arguments as the model wrote them: JSON, or what it took for JSON.
    """

    id: str
    name: str
    arguments_text: str = "{}"


@dataclass(frozen=True, slots=True)
class SystemMessage:
    """Standing instructions: a persona's soul."""

    role: ClassVar[Literal["system"]] = "system"
    text: str


@dataclass(frozen=True, slots=True)
class UserMessage:
    """What a person, or the program on their behalf, says."""

    role: ClassVar[Literal["user"]] = "user"
    text: str


@dataclass(frozen=True, slots=True)
class AssistantMessage:
    """What the model says, and which tools it wants called."""

    role: ClassVar[Literal["assistant"]] = "assistant"
    text: str = ""
    calls: tuple[ToolCall, ...] = ()


@dataclass(frozen=True, slots=True)
class ToolMessage:
    """What a tool gave back.

    Attributes:
        call_id: The id of the `ToolCall` that it answers.
        name: The tool.
        text: The result, or an error that the model can mend.
    """

    role: ClassVar[Literal["tool"]] = "tool"
    call_id: str
    name: str
    text: str


Message = SystemMessage | UserMessage | AssistantMessage | ToolMessage
