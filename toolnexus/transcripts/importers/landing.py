"""The home's side of an import: what is there already, and new turns to a conversation's end.

A conversation gets all its new turns in one write under its own lock, or, when it is new itself, as
a whole file put in place at once. Two imports that run at the same time see each other's turns.
"""

from __future__ import annotations

import errno
import os
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from toolnexus.errors import DiskError, UsageError
from toolnexus.files import REAL_DISK, Disk, disk_errors, sweep_orphans, write_atomically
from toolnexus.transcripts.append import (
    LOCK_TIMEOUT_SECONDS,
    open_locked,
)
from toolnexus.transcripts.importers.identity import TurnKeys, content_key, without_date
from toolnexus.transcripts.importers.importer import Said, Skip
from toolnexus.transcripts.lines import LINE_CAP_BYTES
from toolnexus.transcripts.names import conversation_id, file_name
from toolnexus.transcripts.reader import (
    confine_for_writing,
    list_names,
    open_transcript,
    read_turns,
    require_inside,
)
from toolnexus.transcripts.turn_render import render_turn

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


@dataclass(slots=True)
class Present:
    """What a conversation holds: the keys of its turns, and of their contents."""

    keys: set[str] = field(default_factory=set)
    contents: set[str] = field(default_factory=set)
    exists: bool = False


@dataclass(frozen=True, slots=True)
class Landed:
    """What came of adding turns to a conversation.

    Attributes:
        fresh: The turns that are new to it.
        known: How many were there already.
        created: Whether the conversation is new.
        skipped: Turns that no transcript can hold.
    """

    fresh: tuple[Said, ...] = ()
    known: int = 0
    created: bool = False
    skipped: tuple[Skip, ...] = ()


