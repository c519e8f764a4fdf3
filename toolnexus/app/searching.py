"""Searching: the notes' index, kept in step with a home as it is read."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from toolnexus.app.results import SearchResult
from toolnexus.app.turns import closeness_of
from toolnexus.evolve.rank import weight_of
from toolnexus.home.layout import DREAM_FILE, INDEX_FILE, SOUL_FILES, USER_FILE
from toolnexus.home.operations.archive import archived_path, revived_path
from toolnexus.home.ripening import is_archived, ripening_of
from toolnexus.home.scope import parse_scope
from toolnexus.index.embedder import make_embedder
from toolnexus.index.hit import IndexedFile, Weight
from toolnexus.index.note_index import NoteIndex
from toolnexus.store.notes import paused_collection
from toolnexus.text.secrets import mask_lines
from toolnexus.text.secrets.problems import SECRET_RULE

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from toolnexus.home.snapshot import Snapshot
    from toolnexus.index.hit import Hit, IndexHealth, Refreshed
    from toolnexus.settings import IndexSettings
    from toolnexus.store.uses import Uses
    from toolnexus.transcripts.fused import Closeness

UNINDEXED_FILES = frozenset({*SOUL_FILES, DREAM_FILE} - {INDEX_FILE, USER_FILE})


@dataclass(frozen=True, slots=True)
class NoteSearch:
    """What is looked for in notes.

    Attributes:
        query: Plain words.
        k: How many hits at most.
        tags: Only notes that have all of these.
        min_score: Only hits that are at least so relevant, 0 to 1.
        scope: Only notes in this folder below the notes' own; empty for all.
        archived: Also notes in the archive.
    """

    query: str
    k: int = 8
    tags: tuple[str, ...] = ()
    min_score: float = 0.0
    scope: str = ""
    archived: bool = False


class Searching:
    """A home's note index.

    Args:
        state: The state folder; the index lies in its ``index/``.
        settings: Which embedding and which server.
    """

    def __init__(self, state: Path, settings: IndexSettings) -> None:
        self._embedder = make_embedder(settings.embedding)
        self._index = NoteIndex(state, self._embedder, settings.server)
        self._seen: tuple[Snapshot, dict[str, str], str] | None = None
        self._hidden: tuple[Snapshot, frozenset[str]] | None = None

    def search(self, home: Snapshot, asked: NoteSearch, uses: Uses) -> SearchResult:
        """Search a home's notes; what changed since the last time is indexed first.

        Args:
            home: The home as read.
            asked: What is looked for, and where.
            uses: Its uses and feedback, which are minded when hits are ranked.

        Raises:
            UsageError: when there is no such scope.
        """
        scope = _scope_of(home, asked)
        archived = asked.archived or is_archived(f"{scope}/")
        refreshed = self.refresh(home)
        hidden = frozenset() if archived else self._archived(home)
        hits = self._index.search(
            asked.query,
            asked.k,
            asked.min_score,
            asked.tags,
            paths=_folders_of(home, scope, with_archive=asked.archived) if scope else None,
            without=hidden,
            weigh=_scales(home, uses),
        )
        more = self._left_out(home, asked) if hidden and not scope and len(hits) < asked.k else ()
        return SearchResult(
            tuple(_masked(hit, home) for hit in hits),
            (*refreshed.notices, *self._index.take_notices(), *more),
        )

    def _left_out(self, home: Snapshot, asked: NoteSearch) -> tuple[str, ...]:
        """Tell how much a search that found little leaves in the archive, as far as it would go."""
        archive = archived_path(home.layout, "")
        hits = self._index.search(
            asked.query, asked.k, asked.min_score, asked.tags, paths=[archive.rstrip("/")]
        )
        bound = "or " if len(hits) == asked.k else ""
        return (f"{len(hits)} {bound}more in the archive: --archived",) if hits else ()

    def refresh(self, home: Snapshot, *, rebuild: bool = False, verify: bool = False) -> Refreshed:
        """Bring the index in step with a home; where nothing changed, nothing is written.

        Args:
            home: The home as read.
            rebuild: Make the index anew.
            verify: Also look at whether all of it can be reached, and mend what cannot.
        """
        files, tree = self._indexed(home)
        with paused_collection():
            if rebuild:
                return self._index.rebuild(files, _loader(home), tree_digest=tree)
            return self._index.refresh(files, _loader(home), tree_digest=tree, verify=verify)

    def near(
        self, home: Snapshot, groups: Sequence[Sequence[str]], least: float
    ) -> list[tuple[str, str, float]]:
        """Find the notes of each group that are near to each other; what changed is indexed first.

        Args:
            home: The home as read.
            groups: Paths of notes that may be near to each other.
            least: The least cosine.
        """
        self.refresh(home)
        found = self._index.near(groups, least)
        return [(near.one, near.other, near.cosine) for near in found]

    def _indexed(self, home: Snapshot) -> tuple[dict[str, str], str]:
        """Return the digests of what is searched, and that of all of them; seen before, at once."""
        if self._seen is None or self._seen[0] is not home:
            files = {path: digest for path, digest in home.digests.items() if is_indexed(path)}
            self._seen = home, files, tree_digest(files)
        return self._seen[1:]

    def _archived(self, home: Snapshot) -> frozenset[str]:
        """Return what lies in the archive of a home; seen before, at once."""
        if self._hidden is None or self._hidden[0] is not home:
            self._hidden = home, frozenset(filter(is_archived, home.digests))
        return self._hidden[1]

    @property
    def closeness(self) -> Closeness:
        """How close texts come to a query in meaning, by the same embedding."""
        return closeness_of(self._embedder)

    def glance(self, home: Snapshot) -> tuple[IndexHealth, bool]:
        """Tell quickly how the index is, and whether it is in step with a home; nothing changes."""
        _, tree = self._indexed(home)
        seen = self._index.glance()
        return seen, bool(seen.files) and self._index.is_current(tree)

    def health(self) -> IndexHealth:
        """Tell how the index is."""
        return self._index.health()


def _scales(home: Snapshot, uses: Uses) -> Callable[[str], Weight]:
    """Return what says how much a file of a home weighs."""

    def weigh(path: str) -> Weight:
        note = home.notes.get(path)
        if note is None:  # it is gone since the index was refreshed
            return Weight()
        return weight_of(note, ripening_of(note), uses.of(path))

    return weigh


def is_indexed(path: str) -> bool:
    """Whether a file of a home is searched: MEMORY.md, USER.md, notes and sources.

    Example:
        >>> is_indexed("memory/tea.md"), is_indexed("SOUL.md")
        (True, False)
    """
    return path not in UNINDEXED_FILES


def tree_digest(files: dict[str, str]) -> str:
    """Digest all files' digests, so that an unchanged tree is known at a glance."""
    lines = "".join([f"{path}\0{digest}\n" for path, digest in sorted(files.items())])
    return hashlib.blake2b(lines.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def _loader(home: Snapshot) -> Callable[[str], IndexedFile | None]:
    def load(path: str) -> IndexedFile | None:
        note = home.notes.get(path)
        if note is None:
            return None
        return IndexedFile(note.title, note.tags, home.text(path), note.document)

    return load


def _masked(hit: Hit, home: Snapshot) -> Hit:
    """Return a hit without the secrets of its file, of which its passage may hold a part."""
    note = home.notes.get(hit.path)
    if note is None or not any(each.rule == SECRET_RULE for each in note.document.problems):
        return hit
    source = home.text(hit.path)
    return replace(
        hit,
        title=mask_lines(hit.title, source),
        heading=mask_lines(hit.heading, source),
        text=mask_lines(hit.text, source),
    )


def _scope_of(home: Snapshot, asked: NoteSearch) -> str:
    """Read the scope of a search; one whose notes are all archived is one where those are asked."""
    if not (asked.scope and asked.archived):
        return parse_scope(asked.scope, home.layout, home.digests)
    revived = (revived_path(home.layout, path) for path in home.digests if is_archived(path))
    return parse_scope(asked.scope, home.layout, (*home.digests, *revived))


def _folders_of(home: Snapshot, scope: str, *, with_archive: bool) -> list[str]:
    """Return the folders of a scope: its own, and on request the one that its archive is in."""
    if not with_archive or is_archived(f"{scope}/") or scope == home.layout.notes_folder:
        return [scope]
    return [scope, archived_path(home.layout, scope)]
