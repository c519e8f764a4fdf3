"""Archiving: notes that have faded move into the archive, and every link to them follows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolnexus.change.plan import Change
from toolnexus.home.operations.follow import follow_links
from toolnexus.home.operations.step import Step
from toolnexus.home.ripening import ARCHIVE, is_archived

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolnexus.home.layout import Layout
    from toolnexus.home.snapshot import Snapshot


def archived_path(layout: Layout, path: str) -> str:
    """Return where a note lies once it is archived: its folders are kept inside the archive.

    Example:
        >>> from toolnexus.home.layout import LAYOUTS
        >>> archived_path(LAYOUTS["persona"], "memory/travel/lisbon.md")
        'memory/archive/travel/lisbon.md'
    """
    folder = layout.notes_folder
    inner = path.removeprefix(f"{folder}/") if folder else path
    return f"{folder}/{ARCHIVE}/{inner}".lstrip("/")


def revived_path(layout: Layout, path: str) -> str:
    """Return where an archived note lies when it is back among the others.

    Example:
        >>> from toolnexus.home.layout import LAYOUTS
        >>> revived_path(LAYOUTS["persona"], "memory/archive/travel/lisbon.md")
        'memory/travel/lisbon.md'
    """
    folder = layout.notes_folder
    archive = f"{folder}/{ARCHIVE}/".lstrip("/")
    inner = path.removeprefix(archive)
    return f"{folder}/{inner}".lstrip("/")


def archive_notes(home: Snapshot, paths: Sequence[str], reason: str = "") -> Step:
    """Move notes into the archive, byte for byte but for links that must say where they lead.

    Left where they are: what may not be rewritten or lies there already, a note whose place there
    is taken, and one that a source links to in a way that would no longer lead to it (sources are
    never rewritten). A layout without sub-folders has no archive.

    Args:
        home: The home as read.
        paths: The notes.
        reason: Why, for the log; empty leaves it to the kind of change.
    """
    moved = {path: archived_path(home.layout, path) for path in paths if may_move(home, path)}
    while moved:
        after = home.with_texts(
            dict.fromkeys(moved) | {to: home.text(path) for path, to in moved.items()}
        )
        stuck = {path for path in moved if _loses_links(home, after, path, moved)}
        if not stuck:
            return _step(home, after, moved, reason)
        moved = {path: to for path, to in moved.items() if path not in stuck}
    return Step()


def may_move(home: Snapshot, path: str) -> bool:
    """Whether a note may move into the archive, and has a place there."""
    note = home.notes.get(path)
    if note is None or note.kind != "note" or not note.is_writable or is_archived(path):
        return False
    to = archived_path(home.layout, path)
    return home.layout.nested and to not in home.notes and to not in home.assets


def _step(home: Snapshot, after: Snapshot, moved: dict[str, str], reason: str) -> Step:
    texts: dict[str, str | None] = dict.fromkeys(moved)
    texts |= {to: home.text(path) for path, to in moved.items()}
    followed = follow_links(home, after, moved)
    texts |= followed.texts
    changes = tuple(
        Change("archived", path, 0, home.notes[path].title, to=to, reason=reason)
        for path, to in moved.items()
    )
    names = ", ".join(moved)
    return Step(texts, changes, f"Archived {names}.", moved, links=followed.links)


def _loses_links(home: Snapshot, after: Snapshot, path: str, moved: dict[str, str]) -> bool:
    """Whether a source links to a note in a way that would lead elsewhere, or nowhere."""
    for from_path, link in home.backlinks.get(path, ()):
        if home.notes[from_path].is_writable:
            continue
        links = home.notes[from_path].document.links
        if after.resolutions[from_path][links.index(link)].path != moved[path]:
            return True
    return False