class Landing:
    """A home's transcripts, as an import sees them.

    Args:
        folder: Where they lie; it is made when the first is written.
        root: A symbolic link among them may lead anywhere below this folder.
        dry_run: Write nothing.
        disk: What writes.

    Raises:
        DiskError: when the folder cannot be read.
    """

    def __init__(
        self,
        folder: Path,
        *,
        root: Path,
        dry_run: bool = False,
        disk: Disk = REAL_DISK,
    ) -> None:
        self._folder = folder
        self._root = root.resolve()
        self._dry_run = dry_run
        self._disk = disk
        self._pretended: dict[str, Present] = {}  # what a dry run would have written
        self._has_added = False
        require_inside(folder, self._root)
        if not dry_run:
            with disk_errors(folder):
                sweep_orphans(folder, disk)
        try:
            names = list_names(folder)
        except OSError as error:
            reason = error.strerror or str(error)
            raise DiskError(f"cannot be read: {reason}", path=str(folder)) from error
        self._files = {conversation_id(name): name for name in names}
        self._dated = {without_date(conversation): conversation for conversation in self._files}

    def find(self, undated: str) -> str | None:
        """Return the conversation of this name, whichever day it begins with."""
        return self._dated.get(undated)

    def size(self, conversation: str) -> int:
        """Return the size of a conversation's file in bytes; -1 when there is none."""
        try:
            return self._path(conversation).stat().st_size
        except OSError:
            return -1

    def present(self, conversation: str) -> Present:
        """Return what a conversation holds, as it is now.

        Raises:
            HomeError: when its file is a symbolic link that leads out of the home.
            DiskError: when it cannot be read.
        """
        known = Present()
        path = self._confined(conversation)
        with (
            disk_errors(path),
            suppress(FileNotFoundError),
            open_transcript(path, self._root) as file,
        ):
            known.exists = True
            keys = TurnKeys()
            for _, turn, _ in read_turns(file, conversation):
                if turn is not None:
                    known.keys.add(keys.key(turn))
                    known.contents.add(content_key(turn))
        if pretended := self._pretended.get(conversation):
            known.keys |= pretended.keys
            known.contents |= pretended.contents
            known.exists = True
        return known

    def add(self, conversation: str, told: Sequence[Said]) -> Landed:
        """Add to a conversation those of its turns that it lacks, all or none of them.

        Raises:
            HomeError: when its file is a symbolic link that leads out of the home.
            LockedError: when another process keeps writing to it.
            DiskError: when the disk is full or failing; the file is as it was.
        """
        keys = TurnKeys()
        keyed = [(keys.key(said.turn), said) for said in told]
        present = self.present(conversation)
        if self._dry_run or all(key in present.keys for key, _ in keyed):
            landed, _ = _sort(keyed, present)
            if self._dry_run:
                self._pretend(conversation, keyed)
            return landed
        path = self._confined(conversation)
        with disk_errors(path):
            self._disk.make_folder(path.parent)
            with open_locked(path, create=True, timeout_seconds=LOCK_TIMEOUT_SECONDS) as descriptor:
                landed, data = _sort(keyed, self.present(conversation))
                self._write(path, descriptor, data)
                self._has_added = True
        self._remember(conversation, path)
        return landed

    def settle(self) -> None:
        """Make what was added outlast a power loss, before anybody notes that it is there.

        Raises:
            DiskError: when the disk is failing.
        """
        if self._has_added:
            with disk_errors(self._folder):
                self._disk.sync_folder(self._folder)

    def _write(self, path: Path, descriptor: int, data: bytes) -> None:
        """Write to an open file that is locked: at its end, or, where it is empty, in its place."""
        size = os.fstat(descriptor).st_size
        try:
            if size == 0 and data:
                write_atomically(path, data, disk=self._disk, durable=False)
            elif data:
                torn = os.pread(descriptor, 1, size - 1) != b"\n"
                self._append(descriptor, b"\n" + data if torn else data)
        finally:
            with suppress(FileNotFoundError):
                if path.stat().st_size == 0:  # made by the lock alone
                    self._disk.unlink(path)

    def _append(self, descriptor: int, data: bytes) -> None:
        size = os.fstat(descriptor).st_size
        try:
            _require_all(self._disk.append(descriptor, data), len(data))
            self._disk.sync(descriptor)
        except BaseException:
            os.ftruncate(descriptor, size)
            raise

    def _pretend(self, conversation: str, keyed: list[tuple[str, Said]]) -> None:
        pretended = self._pretended.setdefault(conversation, Present())
        pretended.keys.update(key for key, _ in keyed)
        pretended.contents.update(content_key(said.turn) for _, said in keyed)
        self._dated.setdefault(without_date(conversation), conversation)

    def _remember(self, conversation: str, path: Path) -> None:
        self._files.setdefault(conversation, path.name)
        self._dated.setdefault(without_date(conversation), conversation)

    def _path(self, conversation: str) -> Path:
        return self._folder / (self._files.get(conversation) or file_name(conversation))

    def _confined(self, conversation: str) -> Path:
        return confine_for_writing(self._path(conversation), self._root)


def _require_all(written: int, wanted: int) -> None:
    if written < wanted:
        raise OSError(errno.ENOSPC, f"only {written:,} of {wanted:,} bytes were written")


def _sort(keyed: list[tuple[str, Said]], present: Present) -> tuple[Landed, bytes]:
    """Tell which turns are new, and write those as lines."""
    fresh: list[Said] = []
    skipped: list[Skip] = []
    lines: list[bytes] = []
    for key, said in keyed:
        if key in present.keys:
            continue
        line = _line(said)
        if isinstance(line, Skip):
            skipped.append(line)
        else:
            fresh.append(said)
            lines.append(line)
    known = len(keyed) - len(fresh) - len(skipped)
    created = bool(fresh) and not present.keys
    return Landed(tuple(fresh), known, created, tuple(skipped)), b"".join(lines)


def _line(said: Said) -> bytes | Skip:
    try:
        line = render_turn(said.turn)
    except UsageError:
        return Skip("a turn that JSON cannot hold", said.line)
    if len(line) > LINE_CAP_BYTES:
        return Skip("a turn too long for one line", said.line)
    return line
