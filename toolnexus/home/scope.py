"""Scopes: the folders below the notes' own, of which each sees itself and never its sibling."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolnexus.errors import UsageError
from toolnexus.text.nearest import nearest

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from toolnexus.home.layout import Layout

FLAT_HINT = "all notes of this home lie in one folder: leave the scope out"
_TOP = "."
_HINT = "name a folder below the notes' own, such as 'projects' or 'projects/garden'"


def parse_scope(text: str, layout: Layout, paths: Iterable[str]) -> str:
    """Read the name of a scope; the folder that it stands for, from the home, is returned.

    Args:
        text: A folder below the notes' own, with ``/``; empty, or ``.``, is the whole home. The
            notes' own folder may stand before it.
        layout: Where notes are.
        paths: The notes that there are; a folder without any is no scope.

    Returns:
        The folder without a slash at its end; empty for the whole home.

    Raises:
        UsageError: when it leads out of the notes' folder, or there is no such folder.

    Example:
        >>> from toolnexus.home.layout import LAYOUTS
        >>> parse_scope("projects/", LAYOUTS["persona"], ["memory/projects/garden.md"])
        'memory/projects'
    """
    folder = scope_folder(text, layout)
    named = folder not in {"", layout.notes_folder}
    if named and not any(in_scope(path, folder) for path in paths):
        own = f"{layout.notes_folder}/" if layout.notes_folder else ""
        near = nearest(folder.removeprefix(own), scopes_of(layout, tuple(paths)))
        hint = f"did you mean '{near}'?" if near else _HINT if layout.nested else FLAT_HINT
        raise UsageError(f"there are no notes in '{folder}/'", hint=hint)
    return folder


def scope_folder(text: str, layout: Layout) -> str:
    """Return the folder that a scope's name stands for, from the home; it need not be there.

    Args:
        text: As `parse_scope` takes it.
        layout: Where notes are.

    Raises:
        UsageError: when it leads out of the notes' folder.
    """
    if not isinstance(text, str):
        raise UsageError(f"a scope is the name of a folder, and {text!r} is none", hint=_HINT)
    own = layout.notes_folder
    name = text.strip().removesuffix("/")
    if name in {"", _TOP}:
        return ""
    parts = name.split("/")
    if any(part in {"", ".", ".."} or part.startswith(".") for part in parts) or "\\" in name:
        raise UsageError(f"'{text}' is no folder of notes", hint=_HINT)
    if own and parts[0] == own:
        parts = parts[1:]
    if not parts:
        return own
    return "/".join([own, *parts] if own else parts)


def in_scope(path: str, scope: str) -> bool:
    """Tell whether a file lies in a scope: in its folder or below it.

    Args:
        path: The file, from the home.
        scope: What `parse_scope` returned; empty is the whole home.

    Example:
        >>> in_scope("memory/a/tea.md", "memory/a"), in_scope("memory/ab/tea.md", "memory/a")
        (True, False)
    """
    return not scope or path.startswith(f"{scope}/")


def scopes_of(layout: Layout, paths: Collection[str]) -> tuple[str, ...]:
    """List the folders below the notes' own that hold notes, as they are named to `parse_scope`."""
    own = f"{layout.notes_folder}/" if layout.notes_folder else ""
    found = set()
    for path in paths:
        folders = path.removeprefix(own).split("/")[:-1] if path.startswith(own) else []
        found |= {"/".join(folders[:depth]) for depth in range(1, len(folders) + 1)}
    return tuple(sorted(found))
