"""History: what was said in a conversation, as messages that a model can go on from. Pure."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from toolnexus.agent.arguments import parse_json_object
from toolnexus.errors import UsageError
from toolnexus.models.estimate import estimate_messages
from toolnexus.models.message import (
    AssistantMessage,
    Message,
    ToolMessage,
    UserMessage,
)
from toolnexus.models.wire import parse_message

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from toolnexus.models.message import ToolCall
    from toolnexus.transcripts.turn import Turn

SPOKE_FIRST = "[You spoke first.]"
LEFT_OUT = "[Earlier turns of this conversation are left out here; transcript_search finds them.]"
PARTING = "\n\n"
_NOTICE = UserMessage(LEFT_OUT)
_END = UserMessage("")
_SENDABLE = re.compile(r"[A-Za-z0-9_-]{1,64}")


def history_of(turns: Iterable[Turn], room_tokens: int) -> tuple[Message, ...]:
    """Return the turns of a conversation as messages, as many of the newest as there is room for.

    Args:
        turns: The turns, oldest first. System text is left out: the soul stands in its place.
        room_tokens: How many tokens they may take.

    Example:
        >>> from toolnexus.transcripts.turn import Turn
        >>> [message.role for message in history_of([Turn("user", "hi"), Turn("system", "x")], 99)]
        ['user']
    """
    said = [message for turn in turns if (message := _message(turn)) is not None]
    return fitting(sound(said), room_tokens)


def sound(messages: Iterable[Message]) -> list[Message]:
    """Return messages that every provider takes: each call with its result, each result wanted.

    Calls that were never all answered are left out, and so are results that no call asked for.
    What was said in several messages in a row by the persona is one.
    """
    found: list[Message] = []
    exchange: list[Message] = []
    for message in (*messages, _END):
        if not isinstance(message, ToolMessage):
            _join(found, _settled(exchange))
            exchange = []
        exchange.append(message)
    if found and isinstance(found[0], AssistantMessage):
        found.insert(0, UserMessage(SPOKE_FIRST))
    return found


def fitting(messages: Sequence[Message], room_tokens: int) -> tuple[Message, ...]:
    """Return the longest part up to the end that begins at a user turn and has room."""
    if estimate_messages(messages) <= room_tokens:
        return tuple(messages)
    room = room_tokens - estimate_messages([_NOTICE])
    best = len(messages)
    for start in reversed(range(len(messages))):
        room -= estimate_messages([messages[start]])
        if room < 0:
            break
        if isinstance(messages[start], UserMessage):
            best = start
    return (_NOTICE, *messages[best:]) if best < len(messages) else ()


def _join(found: list[Message], more: list[Message]) -> None:
    """Add messages; what the persona said in several goes is one message, as providers want it."""
    if found and more and isinstance(more[0], AssistantMessage):
        last = found[-1]
        if isinstance(last, AssistantMessage) and not last.calls:
            text = PARTING.join(filter(None, (last.text, more[0].text)))
            found[-1:] = [AssistantMessage(text, more[0].calls)]
            more = more[1:]
    found += more


def _settled(exchange: list[Message]) -> list[Message]:
    """Return a message with the results behind it, where these are what it asked for."""
    if not exchange:
        return []
    first, *rest = exchange
    if isinstance(first, ToolMessage):
        return []
    results = [message for message in rest if isinstance(message, ToolMessage)]
    if not isinstance(first, AssistantMessage) or not first.calls:
        return [first] if first.text.strip() else []
    answers = {result.call_id: result for result in results}
    if all(call.id in answers for call in first.calls):
        return [first, *(answers[call.id] for call in first.calls)]
    return [AssistantMessage(first.text)] if first.text.strip() else []


def _message(turn: Turn) -> Message | None:
    match turn.role:
        case "user":
            return UserMessage(turn.text)
        case "assistant":
            return AssistantMessage(turn.text, _calls(turn))
        case "tool":
            call_id = turn.record.get("tool_call_id")
            return ToolMessage(str(call_id or ""), turn.name or "tool", turn.text)
        case _:
            return None


def _calls(turn: Turn) -> tuple[ToolCall, ...]:
    """Read the calls of a turn; those that cannot be read are none."""
    wishes = turn.record.get("tool_calls")
    try:
        message = parse_message({"role": "assistant", "tool_calls": wishes})
    except ValueError:
        return ()
    calls = message.calls if isinstance(message, AssistantMessage) else ()
    return calls if all(map(_is_sendable, calls)) else ()


def _is_sendable(call: ToolCall) -> bool:
    """Tell whether providers take a call back: other tools' transcripts hold all sorts."""
    try:
        parse_json_object(call.arguments_text)
    except UsageError:
        return False
    return bool(_SENDABLE.fullmatch(call.id) and _SENDABLE.fullmatch(call.name))
