"""Which transcripts there are and what changed since the last look: one pass over the folder."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Self

from toolnexus.transcripts.names import SUFFIX, is_transcript, printable
from toolnexus.transcripts.reader import confine, problem_of
from toolnexus.transcripts.turn import UNREADABLE, TranscriptProblem

if TYPE_CHECKING:
    from collections.abc import Mapping


class Stamp(NamedTuple):
    """What tells a file's state without reading it."""

    size: int
    mtime_ns: int
    inode: int

    @classmethod
    def of(cls, status: os.stat_result) -> Self:
        """Return the stamp of a file's status."""
        return cls(status.st_size, status.st_mtime_ns, status.st_ino)


Known = tuple[int, int, int]
"""A stamp as the database gives it, left as it is: there are as many as there are files."""


@dataclass(frozen=True, slots=True)
class Scan:
    """The transcripts of a folder by name, and those that cannot be read at all."""

    stamps: dict[str, Stamp]
    problems: tuple[TranscriptProblem, ...] = ()


@dataclass(frozen=True, slots=True)
class Difference:
    """What a refresh has to do: names to read, and names that left."""

    changed: tuple[str, ...]
    gone: tuple[str, ...]


def scan_folder(folder: Path, root: Path) -> Scan:
    """Look at every transcript of a folder, opening none.

    Args:
        folder: The transcripts folder; an absent one has no transcripts.
        root: Links may lead anywhere below this folder.

    Raises:
        OSError: when the folder cannot be read.
    """
    stamps: dict[str, Stamp] = {}
    others: list[os.DirEntry[str]] = []
    try:
        with os.scandir(folder) as entries:
            # Every search waits for this, so that a file like most costs little but its stat.
            for entry in entries:
                name = entry.name
                if is_transcript(name):
                    status = _status(entry)
                    if status is not None and name.isascii():
                        stamps[name] = Stamp(status.st_size, status.st_mtime_ns, status.st_ino)
                    else:
                        others.append(entry)
                elif name == SUFFIX:
                    others.append(entry)
    except FileNotFoundError:
        return Scan({})
    problems: list[TranscriptProblem] = []
    for entry in sorted(others, key=lambda entry: entry.name):
        _look_at(entry, root, stamps, problems)
    return Scan(stamps, tuple(problems))


def _status(entry: os.DirEntry[str]) -> os.stat_result | None:
    """Return a regular file's status; None for what takes a closer look."""
    try:
        status = entry.stat(follow_symlinks=False)
    except OSError:
        return None
    return status if stat.S_ISREG(status.st_mode) else None


def _look_at(
    entry: os.DirEntry[str],
    root: Path,
    stamps: dict[str, Stamp],
    problems: list[TranscriptProblem],
) -> None:
    """Look at an entry that is no regular file, or whose name is not plain."""
    try:
        status = entry.stat(follow_symlinks=False)
        if stat.S_ISLNK(status.st_mode):
            status = confine(Path(entry.path), root).stat()
    except FileNotFoundError:  # deleted meanwhile, or a link to nowhere
        return
    except OSError as error:
        problems.append(problem_of(error, entry.name))
        return
    name = printable(entry.name)
    if name == SUFFIX:
        problems.append(TranscriptProblem(0, UNREADABLE, "its name holds no id", file=name))
    elif not stat.S_ISREG(status.st_mode):
        problems.append(TranscriptProblem(0, UNREADABLE, "not a regular file", file=name))
    elif name != entry.name:
        problems.append(TranscriptProblem(0, UNREADABLE, "its name is not UTF-8", file=name))
    else:
        stamps[name] = Stamp.of(status)


def compare(known: Mapping[str, Known], found: Mapping[str, Stamp]) -> Difference:
    """Say what changed between two looks, in the order of names.

    Example:
        >>> compare({"a": Stamp(1, 1, 1), "b": Stamp(2, 2, 2)}, {"b": Stamp(3, 3, 2)})
        Difference(changed=('b',), gone=('a',))
    """
    return Difference(
        changed=tuple(sorted(name for name, _ in found.items() - known.items())),
        gone=tuple(sorted(known.keys() - found.keys())),
    )
