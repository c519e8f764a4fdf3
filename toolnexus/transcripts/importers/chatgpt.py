"""ChatGPT: an export's ``conversations.json``, an array of conversations, each a tree of messages.

What a person sees is the way from the current node up to the root; the siblings beside it are
drafts that were edited or answers that were made anew. The array is read one conversation at a
time.
"""

from __future__ import annotations

import zipfile
from typing import TYPE_CHECKING, BinaryIO

from toolnexus.transcripts.importers.content import as_text, labelled, output_text, short, tool_call
from toolnexus.transcripts.importers.importer import Item, Session, Skip
from toolnexus.transcripts.importers.json_array import read_elements
from toolnexus.transcripts.importers.source import open_source, parse_object, unreadable, walk
from toolnexus.transcripts.importers.speech import EMPTY, Frame, instant_or_none, say
from toolnexus.transcripts.turn import Role, is_role

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

_THOUGHTS = frozenset({"thoughts", "reasoning_recap"})
_INJECTED = frozenset({"user_editable_context", "model_editable_context"})
_HIDDEN = ("is_visually_hidden_from_conversation", "is_user_system_message")


class ChatGpt:
    """Reads an export: conversations.json, the folder it lies in, or the .zip as it was sent."""

    version = 1

    def files(self, source: Path) -> Iterator[Path | Skip]:
        """Find the files of conversations; large exports have several, numbered."""
        return walk(source, _is_export)

    def sessions(self, path: Path) -> Iterator[Session | Skip]:
        """Tell of an export's conversations, each read and forgotten before the next."""
        if path.suffix.lower() != ".zip":
            with open_source(path) as file:
                yield from _sessions(file)
            return
        try:
            with open_source(path) as packed, zipfile.ZipFile(packed) as archive:
                names = [name for name in archive.namelist() if _is_export(name.split("/")[-1])]
                for name in sorted(names):
                    with archive.open(name) as file:
                        yield from _sessions(file)  # type: ignore[arg-type]  # all that is read of it
        except (
            zipfile.BadZipFile,
            NotImplementedError,
            RuntimeError,
            EOFError,
            ValueError,
        ) as error:
            yield unreadable(OSError(f"not a whole archive ({short(str(error))})"), path)


def _is_export(name: str) -> bool:
    return name.startswith("conversations") and name.endswith(".json")


def _sessions(file: BinaryIO) -> Iterator[Session | Skip]:
    for element in read_elements(file):
        if element.problem:
            yield Skip(element.problem, element.number)
            continue
        try:
            fields = parse_object(element.data)
        except ValueError as error:
            yield Skip(str(error), element.number)
            continue
        yield _session(fields, element.number)


def _session(fields: Mapping[str, object], number: int) -> Session | Skip:
    name = as_text(fields.get("conversation_id")) or as_text(fields.get("id"))
    mapping = fields.get("mapping")
    if not name:
        return Skip("a conversation without an id", number)
    if not isinstance(mapping, dict):
        return Skip("a conversation without messages", number)
    current = fields.get("current_node")
    started = instant_or_none(fields.get("create_time"))
    return Session(name, lambda: _read(mapping, current, number), started)


def _read(mapping: dict[str, object], current: object, number: int) -> Iterator[Item]:
    way = _way(mapping, current)
    on_way = set(way)
    for node_id, node in mapping.items():
        if node_id not in on_way and _message_of(node) is not None:
            yield Skip("on an edited branch", number)
    for node_id in way:
        message = _message_of(mapping[node_id])
        if message is not None:
            yield from _message(message, node_id, number)


def _way(mapping: dict[str, object], current: object) -> list[str]:
    """Return the ids of the nodes from the root to the current one."""
    at = current if isinstance(current, str) and current in mapping else _last(mapping)
    way: dict[str, None] = {}
    while isinstance(at, str) and at in mapping and at not in way:
        way[at] = None
        node = mapping[at]
        at = node.get("parent") if isinstance(node, dict) else None
    return list(reversed(way))


def _last(mapping: dict[str, object]) -> str | None:
    """Return the last node that has no children, where an export names no current one."""
    leaves = [
        node_id
        for node_id, node in mapping.items()
        if isinstance(node, dict) and not node.get("children")
    ]
    return leaves[-1] if leaves else None


def _message_of(node: object) -> dict[str, object] | None:
    message = node.get("message") if isinstance(node, dict) else None
    return message if isinstance(message, dict) else None


def _message(message: dict[str, object], node_id: str, number: int) -> Iterator[Item]:
    author = _dict(message.get("author"))
    content = _dict(message.get("content"))
    metadata = _dict(message.get("metadata"))
    role, kind = author.get("role"), as_text(content.get("content_type"))
    frame = Frame(
        number,
        as_text(message.get("id")) or node_id,
        message.get("create_time"),
        author.get("name"),
    )
    if not is_role(role):
        yield Skip(labelled("a message", "role", role), number)
    elif kind in _THOUGHTS:
        yield Skip("thinking", number)
    elif kind in _INJECTED or any(metadata.get(key) is True for key in _HIDDEN):
        yield Skip("injected context", number)
    else:
        yield from _words(role, content, message.get("recipient"), frame)


def _words(
    role: Role, content: dict[str, object], recipient: object, frame: Frame
) -> Iterator[Item]:
    texts, reasons = _parts(content)
    yield from (Skip(reason, frame.line) for reason in reasons)
    text = "\n".join(part for part in texts if part)
    if isinstance(recipient, str) and recipient not in {"all", ""} and role == "assistant":
        calls = {"tool_calls": [tool_call("", recipient, text)]}
        yield from say(role, "", frame, extra=calls)
    elif text.strip():
        yield from say(role, text, frame)
    elif not reasons and role != "system":  # every conversation begins with an empty system message
        yield Skip(EMPTY, frame.line)


def _parts(content: dict[str, object]) -> tuple[list[str], list[str]]:
    """Return the words of a content, and reasons for the parts that have none."""
    parts = content.get("parts")
    if not isinstance(parts, list):
        return [output_text(content.get("text", content.get("result")))], []
    texts: list[str] = []
    reasons: list[str] = []
    for part in parts:
        spoken = part.get("text") if isinstance(part, dict) else part
        if isinstance(spoken, str):
            texts.append(spoken)
        elif isinstance(part, dict):
            kind = short(part.get("content_type"))
            reasons.append("an image or a file" if "asset_pointer" in kind else f"a part '{kind}'")
        else:
            reasons.append("a part that is no text")
    return texts, reasons


def _dict(value: object) -> dict[str, object]:
    return value if isinstance(value, dict) else {}
