"""Messages and tools as JSON, in the shape of OpenAI's chat completions.

Providers, recordings and run files all speak it. What is read back is parsed here and nowhere else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, assert_never

from toolnexus.models.completion import Completion, FinishReason, Request, Usage
from toolnexus.models.message import (
    AssistantMessage,
    Message,
    SystemMessage,
    ToolCall,
    ToolMessage,
    UserMessage,
)

if TYPE_CHECKING:
    from toolnexus.models.completion import ToolSpec

_FINISH: dict[str, FinishReason] = {
    "stop": "stop",
    "eos": "stop",
    "end_turn": "stop",
    "stop_sequence": "stop",
    "length": "length",
    "max_tokens": "length",
    "tool_calls": "tool_calls",
    "tool_use": "tool_calls",
    "function_call": "tool_calls",
    "content_filter": "content_filter",
    "refusal": "content_filter",
}


def clean_text(text: str) -> str:
    r"""Return a text without half characters (lone surrogates), which cannot be sent or shown.

    Example:
        >>> clean_text("half \ud83d")
        'half ?'
    """
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


def render_message(message: Message) -> dict[str, Any]:
    """Write a message as JSON.

    Example:
        >>> render_message(UserMessage("hello"))
        {'role': 'user', 'content': 'hello'}
    """
    text = clean_text(message.text)
    match message:
        case SystemMessage() | UserMessage():
            return {"role": message.role, "content": text}
        case AssistantMessage(calls=()):
            return {"role": "assistant", "content": text}
        case AssistantMessage(calls=calls):
            wishes = [_render_call(call) for call in calls]
            return {"role": "assistant", "content": text or None, "tool_calls": wishes}
        case ToolMessage(call_id, name):
            return {"role": "tool", "tool_call_id": call_id, "name": name, "content": text}
        case _ as unreachable:
            assert_never(unreachable)


def parse_message(value: object) -> Message:
    """Read a message from JSON.

    Raises:
        ValueError: when it is none.
    """
    fields = _mapping(value)
    text = _text(fields.get("content") or "")
    match fields.get("role"):
        case "system":
            return SystemMessage(text)
        case "user":
            return UserMessage(text)
        case "assistant":
            return AssistantMessage(text, _parse_calls(fields.get("tool_calls")))
        case "tool":
            return ToolMessage(
                _text(fields.get("tool_call_id") or ""), _text(fields.get("name") or ""), text
            )
    raise ValueError(f"no message has the role {fields.get('role')!r}")


def render_tool(tool: ToolSpec) -> dict[str, Any]:
    """Write a tool as JSON."""
    function = {
        "name": tool.name,
        "description": tool.description,
        "parameters": dict(tool.parameters),
    }
    return {"type": "function", "function": function}


def render_request(request: Request) -> dict[str, Any]:
    """Write what a model is asked for as JSON, without the bounds on time and length."""
    shown: dict[str, Any] = {"messages": [render_message(m) for m in request.messages]}
    return {**shown, "tools": [render_tool(t) for t in request.tools]} if request.tools else shown


def render_completion(completion: Completion) -> dict[str, Any]:
    """Write a reply as JSON."""
    return {
        "message": render_message(completion.message),
        "finish": completion.finish,
        "usage": render_usage(completion.usage),
    }


def parse_completion(value: object) -> Completion:
    """Read a reply from JSON.

    Raises:
        ValueError: when it is none.
    """
    fields = _mapping(value)
    message = parse_message(fields.get("message"))
    if not isinstance(message, AssistantMessage):
        raise ValueError("a reply has the role assistant")  # noqa: TRY004 - one error for all
    usage = parse_usage(fields.get("usage"))
    return Completion(message.text, message.calls, parse_finish(fields.get("finish")), usage)


def render_usage(usage: Usage) -> dict[str, Any]:
    """Write a usage as JSON; an unknown price is null."""
    return {
        "tokens_in": usage.tokens_in,
        "tokens_out": usage.tokens_out,
        "usd": usage.usd,
        "calls": usage.calls,
    }


def parse_usage(value: object) -> Usage:
    """Read a usage from JSON.

    Raises:
        ValueError: when it is none.
    """
    fields = _mapping(value)
    try:
        usd = fields.get("usd")
        return Usage(
            int(fields["tokens_in"]),
            int(fields["tokens_out"]),
            None if usd is None else float(usd),
            int(fields["calls"]),
        )
    except (KeyError, TypeError) as error:
        raise ValueError(f"no usage: {error}") from None


def parse_finish(value: object) -> FinishReason:
    """Read why a reply ended; providers have several words for the same.

    Example:
        >>> parse_finish("max_tokens"), parse_finish("weary")
        ('length', 'unknown')
    """
    return _FINISH.get(str(value), "unknown")


def _render_call(call: ToolCall) -> dict[str, Any]:
    function = {"name": call.name, "arguments": call.arguments_text}
    return {"id": call.id, "type": "function", "function": function}


def _parse_calls(value: object) -> tuple[ToolCall, ...]:
    if value is None:
        return ()
    if not isinstance(value, list):
        raise ValueError("tool_calls is no list")  # noqa: TRY004 - one error for all
    calls = [(_mapping(item), _mapping(_mapping(item).get("function"))) for item in value]
    return tuple(
        ToolCall(
            _text(call.get("id") or ""),
            _text(function.get("name") or ""),
            _text(function.get("arguments") or ""),
        )
        for call, function in calls
    )


def _mapping(value: object) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValueError(f"{value!r:.60} is no object")  # noqa: TRY004 - one error for all
    return value


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{value!r:.60} is no text")  # noqa: TRY004 - one error for all
    return value
