"""How far each file is read, and whether what was read still stands: the table ``files``."""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING, BinaryIO

from toolnexus.transcripts.lines import checksum_of
from toolnexus.transcripts.scan import Difference, Known, Stamp

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterator, Mapping

_TAIL_BYTES = 64 * 1024
NEVER = Stamp(-1, 0, 0)
_STAMPS = "SELECT name, size, mtime_ns, inode FROM files"
_FEW = 100


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a file is read: its row in ``files``.

    Attributes:
        key: The file's key.
        stamp: Its stamp when it was last read to its end.
        offset: Where the first line stands that is not whole yet, in bytes.
        lines: How many whole lines there are before.
        checksum: CRC-32 of everything before.
        tail: Digest of the last bytes before.
        last_ts: What a turn without an instant takes, in microseconds.
    """

    key: int
    stamp: Stamp
    offset: int = 0
    lines: int = 0
    checksum: int = 0
    tail: bytes = b""
    last_ts: int | None = None


def is_continued(progress: Progress, stamp: Stamp, file: BinaryIO) -> bool:
    """Tell whether what was read of a file still stands at its beginning.

    A file that grew in place is believed when its last bytes are the same, which costs nothing
    however long it is. One that was replaced or touched is summed up from its start.
    """
    if stamp.size < progress.offset:
        return False
    grew = stamp.inode == progress.stamp.inode and stamp.size > progress.stamp.size
    if grew or progress.offset <= _TAIL_BYTES:
        return tail_digest(file, progress.offset) == progress.tail or progress.offset == 0
    return checksum_of(file, progress.offset) == progress.checksum


def tail_digest(file: BinaryIO, offset: int) -> bytes:
    """Return a digest of the last bytes before an offset."""
    start = max(0, offset - _TAIL_BYTES)
    window = os.pread(file.fileno(), offset - start, start)
    return blake2b(window, digest_size=16).digest()


def load_progress(connection: sqlite3.Connection, name: str) -> tuple[Progress, str] | None:
    """Return how far a file is read, and its conversation; None for a file not met before."""
    row = connection.execute(
        "SELECT conversation, key, size, mtime_ns, inode, offset, lines, checksum, tail, last_ts"
        " FROM files WHERE name = ?",
        (name,),
    ).fetchone()
    if row is None:
        return None
    conversation, key, size, mtime_ns, inode, *rest = row
    return Progress(key, Stamp(size, mtime_ns, inode), *rest), conversation


def new_progress(connection: sqlite3.Connection, name: str, conversation: str) -> Progress:
    """Make a row for a file not met before."""
    cursor = connection.execute(
        "INSERT INTO files VALUES (NULL, ?, ?, -1, 0, 0, 0, 0, 0, x'', NULL)",
        (name, conversation),
    )
    return Progress(cursor.lastrowid or 0, NEVER)


def store_progress(connection: sqlite3.Connection, progress: Progress) -> None:
    """Write how far a file is read."""
    stamp = progress.stamp
    connection.execute(
        "UPDATE files SET size = ?, mtime_ns = ?, inode = ?, offset = ?, lines = ?,"
        " checksum = ?, tail = ?, last_ts = ? WHERE key = ?",
        (
            stamp.size,
            stamp.mtime_ns,
            stamp.inode,
            progress.offset,
            progress.lines,
            progress.checksum,
            progress.tail,
            progress.last_ts,
            progress.key,
        ),
    )


class KnownStamps:
    """What the search last saw of each file, kept in memory as long as it holds.

    A process that lives long asks again and again; only what was written since is read anew.

    Example:
        >>> known = KnownStamps()
        >>> known.of(connection)
        {'2026-11-20-move.jsonl': (5120, 1763647391000000000, 77)}
    """

    def __init__(self) -> None:
        self._connection: sqlite3.Connection | None = None
        self._version = -1
        self._stamps: dict[str, Known] = {}

    def of(self, connection: sqlite3.Connection) -> Mapping[str, Known]:
        """Return the stamps as they stand in the database, to be compared with those found."""
        # The number moves with what others write; what is written here is told by `rewritten`.
        (version,) = connection.execute("PRAGMA data_version").fetchone()
        if connection is not self._connection or version != self._version:
            self._connection, self._version = connection, version
            self._stamps = {row[0]: row[1:] for row in connection.execute(_STAMPS)}
        return self._stamps

    def forget(self) -> None:
        """Take nothing as known: the next question reads all of it."""
        self._connection = None

    @contextlib.contextmanager
    def rewritten(
        self, connect: Callable[[], sqlite3.Connection], difference: Difference
    ) -> Iterator[None]:
        """Bring what is known up to date with what the block writes by this connection.

        Where the block fails, writes much or finds another database in the file's place, nothing
        is taken as known.
        """
        connection = connect()
        self.forget()
        yield
        names = (*difference.changed, *difference.gone)
        if len(names) > _FEW or connect() is not connection:
            return
        for name in names:
            self._stamps.pop(name, None)
            for row in connection.execute(_STAMPS + " WHERE name = ?", (name,)):
                self._stamps[name] = row[1:]
        self._connection = connection
