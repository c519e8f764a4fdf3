"""Codex: a rollout is a JSONL file of ``{timestamp, type, payload}``.

A message stands there as a ``response_item``, and most a second time as an ``event_msg``. Codex's
rows have no ids: a turn is known by its role, its words and how often they were said before.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from toolnexus.transcripts.importers.content import (
    Message,
    as_text,
    digest,
    labelled,
    output_text,
    read_message,
    tool_call,
)
from toolnexus.transcripts.importers.importer import Item, Session, Skip
from toolnexus.transcripts.importers.injected import after_leading
from toolnexus.transcripts.importers.source import Row, parse_object, read_rows, walk
from toolnexus.transcripts.importers.speech import EMPTY, Frame, instant_or_none, say
from toolnexus.transcripts.names import printable

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import datetime
    from pathlib import Path

    from toolnexus.transcripts.turn import Role

_NAME = re.compile(r"rollout-.*?([0-9a-f]{8}-[0-9a-f-]{27})\.jsonl$")
_INJECTED = frozenset(
    {
        "environment_context", "user_instructions", "INSTRUCTIONS", "instructions", "permissions",
        "collaboration_mode", "skills_instructions", "skill", "turn_aborted", "model_switch",
        "subagent_notification", "user_shell_command", "apps_instructions", "personality_spec",
        "plugins_instructions", "user_action", "realtime_conversation",
    }
)  # fmt: skip
_AGENTS_FILE = re.compile(r"\s*# AGENTS\.md instructions[^\n]*\n?")
_EDITOR_CONTEXT = re.compile(r"\s*# Context from my IDE setup:")
_EDITOR_REQUEST = "## My request for Codex:"
_ROLES: Mapping[str, Role] = {"user": "user", "assistant": "assistant"}
_EVENTS: Mapping[str, Role] = {"user_message": "user", "agent_message": "assistant"}
INJECTED = "injected context"
REPEATED = "an event that repeats a message"


class Codex:
    """Reads a rollout, a day's folder, or the folder of all sessions."""

    version = 1

    def files(self, source: Path) -> Iterator[Path | Skip]:
        """Find rollouts; of the whole ``.codex`` folder only its sessions are looked at."""
        places = [source / name for name in ("sessions", "archived_sessions")]
        for place in [place for place in places if place.is_dir()] or [source]:
            yield from walk(
                place, lambda name: name.startswith("rollout-") and name[-6:] == ".jsonl"
            )

    def sessions(self, path: Path) -> Iterator[Session | Skip]:
        """Tell of the one session that a rollout holds."""
        meta = _read_meta(path)
        named = _NAME.search(path.name)
        name = meta.id or (named[1] if named else printable(path.name).removesuffix(".jsonl"))
        yield Session(name, lambda: _read(path, is_agent=meta.is_agent), meta.started)


@dataclass(frozen=True, slots=True)
class _Meta:
    """What the first row of a rollout tells of it."""

    id: str = ""
    started: datetime | None = None
    is_agent: bool = False


def _read_meta(path: Path) -> _Meta:
    for row in read_rows(path):
        if isinstance(row, Skip):
            continue
        payload = row.fields.get("payload")
        meta = payload if isinstance(payload, dict) else row.fields  # early rollouts wrap nothing
        if payload is not None and row.fields.get("type") != "session_meta":
            break
        source = meta.get("source")
        return _Meta(
            as_text(meta.get("id")),
            instant_or_none(meta.get("timestamp") or row.fields.get("timestamp")),
            isinstance(source, dict) and "subagent" in source,
        )
    return _Meta()


@dataclass(frozen=True, slots=True)
class _Words:
    """A message of a rollout: its role, its words, and whether an event tells of it."""

    row: Row
    role: Role
    text: str
    is_event: bool


def _read(path: Path, *, is_agent: bool) -> Iterator[Item]:
    found: list[_Words | Item] = []
    for row in read_rows(path):
        if isinstance(row, Skip):
            found.append(row)
        else:
            found.extend(_row(row))
    told = Counter(
        (item.role, _folded(item.text))
        for item in found
        if isinstance(item, _Words) and not item.is_event
    )
    yield from _each_once(found, told, is_agent=is_agent)


def _each_once(
    found: list[_Words | Item], told: Counter[tuple[Role, str]], *, is_agent: bool
) -> Iterator[Item]:
    """Leave out each event whose message stands there itself; give the others their ids."""
    said: Counter[tuple[Role, str]] = Counter()
    for item in found:
        if not isinstance(item, _Words):
            yield item
            continue
        key = (item.role, _folded(item.text))
        if item.is_event and told[key] > 0:
            told[key] -= 1
            yield Skip(REPEATED, item.row.number)
            continue
        said[key] += 1
        turn_id = f"{digest(*key)}-{said[key]}"
        role: Role = "system" if is_agent and item.role == "user" else item.role
        yield from say(role, item.text, _frame(item.row), turn_id=turn_id)


