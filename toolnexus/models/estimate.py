"""How many tokens a text has, roughly: for budgets and windows, before a model has counted."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from toolnexus.models.message import AssistantMessage

if TYPE_CHECKING:
    from collections.abc import Iterable

    from toolnexus.models.completion import ToolSpec
    from toolnexus.models.message import Message

_CHARS_PER_TOKEN = 4
_TOKENS_PER_MESSAGE = 4


def estimate_text(text: str) -> int:
    """Estimate a text's tokens: one for each four characters, rounded up.

    Example:
        >>> estimate_text("hello")
        2
    """
    return -(-len(text) // _CHARS_PER_TOKEN)


def estimate_messages(messages: Iterable[Message]) -> int:
    """Estimate the tokens of messages, tool calls included."""
    return sum(_message_tokens(message) for message in messages)


def estimate_tools(tools: Iterable[ToolSpec]) -> int:
    """Estimate the tokens of the tools that are offered."""
    return sum(
        estimate_text(tool.name + tool.description + json.dumps(dict(tool.parameters)))
        for tool in tools
    )


def _message_tokens(message: Message) -> int:
    tokens = _TOKENS_PER_MESSAGE + estimate_text(message.text)
    if isinstance(message, AssistantMessage):
        tokens += sum(estimate_text(call.name + call.arguments_text) for call in message.calls)
    return tokens
