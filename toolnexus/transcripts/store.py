"""Conversations as JSONL files in one folder."""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from toolnexus.errors import DiskError
from toolnexus.files import REAL_DISK, Disk, disk_errors, write_atomically
from toolnexus.transcripts.append import (
    LOCK_TIMEOUT_SECONDS,
    append_line,
    hold_if_there,
)
from toolnexus.transcripts.lines import read_lines
from toolnexus.transcripts.names import file_names, is_cut
from toolnexus.transcripts.reader import (
    confine_for_writing,
    list_names,
    open_transcript,
    read_conversation,
    read_id,
    read_turns,
    require_inside,
)
from toolnexus.transcripts.timestamp import from_microseconds
from toolnexus.transcripts.turn import Conversation, Turn
from toolnexus.transcripts.turn_render import render_turn

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from contextlib import AbstractContextManager
    from datetime import datetime

# A turn as callers may hand it in: ours, or the JSON object of one.
TurnLike = Turn | Mapping[str, object]


@dataclass(frozen=True, slots=True)
class ConversationRecord:
    """A conversation in a listing; `updated_at` is when its file last changed, in UTC."""

    id: str
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class TurnAddress:
    """Where an appended turn stands.

    Attributes:
        conversation: The conversation's id.
        offset: Where its line begins in the file, in bytes. `FileConversationStore.number_at`
            gives the line's number, which takes a look at all the lines before.
        id: The turn's own id; empty when it has none.
    """

    conversation: str
    offset: int
    id: str = ""


