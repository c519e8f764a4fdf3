"""Relinking and renaming: where links lead."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from toolnexus.change.plan import Change
from toolnexus.errors import UsageError
from toolnexus.home.names import folded
from toolnexus.home.operations.archive import revived_path
from toolnexus.home.operations.follow import follow_links, style_of
from toolnexus.home.operations.step import (
    Step,
    check_words,
    find_target,
    new_note_path,
    require_writable,
)
from toolnexus.home.repair import link_target_for
from toolnexus.home.ripening import is_archived
from toolnexus.text.document import parse_document
from toolnexus.text.edits import apply_edits
from toolnexus.text.wikilinks import retarget

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from toolnexus.home.note import Note
    from toolnexus.home.snapshot import Snapshot
    from toolnexus.text.types import Link


def relink(home: Snapshot, text: str, with_: str, target: str = "") -> Step:
    """Point broken links at a note.

    Args:
        home: The home as read.
        text: What the links say: ``old-slug`` or ``[[old-slug]]``.
        with_: The note they are to lead to.
        target: The one file to do it in; everywhere when it is left out.

    Raises:
        UsageError: when the note does not exist, or no broken link says that.
    """
    name = bare_target(check_words(text))
    note = find_target(home, bare_target(check_words(with_, "with")))
    if note is None:
        raise UsageError(f"there is no '{with_}' to link to")
    only = find_target(home, target) if target else None
    texts: dict[str, str | None] = {}
    changes: list[Change] = []
    for path in [only.path] if only is not None else list(home.notes):
        step = relink_in(home, path, name, note.path)
        texts |= step.texts
        changes += step.changes
    if not changes:
        raise UsageError(
            f"no broken link says '{name}'", hint="only links that lead nowhere can be pointed anew"
        )
    plural = "s" * (len(changes) != 1)
    return Step(texts, tuple(changes), f"Pointed {len(changes)} link{plural} at {note.path}.")


def relink_in(home: Snapshot, path: str, name: str, to_path: str) -> Step:
    """Point one file's broken links of a name at a note; pinned claims keep theirs.

    Args:
        home: The home as read.
        path: The file; one that may not be rewritten gives an empty step.
        name: What the links say, in any spelling that folds to the same.
        to_path: The note's path.
    """
    note = home.notes[path]
    if not note.is_writable:
        return Step()
    lost = [
        link
        for link in broken_links(home, note)
        if folded(bare_target(link.target)) == folded(name) and not is_pinned_at(note, link.start)
    ]
    return _pointed(home, note, lost, to_path)


def _pointed(home: Snapshot, note: Note, links: Iterable[Link], to_path: str) -> Step:
    """Point some links of a file at a note."""
    source = home.text(note.path)
    edits: list[tuple[int, int, str]] = []
    changes: list[Change] = []
    for link in links:
        target = retarget(source, link, link_target_for(home, to_path, style_of(link), note.path))
        edits.append((link.target_start, link.target_end, target))
        written = source[link.start : link.target_start] + target
        written += source[link.target_end : link.end]
        before = source[link.start : link.end]
        changes.append(Change("relinked", note.path, link.line, before, written, to_path))
    if not edits:
        return Step()
    return Step({note.path: apply_edits(source, edits)}, tuple(changes))


def broken_links(home: Snapshot, note: Note) -> Iterator[Link]:
    """Yield a file's links that lead nowhere; ambiguous ones lead somewhere."""
    for link, found in zip(note.document.links, home.resolutions.get(note.path, ()), strict=False):
        if found.path is None and not found.is_ambiguous:
            yield link


def is_pinned_at(note: Note, offset: int) -> bool:
    """Whether a place in a file stands in a pinned claim or under a pinned heading."""
    if any(claim.pinned and claim.start <= offset < claim.end for claim in note.document.claims):
        return True
    level = 0
    for heading in note.document.headings:
        if heading.start > offset:
            break
        if level and heading.level <= level:
            level = 0
        if heading.pinned and not level:
            level = heading.level
    return bool(level)


