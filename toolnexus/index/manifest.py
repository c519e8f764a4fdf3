"""The manifest: what the index holds and what is still to be done, in one file with the words.

Each chunk says whether Chroma has its vector, and `stale_vector` lists the vectors that Chroma has
yet to drop. Both change in one transaction with the words, so they are the journal that a run which
was cut short is finished from. Each transaction raises a *generation*: one for the words, and one
for the vectors, by which another process sees that its view of Chroma is old.
"""

from __future__ import annotations

import contextlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from toolnexus.index.chunk import Chunk
from toolnexus.index.kept_vectors import KeptVectors, keep
from toolnexus.index.words import fold

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from toolnexus.index.database import Database
    from toolnexus.index.embedder import Matrix

CHROMA_FILES = "chroma_files"
_COLUMNS = "id, path, line, end_line, title, heading, text, lines, keys"


@dataclass(frozen=True, slots=True)
class Diff:
    """What a refresh has to do, by path."""

    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()

    @property
    def empty(self) -> bool:
        """Whether nothing has changed."""
        return not (self.added or self.changed or self.removed)


def diff(known: Mapping[str, str], files: Mapping[str, str]) -> Diff:
    """Compare what is known with what is there; both map a path to a digest.

    Example:
        >>> diff({"a": "1", "b": "1"}, {"b": "2", "c": "1"})
        Diff(added=('c',), changed=('b',), removed=('a',))
    """
    if known == files:
        return Diff()
    others = sorted(path for path, digest in files.items() if known.get(path) != digest)
    added = tuple(path for path in others if path not in known)
    same_paths = len(known) + len(added) == len(files)
    return Diff(
        added=added,
        changed=tuple(path for path in others if path in known),
        removed=() if same_paths else tuple(sorted(known.keys() - files.keys())),
    )


@dataclass(frozen=True, slots=True)
class FileChunks:
    """A file's new state: None for `digest` when it is gone."""

    path: str
    digest: str | None
    tags: tuple[str, ...] = ()
    chunks: tuple[Chunk, ...] = ()