class FileConversationStore:
    """Conversations as JSONL files in one folder, one turn a line.

    Nothing is made before the first turn is written. Several processes may append to, replace and
    delete the same conversation at the same time: each sees the others' whole lines.

    Args:
        folder: Where the files are.
        root: A symbolic link among the files may lead anywhere below this folder; default:
            `folder` itself.
        disk: What writes.
        durable: Whether an appended turn is on the disk, power loss or not, when `append` returns.
        lock_timeout_seconds: How long to wait for another process to finish writing.

    Example:
        >>> store = FileConversationStore("ava/transcripts")
        >>> store.append("2026-11-20-move", {"role": "user", "content": "We moved to Berlin."})
        TurnAddress(conversation='2026-11-20-move', offset=0, id='')
        >>> [turn.text for turn in store.get("2026-11-20-move").turns]
        ['We moved to Berlin.']
    """

    def __init__(
        self,
        folder: str | Path,
        *,
        root: str | Path | None = None,
        disk: Disk = REAL_DISK,
        durable: bool = False,
        lock_timeout_seconds: float = LOCK_TIMEOUT_SECONDS,
    ) -> None:
        self.folder = Path(folder)
        self._root = Path(folder if root is None else root).resolve()
        self._disk = disk
        self._durable = durable
        self._lock_timeout_seconds = lock_timeout_seconds

    def get(self, conversation: str) -> Conversation | None:
        """Read a conversation; None when there is none of that id.

        Raises:
            UsageError: when the id is empty or holds half of a surrogate pair.
        """
        try:
            return read_conversation(self._path(conversation), conversation, self._root)
        except FileNotFoundError:
            return None

    def list(self) -> list[ConversationRecord]:
        """List the conversations, the one that changed last first; ties by id.

        Raises:
            DiskError: when the folder cannot be read.
            HomeError: when it is a symbolic link that leads out of the home.
        """
        records: dict[str, ConversationRecord] = {}
        for path, mtime_ns in self._files():
            found = read_id(path, self._root)
            # Of two files for one id the one that `get` reads stands for it.
            if found not in records or path.name == self._path(found).name:
                updated_at = from_microseconds(mtime_ns // 1000)
                records[found] = ConversationRecord(found, updated_at)
        by_id = sorted(records.values(), key=lambda record: record.id)
        return sorted(by_id, key=lambda record: record.updated_at, reverse=True)

    def append(self, conversation: str, turn: TurnLike) -> TurnAddress:
        """Add a turn to a conversation's end; costs the same whatever the conversation's length.

        Raises:
            UsageError: when the turn or the id cannot be written; nothing was.
            HomeError: when the file is a symbolic link that leads out of the folder.
            LockedError: when another process keeps writing to it.
            DiskError: when the disk is full or failing; the file is as it was.
        """
        line = render_turn(turn)
        path = self._write_path(conversation)
        marks = _marks(path, conversation)
        offset = append_line(
            path,
            line,
            first_line=render_turn(turn, marks=marks) if marks else line,
            disk=self._disk,
            durable=self._durable,
            timeout_seconds=self._lock_timeout_seconds,
        )
        return TurnAddress(conversation, offset, _id_of(turn))

    def save(self, conversation: str, turns: Iterable[TurnLike]) -> None:
        """Replace a conversation as a whole, or make it.

        Raises:
            UsageError: when a turn or the id cannot be written; nothing was.
            HomeError: when the file is a symbolic link that leads out of the folder.
            LockedError: when another process keeps writing to it.
            DiskError: when the disk is full or failing; the old file still stands.
        """
        path = self._write_path(conversation)
        marks = _marks(path, conversation)
        lines = [
            render_turn(turn, marks=marks if number == 0 else None)
            for number, turn in enumerate(turns)
        ]
        with disk_errors(path), self._held(path):
            write_atomically(path, b"".join(lines), disk=self._disk)

    def delete(self, conversation: str) -> bool:
        """Delete a conversation; tell whether there was one.

        Raises:
            HomeError: when the folder is a symbolic link that leads out of the home.
            LockedError: when another process keeps writing to it.
            DiskError: when it cannot be deleted.
        """
        require_inside(self.folder, self._root)
        path = self._path(conversation)
        with disk_errors(path):
            if path.is_symlink():  # the link goes; what it leads to is not ours to delete
                self._disk.unlink(path)
                return True
            with self._held(path) as there:
                if there:
                    self._disk.unlink(path)
                return there

    def find_turn(self, conversation: str, ref: int | str) -> Turn | None:
        """Find a turn by its line's number or its own id; of several with one id, the first.

        Args:
            conversation: The conversation's id.
            ref: A line's number, counted from 1, or a turn's id.

        Example:
            >>> store.find_turn("2026-11-20-move", 1).text
            'We moved to Berlin.'
        """
        try:
            with open_transcript(self._path(conversation), self._root) as file:
                for _, turn, _ in read_turns(file, conversation):
                    if turn is not None and ref in (turn.number, turn.id or None):
                        return turn
        except OSError:
            return None
        return None

    def number_at(self, address: TurnAddress) -> int | None:
        """Return the number of the line at an address; None when no line begins there."""
        try:
            with open_transcript(self._path(address.conversation), self._root) as file:
                for line in read_lines(file):
                    if line.offset >= address.offset:
                        return line.number if line.offset == address.offset else None
        except OSError:
            return None
        return None

    def _files(self) -> Iterator[tuple[Path, int]]:
        require_inside(self.folder, self._root)
        try:
            entries = list_names(self.folder)
        except OSError as error:
            reason = error.strerror or str(error)
            raise DiskError(f"cannot be read: {reason}", path=str(self.folder)) from error
        for name in entries:
            path = self.folder / name
            with contextlib.suppress(OSError):  # deleted meanwhile, or a link to nowhere
                status = path.stat()
                if stat.S_ISREG(status.st_mode):
                    yield path, status.st_mtime_ns

    def _path(self, conversation: str) -> Path:
        """Return where a conversation is, or would be."""
        names = file_names(conversation)
        for name in names:
            path = self.folder / name
            if os.path.lexists(path) and (name == names[0] or name in list_names(self.folder)):
                return path
        return self.folder / names[0]

    def _write_path(self, conversation: str) -> Path:
        return confine_for_writing(self._path(conversation), self._root)

    def _held(self, path: Path) -> AbstractContextManager[bool]:
        return hold_if_there(path, timeout_seconds=self._lock_timeout_seconds)


def _marks(path: Path, conversation: str) -> dict[str, object]:
    return {"conversation": conversation} if is_cut(path.name) else {}


def _id_of(turn: TurnLike) -> str:
    value = turn.id if isinstance(turn, Turn) else turn.get("id")
    return str(value) if isinstance(value, str | int) else ""
