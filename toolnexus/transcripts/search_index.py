"""`TranscriptIndex`: the transcripts' turns, found by their words or by where they stand."""

from __future__ import annotations

import threading
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from toolnexus.errors import DiskError, SearchIndexError
from toolnexus.transcripts.batch import id_digest, is_mostly_dead
from toolnexus.transcripts.cursor import Cursor, NewTurns
from toolnexus.transcripts.database import (
    BUSY_TIMEOUT_SECONDS,
    DamagedError,
    Database,
    sqlite_errors,
)
from toolnexus.transcripts.hit import (
    Order,
    TurnHit,
    check_search,
    check_text,
    parse_filters,
    time_key,
)
from toolnexus.transcripts.progress import KnownStamps
from toolnexus.transcripts.refresh import Refresher
from toolnexus.transcripts.scan import Scan, compare, scan_folder
from toolnexus.transcripts.timestamp import from_microseconds
from toolnexus.transcripts.turn import ROLES, Role, TranscriptProblem, Turn
from toolnexus.transcripts.turn_fetch import TurnRow, fetch_turns

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable
    from datetime import date, datetime

    from toolnexus.transcripts.search import Found

_T = TypeVar("_T")

_ROWS = (
    "SELECT name, conversation, number, ts, speeches.offset, length, speeches.checksum"
    " FROM files JOIN speeches ON speeches.file = files.key WHERE files.conversation = ? AND "
)
_CURSORS = (
    "SELECT conversation, number, speeches.offset, speeches.checksum FROM files JOIN speeches"
    " ON speeches.key = (SELECT key FROM speeches WHERE file = files.key AND own = 1"
    " ORDER BY number DESC LIMIT 1) ORDER BY conversation"
)
_LAST_SAID = "SELECT conversation, last_ts FROM files WHERE last_ts IS NOT NULL"
_PROBLEMS = "SELECT name, line, rule, message, skipped FROM problems JOIN files ON files.key = file"
_COUNTS = "SELECT role, sum(own), max(ts) FROM speeches GROUP BY role"


@dataclass(frozen=True, slots=True)
class Refreshed:
    """What a refresh did.

    Attributes:
        conversations: How many conversations there are now.
        changed: How many of them were read, because they are new or changed.
        gone: How many were deleted since the last refresh.
        turns_added: How many turns were read that were not known before, or are known anew.
        notice: One line for a person where something out of the ordinary was done; else empty.
    """

    conversations: int = 0
    changed: int = 0
    gone: int = 0
    turns_added: int = 0
    notice: str = ""


@dataclass(frozen=True, slots=True)
class Stats:
    """Counts over all transcripts; `last_ts` is the newest turn's instant."""

    conversations: int
    turns: dict[Role, int]
    last_ts: datetime | None


