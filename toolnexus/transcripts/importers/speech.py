"""From a message to its turns: who says what, when; what a tool gave back is a turn of its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from toolnexus.transcripts.importers.content import as_text
from toolnexus.transcripts.importers.importer import Item, Said, Skip
from toolnexus.transcripts.timestamp import parse_timestamp
from toolnexus.transcripts.turn import Role, Turn

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import datetime

    from toolnexus.transcripts.importers.content import Message

BAD_TIMESTAMP = "a timestamp that is none; the turn is kept without it"
EMPTY = "a message without words"


@dataclass(frozen=True, slots=True)
class Frame:
    """What is known of a message beside its words.

    Attributes:
        line: Its line or element in the file.
        id: The tool's own id for it.
        ts: Its timestamp as it stands in the file.
        name: Who speaks.
        thread: Which talk beside the conversation it is part of.
    """

    line: int
    id: object = None
    ts: object = None
    name: object = None
    thread: str = ""


def utter(role: Role, message: Message, frame: Frame) -> Iterator[Item]:
    """Give a message's turns: first what tools gave back, then what its own role says."""
    yield from (Skip(reason, frame.line) for reason in message.skipped)
    message_id = as_text(frame.id)
    for number, result in enumerate(message.results, start=1):
        turn_id = f"{message_id}:{result.call_id or number}" if message_id else ""
        answers = {"tool_call_id": result.call_id} if result.call_id else {}
        yield from say("tool", result.text, frame, turn_id=turn_id, extra=answers)
    text = message.text
    if text.strip() or message.calls:
        extra = {"tool_calls": message.calls} if message.calls else {}
        yield from say(role, text, frame, turn_id=message_id, extra=extra)
    elif not message.results and not message.skipped:
        yield Skip(EMPTY, frame.line)


def say(
    role: Role,
    text: str,
    frame: Frame,
    *,
    turn_id: str | None = None,
    extra: Mapping[str, object] | None = None,
) -> Iterator[Item]:
    """Give one turn, after a `Skip` where its timestamp is none.

    Args:
        role: Whose it is.
        text: Its words.
        frame: What else is known of it.
        turn_id: Its id in place of the frame's.
        extra: Keys for its line beyond the usual ones.
    """
    try:
        ts = instant(frame.ts)
    except ValueError:
        ts = None
        yield Skip(BAD_TIMESTAMP, frame.line)
    own_id = as_text(frame.id) if turn_id is None else turn_id
    turn = Turn(role, text, ts, own_id, as_text(frame.name), record=extra or {})
    yield Said(turn, frame.line, frame.thread)


def instant(value: object) -> datetime | None:
    """Read a timestamp; None where there is none.

    Raises:
        ValueError: when there is one, and it is no instant from 1970 to 2200.
    """
    return None if value is None or value == "" else parse_timestamp(value)


def instant_or_none(value: object) -> datetime | None:
    """Read a timestamp; None where there is none that is of use."""
    try:
        return instant(value)
    except ValueError:
        return None
