"""The history: every commit of ours, newest last, with what is needed to undo it."""

from __future__ import annotations

import contextlib
import json
import os
from typing import TYPE_CHECKING

from toolnexus.errors import UsageError
from toolnexus.files import REAL_DISK, Disk, read_regular, write_atomically
from toolnexus.store.record import (
    HEAD_BYTES,
    RECORD_FILE,
    DamagedRecordError,
    Entry,
    Record,
    decode_entry,
    decode_head,
    decode_record,
    images_name,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime
    from pathlib import Path

STAGING_PREFIX = ".staging-"
DAMAGED_PREFIX = ".damaged-"
PENDING_FILE = "pending"
DONE_FILE = "done"
RENAMES_FILE = "renames.json"
PASSES = frozenset({"dream", "compact", "imagine"})
"""The jobs that go over a whole memory by themselves; ``last`` means the newest of these."""
_CITED = b'"quote": "'
KEEP_ENTRIES = 200
KEEP_BYTES = 256 * 1024 * 1024


class History:
    """The records in a state folder.

    Args:
        state: The state folder; records lie in its ``history/``.
        disk: What writes.
    """

    def __init__(self, state: Path, disk: Disk = REAL_DISK) -> None:
        self.folder = state / "history"
        self._renames = state / RENAMES_FILE
        self._disk = disk

    def entries(self, *, cited: bool = False) -> tuple[Entry, ...]:
        """List the commits, newest last; a damaged record is left out.

        Args:
            cited: Only those that rest on words of turns; the others are not even parsed.
        """
        mark = _CITED if cited else b""
        found = [entry for name in self.names() if (entry := self._entry(name, mark)) is not None]
        return tuple(sorted(found, key=lambda entry: entry.sequence))

    def record(self, wanted: str) -> Record:
        """Load one commit with its images.

        Args:
            wanted: An id, an unambiguous beginning of one, or ``last`` for the newest pass.

        Raises:
            UsageError: when there is no such commit, or its images are damaged.
        """
        name = self._name_of(wanted)
        try:
            return self.load(name)
        except (OSError, DamagedRecordError) as error:
            raise UsageError(
                f"what is needed to undo '{name}' is damaged", hint="see 'toolnexus log'"
            ) from error

    def names(self) -> list[str]:
        """List the ids of committed records, finished or not."""
        try:
            names = [path.name for path in self.folder.iterdir()]
        except OSError:
            return []
        return sorted(name for name in names if not name.startswith("."))

    def staged(self) -> list[str]:
        """List the ids of records that never reached their commit point."""
        try:
            names = [path.name for path in self.folder.iterdir()]
        except OSError:
            return []
        return sorted(
            name.removeprefix(STAGING_PREFIX) for name in names if name.startswith(STAGING_PREFIX)
        )

    def unfinished(self) -> list[str]:
        """List the ids of committed records whose files may not all be in place."""
        return [name for name in self.names() if not (self.folder / name / DONE_FILE).exists()]

    def load(self, name: str) -> Record:
        """Load a record by the name of its folder.

        Raises:
            OSError: when it cannot be read.
            DamagedRecordError: when it makes no sense.
        """
        folder = self.folder / name
        data = read_regular(folder / RECORD_FILE)
        return decode_record(data, read_regular(folder / images_name(data)))

    def new_id(self, instant: datetime) -> str:
        """Make an id that no record bears: the time and four random digits."""
        while True:
            name = f"{instant:%Y%m%dT%H%M%SZ}-{os.urandom(2).hex()}"
            if not (self.folder / name).exists():
                return name

    def next_sequence(self) -> int:
        """Tell the next commit's place in the order."""
        return max((sequence for sequence, _, _ in self._heads()), default=0) + 1

    def renames(self) -> dict[str, str]:
        """Tell where notes went that were renamed or merged: old path to newest path."""
        try:
            value = json.loads(read_regular(self._renames))
        except (OSError, ValueError, RecursionError):
            return {}
        if not isinstance(value, dict):
            return {}
        steps = {str(old): str(new) for old, new in value.items()}
        return {old: end for old in steps if (end := _end_of(old, steps)) != old}

    def remember_renames(self, record: Record) -> None:
        """Keep where a commit's removed notes went; this outlives the record.

        Raises:
            DiskError: when it cannot be written; the old ones still stand.
        """
        removed = {write.path for write in record.writes if write.after is None}
        made = {write.path for write in record.writes if write.after is not None}
        steps = {
            change.path: change.to
            for change in record.entry.changes
            if change.kind in {"merged", "renamed", "archived"}
            and change.path in removed
            and change.to
        }
        known = self.renames()
        # A rename that is undone leads back: what is known of the note under that name is its own.
        steps |= {known[old]: old for old in made if known.get(old) in removed}
        wanted = {old: new for old, new in (known | steps).items() if old not in made}
        if wanted != known:
            text = json.dumps(wanted, ensure_ascii=False, indent=1)
            write_atomically(self._renames, text.encode(), disk=self._disk)

    def prune(self, *, keep_entries: int = KEEP_ENTRIES, keep_bytes: int = KEEP_BYTES) -> None:
        """Forget the oldest commits beyond a bound.

        The newest pass stays, so that `revert last` always means something, and so does whatever
        is not finished. What cannot be deleted stays until the next time.
        """
        names = self.names()
        if len(names) <= keep_entries and self._size(names) <= keep_bytes:
            return
        heads = sorted(self._heads(), reverse=True)
        passes = [name for _, job, name in heads if job in PASSES]
        kept = {*passes[:1], *self.unfinished()}
        doomed = set(names) - {name for _, _, name in heads}
        size = 0
        for count, (_, _, name) in enumerate(heads, 1):
            size += self._size([name])
            if count > keep_entries or size > keep_bytes:
                doomed.add(name)
        for name in doomed - kept:
            with contextlib.suppress(OSError):
                remove_tree(self.folder / name, self._disk)

    def _heads(self) -> Iterator[tuple[int, str, str]]:
        """Tell each commit's place in the order, job and name, without reading all of it."""
        for name in self.names():
            with contextlib.suppress(OSError, DamagedRecordError):
                head = read_regular(self.folder / name / RECORD_FILE, HEAD_BYTES)
                yield (*decode_head(head), name)

    def _entry(self, name: str, mark: bytes = b"") -> Entry | None:
        try:
            data = read_regular(self.folder / name / RECORD_FILE)
            return decode_entry(data) if mark in data else None
        except (OSError, DamagedRecordError):
            return None

    def _name_of(self, wanted: str) -> str:
        names = self.names()
        if wanted == "last":
            return self._newest_pass()
        if wanted in names:
            return wanted
        begun = [name for name in names if wanted and name.startswith(wanted)]
        if len(begun) == 1:
            return begun[0]
        near = ", ".join(begun[-3:] or _nearest(wanted, names))
        raise UsageError(
            f"there is no change with the id '{wanted}'",
            hint=f"the nearest are {near}" if near else "nothing was changed yet",
        )

    def _newest_pass(self) -> str:
        entries = self.entries()
        passes = [entry.id for entry in entries if entry.job in PASSES]
        if passes:
            return passes[-1]
        hint = "'toolnexus log' lists what can be undone by its id"
        if entries:
            hint += f"; the newest is {entries[-1].id} ({entries[-1].job})"
        raise UsageError("there is no pass yet, and 'last' means the newest one", hint=hint)

    def _size(self, names: list[str]) -> int:
        total = 0
        for name in names:
            with contextlib.suppress(OSError), os.scandir(self.folder / name) as entries:
                total += sum(entry.stat().st_size for entry in entries)
        return total


def remove_tree(folder: Path, disk: Disk) -> None:
    """Remove a record's folder: its record last, so that a half-removed one still names itself.

    Raises:
        OSError: when something in it cannot be removed.
    """
    try:
        names = [path.name for path in folder.iterdir()]
    except FileNotFoundError:
        return
    for name in sorted(names, key=lambda name: (name == DONE_FILE, name == RECORD_FILE)):
        disk.unlink(folder / name)
    disk.remove_folder(folder)


def _end_of(old: str, steps: dict[str, str]) -> str:
    """Follow renames to the newest path; a circle ends where it began."""
    path, seen = old, {old}
    while path in steps:
        path = steps[path]
        if path in seen:
            return old
        seen.add(path)
    return path


def _nearest(wanted: str, names: list[str]) -> list[str]:
    from rapidfuzz import process

    return [name for name, _, _ in process.extract(wanted, names, limit=3)]
