"""From a line of JSON to a turn. Pure: what is wrong comes back beside what could be read."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NoReturn

from toolnexus.transcripts.content import Content, parse_content
from toolnexus.transcripts.timestamp import parse_timestamp
from toolnexus.transcripts.turn import ROLES, TORN, Role, TranscriptProblem, Turn, is_role

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_REPLACEMENT = "\ufffd"
_ROLES = ", ".join(ROLES)

Parsed = tuple[Turn | None, tuple[TranscriptProblem, ...]]


def parse_line(
    line: bytes, *, conversation: str = "", number: int = 1, previous_ts: datetime | None = None
) -> Parsed:
    """Read one physical line of a transcript.

    Args:
        line: Its bytes, with or without the newline.
        conversation: The conversation's id.
        number: The line's number, counted from 1.
        previous_ts: The predecessor's instant, which a turn without one takes.

    Returns:
        The turn, or None for a blank line or one that cannot be read, and what is wrong with it.

    Example:
        >>> turn, problems = parse_line(b'{"role": "user", "content": "hello"}')
        >>> turn.text, problems
        ('hello', ())
        >>> parse_line(b'{"role": "us')[1][0].rule
        'torn-transcript'
    """
    if number == 1:
        line = line.removeprefix(_BYTE_ORDER_MARK)
    if not line or line.isspace():
        return None, ()
    try:
        record = _parse_object(line)
    except ValueError as error:
        return None, (TranscriptProblem(number, TORN, str(error)),)
    return parse_record(record, conversation=conversation, number=number, previous_ts=previous_ts)


def parse_record(
    record: Mapping[str, object],
    *,
    conversation: str = "",
    number: int = 0,
    previous_ts: datetime | None = None,
) -> Parsed:
    """Read a turn from a JSON object; arguments and result are those of `parse_line`.

    Example:
        >>> parse_record({"role": "poet", "content": "O!"})[1][0].message
        "role 'poet' is none of user, assistant, tool, system"
    """
    role = record.get("role")
    if not is_role(role):
        message = (
            "it has no role" if role is None else f"role {str(role)[:40]!r} is none of {_ROLES}"
        )
        return None, (TranscriptProblem(number, TORN, message),)
    if "content" not in record:
        return None, (TranscriptProblem(number, TORN, "it has no content"),)
    try:
        content = parse_content(record["content"])
    except ValueError as error:
        return None, (TranscriptProblem(number, TORN, str(error)),)
    ts, problems = _timestamp(record.get("ts"), number)
    role, text, tool_text = _speech(role, content)
    turn = Turn(
        role,
        text,
        ts or previous_ts,
        _label(record.get("id")),
        _label(record.get("name")),
        conversation,
        number,
        tool_text,
        ts is None and previous_ts is not None,
        record,
    )
    return turn, problems


def _speech(role: Role, content: Content) -> tuple[Role, str, str]:
    """Return whose turn it is, what that role says, and the tool output beside it."""
    if not content.has_tool_result:
        return role, content.text, ""
    if role == "tool" or (role == "user" and not content.text.strip()):
        return "tool", "\n".join(filter(None, (content.text.strip(), content.tool_text))), ""
    return role, content.text, content.tool_text


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


DECODER = json.JSONDecoder(parse_constant=_refuse_constant)


def _parse_object(line: bytes) -> dict[str, object]:
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(f"not UTF-8 at byte {error.start} of the line") from None
    try:
        record = DECODER.decode(text)
    except RecursionError:
        raise ValueError("nested too deeply to be a turn") from None
    except ValueError:
        raise ValueError("not a whole line of JSON") from None
    if not isinstance(record, dict):
        raise ValueError("not a JSON object")  # noqa: TRY004 (one kind of failure for a line)
    if "\\ud" in text or "\\uD" in text:
        record = {_mend(key): _scrub(value) for key, value in record.items()}
    return record


def _scrub(value: object) -> object:
    """Replace half surrogate pairs, which no file and no database can hold."""
    if isinstance(value, str):
        return _mend(value)
    if isinstance(value, list):
        return [_scrub(item) for item in value]
    if isinstance(value, dict):
        return {_mend(key): _scrub(item) for key, item in value.items()}
    return value


def _mend(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        return "".join(_REPLACEMENT if "\ud800" <= char <= "\udfff" else char for char in text)
    return text


def _timestamp(value: object, number: int) -> tuple[datetime | None, tuple[TranscriptProblem, ...]]:
    if value is None:
        return None, ()
    try:
        return parse_timestamp(value), ()
    except ValueError as error:
        message = f"its ts is {error}; it is read as a turn without one"
        return None, (TranscriptProblem(number, TORN, message, skipped=False),)


def _label(value: object) -> str:
    """Return an id or a name as text; numbers serve as ids in some tools."""
    if isinstance(value, str):
        return value
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else ""
