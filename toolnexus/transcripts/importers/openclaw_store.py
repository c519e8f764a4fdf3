"""OpenClaw's SQLite store of an agent, opened so that nothing in it or beside it can change."""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from toolnexus.transcripts.importers.content import as_text, short
from toolnexus.transcripts.importers.importer import Skip
from toolnexus.transcripts.importers.source import (
    LINE_CAP_BYTES,
    Row,
    open_source,
    parse_object,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

STORE_NAME = "openclaw-agent.sqlite"
_SESSIONS = "SELECT session_id FROM transcript_events GROUP BY session_id ORDER BY min(rowid)"
_EVENTS = (
    "SELECT seq, CASE WHEN length(event_json) <= ? THEN event_json END"
    " FROM transcript_events WHERE session_id IS ? ORDER BY seq"
)


@dataclass(frozen=True, slots=True)
class StoredSession:
    """A session in a store: its id, and its entries, the same objects as a file's lines."""

    name: str
    read: Callable[[], Iterable[Row | Skip]]


def read_store(path: Path) -> Iterator[StoredSession | Skip]:
    """Tell of the sessions in a store; they can be read until the next one is asked for.

    Raises:
        OSError: when it cannot be read.
    """
    open_source(path).close()  # no FIFO or device, and readable
    try:
        with _opened(path) as connection:
            for (session_id,) in connection.execute(_SESSIONS).fetchall():
                name = as_text(session_id)
                if name:
                    yield StoredSession(name, _reader(connection, session_id))
                else:
                    yield Skip("a session without an id")
    except sqlite3.Error as error:
        yield Skip(f"the store cannot be read: {short(str(error))}", retry=True)


def _reader(
    connection: sqlite3.Connection, session_id: object
) -> Callable[[], Iterator[Row | Skip]]:
    def read() -> Iterator[Row | Skip]:
        try:
            rows = connection.execute(_EVENTS, (LINE_CAP_BYTES, session_id))
            for number, (_, event) in enumerate(rows, start=1):
                yield _row(number, event)
        except sqlite3.Error as error:
            yield Skip(f"the store cannot be read: {short(str(error))}", retry=True)

    return read


def _row(number: int, event: object) -> Row | Skip:
    if not isinstance(event, str | bytes):
        return Skip("an event that is no text, or too long", number)
    try:
        return Row(number, parse_object(event))
    except ValueError as error:
        return Skip(str(error), number)


@contextmanager
def _opened(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a database for reading.

    SQLite makes files beside a database with a write-ahead log, even to read it, unless they are
    there. So one without a log is opened as one that nobody changes, and one whose log has lost its
    shared memory (a copy of a running store) is copied to a temporary folder first.
    """
    log, shared = (path.with_name(path.name + suffix) for suffix in ("-wal", "-shm"))
    with tempfile.TemporaryDirectory(prefix="toolnexus-") as folder:
        options = "mode=ro" if log.exists() else "mode=ro&immutable=1"
        if log.exists() and not shared.exists():
            target = Path(folder) / path.name
            shutil.copyfile(path, target)
            shutil.copyfile(log, target.with_name(log.name))
            path = target
        uri = f"file:{quote(str(path.absolute()))}?{options}"
        connection = sqlite3.connect(uri, uri=True)
        connection.text_factory = lambda data: data.decode("utf-8", "replace")
        try:
            yield connection
        finally:
            connection.close()
