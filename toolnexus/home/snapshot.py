"""Snapshots: a home as it was read at one moment, which every decision is made from."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from toolnexus.change.plan import digest_of
from toolnexus.home.graph import (
    Backlinks,
    Graph,
    Resolutions,
    StaleGraph,
    build_graph,
    files_by_link_name,
    names_of,
)
from toolnexus.home.layout import (
    DREAM_FILE,
    INDEX_FILE,
    LAYOUTS,
    SOUL_CAP_BYTES,
    SOUL_FILES,
    USER_FILE,
    Layout,
)
from toolnexus.home.names import Names, build_names, identity
from toolnexus.home.note import Note, NoteKind, is_daily
from toolnexus.home.overlay import Overlay
from toolnexus.home.scope import in_scope
from toolnexus.text.document import parse_document

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from toolnexus.change.located import LocatedClaim
    from toolnexus.home.finding import Finding
    from toolnexus.text.types import Document

__all__ = ["INDEX_FILE", "USER_FILE", "IndexCap", "Snapshot", "classify", "make_note"]

_NO_WORDS = frozenset({"false", "no", "off"})


@dataclass(frozen=True, slots=True)
class IndexCap:
    """How long MEMORY.md may be: this many lines or bytes, whichever comes first."""

    lines: int = 200
    bytes: int = 25_600


@dataclass(frozen=True, eq=False)  # no slots: what is derived is computed once and kept
class Snapshot:
    r"""A home, read.

    Attributes:
        name: The persona's name.
        owner: Whose memory it is; empty when nobody said.
        layout: Where things are.
        cap: The cap of MEMORY.md.
        soul_cap_bytes: The cap of the whole composed soul.
        notes: Every Markdown file that is a soul file, note or source, by path. Not the log.
        texts: Their decoded texts by path, perhaps loaded on demand; those left out are absent.
        digests: The digests of the same files, which cost less to ask for than the notes.
        assets: The paths of all other files, the log among them; hidden folders are left out.
        problems: What was wrong on reading.
        moved: Where notes went that were renamed or merged, by the path that they had, as far as
            the state folder knows.
        inherited_names: What `with_texts` hands on, so that little is computed anew; nobody else
            sets it, nor `inherited_graph`.

    Example:
        >>> home = Snapshot(name="ava").with_texts({"memory/tea.md": "- Green, no sugar.\n"})
        >>> home.notes["memory/tea.md"].title
        'tea'
    """

    name: str
    owner: str = ""
    layout: Layout = LAYOUTS["persona"]
    cap: IndexCap = IndexCap()
    soul_cap_bytes: int = 256 * 1024
    notes: Mapping[str, Note] = field(default_factory=dict, repr=False)
    texts: Mapping[str, str] = field(default_factory=dict, repr=False)
    digests: Mapping[str, str] = field(default_factory=dict, repr=False)
    assets: frozenset[str] = field(default=frozenset(), repr=False)
    problems: tuple[Finding, ...] = ()
    moved: Mapping[str, str] = field(default_factory=dict, repr=False)
    inherited_names: Names | None = field(default=None, repr=False)
    inherited_graph: StaleGraph | None = field(default=None, repr=False)

    @cached_property
    def names(self) -> Names:
        """The tables that links are resolved by."""
        return self.inherited_names or build_names(self.notes, self.assets)

    @cached_property
    def note_folders(self) -> tuple[str, ...]:
        """The folders that hold notes, each with a slash at its end; the home's own is empty."""
        return tuple(sorted({path[: path.rfind("/") + 1] for path in self.notes}))

    def called(self, slug: str) -> tuple[str, ...]:
        """Return the notes of exactly this slug: `names` tells too, but makes every note for it."""
        paths = (f"{folder}{slug}.md" for folder in self.note_folders)
        return tuple(path for path in paths if path in self.notes)

    @cached_property
    def taken_slugs(self) -> frozenset[str]:
        """What no new note may be called: names of notes, of other files, of what is unreadable."""
        files = (*self.names.asset_names, *(problem.path for problem in self.problems))
        stems = (path.rpartition("/")[2].removesuffix(".md") for path in files)
        return frozenset({*self.names.folded_slugs, *stems})

    @cached_property
    def claims(self) -> tuple[LocatedClaim, ...]:
        """Every claim that the dreamer keeps true, file by file; see `home.claims`."""
        from toolnexus.home.claims import holds_claims, located_claims  # they read snapshots

        return tuple(
            claim
            for path, note in self.notes.items()
            if holds_claims(note)
            for claim in located_claims(self, path)
        )

    @cached_property
    def graph(self) -> Graph:
        """All links, resolved."""
        if self.inherited_graph is not None:
            return self.inherited_graph.refreshed(self.notes, self.names)
        return build_graph(self.notes, self.names)

    @cached_property
    def linking(self) -> Mapping[str, frozenset[str]]:
        """Which files have a link that calls a note by a name, by that name, folded."""
        return files_by_link_name(self.notes)

    @property
    def resolutions(self) -> Resolutions:
        """Where the links of a file lead, by its path, in the order of `Document.links`."""
        return self.graph.resolutions

    @property
    def backlinks(self) -> Backlinks:
        """The links from other files that lead to a file, by its path."""
        return self.graph.backlinks

    @property
    def memory(self) -> Note | None:
        """MEMORY.md, the index."""
        return self.notes.get(INDEX_FILE)

    @property
    def user(self) -> Note | None:
        """USER.md."""
        return self.notes.get(USER_FILE)

    def text(self, path: str) -> str:
        """Return a file's text; empty when it is absent or was left out."""
        return self.texts.get(path, "")

    def with_texts(self, changes: Mapping[str, str | None]) -> Snapshot:
        r"""Return the home as it would be with some files changed; only those are parsed.

        Args:
            changes: New texts by path; None takes a file away.

        Example:
            >>> home = Snapshot(name="ava").with_texts({"MEMORY.md": "- Tea\n"})
            >>> home.with_texts({"MEMORY.md": None}).memory is None
            True
        """
        notes: dict[str, Note | None] = {}
        assets = self.assets
        for path, text in changes.items():
            kind = classify(self.layout, path)
            if kind is not None:
                notes[path] = None if text is None else self._note_from(path, kind, text)
            elif text is None:
                assets -= {path}
            else:
                assets |= {path}
        return self._with(changes, notes, assets)

    def within(self, scope: str) -> Snapshot:
        r"""Return the home as one folder of its notes sees it: nothing is there beside it.

        Args:
            scope: What `scope.parse_scope` returned; empty is the whole home.

        Example:
            >>> home = Snapshot(name="ava").with_texts({"memory/a/tea.md": "", "memory/b.md": ""})
            >>> list(home.within("memory/a").notes)
            ['memory/a/tea.md']
        """
        if not scope:
            return self
        beside = {path: None for path in self.notes if not in_scope(path, scope)}
        return replace(
            self,
            notes=Overlay(self.notes, beside),
            texts=Overlay(self.texts, beside),
            digests=Overlay(self.digests, beside),
            assets=frozenset(path for path in self.assets if in_scope(path, scope)),
            inherited_names=None,
            inherited_graph=None,
        )

    def after(self, before: Snapshot, changed: Collection[str]) -> Snapshot:
        """Return this home with what was worked out of it before some files changed.

        Args:
            before: The same home as it was, read with the same facts.
            changed: The files that are others now, are new or gone; assets need not be among them.
        """
        known = before.__dict__.get("names") or before.inherited_names
        if known is None:
            return self
        pairs = [(before.notes.get(path), self.notes.get(path)) for path in changed]
        renamed = [(old, new) for old, new in pairs if _identity(old) != _identity(new)]
        names = known.updated(
            self.notes,
            self.assets,
            gone=[old for old, _ in renamed if old is not None],
            come=[new for _, new in renamed if new is not None],
        )
        graph = before._graph_after(changed, renamed, self.assets ^ before.assets)
        return replace(self, inherited_names=names, inherited_graph=graph)

    def _note_from(self, path: str, kind: NoteKind, text: str) -> Note:
        """Make the note that a text would be; one that did not change is kept as it is."""
        data = text.encode("utf-8", "surrogatepass")
        digest = digest_of(data)
        old = self.notes.get(path)
        if old is not None and old.digest == digest:
            return old
        mtime_seconds = old.mtime_seconds if old is not None else 0.0
        return make_note(path, kind, digest, len(data), mtime_seconds, parse_document(text))

    def _with(
        self,
        texts: Mapping[str, str | None],
        changed: Mapping[str, Note | None],
        assets: frozenset[str],
    ) -> Snapshot:
        """Put changed notes and texts over the ones that there are."""
        notes = Overlay(self.notes, changed)
        digests = {path: note.digest if note else None for path, note in changed.items()}
        pairs = [(self.notes.get(path), note) for path, note in changed.items()]
        renamed = [(old, new) for old, new in pairs if _identity(old) != _identity(new)]
        names = self.names.updated(
            notes,
            assets,
            gone=[old for old, _ in renamed if old is not None],
            come=[new for _, new in renamed if new is not None],
        )
        return replace(
            self,
            notes=notes,
            texts=Overlay(self.texts, texts),
            digests=Overlay(self.digests, digests),
            assets=assets,
            problems=tuple(found for found in self.problems if found.path not in texts),
            inherited_names=names,
            inherited_graph=self._graph_after(changed, renamed, assets ^ self.assets),
        )

    def _graph_after(
        self,
        changed: Iterable[str],
        renamed: Iterable[tuple[Note | None, Note | None]],
        assets: Iterable[str],
    ) -> StaleGraph | None:
        """Hand on the links that were resolved already, with what may have become of them."""
        known = self.__dict__.get("graph")
        stale = self.inherited_graph if known is None else StaleGraph(known)
        if stale is None:
            return None
        notes = [note for pair in renamed for note in pair if note is not None]
        touched = {name for note in notes for name in names_of(note.path, note)}
        touched.update(name for path in assets for name in names_of(path, None))
        return stale.after(changed, touched)


