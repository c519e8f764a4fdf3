"""What a model is asked for, and what it gives back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from toolnexus.models.message import AssistantMessage, Message, ToolCall

FinishReason = Literal["stop", "length", "tool_calls", "content_filter", "unknown"]
JsonSchema = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool as the model sees it.

    Attributes:
        name: What the model calls it.
        description: When and how to use it, for the model.
        parameters: The JSON schema of its arguments, of type ``object``.
    """

    name: str
    description: str
    parameters: JsonSchema = field(default_factory=lambda: {"type": "object", "properties": {}})


@dataclass(frozen=True, slots=True)
class Usage:
    """What requests cost. Usages can be added.

    Attributes:
        tokens_in: Tokens that were read.
        tokens_out: Tokens that were written.
        usd: Money in US dollars; None where the price of any of it is unknown.
        calls: Replies that were received.

    Example:
        >>> Usage(100, 20, 0.01, 1) + Usage(50, 10, None, 1)
        Usage(tokens_in=150, tokens_out=30, usd=None, calls=2)
    """

    tokens_in: int = 0
    tokens_out: int = 0
    usd: float | None = 0.0
    calls: int = 0

    @property
    def tokens(self) -> int:
        """All tokens, read and written."""
        return self.tokens_in + self.tokens_out

    def __add__(self, other: Usage) -> Usage:
        usd = None if self.usd is None or other.usd is None else self.usd + other.usd
        return Usage(
            self.tokens_in + other.tokens_in,
            self.tokens_out + other.tokens_out,
            usd,
            self.calls + other.calls,
        )


@dataclass(frozen=True, slots=True)
class Request:
    """One question to a model.

    Attributes:
        messages: The conversation so far, oldest first.
        tools: The tools that it may ask for.
        max_tokens_out: A bound on the reply's length in tokens; None leaves it to the provider.
        timeout_seconds: How long all of it may take, retries included; None leaves it to the model.
    """

    messages: tuple[Message, ...]
    tools: tuple[ToolSpec, ...] = ()
    max_tokens_out: int | None = None
    timeout_seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Completion:
    """A whole reply.

    Attributes:
        text: Its words.
        calls: The tools that it wants called, in order.
        finish: Why it ended; ``length`` means that it was cut off.
        usage: What it cost.
    """

    text: str = ""
    calls: tuple[ToolCall, ...] = ()
    finish: FinishReason = "stop"
    usage: Usage = Usage(calls=1)

    @property
    def message(self) -> AssistantMessage:
        """The reply as it goes into the conversation."""
        return AssistantMessage(self.text, self.calls)


@dataclass(frozen=True, slots=True)
class Delta:
    """A piece of a reply that is being streamed.

    Attributes:
        text: The words that are new.
        completion: The whole reply; it comes with the last delta and with no other.
    """

    text: str = ""
    completion: Completion | None = None
