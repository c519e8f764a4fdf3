"""The graph: which files link to which, and what can be reached from where."""

from __future__ import annotations

from collections import defaultdict, deque
from typing import TYPE_CHECKING

from toolnexus.home.note import is_daily
from toolnexus.home.resolve import Resolution, resolve

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from toolnexus.home.names import Names
    from toolnexus.home.note import Note
    from toolnexus.home.snapshot import Snapshot
    from toolnexus.text.types import Link

_SAME_FROM_EVERYWHERE = frozenset({"path", "slug", "folded", "suffix", "title", "alias"})

Resolutions = dict[str, tuple[Resolution, ...]]
Backlinks = dict[str, tuple[tuple[str, "Link"], ...]]


def resolve_all(notes: Mapping[str, Note], names: Names) -> Resolutions:
    """Resolve every link of every file; files without links are left out."""
    known: dict[str, Resolution] = {}
    return {
        path: tuple(_resolve_known(names, path, link, known) for link in note.document.links)
        for path, note in notes.items()
        if note.document.links
    }


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


def find_backlinks(
    notes: Mapping[str, Note], resolutions: Mapping[str, tuple[Resolution, ...]]
) -> Backlinks:
    """Turn the links round: for each path the links of other files that lead to it.

    Returns:
        Path to (linking file, link), by linking file and then in the order of its text.
    """
    found: defaultdict[str, list[tuple[str, Link]]] = defaultdict(list)
    for path in sorted(resolutions):
        for link, resolution in zip(notes[path].document.links, resolutions[path], strict=True):
            target = resolution.path
            if target is not None and target != path:
                found[target].append((path, link))
    return {path: tuple(links) for path, links in found.items()}


def orphans(snapshot: Snapshot) -> Iterator[Note]:
    """Yield the notes that no other file links to; daily notes stand by themselves and are none.

    Example:
        >>> [note.path for note in orphans(home)]  # doctest: +SKIP
        ['memory/forgotten.md']
    """
    linked = snapshot.backlinks
    for path, note in snapshot.notes.items():
        is_told_apart = note.kind in {"note", "source"} and not is_daily(path)
        if is_told_apart and path not in linked:
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