class Manifest:
    """Reads and writes what the index holds."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.kept = KeptVectors(database)
        self._digests: tuple[int, dict[str, str]] | None = None

    def generation(self) -> int:
        """Return the number that each write raises."""
        return int(self.get("generation") or 0)

    def vector_generation(self) -> int:
        """Return the number that each change of Chroma raises."""
        return int(self.get("vector_generation") or 0)

    def get(self, key: str) -> str:
        """Return one of the settings the index was made with; empty when there is none."""
        rows = self._database.rows("SELECT value FROM meta WHERE key = ?", key)
        return str(rows[0][0]) if rows else ""

    def digests(self) -> Mapping[str, str]:
        """Return each file's digest by its path; read once a generation."""
        generation = self.generation()
        if self._digests is None or self._digests[0] != generation:
            rows = self._database.rows("SELECT path, digest FROM file")
            self._digests = generation, {str(path): str(digest) for path, digest in rows}
        return self._digests[1]

    def count_files(self) -> int:
        """Return how many files there are."""
        return self._database.number("SELECT count(*) FROM file")

    def count_chunks(self) -> int:
        """Return how many chunks there are."""
        return self._database.number("SELECT count(*) FROM chunk")

    def count_behind(self) -> int:
        """Return how many chunks Chroma lacks."""
        return self._database.number("SELECT count(*) FROM chunk WHERE embedded = 0")

    def has_work(self) -> bool:
        """Tell whether Chroma lacks a vector, or has one too many."""
        return bool(
            self._database.number(
                "SELECT EXISTS (SELECT 1 FROM chunk WHERE embedded = 0)"
                " OR EXISTS (SELECT 1 FROM stale_vector)"
            )
        )

    def embedded_ids(self) -> set[str]:
        """Return the ids of the chunks whose vectors Chroma has."""
        return {str(row[0]) for row in self._database.rows("SELECT id FROM chunk WHERE embedded")}

    def chunk_ids(self) -> set[str]:
        """Return the ids of all chunks."""
        return {str(row[0]) for row in self._database.rows("SELECT id FROM chunk")}

    def stale_ids(self) -> list[str]:
        """Return the ids of the vectors that Chroma has to drop."""
        return [str(row[0]) for row in self._database.rows("SELECT id FROM stale_vector")]

    def behind(self, limit: int) -> list[Chunk]:
        """Return chunks that Chroma lacks, at most `limit`."""
        rows = self._database.rows(
            f"SELECT {_COLUMNS} FROM chunk WHERE embedded = 0 ORDER BY n LIMIT ?",  # noqa: S608
            limit,
        )
        return [_chunk(row) for row in rows]

    def chunks_by_id(self, ids: Iterable[str]) -> dict[str, Chunk]:
        """Return the chunks of these ids; one that is gone is left out."""
        rows = self._database.rows(
            f"SELECT {_COLUMNS} FROM chunk"  # noqa: S608
            " WHERE id IN (SELECT value FROM json_each(?))",
            json.dumps(list(ids)),
        )
        return {chunk.id: chunk for chunk in map(_chunk, rows)}

    def chunks_by_number(self, numbers: Iterable[int]) -> list[Chunk]:
        """Return the chunks of these row numbers, in the numbers' order."""
        wanted = list(numbers)
        rows = self._database.rows(
            f"SELECT {_COLUMNS}, n FROM chunk"  # noqa: S608
            " WHERE n IN (SELECT value FROM json_each(?))",
            json.dumps(wanted),
        )
        found = {row[-1]: _chunk(row[:-1]) for row in rows}
        return [found[number] for number in wanted if number in found]

    def paths_with(self, tags: Sequence[str], paths: Iterable[str] | None) -> list[str]:
        """Return the files that carry all of the tags and lie under one of the paths.

        Args:
            tags: A tag covers those nested in it: "travel" covers "travel/japan".
            paths: Files, or folders with or without the slash at their end; None for all.
        """
        wanted = [fold_tag(tag) for tag in tags]
        places = None if paths is None else [place.rstrip("/") for place in paths]
        return [
            str(path)
            for path, own in self._database.rows("SELECT path, tags FROM file")
            if _has_tags(str(own).split("\n"), wanted) and _lies_under(str(path), places)
        ]

    def numbers_of(self, paths: Sequence[str]) -> dict[str, int]:
        """Return the row numbers of these files' chunks by id."""
        rows = self._database.rows(
            "SELECT id, n FROM chunk WHERE path IN (SELECT value FROM json_each(?))",
            json.dumps(paths),
        )
        return {str(name): int(str(number)) for name, number in rows}

    def chunk_paths(self, paths: Sequence[str]) -> dict[str, str]:
        """Return the file of each chunk of these files, by the chunk's id."""
        rows = self._database.rows(
            "SELECT id, path FROM chunk WHERE embedded"
            " AND path IN (SELECT value FROM json_each(?)) ORDER BY n",
            json.dumps(paths),
        )
        return {str(name): str(path) for name, path in rows}

    @contextlib.contextmanager
    def writing(
        self, *, vectors: bool = False, files: Mapping[str, str | None] | None = None
    ) -> Iterator[sqlite3.Connection]:
        """Run the block as one transaction that raises the generation, or that of the vectors.

        Args:
            vectors: Which of the two.
            files: The digests of the files that the block writes, None for one that it takes away.
        """
        with self._database.writing() as connection:
            generation = 0 if vectors else self.generation()
            yield connection
            connection.execute(
                "INSERT INTO meta VALUES (?, '1') ON CONFLICT DO UPDATE SET value = value + 1",
                ("vector_generation" if vectors else "generation",),
            )
        if not vectors and self._digests is not None and self._digests[0] == generation:
            self._digests = generation + 1, _after(self._digests[1], files or {})

    def put(self, key: str, value: str) -> None:
        """Store one of the settings the index is made with."""
        with self.writing() as connection:
            _put(connection, key, value)

    def replace(self, files: Iterable[FileChunks]) -> None:
        """Bring files to their new state, all or nothing; unchanged chunks keep their vectors."""
        every = list(files)
        with self.writing(files={file.path: file.digest for file in every}) as connection:
            for file in every:
                _replace(connection, file)

    def mark_embedded(
        self, ids: Sequence[str], rows: Matrix | None = None, files: str = ""
    ) -> None:
        """Note that Chroma has these vectors.

        Args:
            ids: Of which chunks.
            rows: The vectors themselves, to be kept beside the words as well.
            files: What tells Chroma's files as they are now; empty when that is not known.
        """
        with self.writing(vectors=True) as connection:
            connection.executemany(
                "UPDATE chunk SET embedded = 1 WHERE id = ?", ((name,) for name in ids)
            )
            if rows is not None:
                keep(connection, ids, rows)
            _put(connection, CHROMA_FILES, files)

    def mark_missing(self, ids: Iterable[str]) -> None:
        """Note that Chroma lacks these vectors."""
        with self.writing(vectors=True) as connection:
            connection.executemany(
                "UPDATE chunk SET embedded = 0 WHERE id = ?", ((name,) for name in ids)
            )

    def mark_stale(self, ids: Iterable[str]) -> None:
        """Note that Chroma has vectors of no chunk."""
        with self.writing(vectors=True) as connection:
            connection.executemany(
                "INSERT OR IGNORE INTO stale_vector VALUES (?)", ((name,) for name in ids)
            )

    def mark_dropped(self, ids: Iterable[str], files: str = "") -> None:
        """Note that Chroma has dropped these vectors; `files` as in `mark_embedded`."""
        with self.writing(vectors=True) as connection:
            _put(connection, CHROMA_FILES, files)
            connection.executemany(
                "DELETE FROM stale_vector WHERE id = ?", ((name,) for name in ids)
            )

    def start_collection(self, token: str, embedder: str) -> None:
        """Note that Chroma's collection is a new, empty one, of this token and embedder."""
        with self.writing(vectors=True) as connection:
            connection.execute("UPDATE chunk SET embedded = 0 WHERE embedded")
            connection.execute("DELETE FROM stale_vector")
            connection.execute("DELETE FROM kept_vector")
            _put(connection, "token", token)
            _put(connection, "embedder", embedder)


