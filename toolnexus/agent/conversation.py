"""Conversations: the messages of a run, kept valid for every provider."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import TYPE_CHECKING

from toolnexus.agent.arguments import parse_json_object
from toolnexus.errors import UsageError
from toolnexus.models.completion import Completion, Request, ToolSpec
from toolnexus.models.estimate import estimate_messages, estimate_tools
from toolnexus.models.message import AssistantMessage, Message, SystemMessage, ToolCall

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from toolnexus.agent.journal import Journal


_UNSENDABLE = re.compile(r"[^A-Za-z0-9_-]+")
_LONGEST_NAME = 64
_LONGEST_ID = 32


def sendable(name: str) -> str:
    """Return a name or id as providers take it: they reject one with other signs in it.

    Example:
        >>> sendable("rm -rf /")
        'rm_-rf_'
    """
    return _UNSENDABLE.sub("_", name)[:_LONGEST_NAME]


class Conversation:
    """What was said so far, under a soul that stays as it is.

    Args:
        soul: The system prompt; empty sends none.
        specs: The tools that are offered.
        messages: What was said before.
        journal: Is told of every message as it comes.
    """

    def __init__(
        self, soul: str, specs: Iterable[ToolSpec], messages: Iterable[Message], journal: Journal
    ) -> None:
        self._soul = (SystemMessage(soul),) if soul else ()
        self._specs = tuple(specs)
        self._fixed_tokens = estimate_messages(self._soul) + estimate_tools(self._specs)
        self._messages = list(messages)
        self._journal = journal

    @property
    def messages(self) -> tuple[Message, ...]:
        """All messages without the soul."""
        return tuple(self._messages)

    @property
    def last(self) -> Message:
        """The last message."""
        return self._messages[-1]

    @property
    def fixed_tokens(self) -> int:
        """An estimate of the tokens of soul and tools, which no compaction shortens."""
        return self._fixed_tokens

    @property
    def tokens(self) -> int:
        """An estimate of the tokens of the next request."""
        return self._fixed_tokens + estimate_messages(self._messages)

    def request(self) -> Request:
        """Return the next request."""
        return Request((*self._soul, *self._messages), self._specs)

    def say(self, message: Message) -> None:
        """Add a message that is no reply of the model's."""
        self._messages.append(message)
        self._journal.note_message(message)

    def take(self, completion: Completion) -> tuple[ToolCall, ...]:
        """Add the model's reply; return its calls, each under an id that no other has."""
        calls = tuple(self._with_own_ids(completion.calls))
        self._journal.note_reply(replace(completion, calls=calls))
        mended = tuple(_mended(call) for call in calls)
        self._messages.append(AssistantMessage(completion.text, mended))
        return calls

    def cut_back(self, length: int) -> None:
        """Take away all but the first so many messages."""
        del self._messages[length:]

    def restart(self, messages: Sequence[Message]) -> None:
        """Go on with other messages, the first of which is new."""
        self._messages = list(messages)
        self._journal.note_message(messages[0])

    def _with_own_ids(self, calls: Iterable[ToolCall]) -> Iterable[ToolCall]:
        taken = {c.id for m in self._messages if isinstance(m, AssistantMessage) for c in m.calls}
        for call in calls:
            wanted = sendable(call.id)[:_LONGEST_ID] or "call"
            name, number = wanted, 1
            while name in taken:
                number += 1
                name = f"{wanted}-{number}"
            taken.add(name)
            yield replace(call, id=name)


def _mended(call: ToolCall) -> ToolCall:
    """Make a call fit to be sent back, whatever the model wrote: its name, and JSON arguments."""
    try:
        arguments_text = json.dumps(parse_json_object(call.arguments_text))
    except UsageError:
        arguments_text = "{}"
    return ToolCall(call.id, sendable(call.name) or "unknown", arguments_text)
