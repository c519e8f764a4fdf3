"""The journal: many files replaced as if they were one.

    stage     the record with all images, and each new file beside its target, all fsynced
    commit    the record's folder is renamed into place: from here on the whole is done,
              by us or by whoever opens the home next
    replace   each file by a rename
    finish    staged files removed, folders fsynced, `pending` renamed to `done`

What fails before the commit point leaves the home as it was. What fails behind it is put back
from hard links that were made while staging, which needs no space. What is killed behind it is
rolled forward by `recover`.
"""

from __future__ import annotations

import contextlib
import errno
import os
from pathlib import Path
from typing import TYPE_CHECKING

from toolnexus.change.plan import digest_of
from toolnexus.errors import DiskError
from toolnexus.files import REAL_DISK, TEMP_PREFIX, Disk, disk_errors, read_regular
from toolnexus.store.confine import confine, open_folder
from toolnexus.store.history import DONE_FILE, PENDING_FILE, STAGING_PREFIX, History, remove_tree
from toolnexus.store.record import RECORD_FILE, Record, encode_record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolnexus.change.plan import FileWrite

_NO_LINKS = frozenset({errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EMLINK, errno.ENOSYS})


class TargetChangedError(Exception):
    """A file was saved by someone else in the last moment; the home is as they left it."""


class Journal:
    """Writes records and the files that they speak of. Its caller holds the write lock.

    Args:
        root: The home.
        history: Where records are kept.
        disk: What writes.
    """

    def __init__(self, root: Path, history: History, disk: Disk = REAL_DISK) -> None:
        self.root = Path(os.path.realpath(root))
        self.history = history
        self.disk = disk

    def commit(self, record: Record) -> None:
        """Write all of a record's files, or none.

        Raises:
            DiskError: when the disk is full or failing; the home is as it was.
            TargetChangedError: when a file is no longer what the record's images say.
            UsageError: when a path leads out of the home.
        """
        spots = self.spots(record)
        try:
            with disk_errors(self.root):
                self._stage(record, spots)
                self.disk.replace(self._staging(record), self._final(record))
                self.disk.sync_folder(self.history.folder)
                self._replace_all(spots)
        except (Exception, KeyboardInterrupt, SystemExit):
            self._undo(record, spots)
            raise
        # Every file is in place: what fails from here on is made good by the next open.
        with contextlib.suppress(OSError, DiskError):
            self.finish(record)

    def spots(self, record: Record) -> list[Spot]:
        """Find where each file of a record really lies.

        Raises:
            UsageError: when a path leads out of the home.
        """
        return [
            Spot(self.root, write, f"{TEMP_PREFIX}{record.id}-{number}")
            for number, write in enumerate(record.writes)
        ]

    def finish(self, record: Record) -> None:
        """Mark a record as done, all of whose files are in place.

        It is pending until the folders are synced, staged files gone from them: a power loss brings
        back none of these without the record that names them.

        Raises:
            OSError: when the disk fails.
            DiskError: likewise.
        """
        self.remove_temps(record)
        self._sync(record)
        self.history.remember_renames(record)
        folder = self._final(record)
        self.disk.replace(folder / PENDING_FILE, folder / DONE_FILE)
        self.disk.sync_folder(folder)

    def abandon(self, record_id: str, record: Record | None) -> None:
        """Remove what a record staged that never reached its commit point.

        Raises:
            OSError: when the disk fails.
        """
        if record is not None:
            self.remove_temps(record)
            self.remove_empty(record.folders)
        remove_tree(self.history.folder / f"{STAGING_PREFIX}{record_id}", self.disk)

    def remove_empty(self, folders: Sequence[str]) -> None:
        """Remove folders that a commit made, where nothing stands in them now."""
        for folder in reversed(folders):
            with contextlib.suppress(OSError):  # someone put a file there: it stays
                self.disk.remove_folder(self.root / folder)

    def remove_temps(self, record: Record) -> None:
        """Remove the temporary files that a record names."""
        for spot in self.spots(record):
            with contextlib.suppress(FileNotFoundError), spot.opened() as folder:
                self.disk.unlink(spot.temp, folder=folder)
                self.disk.unlink(spot.backup, folder=folder)

    def roll_forward(self, record: Record) -> None:
        """Put every file of a committed record in place that is not there yet.

        Raises:
            OSError: when the disk fails; it can be tried again.
        """
        for spot in self.spots(record):
            if spot.read() != spot.write.after:
                self._put_again(spot)

    def missing_folders(self, writes: Sequence[FileWrite]) -> tuple[str, ...]:
        """List the folders that some files need and that are not there, outermost first."""
        missing = set()
        for write in writes:
            folder = confine(self.root, write.path).parent
            while write.after is not None and not folder.exists():
                missing.add(folder.relative_to(self.root).as_posix())
                folder = folder.parent
        return tuple(sorted(missing))

    def write_record(self, folder: Path, record: Record) -> None:
        """Write a record into its folder, images first; an older one is replaced at once.

        Raises:
            OSError: when the disk fails; the older record still stands.
        """
        text, images = encode_record(record)
        self.disk.unlink(folder / record.images)
        self.disk.write_new(folder / record.images, images)
        fresh = folder / f"{TEMP_PREFIX}{RECORD_FILE}"
        self.disk.unlink(fresh)
        self.disk.write_new(fresh, text)
        self.disk.replace(fresh, folder / RECORD_FILE)
        self.disk.sync_folder(folder)

    def _staging(self, record: Record) -> Path:
        return self.history.folder / f"{STAGING_PREFIX}{record.id}"

    def _final(self, record: Record) -> Path:
        return self.history.folder / record.id

    def _stage(self, record: Record, spots: Sequence[Spot]) -> None:
        staging = self._staging(record)
        self.disk.make_folder(staging)
        self.disk.write_new(staging / PENDING_FILE, b"")
        self.write_record(staging, record)
        self.disk.sync_folder(self.history.folder)
        for folder in record.folders:
            self.disk.make_folder(self.root / folder)
        for spot in spots:
            self._stage_one(spot)

    def _stage_one(self, spot: Spot) -> None:
        with spot.opened() as folder:
            like = _stat_or_none(spot.name, folder)
            if spot.write.before is not None:
                self._back_up(spot, folder, like)
            if spot.write.after is not None:
                self.disk.write_new(spot.temp, spot.write.after, like=like, folder=folder)
        if spot.read() != spot.write.before:
            raise TargetChangedError(spot.write.path)
        spot.seen = like

    def _back_up(self, spot: Spot, folder: int, like: os.stat_result | None) -> None:
        try:
            self.disk.link(spot.name, spot.backup, folder=folder)
        except FileNotFoundError:
            raise TargetChangedError(spot.write.path) from None
        except OSError as error:
            if error.errno not in _NO_LINKS:
                raise
            self.disk.write_new(spot.backup, spot.write.before or b"", like=like, folder=folder)

    def _replace_all(self, spots: Sequence[Spot]) -> None:
        for spot in spots:
            with spot.opened() as folder:
                if not _same_file(_stat_or_none(spot.name, folder), spot.seen):
                    raise TargetChangedError(spot.write.path)
                spot.replaced = True
                if spot.write.after is None:
                    self.disk.unlink(spot.name, folder=folder)
                else:
                    self.disk.replace(spot.temp, spot.name, folder=folder)

    def _sync(self, record: Record) -> None:
        """Fsync every folder in which a record changed a name."""
        made = {(self.root / folder).parent for folder in record.folders}
        for folder in sorted({spot.path.parent for spot in self.spots(record)} | made):
            with contextlib.suppress(FileNotFoundError):
                self.disk.sync_folder(folder)

    def _undo(self, record: Record, spots: Sequence[Spot]) -> None:
        """Put back what was replaced, then take the record back below its commit point."""
        try:
            for spot in reversed(spots):
                if spot.replaced:
                    self._put_back(spot)
            if self._final(record).exists():
                self.disk.replace(self._final(record), self._staging(record))
            self.abandon(record.id, record)
        except OSError as error:
            raise DiskError(
                f"the disk failed twice over: {error.strerror or error}",
                path=str(self.root),
                hint="the next command finishes or removes what was begun",
            ) from error

    def _put_back(self, spot: Spot) -> None:
        with spot.opened() as folder:
            if spot.write.before is None:
                self.disk.unlink(spot.name, folder=folder)
            elif _stat_or_none(spot.backup, folder) is not None:
                self.disk.replace(spot.backup, spot.name, folder=folder)

    def _put_again(self, spot: Spot) -> None:
        self.disk.make_folder(spot.path.parent)
        with spot.opened() as folder:
            if spot.write.after is None:
                self.disk.unlink(spot.name, folder=folder)
                return
            self.disk.unlink(spot.temp, folder=folder)
            like = _stat_or_none(spot.name, folder)
            self.disk.write_new(spot.temp, spot.write.after, like=like, folder=folder)
            self.disk.replace(spot.temp, spot.name, folder=folder)


