"""The graph: which files link to which, and what can be reached from where."""

from __future__ import annotations

from collections import defaultdict, deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

from toolnexus.home.names import folded
from toolnexus.home.note import is_daily
from toolnexus.home.resolve import Resolution, resolve
from toolnexus.home.ripening import is_archived, is_plugged, is_proposed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from toolnexus.home.names import Names
    from toolnexus.home.note import Note
    from toolnexus.home.snapshot import Snapshot
    from toolnexus.text.types import Link

_SAME_FROM_EVERYWHERE = frozenset({"path", "slug", "folded", "suffix", "title", "alias"})

Resolutions = dict[str, tuple[Resolution, ...]]
Backlinks = dict[str, tuple[tuple[str, "Link"], ...]]


@dataclass(frozen=True, slots=True)
class Graph:
    """All links of a home.

    Attributes:
        resolutions: Where a file's links lead, in the order of `Document.links`; files without
            links are left out.
        backlinks: The links of other files that lead to a file, as (linking file, link), by
            linking file and then in the order of its text.
    """

    resolutions: Resolutions
    backlinks: Backlinks


@dataclass(frozen=True, slots=True)
class StaleGraph:
    """The graph of a home as it was, and what changed since: enough to bring it up to date.

    Attributes:
        graph: As it was.
        changed: The files that are others now, are new or gone.
        touched: The folded names that may mean something else now.
    """

    graph: Graph
    changed: frozenset[str] = frozenset()
    touched: frozenset[str] = frozenset()

    def after(self, changed: Iterable[str], touched: Iterable[str]) -> StaleGraph:
        """Return it with more changes."""
        return StaleGraph(self.graph, self.changed.union(changed), self.touched.union(touched))

    def refreshed(self, notes: Mapping[str, Note], names: Names) -> Graph:
        """Return the graph as it is now; only links that may lead elsewhere are resolved."""
        if not self.changed and not self.touched:
            return self.graph
        stale = self.changed.union(self._affected(notes))
        fresh = _resolve_files(stale, notes, names)
        kept = {path: old for path, old in self.graph.resolutions.items() if path not in stale}
        backlinks = dict(self.graph.backlinks)
        fresh_links = _links_by_target(fresh, notes)
        old_targets = {
            found.path for path in stale for found in self.graph.resolutions.get(path, ())
        }
        for target in old_targets.union(fresh_links) - {None}:
            assert target is not None
            others = [pair for pair in backlinks.get(target, ()) if pair[0] not in stale]
            # Sorted by file alone: the sort is stable, and so keeps the order within a file.
            links = sorted([*others, *fresh_links.get(target, ())], key=lambda pair: pair[0])
            backlinks[target] = tuple(links)
            if not links:
                del backlinks[target]
        return Graph(kept | fresh, backlinks)

    def _affected(self, notes: Mapping[str, Note]) -> Iterator[str]:
        """Yield the files whose links may lead elsewhere though they did not change themselves."""
        for path in self.changed:  # what an anchor names may have come or gone
            for linking, link in self.graph.backlinks.get(path, ()):
                if link.anchor:
                    yield linking
        if self.touched:
            for path in self.graph.resolutions:
                if path in notes and self._is_touched(notes[path]):
                    yield path

    def _is_touched(self, note: Note) -> bool:
        for link in note.document.links:
            name = folded(link.target).removesuffix(".md").rstrip("/")
            if name in self.touched or name.rpartition("/")[2] in self.touched:
                return True
        return False


def build_graph(notes: Mapping[str, Note], names: Names) -> Graph:
    """Resolve every link of every file."""
    resolutions = _resolve_files(notes, notes, names)
    links = _links_by_target(resolutions, notes)
    return Graph(resolutions, {target: tuple(pairs) for target, pairs in links.items()})


def names_of(path: str, note: Note | None) -> Iterator[str]:
    """Yield every folded name that may lead to a file, or to a folder that it lies in."""
    for part in path.split("/"):
        yield folded(part).removesuffix(".md")
        yield folded(part)
    if note is not None:
        yield folded(note.title).removesuffix(".md").rstrip("/")
        yield from (folded(alias).removesuffix(".md").rstrip("/") for alias in note.aliases)


def orphans(snapshot: Snapshot) -> Iterator[Note]:
    """Yield the notes that no other file links to.

    Daily notes stand by themselves and are none; nor are guesses that wait for a person's word,
    what was plugged in from outside, and the archive, which is out of the way on purpose.

    Example:
        >>> [note.path for note in orphans(home)]  # doctest: +SKIP
        ['memory/forgotten.md']
    """
    linked = snapshot.backlinks
    for path, note in snapshot.notes.items():
        is_apart = is_daily(path) or is_archived(path)
        needs_link = note.kind in {"note", "source"} and not is_apart
        if needs_link and path not in linked and not (is_proposed(note) or is_plugged(note)):
            yield note


def reachable_from(snapshot: Snapshot, path: str) -> set[str]:
    """Return every file that links lead to from a file, over any number of steps, itself included.

    Args:
        snapshot: The home.
        path: Where to begin.
    """
    seen = {path}
    waiting = deque(seen)
    while waiting:
        for resolution in snapshot.resolutions.get(waiting.popleft(), ()):
            target = resolution.path
            if target is not None and target not in seen:
                seen.add(target)
                waiting.append(target)
    return seen


def link_name(link: Link) -> str:
    """Return the folded name that a link calls a note by, whatever folders stand before it."""
    return folded(link.target.rsplit("/", 1)[-1].removesuffix(".md"))


def files_by_link_name(notes: Mapping[str, Note]) -> Mapping[str, frozenset[str]]:
    """Return which files have a link that calls a note by a name, by that name."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for path, note in notes.items():
        for link in note.document.links:
            found[link_name(link)].add(path)
    return {name: frozenset(paths) for name, paths in found.items()}


def _resolve_files(paths: Iterable[str], notes: Mapping[str, Note], names: Names) -> Resolutions:
    known: dict[str, Resolution] = {}
    resolutions: Resolutions = {}
    for path in paths:
        note = notes.get(path)
        if note is not None and note.document.links:
            links = note.document.links
            resolutions[path] = tuple(_resolve_known(names, path, link, known) for link in links)
    return resolutions


def _resolve_known(names: Names, path: str, link: Link, known: dict[str, Resolution]) -> Resolution:
    """Resolve a link; what leads to one place from everywhere is looked up once for all files."""
    if link.kind == "markdown" or link.anchor:
        return resolve(names, path, link)
    found = known.get(link.target)
    if found is None:
        found = resolve(names, path, link)
        if found.step in _SAME_FROM_EVERYWHERE and not link.target.lstrip().startswith("."):
            known[link.target] = found
    return found


def _links_by_target(
    resolutions: Mapping[str, tuple[Resolution, ...]], notes: Mapping[str, Note]
) -> Mapping[str, list[tuple[str, Link]]]:
    """Turn links round: for each file, the links of others that lead to it."""
    links: defaultdict[str, list[tuple[str, Link]]] = defaultdict(list)
    for path in sorted(resolutions):
        for link, resolution in zip(notes[path].document.links, resolutions[path], strict=True):
            target = resolution.path
            if target is not None and target != path:
                links[target].append((path, link))
    return links
