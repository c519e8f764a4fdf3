"""Locating one note by its slug, from the names on the disk alone: for what must be quick."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

from toolnexus.home.layout import SOUL_CAP_BYTES
from toolnexus.home.snapshot import classify, make_note
from toolnexus.text.frontmatter import read_front_matter
from toolnexus.text.types import Document

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from toolnexus.home.layout import Layout
    from toolnexus.home.note import Note


def locate(root: Path, layout: Layout, slug: str) -> str | None:
    """Find the one note that has exactly this slug, or this path from the home or its notes.

    Nothing is read but names. Where these cannot tell (there is no such note, or several, or
    symbolic links are about), the home has to be read to find out what is meant.

    Args:
        root: The home.
        layout: Which files are notes.
        slug: What the note is called.

    Returns:
        Its path from the home; None where names alone cannot tell.
    """
    name = slug.removesuffix(".md")
    if not name or "\0" in name or any(part in {"", ".", ".."} for part in name.split("/")):
        return None
    exact = f"{name}.md"
    for path in (exact, f"{layout.notes_folder}/{exact}".lstrip("/")):
        if classify(layout, path) is not None and _is_file(root, path):
            return path
    if "/" in name:
        return None
    found = [path for path in _bearing(root, layout, exact) if classify(layout, path) is not None]
    return found[0] if len(found) == 1 and _is_file(root, found[0]) else None


def read_front(root: Path, layout: Layout, path: str) -> Note | None:
    """Read a note's front matter and nothing else of it; None where that cannot be read.

    Args:
        root: The home.
        layout: Which files are notes.
        path: What `locate` found.
    """
    try:
        with (root / path).open("rb") as file:
            text = file.read(SOUL_CAP_BYTES).decode("utf-8", "replace")
    except OSError:
        return None
    front, problems = read_front_matter(text)
    document = Document(front=front, problems=problems)
    return make_note(path, classify(layout, path) or "note", "", len(text), 0.0, document)


def _bearing(root: Path, layout: Layout, name: str) -> Iterator[str]:
    """Yield the paths of the files of a name, in the notes' folder and below it."""
    waiting = [layout.notes_folder]
    while waiting:
        folder = waiting.pop()
        try:
            names = os.listdir(root / folder)  # noqa: PTH208 - names alone, and many of them
        except OSError:
            continue
        prefix = f"{folder}/" if folder else ""
        if name in names:
            yield prefix + name
        if layout.nested:
            inner = [prefix + each for each in names if each[-3:] != ".md" and each[0] != "."]
            waiting += [path for path in inner if _is_folder(root, path)]


def _is_file(root: Path, path: str) -> bool:
    """Whether there is a regular file, reached without any symbolic link."""
    place = root
    for part in path.split("/")[:-1]:
        place /= part
        if place.is_symlink():
            return False
    try:
        return stat.S_ISREG((root / path).lstat().st_mode)
    except OSError:
        return False


def _is_folder(root: Path, path: str) -> bool:
    try:
        mode = (root / path).stat().st_mode
    except (OSError, ValueError):
        return False
    return stat.S_ISDIR(mode)
