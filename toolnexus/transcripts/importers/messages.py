"""Plain turns: JSON lines of them, or a list of messages as OpenAI's interfaces take it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from toolnexus.transcripts.importers.content import ToolResult, as_text, labelled, read_message
from toolnexus.transcripts.importers.importer import Item, Session, Skip
from toolnexus.transcripts.importers.json_array import read_elements
from toolnexus.transcripts.importers.source import (
    Row,
    open_source,
    parse_object,
    read_rows,
    read_whole,
    walk,
)
from toolnexus.transcripts.importers.speech import Frame, utter
from toolnexus.transcripts.names import printable

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from toolnexus.transcripts.turn import Role

_SUFFIXES = (".jsonl", ".ndjson", ".json")
_ROLES: Mapping[str, Role] = {
    "user": "user",
    "human": "user",
    "assistant": "assistant",
    "tool": "tool",
    "function": "tool",
    "system": "system",
    "developer": "system",
}
_TIMES = ("ts", "timestamp", "created_at", "create_time")
_HEAD_BYTES = 64


class Messages:
    """Reads files of turns, one conversation each, or a folder of them."""

    version = 1

    def files(self, source: Path) -> Iterator[Path | Skip]:
        """Find files whose names end in .jsonl, .ndjson or .json."""
        return walk(source, lambda name: name.endswith(_SUFFIXES))

    def sessions(self, path: Path) -> Iterator[Session | Skip]:
        """Tell of the one conversation that a file holds, named like the file."""
        name = printable(path.name)
        for suffix in _SUFFIXES:
            name = name.removesuffix(suffix) or name
        yield Session(name, lambda: _read(path), is_file_name=True)


def _read(path: Path) -> Iterator[Item]:
    for row in _rows(path):
        if isinstance(row, Skip):
            yield row
        else:
            yield from _row(row)


def _row(row: Row) -> Iterator[Item]:
    """Read a turn, or a line that holds a whole conversation, as files to train models have."""
    messages = row.fields.get("messages")
    if "role" in row.fields or not isinstance(messages, list):
        yield from _turn(row)
        return
    for message in messages:
        if isinstance(message, dict):
            yield from _turn(Row(row.number, message), thread=str(row.number))
        else:
            yield Skip("not a JSON object", row.number)


def _rows(path: Path) -> Iterator[Row | Skip]:
    """Read a file's messages, whichever of the three shapes it has."""
    with open_source(path) as file:
        head = file.read(_HEAD_BYTES).removeprefix(b"\xef\xbb\xbf").lstrip()
    if head.startswith(b"["):
        yield from _array(path)
    elif path.suffix == ".json":
        yield from _whole(path)
    else:
        yield from read_rows(path)


def _array(path: Path) -> Iterator[Row | Skip]:
    with open_source(path) as file:
        for element in read_elements(file):
            if element.problem:
                yield Skip(element.problem, element.number)
                continue
            try:
                yield Row(element.number, parse_object(element.data))
            except ValueError as error:
                yield Skip(str(error), element.number)


def _whole(path: Path) -> Iterator[Row | Skip]:
    """Read ``{"messages": [...]}``, or JSON lines that bear the wrong suffix."""
    try:
        messages = parse_object(read_whole(path)).get("messages")
    except ValueError:
        yield from read_rows(path)
        return
    if not isinstance(messages, list):
        yield from read_rows(path)
        return
    for number, message in enumerate(messages, start=1):
        if isinstance(message, dict):
            yield Row(number, message)
        else:
            yield Skip("not a JSON object", number)


def _turn(row: Row, thread: str = "") -> Iterator[Item]:
    fields = row.fields
    told = fields.get("role")
    role = _ROLES.get(told.strip().lower()) if isinstance(told, str) else None
    if role is None:
        yield Skip(labelled("a message", "role", told), row.number)
        return
    try:
        message = read_message(fields.get("content"))
    except ValueError as error:
        yield Skip(str(error), row.number)
        return
    ts = next((fields[key] for key in _TIMES if fields.get(key) is not None), None)
    frame = Frame(row.number, fields.get("id"), ts, fields.get("name"), thread)
    if role == "tool":
        call_id = as_text(fields.get("tool_call_id"))
        results = [result.text for result in message.results]
        text = "\n".join(filter(None, [message.text, *results]))
        message.texts, message.results = [], [ToolResult(call_id, text)]
    calls = fields.get("tool_calls")
    if isinstance(calls, list) and _is_json(calls):
        message.calls.extend(call for call in calls if isinstance(call, dict))
    yield from utter(role, message, frame)


def _is_json(value: object) -> bool:
    try:
        json.dumps(value, allow_nan=False)
    except (ValueError, RecursionError):
        return False
    return True
