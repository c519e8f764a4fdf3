"""Finding the best speeches for a query, at a cost that has a bound.

The full-text engine ranks by BM25, which looks at every row that has a word. With a million turns
a word such as "today" has a hundred thousand. So each word is first probed: how many rows has it?
Rare words are what ranks; common ones only narrow. Where all are common the newest rows stand for
the rest.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import accumulate
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from toolnexus.transcripts.query import Query, parts_of
from toolnexus.transcripts.turn_fetch import TurnRow

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Iterator, Mapping

    from toolnexus.transcripts.hit import Filters

# A probe looks at no more rows than this. The engine walks some 5 million rows a second,
_PROBE_ROWS = 1_000
# ranks some 400,000 a second,
_RANK_ROWS = 4_000
# and, to rank by a word, first counts all of its rows, some 6 million a second.
_COUNT_ROWS = 60_000
# BM25 at which a hit counts as half good.
_HALF_SCORE = 8.0

# Only keys are ranked and sorted; what a hit shows is looked up for those that remain.
_DETAILS = (
    "SELECT best.key, score, role, own, name, conversation, number, ts, speeches.offset, length"
    " FROM ({}) AS best JOIN speeches ON speeches.key = best.key"
    " JOIN files ON files.key = speeches.file ORDER BY score, ts DESC, best.key DESC"
)
# The range of keys lets the engine skip all other files' rows.
_WITHIN = " AND speeches.file = ? AND words.rowid BETWEEN ? AND ?"
_EDGE = "SELECT key FROM speeches WHERE file = ? ORDER BY number {} LIMIT 1"
# The join also drops the rows of speeches that left.
_FROM = " FROM words JOIN speeches ON speeches.key = words.rowid WHERE words MATCH ?"
_LATEST = f"SELECT words.rowid AS key, 0.0 AS score{_FROM}{{}} ORDER BY ts DESC, key DESC LIMIT ?"
_NEWEST = (
    "SELECT key, 0.0 AS score FROM speeches WHERE file = ?{} ORDER BY number DESC, own LIMIT ?"
)


@dataclass(frozen=True, slots=True)
class Found:
    """A speech that was found: where its turn stands, who says it, and its score.

    `own` tells what the turn's role says from tool output that rides in the turn.
    """

    key: int
    place: TurnRow
    role: int
    own: bool
    score: float


def find_speeches(
    connection: sqlite3.Connection,
    query: Query,
    filters: Filters,
    limit: int,
    *,
    known: Mapping[str, int] = MappingProxyType({}),
) -> list[Found]:
    """Find the best speeches: first those with every word of the query, then those with some.

    Args:
        connection: The database.
        query: What to look for.
        filters: What a speech must be besides.
        limit: How many at most.
        known: What `count_rows` said of all the query's words, where it was asked already.

    Raises:
        sqlite3.Error: when the database is damaged or locked.
    """
    found: dict[int, Found] = {}
    for search in _searches(connection, query, known):
        for hit in search.run(connection, filters, limit):
            found.setdefault(hit.key, hit)
        if len(found) >= limit:
            break
    return sorted(list(found.values())[:limit], key=lambda hit: -hit.score)


def _searches(
    connection: sqlite3.Connection, query: Query, known: Mapping[str, int]
) -> Iterator[_Search]:
    """Plan from strict to loose; each plan is made only when those before found too little."""
    if query.words:
        unknown = [word for word in query.words if word not in known]
        rows_of = {word: known.get(word, 0) for word in query.words}
        rows_of |= count_rows(connection, unknown)
        if all(rows_of.values()):
            yield _Search(
                query.with_all(query.words),
                floor_score=0.5,
                rows=min(rows_of.values()),
                counted=sum(rows_of.values()),
            )
        for word in query.words:
            parts = (part for part in parts_of(word) if part not in rows_of)
            rows_of |= count_rows(connection, parts)
        for telling in _by_rarity(rows_of):
            total = sum(rows_of[word] for word in telling)
            yield _Search(query.with_any(telling), floor_score=0.0, rows=total, counted=total)
    if query.phrases:
        rows = min(_probe(connection, phrase) for phrase in query.phrases)
        floor_score = 0.0 if query.words else 0.5
        yield _Search(query.with_all(()), floor_score=floor_score, rows=rows, counted=rows)


def _by_rarity(rows: dict[str, int]) -> list[list[str]]:
    """Part the words that have rows into searches, each for when those before give too few.

    First come as many of the rarest words as can be ranked together in time, then each other alone.
    """
    words = sorted(filter(rows.__getitem__, rows), key=rows.__getitem__)
    totals = accumulate(rows[word] for word in words)
    together = max(1, sum(total <= _RANK_ROWS for total in totals))
    return [group for group in (words[:together], *([word] for word in words[together:])) if group]


def count_rows(connection: sqlite3.Connection, terms: Iterable[str]) -> dict[str, int]:
    """Return how many rows each term has: exactly where they are few, else an estimate."""
    return {term: _probe(connection, term) for term in terms}


def _probe(connection: sqlite3.Connection, term: str) -> int:
    count, last = connection.execute(
        "SELECT count(*), max(rowid) FROM"
        " (SELECT rowid FROM words WHERE words MATCH ? ORDER BY rowid LIMIT ?)",
        (term, _PROBE_ROWS),
    ).fetchone()
    if count < _PROBE_ROWS:
        return int(count)
    (next_key,) = connection.execute("SELECT next_key FROM counters").fetchone()
    return int(count * next_key / last)


@dataclass(frozen=True, slots=True)
class _Search:
    """One way to search.

    Attributes:
        match: The full-text expression.
        floor_score: What every hit of it scores at least; half the scale is left above.
        rows: About how many rows it has at most.
        counted: About how many rows the engine counts before it ranks.
    """

    match: str
    floor_score: float
    rows: int
    counted: int

    def run(self, connection: sqlite3.Connection, filters: Filters, limit: int) -> Iterator[Found]:
        where, values = _conditions(connection, filters)
        parameters: list[object] = [self.match, *values]
        if self.counted > _COUNT_ROWS:
            ranked = (
                f"SELECT words.rowid AS key, 0.0 AS score{_FROM}{where} ORDER BY key DESC LIMIT ?"
            )
        else:
            if self.rows > _RANK_ROWS:
                oldest = _oldest_ranked(connection, where, parameters)
                where += " AND words.rowid >= ?"
                parameters.append(oldest)
            ranked = f"SELECT words.rowid AS key, bm25(words) AS score{_FROM}{where}"
            ranked += " ORDER BY score, key DESC LIMIT ?"
        rows = connection.execute(_DETAILS.format(ranked), (*parameters, limit))
        for hit in _read_found(rows):
            yield replace(hit, score=self.floor_score + _squash(-hit.score) / 2)


def find_latest(
    connection: sqlite3.Connection, match: str, rows: int, filters: Filters, limit: int
) -> list[Found]:
    """Find the latest speeches that match; those without an instant come last.

    Args:
        connection: The database.
        match: The full-text expression.
        rows: About how many rows it has at most. Where there are too many to be put in order, the
            files are asked one by one, the one with the latest turn first.
        filters: What a speech must be besides.
        limit: How many at most.
    """
    where, values = _conditions(connection, filters)
    if rows <= _COUNT_ROWS or filters.conversation is not None:
        asked = _DETAILS.format(_LATEST.format(where))
        return _read_found(connection.execute(asked, (match, *values, limit)))
    found: list[Found] = []
    asked = _DETAILS.format(_LATEST.format(where + _WITHIN))
    for (file,) in connection.execute("SELECT key FROM files ORDER BY last_ts DESC").fetchall():
        parameters = (match, *values, *_within_file(connection, file), limit - len(found))
        found += _read_found(connection.execute(asked, parameters))
        if len(found) >= limit:
            break
    return found


def find_newest(connection: sqlite3.Connection, filters: Filters, limit: int) -> list[Found]:
    """Return the last speeches of the files with the latest turns, whatever they say."""
    where, values = _conditions(connection, replace(filters, conversation=None))
    files = "SELECT key FROM files WHERE ?1 IS NULL OR conversation = ?1 ORDER BY last_ts DESC"
    asked = _DETAILS.format(_NEWEST.format(where))
    found: list[Found] = []
    for (file,) in connection.execute(files, (filters.conversation,)).fetchall():
        rows = connection.execute(asked, (file, *values, limit - len(found)))
        found += _read_found(rows)
        if len(found) >= limit:
            break
    return found


def keys_with(connection: sqlite3.Connection, term: str, keys: Iterable[int]) -> set[int]:
    """Return which of some speeches hold a term; its rows are walked, so that it should be rare."""
    rows = connection.execute("SELECT rowid FROM words WHERE words MATCH ?", (term,))
    return set(keys).intersection(key for (key,) in rows)


def _oldest_ranked(connection: sqlite3.Connection, where: str, parameters: list[object]) -> int:
    """Return the key from which on there are no more matching rows than can be ranked in time."""
    row = connection.execute(
        f"SELECT words.rowid{_FROM}{where} ORDER BY words.rowid DESC LIMIT 1 OFFSET ?",
        (*parameters, _RANK_ROWS),
    ).fetchone()
    return int(row[0]) if row else 0


def _conditions(connection: sqlite3.Connection, filters: Filters) -> tuple[str, list[object]]:
    where = ""
    values: list[object] = []
    if filters.roles:
        where += f" AND speeches.role IN ({', '.join('?' * len(filters.roles))})"
        values += filters.roles
    if filters.after is not None:
        where += " AND speeches.ts >= ?"
        values.append(filters.after)
    if filters.before is not None:
        where += " AND (speeches.ts < ? OR speeches.ts IS NULL)"
        values.append(filters.before)
    if filters.conversation is not None:
        row = connection.execute(
            "SELECT key FROM files WHERE conversation = ?", (filters.conversation,)
        ).fetchone()
        where += _WITHIN
        values += _within_file(connection, row[0] if row else 0)
    return where, values


def _within_file(connection: sqlite3.Connection, file: int) -> tuple[int, int, int]:
    """Return the values of `_WITHIN`: a file, its first and its last key; keys ascend by line."""
    first, last = (
        connection.execute(_EDGE.format(direction), (file,)).fetchone() or (0,)
        for direction in ("ASC", "DESC")
    )
    return file, first[0], last[0]


def _read_found(rows: Iterable[tuple[Any, ...]]) -> list[Found]:
    return [
        Found(key, TurnRow(*place), role, bool(own), score)
        for key, score, role, own, *place in rows
    ]


def _squash(score: float) -> float:
    """Bring a BM25 score, which has no upper bound, between 0 and 1."""
    return max(0.0, score) / (max(0.0, score) + _HALF_SCORE)