def _row(row: Row) -> Iterator[_Words | Item]:
    kind = row.fields.get("type")
    payload = row.fields.get("payload")
    if kind == "event_msg" and isinstance(payload, dict):
        yield from _event(row, payload)
    elif kind == "response_item" and isinstance(payload, dict):
        yield from _response(row, payload)
    elif payload is None and isinstance(kind, str):
        yield from _response(row, row.fields)
    else:
        yield Skip(labelled("a record", "type", kind), row.number)


def _event(row: Row, payload: Mapping[str, object]) -> Iterator[_Words | Item]:
    kind = payload.get("type")
    role = _EVENTS.get(kind) if isinstance(kind, str) else None
    text = payload.get("message")
    if role is None or not isinstance(text, str):
        yield Skip(labelled("an event", "type", kind), row.number)
        return
    own = _own_words(text) if role == "user" else text
    if own.strip():
        yield _Words(row, role, own, is_event=True)
    else:
        yield Skip(INJECTED if text.strip() else EMPTY, row.number)


def _response(row: Row, payload: Mapping[str, object]) -> Iterator[_Words | Item]:
    kind = payload.get("type")
    if kind == "message":
        yield from _message(row, payload)
    elif isinstance(kind, str) and kind.endswith("_call_output"):
        yield from _output(row, payload)
    elif isinstance(kind, str) and kind.endswith("_call"):
        yield from _call(row, payload)
    else:
        known = "thinking" if kind == "reasoning" else labelled("a record", "type", kind)
        yield Skip(known, row.number)


def _message(row: Row, payload: Mapping[str, object]) -> Iterator[_Words | Item]:
    told = payload.get("role")
    role = _ROLES.get(told) if isinstance(told, str) else None
    if role is None:
        yield Skip(labelled("a message", "role", told), row.number)
        return
    try:
        message = read_message(payload.get("content"))
    except ValueError as error:
        yield Skip(str(error), row.number)
        return
    if role == "user":
        _keep_own_words(message)
    yield from (Skip(reason, row.number) for reason in message.skipped)
    if message.text.strip():
        yield _Words(row, role, message.text, is_event=False)
    elif not message.skipped:
        yield Skip(EMPTY, row.number)


def _call(row: Row, payload: Mapping[str, object]) -> Iterator[Item]:
    call_id = as_text(payload.get("call_id") or payload.get("id"))
    name = payload.get("name") or payload.get("type")
    arguments = payload.get("arguments", payload.get("input", payload.get("action")))
    calls = {"tool_calls": [tool_call(call_id, name, arguments)]}
    turn_id = f"call:{call_id}" if call_id else ""
    yield from say("assistant", "", _frame(row), turn_id=turn_id, extra=calls)


def _output(row: Row, payload: Mapping[str, object]) -> Iterator[Item]:
    call_id = as_text(payload.get("call_id"))
    turn_id = f"output:{call_id}" if call_id else ""
    text = _unwrapped(output_text(payload.get("output")))
    extra = {"tool_call_id": call_id} if call_id else {}
    yield from say("tool", text, _frame(row), turn_id=turn_id, extra=extra)


def _unwrapped(text: str) -> str:
    """Return what a tool gave back without the JSON object that some versions put around it."""
    if not text.startswith('{"output"'):
        return text
    try:
        return output_text(parse_object(text))
    except ValueError:
        return text


def _frame(row: Row) -> Frame:
    return Frame(row.number, ts=row.fields.get("timestamp"))


def _keep_own_words(message: Message) -> None:
    for number, text in enumerate(message.texts):
        own = _own_words(text)
        message.texts[number] = own
        if not own.strip() and text.strip():
            message.skipped.append(INJECTED)


def _own_words(text: str) -> str:
    """Return what the person said in a block of a user's message; empty when it is all injected."""
    if _EDITOR_CONTEXT.match(text) and _EDITOR_REQUEST in text:
        text = text.rpartition(_EDITOR_REQUEST)[2].strip()
    agents_file = _AGENTS_FILE.match(text)
    if agents_file is None:
        return after_leading(text, _INJECTED) if text.lstrip().startswith("<") else text
    rest = text[agents_file.end() :].lstrip()
    return after_leading(rest, _INJECTED) if rest.startswith("<") else ""


def _folded(text: str) -> str:
    return " ".join(text.split())
