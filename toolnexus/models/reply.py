"""Reading what litellm returns: a whole response, or a stream of chunks put together."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from toolnexus.errors import Malformed, Unreachable
from toolnexus.models.completion import Completion, Request, Usage
from toolnexus.models.estimate import estimate_messages, estimate_text, estimate_tools
from toolnexus.models.message import ToolCall
from toolnexus.models.wire import clean_text, parse_finish


def read_response(response: Any, model: str, request: Request) -> Completion:
    """Read a whole response.

    Args:
        response: litellm's.
        model: The model's name, for messages.
        request: What was asked; its tokens are estimated where the provider did not count.

    Raises:
        Malformed: when it holds no reply.
    """
    choices = getattr(response, "choices", None) or [None]
    message = getattr(choices[0], "message", None)
    if message is None:
        raise Malformed(
            f"the model {model} gave an answer without a reply",
            hint="check that the address is a chat API's",
        )
    text = _text(getattr(message, "content", None))
    calls = tuple(
        _call(number, call)
        for number, call in enumerate(getattr(message, "tool_calls", None) or ())
    )
    finish = parse_finish(getattr(choices[0], "finish_reason", None))
    usage = _usage(getattr(response, "usage", None), request, text, calls)
    return Completion(text, calls, finish, usage)


@dataclass(slots=True)
class _PartialCall:
    id: str = ""
    name: str = ""
    arguments: list[str] = field(default_factory=list)


class StreamReader:
    """Puts the chunks of a stream together.

    Args:
        model: The model's name, for messages.
        request: What was asked.
    """

    def __init__(self, model: str, request: Request) -> None:
        self._model = model
        self._request = request
        self._texts: list[str] = []
        self._calls: dict[int, _PartialCall] = {}
        self._finish: str | None = None
        self._usage: Any = None

    def take(self, chunk: Any) -> str:
        """Take a chunk in and return the words that are new."""
        self._usage = getattr(chunk, "usage", None) or self._usage
        choices = getattr(chunk, "choices", None)
        if not choices:
            return ""
        self._finish = getattr(choices[0], "finish_reason", None) or self._finish
        delta = getattr(choices[0], "delta", None)
        for number, call in enumerate(getattr(delta, "tool_calls", None) or ()):
            self._take_call(number, call)
        text = _text(getattr(delta, "content", None))
        self._texts.append(text)
        return text

    def completion(self) -> Completion:
        """Return the whole reply, once the stream has ended.

        Raises:
            Unreachable: when it broke off before its end.
        """
        if self._finish is None:
            raise Unreachable(f"the reply of the model {self._model} broke off", hint="try again")
        text = "".join(self._texts)
        calls = tuple(
            ToolCall(part.id or f"call_{n}", part.name, "".join(part.arguments))
            for n, (_, part) in enumerate(sorted(self._calls.items()))
        )
        usage = _usage(self._usage, self._request, text, calls)
        return Completion(text, calls, parse_finish(self._finish), usage)

    def _take_call(self, number: int, call: Any) -> None:
        index = getattr(call, "index", None)
        part = self._calls.setdefault(number if index is None else index, _PartialCall())
        function = getattr(call, "function", None)
        part.id = part.id or _text(getattr(call, "id", None))
        part.name = part.name or _text(getattr(function, "name", None))
        part.arguments.append(_arguments(getattr(function, "arguments", None)))


def _call(number: int, call: Any) -> ToolCall:
    function = getattr(call, "function", None)
    return ToolCall(
        _text(getattr(call, "id", None)) or f"call_{number}",
        _text(getattr(function, "name", None)),
        _arguments(getattr(function, "arguments", None)),
    )


def _arguments(value: object) -> str:
    """Some servers send arguments as an object where the API says text."""
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value)


def _text(value: object) -> str:
    return clean_text(value) if isinstance(value, str) else ""


def _usage(given: Any, request: Request, text: str, calls: tuple[ToolCall, ...]) -> Usage:
    """Read the tokens that the provider counted; estimate what it did not count."""
    tokens_in = _count(getattr(given, "prompt_tokens", None))
    tokens_out = _count(getattr(given, "completion_tokens", None))
    if not tokens_in:
        tokens_in = estimate_messages(request.messages) + estimate_tools(request.tools)
    if not tokens_out:
        tokens_out = sum(estimate_text(part) for part in (text, *(c.arguments_text for c in calls)))
    return Usage(tokens_in, tokens_out, None, 1)


def _count(value: object) -> int:
    return max(0, value) if isinstance(value, int) else 0
