"""A yardstick: the same notes in a table of SQLite's FTS5, and nothing else."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path


class Driver:
    """A vault in a full-text table: a row a file, known by its time and size."""

    def open(self, vault: str, state: str) -> None:
        """Open the table, or make it."""
        Path(state).mkdir(parents=True, exist_ok=True)
        self.vault = vault
        self.table = sqlite3.connect(Path(state) / "notes.sqlite", isolation_level=None)
        self.table.executescript(
            "CREATE TABLE IF NOT EXISTS file (path TEXT PRIMARY KEY, mtime INT, size INT, n INT);"
            "CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5 (text, tokenize = 'porter');"
            "CREATE TABLE IF NOT EXISTS turn (text TEXT);"
        )

    def index(self) -> int:
        """Read every file that is not known as it is; return how many."""
        known = {
            path: (mtime, size, number)
            for path, mtime, size, number in self.table.execute("SELECT * FROM file")
        }
        found = {path: (stat.st_mtime_ns, stat.st_size) for path, stat in _walk(self.vault)}
        fresh = [path for path, stat in found.items() if known.get(path, ())[:2] != stat]
        gone = [path for path in known if path not in found]
        if fresh or gone:
            self.table.execute("BEGIN")
            for path in (*fresh, *gone):
                self._drop(path, known)
            for path in fresh:
                self._put(path, found[path])
            self.table.execute("COMMIT")
        return len(fresh) + len(gone)

    refresh = index

    def search(self, query: str) -> int:
        """Rank what holds any of the words."""
        words = " OR ".join(f'"{word}"' for word in query.replace('"', " ").split())
        rows = self.table.execute(
            "SELECT rowid FROM words WHERE words MATCH ? ORDER BY rank LIMIT 8", (words,)
        )
        return len(rows.fetchall())

    def find(self, query: str) -> int:
        """Look for what changed, index it, and search."""
        self.index()
        return self.search(query)

    def converse(self, turns: int) -> None:
        """Make a conversation of so many turns."""
        self.table.execute("BEGIN")
        self.table.executemany("INSERT INTO turn VALUES (?)", [("We moved.",)] * turns)
        self.table.execute("COMMIT")

    def add(self, text: str) -> None:
        """Insert one row, and have it on the disk."""
        self.table.execute("INSERT INTO words (text) VALUES (?)", (text,))

    def _put(self, path: str, stat: tuple[int, int]) -> None:
        text = Path(path).read_text("utf-8")
        number = self.table.execute("INSERT INTO words (text) VALUES (?)", (text,)).lastrowid
        self.table.execute("INSERT INTO file VALUES (?, ?, ?, ?)", (path, *stat, number))

    def _drop(self, path: str, known: dict[str, tuple[int, int, int]]) -> None:
        if path in known:
            self.table.execute("DELETE FROM words WHERE rowid = ?", (known[path][2],))
            self.table.execute("DELETE FROM file WHERE path = ?", (path,))


def _walk(folder: str):  # noqa: ANN202
    for entry in os.scandir(folder):
        if entry.is_dir(follow_symlinks=False):
            yield from _walk(entry.path)
        elif entry.name.endswith(".md"):
            yield entry.path, entry.stat()
