"""What was read before: each file's stat, digest and document, in one SQLite file that may vanish.

Nothing here is ever needed: a cache that is damaged, locked or not writable is a cache that knows
nothing. A damaged one is deleted and fills up again.
"""

from __future__ import annotations

import contextlib
import sqlite3
import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

from toolnexus.files import is_odd
from toolnexus.store.scan import Stat
from toolnexus.text.cache import PARSER_VERSION

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

Result = TypeVar("Result")

CACHE_FILE = "cache.sqlite"
RACY_NS = 2_000_000_000
_SCHEMA_VERSION = 1
_NO_STAT = (None, None, None, None)
_BUSY_SECONDS = 2.0
_SCHEMA = """
CREATE TABLE files (
  path TEXT PRIMARY KEY, size INTEGER, mtime_ns INTEGER, ctime_ns INTEGER, ino INTEGER,
  digest TEXT NOT NULL, bad_offset INTEGER NOT NULL, parser INTEGER NOT NULL, body TEXT
)
"""


@dataclass(frozen=True, slots=True)
class CachedFile:
    """What is known of one file.

    Attributes:
        stat: What the disk said when it was read; None when it was so fresh that a later write
            could bear the same stamp, so that it has to be read again.
        digest: Of its bytes.
        bad_offset: Where it stops being UTF-8, in bytes; -1 when it is sound.
        body: Its document, encoded; None when it has to be parsed again.
    """

    stat: Stat | None
    digest: str
    bad_offset: int
    body: str | None

    @property
    def is_sound(self) -> bool:
        """Whether it is text that can be read."""
        return self.bad_offset < 0

    def settled(self, scanned_ns: int) -> CachedFile:
        """Return it without its stat where a later write could bear the same stamp.

        Args:
            scanned_ns: The file system's time before the scan that saw it.
        """
        stat = self.stat
        if stat is None or max(stat.mtime_ns, stat.ctime_ns) <= scanned_ns - RACY_NS:
            return self
        return replace(self, stat=None)


class ParseCache:
    """The cache in a state folder.

    Args:
        path: Its file; the folder must exist for anything to be kept.
        disk_time_ns: Tells the present in the file system's own time, in nanoseconds. By default
            the cache's file is touched and asked, because a disk may have a clock of its own.
    """

    def __init__(self, path: Path, *, disk_time_ns: Callable[[], int] | None = None) -> None:
        self._path = path
        self._disk_time_ns = disk_time_ns or self._touch

    def now_ns(self) -> int:
        """Tell the present as the file system does: take it before a scan."""
        return self._disk_time_ns()

    def load(self) -> dict[str, CachedFile]:
        """Return all that is known, by path; nothing when the cache cannot be used."""
        return (self._use(_load) if self._path.exists() else None) or {}

    def save(self, files: Mapping[str, CachedFile], *, gone: frozenset[str]) -> None:
        """Keep what was read anew, and forget the rest.

        Args:
            files: What is new, by path, settled.
            gone: Paths that are no more.
        """
        if not files and not gone:
            return
        rows = [
            (
                path,
                *(file.stat or _NO_STAT),
                file.digest,
                file.bad_offset,
                PARSER_VERSION,
                file.body,
            )
            for path, file in files.items()
        ]

        def write(base: sqlite3.Connection) -> None:
            base.execute("BEGIN IMMEDIATE")
            base.executemany("DELETE FROM files WHERE path = ?", [(path,) for path in gone])
            base.executemany("INSERT OR REPLACE INTO files VALUES (?,?,?,?,?,?,?,?,?)", rows)
            base.execute("COMMIT")

        self._use(write)

    def forget(self) -> None:
        """Delete the cache."""
        for suffix in ("", "-journal", "-wal", "-shm"):
            with contextlib.suppress(OSError):
                self._path.with_name(self._path.name + suffix).unlink(missing_ok=True)

    def _use(self, work: Callable[[sqlite3.Connection], Result]) -> Result | None:
        """Do one piece of work; whatever is wrong with the file ends it quietly, with None."""
        if is_odd(self._path):
            self.forget()
            if is_odd(self._path):
                return None
        try:
            with contextlib.closing(self._open()) as base:
                return work(base)
        except sqlite3.OperationalError as error:
            # Locked or not writable is no damage: another process may be using it this moment.
            if "no such" in str(error) or "malformed" in str(error):
                self.forget()
        except (sqlite3.DatabaseError, ValueError, TypeError):
            self.forget()
        return None

    def _open(self) -> sqlite3.Connection:
        base = sqlite3.connect(self._path, timeout=_BUSY_SECONDS, isolation_level=None)
        try:
            base.execute("PRAGMA synchronous = OFF")  # a cache torn by a power loss is rebuilt
            (version,) = base.execute("PRAGMA user_version").fetchone()
            if version != _SCHEMA_VERSION:
                self._create(base)
        except BaseException:
            base.close()
            raise
        return base

    @staticmethod
    def _create(base: sqlite3.Connection) -> None:
        """Make the tables; two processes that meet here make them once."""
        base.execute("BEGIN IMMEDIATE")
        (version,) = base.execute("PRAGMA user_version").fetchone()
        if version != _SCHEMA_VERSION:
            base.execute("DROP TABLE IF EXISTS files")
            base.execute(_SCHEMA)
            base.execute(f"PRAGMA user_version = {_SCHEMA_VERSION}")
        base.execute("COMMIT")

    def _touch(self) -> int:
        try:
            self._path.touch()
            return self._path.stat().st_mtime_ns
        except OSError:
            return time.time_ns()


def _load(base: sqlite3.Connection) -> dict[str, CachedFile]:
    rows = base.execute(
        "SELECT path, size, mtime_ns, ctime_ns, ino, digest, bad_offset,"
        " iif(parser = ?, body, NULL) FROM files",
        (PARSER_VERSION,),
    )
    known = {}
    for path, size, mtime_ns, ctime_ns, ino, digest, bad_offset, body in rows:
        stat = None if size is None else Stat(size, mtime_ns, ctime_ns, ino)
        known[path] = CachedFile(stat, digest, bad_offset, body)
    return known
