"""How far each file is read, and whether what was read still stands: the table ``files``."""

from __future__ import annotations

import os
from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING, BinaryIO

from toolnexus.transcripts.lines import checksum_of
from toolnexus.transcripts.scan import Known, Stamp

if TYPE_CHECKING:
    import sqlite3

_TAIL_BYTES = 64 * 1024
NEVER = Stamp(-1, 0, 0)


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


def known_stamps(connection: sqlite3.Connection) -> dict[str, Known]:
    """Return what the search last saw of each file, to be compared with stamps."""
    rows = connection.execute("SELECT name, size, mtime_ns, inode FROM files")
    return {row[0]: row[1:] for row in rows}
