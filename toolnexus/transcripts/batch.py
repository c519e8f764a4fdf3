"""The rows that a refresh adds and removes, in one transaction."""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING

from toolnexus.transcripts.reader import duplicate_id
from toolnexus.transcripts.words import searchable

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable

    from toolnexus.transcripts.lines import Line
    from toolnexus.transcripts.turn import TranscriptProblem

# A transaction ends after so many lines or bytes: another process waits no longer than this takes.
BATCH_LINES = 20_000
BATCH_BYTES = 32 * 1024 * 1024
_ROWS_AT_ONCE = 1_000
_BYTES_AT_ONCE = 4 * 1024 * 1024
# More dead rows in the words than this, and a fifth of all: the index is made anew.
_DEAD_FLOOR = 10_000
_DEAD_SHARE = 0.2


def id_digest(identity: str) -> int:
    """Return the number that stands for a turn's id in the database."""
    return int.from_bytes(blake2b(identity.encode(), digest_size=8).digest(), signed=True)


class Batch:
    """The rows of one transaction.

    Attributes:
        connection: What they go to.
        turns: How many turns were added.
        next_key: The key that the next speech gets.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection
        self.turns = 0
        self._lines = 0
        self._bytes = 0
        (self.next_key,) = connection.execute("SELECT next_key FROM counters").fetchone()
        self._speeches: list[tuple[object, ...]] = []
        self._words: list[tuple[int, str]] = []
        self._bytes_waiting = 0

    def is_full(self) -> bool:
        """Tell whether it is time to end the transaction."""
        return self._lines >= BATCH_LINES or self._bytes >= BATCH_BYTES

    def count_line(self, length: int) -> None:
        """Count a line that was read, turn or not; its length is in bytes."""
        self._lines += 1
        self._bytes += length

    def add(
        self,
        file: int,
        line: Line,
        ts: int | None,
        identity: str,
        speeches: Iterable[tuple[int, str]],
    ) -> None:
        """Add a turn.

        Args:
            file: The file's key.
            line: Where it stands.
            ts: Its instant in microseconds; None for none.
            identity: Its own id; empty for none.
            speeches: Who says what in it, roles by number, the turn's own first.
        """
        digest = id_digest(identity) if identity else None
        own = 1
        for role, text in speeches:
            key = self.next_key
            self.next_key += 1
            place = (line.offset, line.end - line.offset, line.checksum)
            self._speeches.append((key, file, line.number, role, own, ts, *place, digest))
            if text:
                self._words.append((key, searchable(text)))
                self._bytes_waiting += len(text)
            own, digest = 0, None
        self.turns += 1
        if len(self._speeches) >= _ROWS_AT_ONCE or self._bytes_waiting >= _BYTES_AT_ONCE:
            self.flush()

    def note(self, file: int, problems: Iterable[TranscriptProblem]) -> None:
        """Add problems of a file."""
        insert_problems(self.connection, file, problems)

    def flush(self) -> None:
        """Hand the rows that wait to the database."""
        self.connection.executemany(
            "INSERT INTO speeches VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", self._speeches
        )
        self.connection.executemany("INSERT INTO words (rowid, text) VALUES (?, ?)", self._words)
        self._speeches.clear()
        self._words.clear()
        self._bytes_waiting = 0

    def finish(self) -> None:
        """Hand over all rows; the transaction can end."""
        self.flush()
        self.connection.execute("UPDATE counters SET next_key = ?", (self.next_key,))


def insert_problems(
    connection: sqlite3.Connection, file: int, problems: Iterable[TranscriptProblem]
) -> None:
    """Add problems of a file."""
    connection.executemany(
        "INSERT INTO problems VALUES (?, ?, ?, ?, ?)",
        [(file, each.line, each.rule, each.message, each.skipped) for each in problems],
    )


def note_duplicate_ids(connection: sqlite3.Connection, file: int, first_key: int) -> None:
    """Note the turns of a file from a key on whose id an earlier turn has."""
    found = connection.execute(
        "SELECT late.number, min(early.number)"
        " FROM speeches late JOIN speeches early ON early.file = late.file"
        " AND early.id_digest = late.id_digest AND early.key < late.key"
        # The plus keeps the engine from walking all of the file's rows instead of the new keys.
        " WHERE late.key >= ?2 AND +late.file = ?1 AND late.id_digest IS NOT NULL"
        " GROUP BY late.key",
        (file, first_key),
    ).fetchall()
    # No INSERT … SELECT: for one of several rows the full-text engine first writes all it holds,
    # file after file, which costs more than everything else together.
    insert_problems(connection, file, (duplicate_id(late, early) for late, early in found))


def forget(connection: sqlite3.Connection, file: int, *, after_line: int) -> int:
    """Let a file's speeches and problems behind a line leave; return how many speeches did."""
    gone = connection.execute(
        "DELETE FROM speeches WHERE file = ? AND number > ?", (file, after_line)
    ).rowcount
    connection.execute("DELETE FROM problems WHERE file = ? AND line > ?", (file, after_line))
    if gone:
        connection.execute("UPDATE counters SET dead = dead + ?", (gone,))
    return gone


def remove(connection: sqlite3.Connection, name: str) -> None:
    """Let a file leave with all it has."""
    row = connection.execute("SELECT key FROM files WHERE name = ?", (name,)).fetchone()
    if row is not None:
        forget(connection, row[0], after_line=-1)
        connection.execute("DELETE FROM files WHERE key = ?", row)


def is_mostly_dead(connection: sqlite3.Connection) -> bool:
    """Tell whether so much of the word index is dead that it should be made anew."""
    next_key, dead = connection.execute("SELECT next_key, dead FROM counters").fetchone()
    return bool(dead > _DEAD_FLOOR and dead > _DEAD_SHARE * next_key)
