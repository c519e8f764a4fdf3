"""Following: when notes move, every link still leads where it led."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from toolnexus.home.graph import link_name
from toolnexus.home.names import folded
from toolnexus.home.repair import link_target_for
from toolnexus.home.resolve import resolve
from toolnexus.text.edits import apply_edits
from toolnexus.text.wikilinks import retarget

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from toolnexus.home.note import Note
    from toolnexus.home.snapshot import Snapshot
    from toolnexus.text.types import Link


BY_HEART = frozenset({"title", "alias"})
"""The steps of resolution that look into notes; all others go by the names of files."""


@dataclass(frozen=True, slots=True)
class Followed:
    """The files in which links had to be rewritten, with their new texts, and how many links."""

    texts: Mapping[str, str]
    links: int


def follow_links(
    before: Snapshot,
    after: Snapshot,
    moved: Mapping[str, str],
    *,
    sources_too: bool = False,
) -> Followed:
    """Rewrite the links that would lead elsewhere than before; those that still lead right stay.

    Args:
        before: The home before the notes moved.
        after: The home after it.
        moved: Where each moved note is now, by old path.
        sources_too: Also in daily notes and other sources, which only a person's own command may
            rewrite.

    """
    touched = _touched_names(before, after, moved)
    came_from = {new: old for old, new in moved.items() if new not in before.notes}
    texts: dict[str, str] = {}
    links = 0
    for path in _linking_files(before, after, touched):
        note = after.notes[path]
        is_kept = note.read_only or note.same_as or (note.kind == "source" and not sources_too)
        if is_kept or note.kind == "left-out":
            continue
        paths = (came_from.get(path, path), path)
        edits = [
            (link.target_start, link.target_end, retarget(after.text(path), link, target))
            for link in note.document.links
            if (path in came_from or link_name(link) in touched)
            and (target := _new_target(before, after, paths, link, moved))
        ]
        if edits:
            texts[path] = apply_edits(after.text(path), edits)
            links += len(edits)
    return Followed(texts, links)


def _linking_files(before: Snapshot, after: Snapshot, touched: Iterable[str]) -> list[str]:
    """Return the files that may hold a link by one of some names: few of a large home do."""
    before_too = {path for name in touched for path in before.linking.get(name, ())}
    return [
        path
        for path, note in after.notes.items()
        if path in before_too or before.notes.get(path) is not note
    ]


def carry_block(
    before: Snapshot, from_path: str, span: tuple[int, int], after: Snapshot, to_path: str
) -> str:
    """Return the source of a stretch of a file so that its links lead right from another file."""
    start, end = span
    source = before.text(from_path)
    edits = []
    for link in before.notes[from_path].document.links:
        if not (start <= link.start < end) or not link.target:
            continue
        old = resolve(before.names, from_path, link)
        new = resolve(after.names, to_path, link)
        # Other tools read a Markdown link from its own folder, and in no other way.
        leads_right = new.path == old.path and (old.step != "relative" or new.step == "relative")
        if old.path is not None and not leads_right and old.path in after.notes:
            target = link_target_for(after, old.path, style_of(link), to_path)
            replacement = retarget(source, link, target)
            edits.append((link.target_start - start, link.target_end - start, replacement))
    return apply_edits(source[start:end], edits)


def style_of(link: Link) -> Literal["wiki", "markdown"]:
    """Tell in which way a link is written; an embed is written as a wikilink is."""
    return "markdown" if link.kind == "markdown" else "wiki"


def _new_target(
    before: Snapshot,
    after: Snapshot,
    paths: tuple[str, str],
    link: Link,
    moved: Mapping[str, str],
) -> str:
    """Return what a link must say to lead where it led; empty when it does so already.

    A title or an alias is good enough only where the link was written as one: other tools know a
    note by its file's name alone, and read a Markdown link from its own folder.
    """
    old_path, path = paths
    old = resolve(before.names, old_path, link)
    if old.path is None or not link.target:
        return ""
    wanted = moved.get(old.path, old.path)
    now = resolve(after.names, path, link)
    if wanted not in after.notes:
        return ""
    is_as_good = now.step not in BY_HEART or old.step in BY_HEART
    if now.path == wanted and is_as_good and (old.step != "relative" or now.step == "relative"):
        return ""
    in_folder = _in_its_folder(link, wanted)
    if in_folder and resolve(after.names, path, replace(link, target=in_folder)).path == wanted:
        return in_folder
    return link_target_for(after, wanted, style_of(link), path)


def _in_its_folder(link: Link, wanted: str) -> str:
    """Return a wikilink's target with its folder kept; empty where it names none."""
    folder, slash, name = link.target.rpartition("/")
    if not slash or style_of(link) == "markdown":
        return ""
    ending = ".md" if name.endswith(".md") else ""
    return f"{folder}/{wanted.rpartition('/')[2].removesuffix('.md')}{ending}"


def _touched_names(before: Snapshot, after: Snapshot, moved: Mapping[str, str]) -> set[str]:
    """Gather the folded names that lead elsewhere since some notes came, went or moved."""
    names: set[str] = set()
    for path in {*moved, *moved.values()}:
        for note in _present(before.notes.get(path), after.notes.get(path)):
            names.update(_names_of(note))
    return names


def _present(*notes: Note | None) -> Iterable[Note]:
    return (note for note in notes if note is not None)


def _names_of(note: Note) -> Iterator[str]:
    yield folded(note.slug)
    yield folded(note.title)
    yield from (folded(alias) for alias in note.aliases)
