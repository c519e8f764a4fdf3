"""The index of a home's notes: refresh it, search it, ask how it is."""

from __future__ import annotations

import threading
from functools import partial
from typing import TYPE_CHECKING, Self, TypeVar

from toolnexus.errors import LockedError, ModelError, SearchIndexError, UsageError
from toolnexus.files import hold_lock
from toolnexus.index.database import Database, IndexDamagedError, discard_database
from toolnexus.index.health import glance, measure_health, nothing_there
from toolnexus.index.hit import Refreshed, Weight
from toolnexus.index.lexical import Lexical
from toolnexus.index.manifest import Diff, Manifest, diff
from toolnexus.index.nearness import MOST_NEAR, find_near
from toolnexus.index.query import parse_query
from toolnexus.index.refresh import Work, apply_work
from toolnexus.index.search import search
from toolnexus.index.vector_side import VectorSide
from toolnexus.index.vectors import VectorsDamagedError, VectorsUnreachableError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence
    from contextlib import AbstractContextManager
    from pathlib import Path

    from toolnexus.index.embedder import Embedder
    from toolnexus.index.hit import Hit, IndexHealth
    from toolnexus.index.nearness import Near
    from toolnexus.index.query import Query
    from toolnexus.index.refresh import Load

_WITHOUT_VECTORS = (VectorsDamagedError, VectorsUnreachableError, ModelError)
_EVEN = Weight()
_T = TypeVar("_T")


