"""Files of a source: found in order, never through a link that leads out of it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from toolnexus.errors import UsageError
from toolnexus.evolve.plugging.event import PlugSkip

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator


def existing(source: str | Path) -> Path:
    """Return a source that is there.

    Raises:
        UsageError: when it is not.
    """
    path = Path(source).expanduser()
    if not path.exists():
        hint = "name what is to be plugged in"
        raise UsageError("there is no such file or folder", path=str(path), hint=hint)
    return path


def files_below(source: Path, suffixes: Collection[str]) -> Iterator[Path | PlugSkip]:
    """Yield the files of a source by name: itself, or those below it with one of some endings.

    Hidden files and folders are left out, and links that lead out of the source are skipped.
    """
    if not source.is_dir():
        yield source
        return
    root = source.resolve()
    for folder, folders, names in os.walk(source):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            path = Path(folder, name)
            if name.startswith(".") or path.suffix.lower() not in suffixes:
                continue
            if not path.resolve().is_relative_to(root):
                yield PlugSkip("it is a link that leads out of the source", str(path))
            elif not path.is_file():
                yield PlugSkip("it is no regular file", str(path))
            else:
                yield path


def named(source: Path, path: Path) -> str:
    """Return what a file is called in its source, with ``/``."""
    return path.name if path == source else path.relative_to(source).as_posix()