def rename_note(home: Snapshot, old: str, new: str) -> Step:
    """Rename a note in its folder; every link to it follows, in daily notes as well.

    Where a person has renamed the file already, the links that it left behind follow. An archived
    note comes back among the others by it, also under its old name.

    Args:
        home: The home as read.
        old: The note, by slug or path.
        new: Its new slug.

    Raises:
        UsageError: when there is no such note, or the new name will not do.
    """
    try:
        note = find_target(home, old)
    except UsageError:
        by_hand = _follow_hand(home, old, new)
        if not by_hand.changes:
            raise
        return by_hand
    if note is None or note.kind == "soul":
        raise UsageError(f"'{old}' is no note", hint="soul files keep their names")
    if note.kind == "left-out" or note.read_only or note.same_as:
        require_writable(note)
    slug = new.strip().removesuffix(".md")
    comes_back = is_archived(note.path)
    if folded(slug) != folded(note.slug) or not (comes_back or slug != note.slug):
        new_note_path(home, slug)
    new_path = _beside(revived_path(home.layout, note.path) if comes_back else note.path, slug)
    if new_path in home.notes or new_path in home.assets:
        raise UsageError(f"there is a file '{new_path}' already")
    after = home.with_texts({note.path: None, new_path: home.text(note.path)})
    moved = {note.path: new_path}
    followed = follow_links(home, after, moved, sources_too=True)
    texts: dict[str, str | None] = {note.path: None, new_path: home.text(note.path)}
    texts |= followed.texts
    changes = (Change("renamed", note.path, 0, note.slug, slug, new_path),)
    plural = "s" * (followed.links != 1)
    reply = f"Renamed {note.path} to {new_path}; {followed.links} link{plural} followed."
    return Step(texts, changes, reply, moved, links=followed.links)


def links_left_behind(home: Snapshot, slug: str) -> Iterator[tuple[Note, list[Link]]]:
    """Yield the files with links that lead nowhere and name a slug, each with those links.

    They are what a person leaves behind who renames a note in a file manager.
    """
    wanted = folded(slug.removesuffix(".md").rpartition("/")[2])
    for path in home.resolutions:
        note = home.notes[path]
        lost = [
            link
            for link in broken_links(home, note)
            if folded(bare_target(link.target)).rpartition("/")[2] == wanted
        ]
        if lost and note.kind != "left-out" and not (note.read_only or note.same_as):
            yield note, lost


def _follow_hand(home: Snapshot, old: str, new: str) -> Step:
    """Point the links at a note that a person has renamed, all that lead nowhere since."""
    with contextlib.suppress(UsageError):
        renamed = find_target(home, new)
        if renamed is None or renamed.kind == "soul":
            return Step()
        steps = [
            _pointed(home, note, lost, renamed.path) for note, lost in links_left_behind(home, old)
        ]
        changes = [change for step in steps for change in step.changes]
        if not changes:
            return Step()
        texts = {path: text for step in steps for path, text in step.texts.items()}
        slug = old.strip().removesuffix(".md").rpartition("/")[2]
        told = Change("renamed", _beside(renamed.path, slug), 0, slug, renamed.slug, renamed.path)
        plural = "s" * (len(changes) != 1)
        reply = f"{renamed.path} was renamed already; {len(changes)} link{plural} followed."
        return Step(texts, (told, *changes), reply, links=len(changes))
    return Step()


def _beside(path: str, slug: str) -> str:
    folder = path.rpartition("/")[0]
    return f"{folder}/{slug}.md" if folder else f"{slug}.md"


def bare_target(text: str) -> str:
    """Return what a link leads to, whether it was given with its brackets or without.

    Example:
        >>> bare_target("[[trips#Plans|there]]"), bare_target("[Trips](my%20trips.md)")
        ('trips', 'my trips')
    """
    for link in parse_document(text).links:
        return link.target.removesuffix(".md")
    inner = text.strip().removeprefix("!").removeprefix("[[").removesuffix("]]")
    return inner.split("|", 1)[0].split("#", 1)[0].strip().removesuffix(".md")
