"""OpenClaw: a session is a tree of entries, in a JSONL file or in its agent's SQLite store.

What was said is the way from the last entry up to the root; what hangs beside it was taken back.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from toolnexus.transcripts.importers.content import (
    Message,
    ToolResult,
    as_text,
    labelled,
    output_text,
    read_message,
)
from toolnexus.transcripts.importers.importer import Item, Session, Skip
from toolnexus.transcripts.importers.openclaw_store import STORE_NAME, read_store
from toolnexus.transcripts.importers.source import Row, read_rows, walk
from toolnexus.transcripts.importers.speech import Frame, instant_or_none, utter
from toolnexus.transcripts.names import printable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from toolnexus.transcripts.turn import Role

_DELETED = re.compile(r"\.(?:reset|deleted)\.")
_METADATA = re.compile(
    r"\s*[^\n]{0,80}\(untrusted[^)\n]{0,40}\):[ \t]*\n"
    r"```(?:json)?\n(?:(?!```)[^\n]*\n){0,200}```\s*"
)
_HEARTBEAT = re.compile(r"\s*(?:Read HEARTBEAT\.md|\[OpenClaw heartbeat poll\])")
_SQLITE = (".sqlite", ".db")


class OpenClaw:
    """Reads a session file, an agent's SQLite store, or all agents of a state folder."""

    version = 1

    def files(self, source: Path) -> Iterator[Path | Skip]:
        """Find session files and stores; deleted sessions are told, not read."""
        agents = source / "agents"
        for found in walk(agents if agents.is_dir() else source, _is_wanted):
            if not isinstance(found, Skip) and _DELETED.search(found.name):
                yield Skip("a deleted session", path=str(found))
            else:
                yield found

    def sessions(self, path: Path) -> Iterator[Session | Skip]:
        """Tell of the sessions in a file."""
        if path.name.endswith(_SQLITE):
            for stored in read_store(path):
                yield stored if isinstance(stored, Skip) else _session(stored.name, stored.read)
            return
        yield _session(
            printable(path.name).removesuffix(".jsonl"), lambda: read_rows(path), told=True
        )


def _is_wanted(name: str) -> bool:
    return (
        name.endswith(".jsonl")
        or name == STORE_NAME
        or (".jsonl." in name and _DELETED.search(name) is not None)
    )


def _session(name: str, rows: Callable[[], Iterable[Row | Skip]], *, told: bool = False) -> Session:
    """Tell of a session; `told` when its first row knows its name better."""
    first = next((row.fields for row in rows() if isinstance(row, Row)), {})
    header = first if first.get("type") == "session" else {}
    own = as_text(header.get("id")) if told else ""
    return Session(own or name, lambda: _read(rows()), instant_or_none(header.get("timestamp")))


def _read(rows: Iterable[Row | Skip]) -> Iterator[Item]:
    entries: list[Row] = []
    for row in rows:
        if isinstance(row, Skip):
            yield row
        elif row.fields.get("type") != "session":
            entries.append(row)
    on_way = _way(entries)
    for index, entry in enumerate(entries):
        kind = entry.fields.get("type")
        if kind != "message":
            yield Skip(labelled("a record", "type", kind), entry.number)
        elif index not in on_way:
            yield Skip("on an edited branch", entry.number)
        else:
            yield from _message(entry)


def _way(entries: list[Row]) -> set[int]:
    """Return the indexes of the entries from the root to the last one.

    An entry that names no parent, or one that is not there, follows the entry before it: early
    sessions are lists, and a torn line must not cost all that came before it.
    """
    indexes = {
        entry_id: index
        for index, entry in enumerate(entries)
        if (entry_id := as_text(entry.fields.get("id")))
    }
    way: set[int] = set()
    at = len(entries) - 1
    while at >= 0 and at not in way:
        way.add(at)
        fields = entries[at].fields
        if "parentId" in fields and fields["parentId"] is None:
            break
        at = indexes.get(as_text(fields.get("parentId")), at - 1)
    return way


def _message(entry: Row) -> Iterator[Item]:
    fields = entry.fields.get("message")
    if not isinstance(fields, dict):
        yield Skip("a row without a message", entry.number)
        return
    ts = entry.fields.get("timestamp", fields.get("timestamp"))
    frame = Frame(entry.number, entry.fields.get("id"), ts)
    role = fields.get("role")
    try:
        message = read_message(fields.get("content"))
    except ValueError as error:
        yield Skip(str(error), entry.number)
        return
    if role == "toolResult":
        text = output_text(fields.get("content"))
        result = ToolResult(as_text(fields.get("toolCallId")), text)
        yield from utter("tool", Message(results=[result]), frame)
    elif role == "user":
        yield from utter(_speaker(fields, message), message, frame)
    elif role in ("assistant", "system"):
        yield from utter("assistant" if role == "assistant" else "system", message, frame)
    else:
        yield Skip(labelled("a message", "role", role), entry.number)


def _speaker(fields: dict[str, object], message: Message) -> Role:
    """Tell who speaks in a user's message, and take from it what the gateway put before it."""
    provenance = fields.get("provenance", fields.get("inputProvenance"))
    origin = provenance.get("kind") if isinstance(provenance, dict) else "external_user"
    if origin != "external_user" or _HEARTBEAT.match(message.text):
        return "system"
    for number, text in enumerate(message.texts):
        own = text
        while leading := _METADATA.match(own):
            own = own[leading.end() :]
        message.texts[number] = own
        if not own.strip() and text.strip():
            message.skipped.append("injected context")
    return "user"