def classify(layout: Layout, path: str) -> NoteKind | None:
    """Tell what a file of a home is by its path; None when it is no soul file, note or source.

    Args:
        layout: The home's layout.
        path: The file, relative to the home, with ``/``.

    Example:
        >>> [classify(LAYOUTS["persona"], path) for path in ("SOUL.md", "memory/log.md")]
        ['soul', None]
        >>> classify(LAYOUTS["persona"], "memory/2026-03-14.md")
        'source'
    """
    folder, _, name = path.rpartition("/")
    if not name.endswith(".md") or any(part.startswith(".") for part in path.split("/")):
        return None
    if not folder and (name in SOUL_FILES or name == DREAM_FILE):
        return "soul"
    if path == layout.log_path or _is_within(folder, layout.transcripts_path):
        return None
    in_place = folder == layout.notes_folder
    if not in_place and not (layout.nested and _is_within(folder, layout.notes_folder)):
        return None
    return "source" if is_daily(path) else "note"


def make_note(
    path: str,
    kind: NoteKind,
    digest: str,
    size_bytes: int,
    mtime_seconds: float,
    document: Document,
    same_as: str = "",
) -> Note:
    """Make a note of what was read; `dream: false` in its front matter makes it a source.

    Args:
        path: Relative to the home.
        kind: What `classify` says, or ``left-out``.
        digest: Of its bytes; empty when it is left out.
        size_bytes: Its length.
        mtime_seconds: When it was last written.
        document: What stands in it; an empty one when it is left out.
        same_as: The note that it is a symbolic link to; empty for a file of its own.
    """
    if kind == "note" and stays_undreamt(document):
        kind = "source"
    read_only = size_bytes > SOUL_CAP_BYTES
    return Note(path, kind, digest, size_bytes, mtime_seconds, document, read_only, same_as)


def stays_undreamt(document: Document) -> bool:
    """Whether a file asks that no dream touch it, or may do so where that cannot be read.

    A person who writes `dream: no` means it; `check` tells them how to spell it.
    """
    dream = document.front.fields.get("dream")
    hidden = any(problem.rule == "bad-front-matter" for problem in document.problems)
    return hidden or dream is False or str(dream).strip().lower() in _NO_WORDS


def _identity(note: Note | None) -> tuple[str, str, tuple[str, ...]] | None:
    return None if note is None else identity(note)


def _is_within(folder: str, outer: str) -> bool:
    """Whether a folder is another one or lies in it; the empty one is the home, which holds all."""
    return not outer or folder == outer or folder.startswith(f"{outer}/")
