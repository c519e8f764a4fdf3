"""From a turn to its line of JSON. Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace

from toolnexus.errors import UsageError
from toolnexus.transcripts.turn import Turn
from toolnexus.transcripts.turn_parse import parse_record

_OWN_KEYS = frozenset({"role", "content", "ts", "id", "name"})


def render_turn(
    turn: Turn | Mapping[str, object], *, marks: Mapping[str, object] | None = None
) -> bytes:
    r"""Write a turn as one line, newline included.

    A turn that was read from a file and not changed since is written with every key it had. Of a
    changed one the unknown keys are kept.

    Args:
        turn: A `Turn`, or the JSON object of one.
        marks: Keys to add to the line.

    Raises:
        UsageError: when it is no turn, or holds what UTF-8 or JSON cannot: half of a surrogate
            pair, a number that is none.

    Example:
        >>> render_turn(Turn("user", "hello"))
        b'{"role": "user", "content": "hello"}\n'
    """
    record = {**_record(turn), **(marks or {})}
    try:
        text = json.dumps(record, ensure_ascii=False, allow_nan=False)
        return text.encode() + b"\n"
    except UnicodeEncodeError:
        raise UsageError(
            "the turn holds half of a surrogate pair, which is no character",
            hint="send whole characters; nothing was written",
        ) from None
    except (TypeError, ValueError, RecursionError) as error:
        raise UsageError(f"the turn cannot be written as JSON: {error}") from None


def _record(turn: Turn | Mapping[str, object]) -> dict[str, object]:
    if isinstance(turn, Turn):
        return _record_of(turn)
    if not isinstance(turn, Mapping):
        raise UsageError("a turn is a Turn, or a mapping with 'role' and 'content'")
    parsed, problems = parse_record(turn)
    if parsed is None or problems:
        raise UsageError(f"this is no turn: {problems[0].message}")
    return dict(turn)


def _record_of(turn: Turn) -> dict[str, object]:
    if turn.record and _says(turn):
        return dict(turn.record)
    unknown = {key: value for key, value in turn.record.items() if key not in _OWN_KEYS}
    record: dict[str, object] = {"role": turn.role, "content": _content(turn)}
    if turn.ts is not None and not turn.inherited:
        record["ts"] = turn.ts.isoformat().replace("+00:00", "Z")
    if turn.id:
        record["id"] = turn.id
    if turn.name:
        record["name"] = turn.name
    _check(record)
    return record | unknown


def _check(record: dict[str, object]) -> None:
    parsed, problems = parse_record(record)
    if parsed is None or problems:
        raise UsageError(f"this is no turn: {problems[0].message}")


def _says(turn: Turn) -> bool:
    """Tell whether the record that a turn was read from still says what the turn says."""
    parsed, _ = parse_record(turn.record)
    if parsed is None:
        return False
    ts = parsed.ts if turn.inherited else turn.ts
    told = replace(turn, ts=ts, conversation="", number=0, inherited=False, record={})
    return told == replace(parsed, inherited=False, record={})


def _content(turn: Turn) -> object:
    if not turn.tool_text:
        return turn.text
    return [
        {"type": "text", "text": turn.text},
        {"type": "tool_result", "content": turn.tool_text},
    ]
