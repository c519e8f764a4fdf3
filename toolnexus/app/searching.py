"""Searching: the notes' index, kept in step with a home as it is read."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from toolnexus.app.results import SearchResult
from toolnexus.index.embedder import make_embedder
from toolnexus.index.hit import IndexedFile
from toolnexus.index.note_index import NoteIndex

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from toolnexus.home.note import Note
    from toolnexus.home.snapshot import Snapshot
    from toolnexus.index.hit import IndexHealth, Refreshed
    from toolnexus.settings import IndexSettings

INDEXED_SOUL_FILES = ("MEMORY.md", "USER.md")


class Searching:
    """A home's note index.

    Args:
        state: The state folder; the index lies in its ``index/``.
        settings: Which embedding and which server.
    """

    def __init__(self, state: Path, settings: IndexSettings) -> None:
        self._index = NoteIndex(state, make_embedder(settings.embedding), settings.server)

    def search(
        self, home: Snapshot, query: str, k: int, tags: Sequence[str], min_score: float
    ) -> SearchResult:
        """Search a home's notes; what changed since the last time is indexed first."""
        refreshed = self.refresh(home)
        hits = self._index.search(query, k, min_score, tags)
        return SearchResult(tuple(hits), (*refreshed.notices, *self._index.take_notices()))

    def refresh(self, home: Snapshot, *, rebuild: bool = False) -> Refreshed:
        """Bring the index in step with a home; where nothing changed, nothing is written."""
        files = {path: note.digest for path, note in home.notes.items() if is_indexed(note)}
        tree = tree_digest(files)
        if rebuild:
            return self._index.rebuild(files, _loader(home), tree_digest=tree)
        return self._index.refresh(files, _loader(home), tree_digest=tree)

    def health(self) -> IndexHealth:
        """Tell how the index is."""
        return self._index.health()


def is_indexed(note: Note) -> bool:
    """Whether a file is searched: MEMORY.md, USER.md, notes and sources."""
    return note.kind in {"note", "source"} or note.path in INDEXED_SOUL_FILES


def tree_digest(files: dict[str, str]) -> str:
    """Digest all files' digests, so that an unchanged tree is known at a glance."""
    whole = hashlib.blake2b(digest_size=16)
    for path in sorted(files):
        whole.update(f"{path}\0{files[path]}\n".encode("utf-8", "surrogatepass"))
    return whole.hexdigest()


def _loader(home: Snapshot) -> Callable[[str], IndexedFile | None]:
    def load(path: str) -> IndexedFile | None:
        note = home.notes.get(path)
        if note is None:
            return None
        return IndexedFile(note.title, note.tags, home.text(path), note.document)

    return load
