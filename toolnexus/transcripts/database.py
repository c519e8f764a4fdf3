"""The search's SQLite file: opened late, shared between processes, thrown away when damaged."""

from __future__ import annotations

import contextlib
import sqlite3
from typing import TYPE_CHECKING

from toolnexus.errors import DiskError, LockedError
from toolnexus.files import disk_errors, hold_lock, is_odd
from toolnexus.transcripts.schema import CLEAR, TABLE_NAMES, TABLES, VERSION

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

BUSY_TIMEOUT_SECONDS = 30.0
_BUSY = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
_DISK = frozenset(
    {
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_AUTH,
    }
)
# A file that ends in the middle of a page: no failing disk, but damage.
_CUT_SHORT = sqlite3.SQLITE_IOERR_SHORT_READ
_PRIMARY_CODE = 0xFF


class DamagedError(Exception):
    """The database cannot be used: it is damaged, or not ours."""


class Database:
    """One connection to the search's SQLite file.

    Args:
        path: The file; it and its folder are made by `open`.
        busy_timeout_seconds: How long to wait for another process that writes to it.
    """

    def __init__(self, path: Path, *, busy_timeout_seconds: float = BUSY_TIMEOUT_SECONDS) -> None:
        self.path = path
        self._busy_timeout_seconds = busy_timeout_seconds
        self._connection: sqlite3.Connection | None = None
        self._inode = 0

    def exists(self) -> bool:
        """Tell whether there is a database on the disk."""
        return self.path.exists()

    def open(self) -> sqlite3.Connection:
        """Return the connection, made with its file and tables where there are none.

        Raises:
            DamagedError: when the file is no database of ours.
            DiskError: when it cannot be made.
            LockedError: when another process keeps it locked.
        """
        if self._connection is not None and self._is_current():
            return self._connection
        self.close()
        with disk_errors(self.path):
            self.path.parent.mkdir(parents=True, exist_ok=True)
        connection = self._connect_finished() or self._connect_making()
        self._connection = connection
        self._inode = self.path.stat().st_ino
        return connection

    def _connect(self) -> sqlite3.Connection:
        if is_odd(self.path):
            raise DamagedError(f"{self.path} is no regular file")
        return sqlite3.connect(
            self.path,
            timeout=self._busy_timeout_seconds,
            isolation_level=None,
            check_same_thread=False,
        )

    def _connect_finished(self) -> sqlite3.Connection | None:
        """Connect to a database that somebody has finished making, for which no lock is needed."""
        if not self.path.exists():
            return None
        with sqlite_errors(self.path):
            connection = self._connect()
            try:
                if connection.execute("PRAGMA user_version").fetchone() == (VERSION,):
                    _prepare(connection)
                    return connection
            except BaseException:
                connection.close()
                raise
            connection.close()
        return None

    def _connect_making(self) -> sqlite3.Connection:
        """Connect while nobody else makes or discards the file; make its tables where needed."""
        with self._making(), sqlite_errors(self.path):
            connection = self._connect()
            try:
                _prepare(connection)
            except BaseException:
                connection.close()
                raise
        return connection

    @contextlib.contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Hold the database for writing: all of the block's changes land, or none.

        Raises:
            DamagedError: when the database turns out to be damaged.
            DiskError: when the disk is full or failing.
            LockedError: when another process keeps it locked.
        """
        connection = self.open()
        with sqlite_errors(self.path):
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                with contextlib.suppress(sqlite3.Error):
                    connection.execute("ROLLBACK")
                raise

    def clear(self) -> None:
        """Empty all tables: the next refresh reads everything again."""
        with self.transaction() as connection:
            for statement in CLEAR.strip().split("\n"):
                connection.execute(statement)
        with contextlib.suppress(sqlite3.OperationalError):  # in use: another time
            self.open().execute("VACUUM")

    def discard(self) -> None:
        """Throw a damaged database away, unless another process already has."""
        damaged = self._inode
        self.close()
        with self._making(), disk_errors(self.path):
            if damaged and self.path.exists() and self.path.stat().st_ino != damaged:
                return
            for suffix in ("-wal", "-shm", ""):
                self.path.with_name(self.path.name + suffix).unlink(missing_ok=True)

    def close(self) -> None:
        """Close the connection; the next use opens it again."""
        if self._connection is not None:
            with contextlib.suppress(sqlite3.Error):
                self._connection.close()
        self._connection = None
        self._inode = 0

    def _is_current(self) -> bool:
        """Tell whether the path still leads to the file that is open: others may discard it."""
        try:
            return self.path.stat().st_ino == self._inode
        except OSError:
            return False

    def _making(self) -> contextlib.AbstractContextManager[None]:
        return hold_lock(
            self.path.with_name(self.path.name + ".lock"),
            timeout_seconds=self._busy_timeout_seconds,
            what="making the transcript search",
        )


def _prepare(connection: sqlite3.Connection) -> None:
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=NORMAL")
    names = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
    if version == VERSION:
        if not names >= TABLE_NAMES:
            raise DamagedError("tables are missing")
        return
    if version:
        raise DamagedError("it was made by another version")
    if names:
        raise DamagedError("it is no transcript search")
    connection.executescript(f"BEGIN; {TABLES} PRAGMA user_version={VERSION}; COMMIT;")


@contextlib.contextmanager
def sqlite_errors(path: Path) -> Iterator[None]:
    """Turn SQLite's errors into ours. What is neither busy nor the disk's fault is damage."""
    try:
        yield
    except sqlite3.ProgrammingError:  # a bug of ours is no reason to throw a database away
        raise
    except sqlite3.Error as error:
        extended = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
        code = extended & _PRIMARY_CODE
        if code in _BUSY:
            raise LockedError(
                "the transcript search is being written by another process",
                path=str(path),
                hint="wait for it to end, then try again",
            ) from error
        if code in _DISK and extended != _CUT_SHORT:
            raise DiskError(
                f"the transcript search cannot be written: {error}",
                path=str(path),
                hint="check the disk's free space and the folder's permissions",
            ) from error
        raise DamagedError(str(error)) from error
