"""A model that plays a script: for tests of whatever talks to one."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from toolnexus.models.completion import Completion, Delta, FinishReason, Request, Usage
from toolnexus.models.message import ToolCall

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

DEFAULT_USAGE = Usage(100, 20, None, 1)

ScriptedReply = str | Completion | Exception | Callable[[Request], "str | Completion | Exception"]


def say(text: str, *, finish: FinishReason = "stop", usage: Usage = DEFAULT_USAGE) -> Completion:
    """Make a reply of words; ``finish="length"`` makes one that was cut off.

    Example:
        >>> say("hello").finish
        'stop'
    """
    return Completion(text, finish=finish, usage=usage)


def call(tool: str, /, **arguments: Any) -> ToolCall:
    """Make one tool call; an argument named ``from_`` or ``with_`` loses its underscore.

    Example:
        >>> call("memory", action="list").arguments_text
        '{"action": "list"}'
    """
    named = {name.removesuffix("_"): value for name, value in arguments.items()}
    return ToolCall("", tool, json.dumps(named))


def raw_call(tool: str, arguments_text: str) -> ToolCall:
    """Make a tool call whose arguments are as given: malformed, as a rule."""
    return ToolCall("", tool, arguments_text)


def use(*calls: ToolCall, text: str = "", usage: Usage = DEFAULT_USAGE) -> Completion:
    """Make a reply that calls tools.

    Example:
        >>> use(call("memory", action="list")).finish
        'tool_calls'
    """
    return Completion(text, calls, "tool_calls", usage)


class ScriptedModel:
    """Gives scripted replies in order. It may be used from several threads at once.

    Args:
        replies: What it replies, in order: a text, a `Completion`, an exception to raise, or a
            function of the request that gives one of these.
        default: What it replies when the script is exhausted; None makes that an error.
        name: What it is called.

    Attributes:
        requests: What it was asked, in order.

    Example:
        >>> from toolnexus.models.message import UserMessage
        >>> model = ScriptedModel("hello")
        >>> model.complete(Request((UserMessage("hi"),))).text
        'hello'
    """

    def __init__(
        self,
        *replies: ScriptedReply,
        default: ScriptedReply | None = None,
        name: str = "scripted",
    ) -> None:
        self.requests: list[Request] = []
        self._replies = list(replies)
        self._default = default
        self._name = name
        self._serial = 0
        self._lock = threading.Lock()

    @property
    def name(self) -> str:
        """What it is called."""
        return self._name

    def complete(self, request: Request) -> Completion:
        """Give the next reply.

        Raises:
            AssertionError: when the script is exhausted.
        """
        with self._lock:
            self.requests.append(request)
            reply = self._replies.pop(0) if self._replies else self._default
        if reply is None:
            raise AssertionError(f"the script has no reply to request {len(self.requests)}")
        if not isinstance(reply, str | Completion | Exception):
            reply = reply(request)
        if isinstance(reply, Exception):
            raise reply
        return self._with_ids(say(reply) if isinstance(reply, str) else reply)

    async def acomplete(self, request: Request) -> Completion:
        """Give the next reply; see `complete`."""
        return self.complete(request)

    def stream(self, request: Request) -> Iterator[Delta]:
        """Give the next reply word by word; see `complete`."""
        completion = self.complete(request)
        for number, word in enumerate(completion.text.split(" ") if completion.text else ()):
            yield Delta(word if number == 0 else f" {word}")
        yield Delta(completion=completion)

    async def astream(self, request: Request) -> AsyncIterator[Delta]:
        """Give the next reply word by word; see `complete`."""
        for delta in self.stream(request):
            yield delta

    def _with_ids(self, completion: Completion) -> Completion:
        """Number the calls that have no id, as a provider would."""
        with self._lock:
            calls = []
            for wish in completion.calls:
                self._serial += not wish.id
                calls.append(
                    ToolCall(wish.id or f"call_{self._serial}", wish.name, wish.arguments_text)
                )
        return Completion(completion.text, tuple(calls), completion.finish, completion.usage)
