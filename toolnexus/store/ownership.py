"""Whose state a state folder outside the home holds: one home's, never two homes'."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import TYPE_CHECKING

from toolnexus.errors import HomeError, UsageError
from toolnexus.files import disk_errors, read_regular, write_atomically
from toolnexus.home.layout import INDEX_FILE, SOUL_FILES
from toolnexus.store.confine import is_inside

if TYPE_CHECKING:
    from toolnexus.files import Disk

OWNER_FILE = "home"
_CAP_BYTES = 64 * 1024
_OURS = frozenset(
    {OWNER_FILE, ".gitignore", "history", "index", "locks", "proposals", "runs", "state"}
    | {"cache.sqlite", "renames.json", "transcripts.sqlite", "uses.jsonl"}
)
"""What a state folder may hold: one of these tells that it is one."""


def require_own_state(root: Path, state: Path) -> None:
    """Make sure that a state folder is not another home's: its journal must not be put to ours.

    Neither may it be a folder with something else in it: what we keep there stays out of git, and
    would take that along. A folder whose home is no longer there may be taken over, as when a
    cached state is brought to another checkout.

    Args:
        root: The home.
        state: Its state folder; one within the home is its own.

    Raises:
        UsageError: when the folder holds the state of another home that exists, or is no state
            folder at all.
    """
    if _is_something_else(state):
        raise UsageError(
            "this folder is no state folder: it has other things in it",
            path=str(state),
            hint="name a folder of its own, which need not be there yet",
        )
    owner = _owner_of(state)
    if owner is None or _is_within(state, root) or _is_same(owner, root) or not owner.is_dir():
        return
    raise UsageError(
        f"this folder holds the state of another home, {owner}",
        path=str(state),
        hint="give every home a state folder of its own",
    )


def require_state_inside(root: Path, state: Path) -> None:
    """Make sure that no symbolic link leads the state folder of a home out of it.

    A home that came from somebody else may have one: what we write would land where it leads, and
    a journal that lies there would be put to the home. Whoever wants the state elsewhere says so.

    Args:
        root: The home.
        state: The state folder in it, which need not be there.

    Raises:
        HomeError: when the folder, or something right in it, is a link that leads out of the home.
    """
    real_root = os.path.realpath(root)
    for path in (state, *_links_in(state)):
        if path.is_symlink() and not is_inside(real_root, os.path.realpath(path)):
            raise HomeError(
                "a symbolic link that leads out of the home is not followed",
                path=str(path),
                hint="take it away; name a state folder elsewhere with --state",
            )


def _links_in(state: Path) -> list[Path]:
    try:
        with os.scandir(state) as entries:
            return [Path(entry.path) for entry in entries if entry.is_symlink()]
    except OSError:
        return []


def make_state(root: Path, state: Path, disk: Disk) -> None:
    """Make a home's state folder where there is none; it keeps itself out of git.

    Raises:
        DiskError: when it cannot be made.
    """
    ignore = state / ".gitignore"
    if ignore.exists():
        return
    with disk_errors(state):
        disk.make_folder(state)
        with contextlib.suppress(FileExistsError):
            disk.write_new(ignore, b"*\n")
        with contextlib.suppress(PermissionError):
            disk.sync_folder(state.parent)  # whoever made the folder
    note_owner(root, state, disk)


def note_owner(root: Path, state: Path, disk: Disk) -> None:
    """Write down whose state a folder outside the home holds.

    Raises:
        DiskError: when it cannot be written.
    """
    owner = _owner_of(state)
    if _is_within(state, root) or (owner is not None and _is_same(owner, root)):
        return
    write_atomically(state / OWNER_FILE, os.fsencode(root.resolve()), disk=disk, durable=False)


def _is_something_else(state: Path) -> bool:
    """Whether a folder has content, and none of it is what a state folder holds."""
    try:
        names = {entry.name for entry in os.scandir(state)}
    except OSError:
        return False
    return (bool(names) and not names & _OURS) or not names.isdisjoint({INDEX_FILE, *SOUL_FILES})


def _owner_of(state: Path) -> Path | None:
    try:
        return Path(os.fsdecode(read_regular(state / OWNER_FILE, _CAP_BYTES)))
    except OSError:
        return None


def _is_within(state: Path, root: Path) -> bool:
    return state.resolve().is_relative_to(root.resolve())


def _is_same(owner: Path, root: Path) -> bool:
    return owner == root.resolve()