def _after(known: dict[str, str], files: Mapping[str, str | None]) -> dict[str, str]:
    """Return the digests with some of them written or taken away."""
    after = dict(known)
    for path, digest in files.items():
        after.pop(path, None)
        if digest is not None:
            after[path] = digest
    return after


def fold_tag(tag: str) -> str:
    """Fold a tag for comparison.

    Example:
        >>> fold_tag("#Travel/")
        'travel'
    """
    return fold(tag.strip().lstrip("#").rstrip("/"))


def _has_tags(own: list[str], wanted: list[str]) -> bool:
    return all(any(tag == one or tag.startswith(one + "/") for tag in own) for one in wanted)


def _lies_under(path: str, places: list[str] | None) -> bool:
    return places is None or any(path == one or path.startswith(one + "/") for one in places)


def _replace(connection: sqlite3.Connection, file: FileChunks) -> None:
    rows = connection.execute("SELECT id, n FROM chunk WHERE path = ?", (file.path,)).fetchall()
    old = dict(rows)
    kept = {chunk.id for chunk in file.chunks} & old.keys()
    if old:
        _update(connection, file, old.keys() - kept, kept)
    _insert(connection, [chunk for chunk in file.chunks if chunk.id not in kept])
    if file.digest is None:
        connection.execute("DELETE FROM file WHERE path = ?", (file.path,))
        return
    tags = "\n".join(map(fold_tag, file.tags))
    connection.execute(
        "INSERT OR REPLACE INTO file VALUES (?, ?, ?)", (file.path, file.digest, tags)
    )


def _update(
    connection: sqlite3.Connection, file: FileChunks, gone: Iterable[str], kept: Collection[str]
) -> None:
    """Drop the chunks that a file no longer has, and say where those that it kept stand now."""
    rows = [(name,) for name in gone]
    connection.executemany("DELETE FROM chunk WHERE id = ?", rows)
    connection.executemany("INSERT OR IGNORE INTO stale_vector VALUES (?)", rows)
    connection.executemany(
        "UPDATE chunk SET line = ?, end_line = ?, lines = ? WHERE id = ?",
        ((c.line, c.end_line, _lines(c), c.id) for c in file.chunks if c.id in kept),
    )


def _insert(connection: sqlite3.Connection, chunks: list[Chunk]) -> None:
    connection.executemany("DELETE FROM stale_vector WHERE id = ?", ((c.id,) for c in chunks))
    connection.executemany(
        "INSERT INTO chunk (id, path, line, end_line, lines, title, heading, text, keys)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            (c.id, c.path, c.line, c.end_line, _lines(c), c.title, c.heading, c.text, keys)
            for c in chunks
            for keys in [" ".join(c.keys)]
        ),
    )


def _put(connection: sqlite3.Connection, key: str, value: str) -> None:
    connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))


def _lines(chunk: Chunk) -> str:
    return " ".join(map(str, chunk.lines))


def _chunk(row: tuple[object, ...]) -> Chunk:
    name, path, line, end_line, title, heading, text, lines, keys = row
    return Chunk(
        id=str(name),
        path=str(path),
        line=int(str(line)),
        end_line=int(str(end_line)),
        title=str(title),
        heading=str(heading),
        text=str(text),
        lines=tuple(map(int, str(lines).split())),
        keys=tuple(str(keys).split()),
    )
