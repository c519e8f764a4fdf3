"""The index's SQLite file: its schema, how it is opened, and what its errors mean."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from typing import TYPE_CHECKING

from toolnexus.errors import DiskError, LockedError, SearchIndexError
from toolnexus.files import disk_errors, is_odd

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

VERSION = 2
BUSY_SECONDS = 5.0
_SCHEMA = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE file (
  path TEXT PRIMARY KEY, digest TEXT NOT NULL, tags TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE chunk (
  n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, path TEXT NOT NULL,
  line INTEGER NOT NULL, end_line INTEGER NOT NULL, lines TEXT NOT NULL,
  title TEXT NOT NULL, heading TEXT NOT NULL, text TEXT NOT NULL, keys TEXT NOT NULL,
  embedded INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX chunk_by_path ON chunk (path);
CREATE INDEX chunk_behind ON chunk (n) WHERE embedded = 0;
CREATE TABLE stale_vector (id TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE kept_vector (n INTEGER PRIMARY KEY, vector BLOB NOT NULL);
CREATE VIRTUAL TABLE words USING fts5 (
  title, heading, text, keys, content = 'chunk', content_rowid = 'n',
  tokenize = 'porter unicode61 remove_diacritics 2'
);
CREATE VIRTUAL TABLE vocabulary USING fts5vocab (words, 'row');
CREATE TRIGGER chunk_added AFTER INSERT ON chunk BEGIN
  INSERT INTO words (rowid, title, heading, text, keys)
  VALUES (new.n, new.title, new.heading, new.text, new.keys);
END;
CREATE TRIGGER chunk_removed AFTER DELETE ON chunk BEGIN
  DELETE FROM kept_vector WHERE n = old.n;
  INSERT INTO words (words, rowid, title, heading, text, keys)
  VALUES ('delete', old.n, old.title, old.heading, old.text, old.keys);
END;
"""
_FULL = {sqlite3.SQLITE_FULL, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM}
_BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}


class IndexDamagedError(SearchIndexError):
    """The SQLite file cannot be read, or says what cannot be: it must be made anew."""


class Database:
    """A connection to the index's SQLite file; one thread at a time may use it.

    Args:
        path: The file; it and its folder are made when absent.

    Raises:
        IndexDamagedError: when it is no database, or not of this version.
        DiskError: when it cannot be opened.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        with disk_errors(path):
            path.parent.mkdir(parents=True, exist_ok=True)
        if is_odd(path):
            raise IndexDamagedError("the index is no regular file", path=str(path))
        with database_errors(path):
            self.connection = sqlite3.connect(
                path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
            )
            try:
                self._prepare()
            except BaseException:
                self.connection.close()
                raise
        self._identity = _identity(path)

    def is_current(self) -> bool:
        """Tell whether the file on the disk is still the one that was opened."""
        return self._identity is not None and _identity(self.path) == self._identity

    @contextlib.contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Run the block as one transaction, all or nothing."""
        with database_errors(self.path):
            self.connection.execute("BEGIN IMMEDIATE")
            try:
                yield self.connection
                self.connection.execute("COMMIT")
            except BaseException:
                with contextlib.suppress(sqlite3.Error):
                    self.connection.execute("ROLLBACK")
                raise

    def rows(self, statement: str, *values: object) -> list[tuple[object, ...]]:
        """Run a query and return all its rows."""
        with database_errors(self.path):
            return self.connection.execute(statement, values).fetchall()

    def number(self, statement: str, *values: object) -> int:
        """Run a query and return the one number it gives."""
        rows = self.rows(statement, *values)
        value = rows[0][0] if rows else None
        return value if isinstance(value, int) else 0

    def close(self) -> None:
        """Close the connection."""
        with contextlib.suppress(sqlite3.Error):
            self.connection.close()

    def _prepare(self) -> None:
        self.connection.execute("PRAGMA journal_mode = WAL")
        self.connection.execute("PRAGMA synchronous = NORMAL")
        if self._version() == 0:
            with self.writing() as connection:
                if self._version() == 0:  # nobody else was quicker
                    for statement in _statements(_SCHEMA):
                        connection.execute(statement)
                    connection.execute(f"PRAGMA user_version = {VERSION}")
        if self._version() != VERSION:
            raise IndexDamagedError("the index was made by another version", path=str(self.path))
        self.connection.execute("SELECT count(*) FROM meta").fetchone()

    def _version(self) -> int:
        return int(self.connection.execute("PRAGMA user_version").fetchone()[0])


def discard_database(path: Path) -> None:
    """Remove the file and what SQLite keeps beside it.

    Raises:
        DiskError: when that is not possible.
    """
    with disk_errors(path):
        for suffix in ("", "-wal", "-shm", "-journal"):
            path.with_name(path.name + suffix).unlink(missing_ok=True)


@contextlib.contextmanager
def database_errors(path: Path) -> Iterator[None]:
    """Map SQLite's errors: a full disk, a lock, and everything else, which is damage.

    Raises:
        DiskError: when the disk is full, failing or not writable.
        LockedError: when another process holds the file for longer than we wait.
        IndexDamagedError: for everything else; an index is a cache and can be made anew.
    """
    try:
        yield
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", None) or 0
        primary = code & 0xFF
        short_read = code == sqlite3.SQLITE_IOERR_SHORT_READ
        if primary in _FULL or (primary == sqlite3.SQLITE_IOERR and not short_read):
            raise DiskError(
                f"the index cannot be written: {error}",
                path=str(path),
                hint="check the disk's free space and the folder's permissions",
            ) from error
        if primary in _BUSY:
            raise LockedError(
                "another process is writing the index",
                path=str(path),
                hint="wait for it to end, then try again",
            ) from error
        raise IndexDamagedError(f"the index is damaged: {error}", path=str(path)) from error


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        stat = os.stat(path)  # noqa: PTH116  # asked before each search: Path.stat costs twice as much
    except OSError:
        return None
    return stat.st_dev, stat.st_ino


def _statements(script: str) -> Iterator[str]:
    """Part a script into statements; `executescript` would commit the transaction around it."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
