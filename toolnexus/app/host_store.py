"""Stores of a host's own: conversations that lie elsewhere, mirrored in files to be searched."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from toolnexus.clock import parse_instant
from toolnexus.errors import UsageError
from toolnexus.transcripts.search_index import TranscriptIndex
from toolnexus.transcripts.store import ConversationRecord, FileConversationStore
from toolnexus.transcripts.turn import Conversation, Turn
from toolnexus.transcripts.turn_parse import parse_record

if TYPE_CHECKING:
    from pathlib import Path

    from toolnexus.transcripts.search_index import Refreshed
    from toolnexus.transcripts.store import TurnLike

_HINT = "a store is anything with get(id) and list(), such as FileConversationStore(folder)"
_LONG_AGO = datetime(1, 1, 1, tzinfo=UTC)


def require_store(store: object) -> Any:
    """Return a store, once it is one.

    Raises:
        UsageError: when it lacks `get` or `list`.
    """
    for method in ("get", "list"):
        if not callable(getattr(store, method, None)):
            raise UsageError(f"the store has no {method}()", hint=_HINT)
    return store


@dataclass(frozen=True, slots=True)
class HostStore:
    """A host's store, with turns as ours are.

    What its `get` gives may be turns, mappings with ``role`` and ``content``, or objects that have
    these; a list of them, or something with ``turns`` or ``messages``. What cannot be read as a
    turn is left out.

    Attributes:
        inner: The host's store.
        folder: Where its conversations are kept in step as files.
    """

    inner: Any
    folder: Path

    def get(self, conversation: str) -> Conversation | None:
        """Return a conversation; None when there is none of that id."""
        found = self.inner.get(conversation)
        return None if found is None else _conversation(conversation, found)

    def list(self) -> list[ConversationRecord]:
        """List the conversations, the one that changed last first; ties by id."""
        by_id = sorted(map(_record, self.inner.list()), key=lambda record: record.id)
        return sorted(by_id, key=lambda record: record.updated_at, reverse=True)

    def append(self, conversation: str, turn: TurnLike) -> None:
        """Add a turn to a conversation's end.

        Raises:
            UsageError: when the store can only be read.
        """
        if callable(getattr(self.inner, "append", None)):
            self.inner.append(conversation, turn)
        elif callable(getattr(self.inner, "save", None)):
            found = self.inner.get(conversation)
            self.inner.save(conversation, [*_turns(found), turn] if found is not None else [turn])
        else:
            hint = "give it append(id, turn) or save(id, turns)"
            raise UsageError("the store cannot be written to", hint=hint)


class MirroredIndex(TranscriptIndex):
    """The search over a host's store: its conversations, kept in step as files.

    Args:
        host: The store.
        database_path: The search's database.
    """

    def __init__(self, host: HostStore, database_path: Path) -> None:
        super().__init__(host.folder, database_path)
        self._host = host
        self._kept = FileConversationStore(host.folder)
        self._seen: dict[str, datetime] = {}

    def refresh(self) -> Refreshed:
        """Bring the files in step with the store, and the search with the files."""
        with self._guard:
            records = {record.id: record.updated_at for record in self._host.list()}
            for gone in {record.id for record in self._kept.list()} - records.keys():
                self._kept.delete(gone)
            for conversation, updated_at in records.items():
                if updated_at == _LONG_AGO or self._seen.get(conversation) != updated_at:
                    self._keep(conversation)
            self._seen = records
            return super().refresh()

    def _keep(self, conversation: str) -> None:
        """Write a conversation's file, unless it holds just this already."""
        now, then = self._host.get(conversation), self._kept.get(conversation)
        turns = () if now is None else now.turns
        if then is None or [_said(turn) for turn in turns] != [_said(turn) for turn in then.turns]:
            self._kept.save(conversation, turns)


def _said(turn: Turn) -> tuple[object, ...]:
    ts = None if turn.inherited else turn.ts
    return turn.role, turn.text, ts, turn.id, turn.name, turn.tool_text


def _conversation(conversation: str, found: object) -> Conversation:
    read = (_turn(value) for value in _turns(found))
    return Conversation(conversation, tuple(turn for turn in read if turn is not None))


def _turns(found: object) -> Iterable[object]:
    """Find the turns in what a store gave."""
    for name in ("turns", "messages"):
        inner = found.get(name) if isinstance(found, Mapping) else getattr(found, name, None)
        if isinstance(inner, Iterable) and not isinstance(inner, str | bytes):
            return inner
    is_list = isinstance(found, Iterable) and not isinstance(found, str | bytes | Mapping)
    return found if is_list else ()  # type: ignore[return-value]


def _turn(value: object) -> Turn | None:
    """Read a turn; None for what is none."""
    if isinstance(value, Turn):
        return value
    fields: Mapping[str, object]
    if isinstance(value, Mapping):
        fields = value
    else:
        names = ("role", "content", "text", "ts", "id", "name")
        fields = {name: getattr(value, name) for name in names if hasattr(value, name)}
    if "content" not in fields and "text" in fields:
        fields = {**fields, "content": fields["text"]}
    ts = fields.get("ts")
    if isinstance(ts, datetime):
        fields = {**fields, "ts": ts.isoformat()}
    return parse_record(fields)[0]


def _record(value: object) -> ConversationRecord:
    """Read a record of a store's list: its id, and when it was updated where that is told."""
    if isinstance(value, str):
        return ConversationRecord(value, _LONG_AGO)
    if isinstance(value, tuple | list) and len(value) == 2:
        return ConversationRecord(str(value[0]), _instant(value[1]))
    if isinstance(value, Mapping):
        return ConversationRecord(str(value.get("id", "")), _instant(value.get("updated_at")))
    named = str(getattr(value, "id", ""))
    return ConversationRecord(named, _instant(getattr(value, "updated_at", None)))


def _instant(value: object) -> datetime:
    if isinstance(value, datetime):
        return value if value.tzinfo else value.replace(tzinfo=UTC)
    try:
        if isinstance(value, str):
            return parse_instant(value)
        return _LONG_AGO if value is None else datetime.fromtimestamp(float(value), UTC)  # type: ignore[arg-type]
    except (ValueError, TypeError, OverflowError, OSError):
        return _LONG_AGO