class TranscriptIndex:
    """The search over a folder of transcripts.

    The database is a cache: it can be deleted, is made anew by itself when it is damaged, and
    several processes may use it at once. It sees what the last `refresh` saw.

    Args:
        folder: The transcripts folder.
        database_path: The SQLite file; made by the first refresh that has something to keep.
        root: A symbolic link among the transcripts may lead anywhere below this folder; default:
            `folder` itself.
        busy_timeout_seconds: How long to wait for another process that writes to the database.

    Example:
        >>> index = TranscriptIndex("ava/transcripts", "ava/.toolnexus/transcripts.sqlite3")
        >>> index.refresh().turns_added
        214
        >>> index.search("where does she live?", limit=1)[0].excerpt
        'We finally moved to Berlin.'
    """

    def __init__(
        self,
        folder: str | Path,
        database_path: str | Path,
        *,
        root: str | Path | None = None,
        busy_timeout_seconds: float = BUSY_TIMEOUT_SECONDS,
    ) -> None:
        self.folder = Path(folder)
        self._root = Path(folder if root is None else root).resolve()
        self._database = Database(Path(database_path), busy_timeout_seconds=busy_timeout_seconds)
        self._guard = threading.RLock()
        self._notice = ""
        self._known = KnownStamps()

    def refresh(self) -> Refreshed:
        """Bring the search up to date with the files; costs what changed.

        Raises:
            SearchIndexError: when the database is damaged and cannot be made anew.
            DiskError: when the folder cannot be read, or the database not be written.
            LockedError: when another process keeps the database locked.
        """
        with self._guard:
            scan = self._scan()
            if not scan.stamps and not self._database.exists():
                return Refreshed()
            refreshed = self._sound(lambda: self._refresh(scan))
            notice, self._notice = self._notice, ""
            return replace(refreshed, notice=notice)

    def rebuild(self) -> Refreshed:
        """Read everything again, so that nothing of what was deleted stays in the database.

        Raises:
            As `refresh`.
        """
        with self._guard:
            if self._database.exists():
                self._database.discard()
            return self.refresh()

    def search(
        self,
        query: str,
        *,
        limit: int = 8,
        after: datetime | date | None = None,
        before: datetime | date | None = None,
        role: str | None = None,
        conversation: str | None = None,
        order: Order = "best",
    ) -> list[TurnHit]:
        """Find turns by their words.

        Turns with every word of the query come first, then those with some, each by BM25, newer
        ones first among equals. What stands in quotation marks has to be there as it is.

        Args:
            query: Words as a person types them; no mark in it is ever a syntax error.
            limit: How many hits at most, 1 to 50.
            after: No turns before this instant, or this day's start in UTC; none without a ts.
            before: Only turns before this instant, or this day's start in UTC.
            role: Only what this role says: user, assistant, tool or system.
            conversation: Only this conversation.
            order: "best", or "time": the same hits, the earliest first.

        Raises:
            UsageError: when an argument makes no sense.
            SearchIndexError: when the database is damaged and cannot be made anew.
        """
        from toolnexus.transcripts.query import parse_query
        from toolnexus.transcripts.search import find_speeches
        from toolnexus.transcripts.show import make_hits

        check_search(query, limit, order)
        filters = parse_filters(after=after, before=before, role=role, conversation=conversation)
        parsed = parse_query(query)
        if not parsed.phrases and not parsed.words:
            return []
        found = self.find(lambda connection: find_speeches(connection, parsed, filters, limit))
        hits = make_hits(found, parsed.with_anything())
        return sorted(hits, key=time_key) if order == "time" else hits

    def find(self, look: Callable[[sqlite3.Connection], list[Found]]) -> list[tuple[Found, Turn]]:
        """Find speeches by a question of one's own, each with the turn that it stands in.

        Args:
            look: Answers from the database; it may be asked twice where that was damaged.

        Returns:
            The speeches in the order given; those whose file has changed since the last refresh,
            so that no turn stands there any more, are left out.
        """
        found = self._ask(look)
        turns = fetch_turns(self.folder, self._root, (speech.place for speech in found))
        return [(speech, turn) for speech, turn in zip(found, turns, strict=True) if turn]

    def find_turn(self, conversation: str, ref: int | str) -> Turn | None:
        """Find a turn by its line's number or its own id; of several with one id, the first."""
        if isinstance(ref, int):
            where, values = "number = ? AND own = 1", [ref]
        else:
            where, values = (
                "id_digest = ? ORDER BY number",
                [id_digest(check_text(ref, "the turn's id"))],
            )
        turns = self._turns(conversation, where, values)
        return next((turn for turn in turns if ref in (turn.number, turn.id)), None)

    def turn_text(self, conversation: str, number: int) -> str | None:
        """Return what a turn's own role says in it; None when there is no such turn."""
        turn = self.find_turn(conversation, number)
        return None if turn is None else turn.text

    def turns_around(self, conversation: str, number: int, count: int) -> list[Turn]:
        """Return the turns around a line: so many before it, its own, and so many after it."""
        before = self._turns(
            conversation, "own = 1 AND number < ? ORDER BY number DESC LIMIT ?", [number, count]
        )
        here = self._turns(
            conversation, "own = 1 AND number >= ? ORDER BY number LIMIT ?", [number, count + 1]
        )
        if here and here[0].number != number:
            here = here[:count]
        return before[::-1] + here

    def cursors(self) -> list[Cursor]:
        """Return for each conversation that has turns how far the last refresh read it."""
        rows = self._select(_CURSORS)
        return [Cursor(*row) for row in rows]

    def last_said(self) -> dict[str, datetime]:
        """Return when each conversation's last turn was said, as of the last refresh.

        A conversation of which nothing tells when is left out.
        """
        rows = self._select(_LAST_SAID)
        return {conversation: from_microseconds(ts) for conversation, ts in rows}

    def turns_since(self, cursor: Cursor, *, limit: int | None = None) -> NewTurns:
        """Return what a conversation has since a cursor, without reading what was before.

        Args:
            cursor: How far it was seen; `Cursor(conversation)` for not at all.
            limit: How many turns at most; None for all.
        """
        values = [cursor.number, cursor.checksum]
        stands = cursor.number == 0 or self._rows(
            cursor.conversation, "own = 1 AND number = ? AND speeches.checksum = ?", values
        )
        rows = self._rows(
            cursor.conversation,
            "own = 1 AND number > ? ORDER BY number LIMIT ?",
            [cursor.number if stands else 0, -1 if limit is None else limit],
        )
        turns = tuple(filter(None, fetch_turns(self.folder, self._root, (row for row, _ in rows))))
        start = cursor if stands else Cursor(cursor.conversation)
        return NewTurns(turns, not stands, _behind(rows) or start)

    def problems(self) -> list[TranscriptProblem]:
        """Return what is wrong with the transcripts as of the last refresh, by file and line.

        Raises:
            DiskError: when the folder cannot be read.
        """
        found = self._select(_PROBLEMS)
        problems = [
            TranscriptProblem(line, rule, message, bool(skipped), name)
            for name, line, rule, message, skipped in found
        ]
        problems.extend(self._scan().problems)
        return sorted(problems, key=lambda problem: (problem.file, problem.line, problem.message))

    def stats(self) -> Stats:
        """Count conversations and turns as of the last refresh."""
        files = self._select("SELECT count(*) FROM files")
        rows = self._select(_COUNTS)
        last = max((ts for _, _, ts in rows if ts is not None), default=None)
        return Stats(
            files[0][0] if files else 0,
            {ROLES[role]: count for role, count, _ in rows if count},
            None if last is None else from_microseconds(last),
        )

    def close(self) -> None:
        """Close the database; the next call opens it again."""
        with self._guard:
            self._database.close()

    def _scan(self) -> Scan:
        try:
            return scan_folder(self.folder, self._root)
        except OSError as error:
            reason = error.strerror or str(error)
            raise DiskError(f"cannot be read: {reason}", path=str(self.folder)) from error

    def _refresh(self, scan: Scan) -> Refreshed:
        connection = self._database.open()
        with sqlite_errors(self._database.path):
            if is_mostly_dead(connection):
                self._database.clear()
                self._known.forget()
            difference = compare(self._known.of(connection), scan.stamps)
            refresher = Refresher(self._database, self.folder, self._root)
            with self._known.rewritten(self._database.open, difference):
                refresher.apply(difference)
        return Refreshed(
            conversations=len(scan.stamps),
            changed=len(difference.changed),
            gone=len(difference.gone),
            turns_added=refresher.turns_added,
        )

    def _select(self, sql: str, values: tuple[object, ...] = ()) -> list[tuple[Any, ...]]:
        return self._ask(lambda connection: connection.execute(sql, values).fetchall())

    def _ask(self, question: Callable[[sqlite3.Connection], list[_T]]) -> list[_T]:
        """Answer from the database; with nothing where there is no database."""

        def answer() -> list[_T]:
            connection = self._database.open()
            with sqlite_errors(self._database.path):
                return question(connection)

        with self._guard:
            if not self._database.exists():
                return []
            return self._sound(answer, mend=lambda: self._refresh(self._scan()))

    def _sound(self, action: Callable[[], _T], *, mend: Callable[[], object] = lambda: None) -> _T:
        """Do something with the database; where it is damaged, mend it and do it again."""
        try:
            return action()
        except DamagedError as damage:
            self._database.discard()
            self._notice = f"the transcript search was damaged ({damage}) and was made anew"
        try:
            mend()
            return action()
        except DamagedError as damage:
            raise SearchIndexError(
                f"the transcript search is damaged and cannot be made anew: {damage}",
                path=str(self._database.path),
                hint="delete the file and try again",
            ) from damage

    def _turns(self, conversation: str, where: str, values: list[int]) -> list[Turn]:
        rows = self._rows(conversation, where, values)
        turns = fetch_turns(self.folder, self._root, (row for row, _ in rows))
        return [turn for turn in turns if turn is not None]

    def _rows(self, conversation: str, where: str, values: list[int]) -> list[tuple[TurnRow, int]]:
        """Return where some of a conversation's turns stand, each with its checksum."""
        check_text(conversation, "the conversation's id")
        rows = self._select(_ROWS + where, (conversation, *values))
        return [(TurnRow(*place), checksum) for *place, checksum in rows]


def _behind(rows: list[tuple[TurnRow, int]]) -> Cursor | None:
    """Return the cursor behind the last of some turns."""
    if not rows:
        return None
    row, checksum = rows[-1]
    return Cursor(row.conversation, row.number, row.offset, checksum)