class Spot:
    """Where one file of a record really lies, links inside the home followed.

    Args:
        root: The home, resolved.
        write: The file.
        temp: The name its new content is staged under, beside it.

    Raises:
        UsageError: when its path leads out of the home.
    """

    def __init__(self, root: Path, write: FileWrite, temp: str) -> None:
        self.write = write
        self.path = confine(root, write.path)
        self.name = self.path.name
        self.temp = temp
        self.backup = f"{temp}.before"
        self.seen: os.stat_result | None = None
        self.replaced = False
        self._root = root

    def opened(self) -> contextlib.AbstractContextManager[int]:
        """Open its folder, refusing a link that was slipped in; see `open_folder`."""
        return open_folder(self._root, self.path.parent)

    def read(self) -> bytes | None:
        """Return what stands there now; None when nothing does."""
        return read_now(self.path)


def read_now(path: Path) -> bytes | None:
    """Return a regular file's bytes; None when there is no such file.

    Raises:
        OSError: when it is there and cannot be read.
    """
    try:
        return read_regular(path)
    except (FileNotFoundError, NotADirectoryError):
        return None


def digest_now(path: Path) -> str:
    """Return the digest of what stands at a path now; empty when nothing does.

    Raises:
        OSError: when it is there and cannot be read.
    """
    data = read_now(path)
    return "" if data is None else digest_of(data)


def _stat_or_none(name: str, folder: int) -> os.stat_result | None:
    try:
        return os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return None


def _same_file(now: os.stat_result | None, then: os.stat_result | None) -> bool:
    """Whether a file is still the one that was seen, unwritten."""
    if now is None or then is None:
        return now is then
    return (now.st_ino, now.st_size, now.st_mtime_ns) == (
        then.st_ino,
        then.st_size,
        then.st_mtime_ns,
    )
