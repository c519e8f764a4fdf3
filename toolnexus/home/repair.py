"""Repair: where a broken link leads for certain, what it may have meant, and how to write it."""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING, Literal

from toolnexus.home.names import folded
from toolnexus.home.resolve import resolve, resolve_target

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from toolnexus.home.snapshot import Snapshot
    from toolnexus.text.types import Link

MAX_EDITS = 2
MAX_EDIT_PERCENT = 15

_SUGGESTIONS = 3
_LIKENESS = 62.0  # of 100: a missing suffix or a wrong word passes, another topic does not
_DIGITS = re.compile(r"\d+")
# What would end a wikilink's target, or part an anchor or a label from it.
_NOT_IN_WIKILINK = re.compile(r"[#^|\[\]\\\r\n]")


def certain_target(
    snapshot: Snapshot, from_path: str, link: Link, renamed: Mapping[str, str]
) -> str | None:
    """Return the note that a broken link leads to for certain; None when nothing is certain.

    It is certain when history tells that the note was renamed or merged, or when there is only
    one note whose slug is within two edits and 15 % of its length, all digits equal; and when the
    two do not contradict each other.

    Args:
        snapshot: The home.
        from_path: The file that holds the link.
        link: The link; one that resolves, is ambiguous or leads out of the home has no repair.
        renamed: What history knows: old path or slug to the path that took its place.

    Example:
        >>> certain_target(home, "MEMORY.md", link, {"trips": "memory/travel.md"})  # doctest: +SKIP
        'memory/travel.md'
    """
    found = resolve(snapshot.names, from_path, link)
    if found.path is not None or found.candidates or found.step == "escaping":
        return None
    key = _key(link.target)
    by_history = set(_renamed_targets(snapshot, key, renamed))
    by_likeness = set(_near_targets(snapshot, key))
    if len(by_history) > 1:
        return None
    certain = by_history | (by_likeness if len(by_likeness) == 1 else set())
    return certain.pop() if len(certain) == 1 else None


def suggestions(snapshot: Snapshot, link: Link) -> tuple[str, ...]:
    """Return what a broken link may have meant: slugs of notes with a like name, best first.

    Args:
        snapshot: The home.
        link: The link.
    """
    from rapidfuzz import fuzz, process

    key = _key(link.target).rpartition("/")[2]
    found: dict[str, float] = {}
    for table in (snapshot.names.folded_slugs, snapshot.names.titles, snapshot.names.aliases):
        for name, score, _ in process.extract(
            key, table.keys(), scorer=fuzz.ratio, score_cutoff=_LIKENESS, limit=_SUGGESTIONS
        ):
            for path in table[name]:
                slug = snapshot.notes[path].slug
                found[slug] = max(score, found.get(slug, 0.0))
    best = sorted(found, key=lambda slug: (-found[slug], slug))
    return tuple(best[:_SUGGESTIONS])


def link_target_for(
    snapshot: Snapshot, path: str, style: Literal["wiki", "markdown"], from_path: str
) -> str:
    """Return the shortest text by which a link in one file leads to a note, and to no other.

    Args:
        snapshot: The home, the note included.
        path: The note.
        style: ``wiki`` gives the slug or the end of the path (a title or alias where a wikilink
            cannot say it), ``markdown`` the path from the linking file's folder, not yet
            percent-encoded.
        from_path: The file that is to hold the link.

    Example:
        >>> link_target_for(home, "memory/trips/ghent.md", "wiki", "MEMORY.md")  # doctest: +SKIP
        'ghent'
    """
    if style == "markdown":
        return posixpath.relpath(path, posixpath.dirname(from_path) or ".")
    note = snapshot.notes.get(path)
    others = () if note is None else (note.title, *note.aliases)
    for name in (*_ends_of(path.removesuffix(".md")), path, *others):
        is_plain = _NOT_IN_WIKILINK.search(name) is None
        if is_plain and resolve_target(snapshot.names, from_path, name).path == path:
            return name
    return path


def _key(target: str) -> str:
    """Reduce a target to what is compared: folded, without ``.md`` and dots."""
    name = folded(target.strip().removesuffix(".md"))
    return "/".join(part for part in name.split("/") if part not in {"", ".", ".."})


def _ends_of(path: str) -> Iterator[str]:
    """Yield a path's last part, its last two parts, and so on."""
    parts = path.split("/")
    for count in range(1, len(parts) + 1):
        yield "/".join(parts[-count:])


def _renamed_targets(snapshot: Snapshot, key: str, renamed: Mapping[str, str]) -> Iterator[str]:
    """Yield where history says that a name went, over any number of renames."""
    for old in renamed:
        if not f"/{_key(old)}".endswith(f"/{key}"):
            continue
        path, seen = renamed[old], {old}
        while path not in snapshot.notes and path in renamed and path not in seen:
            seen.add(path)
            path = renamed[path]
        if path in snapshot.notes:
            yield path


def _near_targets(snapshot: Snapshot, key: str) -> Iterator[str]:
    """Yield the notes whose slug is nearly the key's last part, in folders that fit exactly."""
    from rapidfuzz import process
    from rapidfuzz.distance import Levenshtein

    folder, _, name = key.rpartition("/")
    table = snapshot.names.folded_slugs
    digits = _DIGITS.findall(name)
    for slug, distance, _ in process.extract(
        name, table.keys(), scorer=Levenshtein.distance, score_cutoff=MAX_EDITS, limit=None
    ):
        is_near = distance * 100 <= MAX_EDIT_PERCENT * len(slug)
        if is_near and _DIGITS.findall(slug) == digits:
            yield from _notes_in(snapshot, table[slug], folder)


def _notes_in(snapshot: Snapshot, paths: Iterable[str], folder: str) -> Iterator[str]:
    """Keep the notes that lie in a folder, given by the end of its path; souls are no notes."""
    for path in paths:
        is_note = snapshot.notes[path].kind != "soul"
        lies_in = f"/{folded(posixpath.dirname(path))}".endswith(f"/{folder}")
        if is_note and (not folder or lies_in):
            yield path