class NoteIndex:
    """A home's notes, searchable by words and by meaning.

    It may be used from several threads, and from several processes at once.

    Args:
        state_folder: The home's state folder; the index lives in `index/` in it.
        embedder: What makes vectors of texts.
        server: The URL of a Chroma server; None for the embedded one.
        lock_timeout_seconds: How long to wait for another process that refreshes.

    Raises:
        ConfigError: when `server` is no URL.

    Example:
        >>> index = NoteIndex(home / ".toolnexus", make_embedder("default"))  # doctest: +SKIP
        >>> index.refresh({"MEMORY.md": digest}, load).added  # doctest: +SKIP
        1
        >>> index.search("where is the key hidden")[0].line  # doctest: +SKIP
        3
    """

    def __init__(
        self,
        state_folder: Path,
        embedder: Embedder,
        server: str | None = None,
        *,
        lock_timeout_seconds: float = 2.0,
    ) -> None:
        self._folder = state_folder / "index"
        self._lock_path = state_folder / "locks" / "index.lock"
        self._lock_timeout_seconds = lock_timeout_seconds
        self._embedder = embedder
        self._side = VectorSide(self._folder / "chroma", embedder, server)
        self._mutex = threading.RLock()
        self._parts: tuple[Database, Manifest, Lexical] | None = None
        self._source: tuple[Mapping[str, str], Load] | None = None
        self._notices: list[str] = []

    def is_current(self, tree_digest: str) -> bool:
        """Tell whether the last refresh was of the tree with this digest and left nothing undone.

        A caller that can digest its whole tree cheaply need not list its files' digests.
        """
        with self._mutex:
            try:
                return self._healing(lambda: self._is_current(tree_digest))
            except LockedError:
                return False

    def refresh(
        self,
        files: Mapping[str, str],
        load: Load,
        *,
        tree_digest: str = "",
        verify: bool = False,
    ) -> Refreshed:
        """Bring the index up to the files; where nothing has changed, nothing is written.

        Args:
            files: The digest of each file that belongs in the index, by its path from the home.
            load: Reads one of them; None leaves it out, an `OSError` leaves it for the next time.
            tree_digest: Remembered for `is_current`.
            verify: Also look for damage that shows in searching only.

        Returns:
            What was done. When another process is at it, nothing, with a notice.

        Raises:
            DiskError: when the disk is full or failing.
            SearchIndexError: when the embedder cannot work, or the index cannot be made anew.
            ConfigError: when the embedder's weights are missing.
        """
        with self._mutex:
            self._source = files, load
            work = Work(files, load, tree_digest, verify=verify)
            try:
                done = self._healing(lambda: self._refresh(work))
            except LockedError as error:
                self._notices.append(f"the search index may be behind: {error.message}")
                done = Refreshed()
            return _with_notices(done, self.take_notices())

    def rebuild(self, files: Mapping[str, str], load: Load, *, tree_digest: str = "") -> Refreshed:
        """Throw the index away and make it anew: nothing that was ever deleted is left in it.

        Raises:
            LockedError: when another process is writing the index.
            DiskError: when the disk is full or failing.
            SearchIndexError: when the embedder cannot work.
        """
        with self._mutex:
            self._source = files, load
            with self._lock():
                self._discard()
                done = self._write(Work(files, load, tree_digest, verify=False), anew=True)
            return _with_notices(done, self.take_notices())

    def search(
        self,
        query: str,
        k: int = 8,
        min_score: float = 0.0,
        tags: Sequence[str] = (),
        paths: Collection[str] | None = None,
        without: Collection[str] = (),
        weigh: Callable[[str], Weight] = lambda _: _EVEN,
    ) -> list[Hit]:
        """Find the passages that answer a query, the best first.

        Args:
            query: Plain words; quotes make a phrase. There is no syntax to get wrong.
            k: At most this many hits.
            min_score: Only hits of this score or above, 0 to 1.
            tags: Only files that carry all of these tags, or tags nested in them.
            paths: Only these files, and files in these folders.
            without: None of these files.
            weigh: Says what a file weighs beside the relevance, by its path.

        Raises:
            UsageError: when `k` is below 1 or `min_score` is not between 0 and 1.
            SearchIndexError: when the index is damaged and this object has never refreshed it, or
                the embedder cannot work.
        """
        if k < 1:
            raise UsageError("a search gives at least one hit", hint="ask for 1 or more")
        if not 0 <= min_score <= 1:
            raise UsageError("a score lies between 0 and 1", hint="ask for a lower score")
        asked = parse_query(query)
        if asked.blank:
            return []
        with self._mutex:
            try:
                wanted = partial(
                    search,
                    k=k,
                    min_score=min_score,
                    tags=tags,
                    paths=paths,
                    without=without,
                    weigh=weigh,
                )
                return self._healing(lambda: self._search(asked, wanted), refresh=True)
            except LockedError as error:
                self._notices.append(f"nothing could be searched: {error.message}")
                return []

    def near(
        self, groups: Sequence[Sequence[str]], least: float, most: int = MOST_NEAR
    ) -> list[Near]:
        """Find the notes of each group that are near to each other, by the vectors there are.

        Nothing is embedded for it. Where the vectors cannot be had, nothing is near to anything,
        and a notice says so.

        Args:
            groups: Files that may be near to each other; those of different groups never are.
            least: The least cosine.
            most: How many of the nearest ones of each file are looked at.

        Raises:
            SearchIndexError: when the index is damaged and this object has never refreshed it.
        """
        with self._mutex:
            try:
                return self._healing(lambda: self._near(groups, least, most), refresh=True)
            except (*_WITHOUT_VECTORS, LockedError) as error:
                self._notices.append(f"no near notes could be found: {error.message}")
                return []

    def take_notices(self) -> tuple[str, ...]:
        """Return what a person should know since the last call, a line each, and forget it."""
        with self._mutex:
            taken = tuple(dict.fromkeys(self._notices))
            self._notices.clear()
            return taken

    def health(self) -> IndexHealth:
        """Measure how the index is, and change nothing."""
        with self._mutex:
            path = self._folder / "lexical.sqlite"
            if not path.exists():
                return nothing_there()
            try:
                database, manifest, _ = self._open()
            except SearchIndexError as error:
                return nothing_there(error.message)
            return measure_health(self._folder, database, manifest, self._side)

    def glance(self) -> IndexHealth:
        """Tell how the index is as far as that is quick to tell, and change nothing."""
        with self._mutex:
            if not (self._folder / "lexical.sqlite").exists():
                return nothing_there()
            try:
                _, manifest, _ = self._open()
            except SearchIndexError as error:
                return nothing_there(error.message)
            return glance(self._folder, manifest, self._side.key)

    def close(self) -> None:
        """Let go of the files; the next call opens them again."""
        with self._mutex:
            self._side.close()
            if self._parts is not None:
                self._parts[0].close()
                self._parts = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # Refreshing

    def _is_current(self, tree_digest: str) -> bool:
        _, manifest, _ = self._open()
        return (
            bool(tree_digest)
            and manifest.get("tree") == tree_digest
            and not self._side.needs_work(manifest)
        )

    def _refresh(self, work: Work) -> Refreshed:
        _, manifest, _ = self._open()
        if not work.verify and self._is_done(manifest, work):
            return Refreshed()
        with self._lock():
            return self._write(work)

    def _is_done(self, manifest: Manifest, work: Work) -> bool:
        if self._side.needs_work(manifest):
            return False
        if work.tree_digest:  # it was written after all the files were
            return manifest.get("tree") == work.tree_digest
        return diff(manifest.digests(), work.files).empty

    def _write(self, work: Work, *, anew: bool = False) -> Refreshed:
        """Do a refresh's writing, under the lock."""
        _, manifest, _ = self._open()
        changes, skipped = apply_work(manifest, work)
        if skipped:
            self._notices.append(f"{skipped} files could not be read and were left as they were")
        return _refreshed(changes, self._catch_up(manifest, verify=work.verify, anew=anew))

    def _catch_up(self, manifest: Manifest, *, verify: bool, anew: bool = False) -> int:
        try:
            if anew:
                return self._side.rebuild(manifest)
            if not verify and not self._side.needs_work(manifest):
                return 0
            return self._side.catch_up(manifest, self._notices, verify=verify)
        except _WITHOUT_VECTORS as error:
            self._notices.append(f"searching by words alone for now: {error.message}")
            return 0

    # Searching

    def _search(self, query: Query, wanted: Callable[..., list[Hit]]) -> list[Hit]:
        _, manifest, lexical = self._open()
        ask_vectors = partial(self._ask_vectors, manifest)
        return wanted(query, manifest, lexical, ask_vectors, self._embedder.calibration)

    def _near(self, groups: Sequence[Sequence[str]], least: float, most: int) -> list[Near]:
        _, manifest, _ = self._open()
        return find_near(manifest, self._side, groups, least, most)

    def _ask_vectors(
        self, manifest: Manifest, text: str, limit: int, ids: list[str] | None
    ) -> list[tuple[str, float]]:
        """Ask Chroma, repair it once if need be, and do without it if that does not help."""
        try:
            return self._side.query(manifest, text, limit, ids)
        except VectorsDamagedError:
            pass
        except _WITHOUT_VECTORS as error:
            self._notices.append(f"searching by words alone for now: {error.message}")
            return []
        try:
            with self._lock():
                self._side.catch_up(manifest, self._notices, verify=True)
            return self._side.query(manifest, text, limit, ids)
        except (*_WITHOUT_VECTORS, LockedError) as error:
            self._notices.append(f"searching by words alone for now: {error.message}")
            return []

    # Opening and healing

    def _open(self) -> tuple[Database, Manifest, Lexical]:
        """Return the open parts; they are opened again when their file was taken away."""
        if self._parts is not None and not self._parts[0].is_current():
            self.close()
        if self._parts is None:
            database = Database(self._folder / "lexical.sqlite")
            self._parts = database, Manifest(database), Lexical(database)
        return self._parts

    def _healing(self, work: Callable[[], _T], *, refresh: bool = False) -> _T:
        """Do something; if the SQLite file is damaged, clear it and do it again.

        Args:
            work: What to do.
            refresh: It needs the index full, so fill it in between.
        """
        try:
            return work()
        except IndexDamagedError as error:
            with self._lock():
                self._discard_damaged()
            if refresh and self._source is None:
                raise SearchIndexError(
                    f"{error.message}; it was cleared",
                    hint="run 'toolnexus index' to make it again",
                ) from error
            self._notices.append(f"{error.message}; it was rebuilt")
        if refresh and self._source is not None:
            self._refresh(Work(*self._source, "", verify=False))
        return work()

    def _discard_damaged(self) -> None:
        """Remove the SQLite file, unless another process has just healed it."""
        opened, self._parts = self._parts, None
        healed = opened is not None and not opened[0].is_current()
        if opened is not None:
            opened[0].close()
        if not healed:
            discard_database(self._folder / "lexical.sqlite")

    def _discard(self) -> None:
        self.close()
        discard_database(self._folder / "lexical.sqlite")

    def _lock(self) -> AbstractContextManager[None]:
        return hold_lock(
            self._lock_path, timeout_seconds=self._lock_timeout_seconds, what="an index refresh"
        )


def _refreshed(changes: Diff, embedded: int) -> Refreshed:
    return Refreshed(
        added=len(changes.added),
        changed=len(changes.changed),
        removed=len(changes.removed),
        chunks_embedded=embedded,
    )


def _with_notices(done: Refreshed, notices: tuple[str, ...]) -> Refreshed:
    return Refreshed(done.added, done.changed, done.removed, done.chunks_embedded, notices)
