"""Which transcripts there are and what changed since the last look: one pass over the folder."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Self

from toolnexus.transcripts.names import SUFFIX, is_transcript, printable
from toolnexus.transcripts.reader import confine, escapes, problem_of
from toolnexus.transcripts.turn import UNREADABLE, TranscriptProblem

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


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
"""A stamp as a bare tuple: there are as many of them as there are files."""


@dataclass(frozen=True, slots=True)
class Scan:
    """The transcripts of a folder by name, and those that cannot be read at all."""

    stamps: dict[str, Known]
    problems: tuple[TranscriptProblem, ...] = ()


@dataclass(frozen=True, slots=True)
class Difference:
    """What a refresh has to do: names to read, and names that left."""

    changed: tuple[str, ...]
    gone: tuple[str, ...]


def scan_folder(folder: Path, root: Path) -> Scan:
    """Look at every transcript of a folder, opening none.

    Args:
        folder: The transcripts folder; an absent one has no transcripts, and neither has one that
            is a link out of `root`.
        root: Links may lead anywhere below this folder.

    Raises:
        OSError: when the folder cannot be read.
    """
    if escapes(folder, root):
        return Scan({})
    try:
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except FileNotFoundError:
        return Scan({})
    try:
        stamps, others = _plain_files(descriptor)
    finally:
        os.close(descriptor)
    problems: list[TranscriptProblem] = []
    for name in sorted(others):
        _look_at(folder / name, root, stamps, problems)
    return Scan(stamps, tuple(problems))


def _plain_files(descriptor: int) -> tuple[dict[str, Known], list[str]]:
    """Return the stamps of an open folder's plain files, and the names that take a closer look.

    Every search waits for this, so that a file like most costs little but its status, which is
    asked for by its name in the open folder: the system need not walk the path for each.
    """
    stamps: dict[str, Known] = {}
    others: list[str] = []
    status_of, is_regular = os.stat, stat.S_ISREG
    for name in os.listdir(descriptor):
        if not is_transcript(name):
            if name == SUFFIX:
                others.append(name)
            continue
        try:
            status = status_of(name, dir_fd=descriptor, follow_symlinks=False)
        except OSError:
            others.append(name)
            continue
        if name.isascii() and is_regular(status.st_mode):
            stamps[name] = (status.st_size, status.st_mtime_ns, status.st_ino)
        else:
            others.append(name)
    return stamps, others


def _look_at(
    path: Path,
    root: Path,
    stamps: dict[str, Known],
    problems: list[TranscriptProblem],
) -> None:
    """Look at an entry that is no regular file, or whose name is not plain."""
    try:
        status = path.lstat()
        if stat.S_ISLNK(status.st_mode):
            status = confine(path, root).stat()
    except FileNotFoundError:  # deleted meanwhile, or a link to nowhere
        return
    except OSError as error:
        problems.append(problem_of(error, path.name))
        return
    name = printable(path.name)
    if name == SUFFIX:
        problems.append(TranscriptProblem(0, UNREADABLE, "its name holds no id", file=name))
    elif not stat.S_ISREG(status.st_mode):
        problems.append(TranscriptProblem(0, UNREADABLE, "not a regular file", file=name))
    elif name != path.name:
        problems.append(TranscriptProblem(0, UNREADABLE, "its name is not UTF-8", file=name))
    else:
        stamps[name] = Stamp.of(status)


def compare(known: Mapping[str, Known], found: Mapping[str, Known]) -> Difference:
    """Say what changed between two looks, in the order of names.

    Example:
        >>> compare({"a": (1, 1, 1), "b": (2, 2, 2)}, {"b": (3, 3, 2)})
        Difference(changed=('b',), gone=('a',))
    """
    before = known.get
    changed = [name for name, stamp in found.items() if before(name) != stamp]
    return Difference(tuple(sorted(changed)), tuple(sorted(known.keys() - found.keys())))
