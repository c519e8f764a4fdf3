"""Which transcripts there are and what changed since the last look: one pass over the folder."""

from __future__ import annotations

import errno
import stat
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from toolnexus.transcripts.reader import confine, list_names, problem_of

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping
    from pathlib import Path

    from toolnexus.transcripts.turn import TranscriptProblem


@dataclass(frozen=True, slots=True)
class Stamp:
    """What tells a file's state without reading it."""

    size: int
    mtime_ns: int
    inode: int

    @classmethod
    def of(cls, status: os.stat_result) -> Self:
        """Return the stamp of a file's status."""
        return cls(status.st_size, status.st_mtime_ns, status.st_ino)


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
    problems: list[TranscriptProblem] = []
    for name in sorted(list_names(folder)):
        try:
            stamps[name] = _stamp(folder / name, root)
        except FileNotFoundError:
            continue
        except OSError as error:
            problems.append(problem_of(error, name))
    return Scan(stamps, tuple(problems))


def _stamp(path: Path, root: Path) -> Stamp:
    status = path.lstat()
    if stat.S_ISLNK(status.st_mode):
        status = confine(path, root).stat()
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.EINVAL, "not a regular file")
    return Stamp.of(status)


def compare(known: Mapping[str, Stamp], found: Mapping[str, Stamp]) -> Difference:
    """Say what changed between two looks.

    Example:
        >>> compare({"a": Stamp(1, 1, 1), "b": Stamp(2, 2, 2)}, {"b": Stamp(3, 3, 2)})
        Difference(changed=('b',), gone=('a',))
    """
    return Difference(
        changed=tuple(name for name, stamp in found.items() if known.get(name) != stamp),
        gone=tuple(name for name in known if name not in found),
    )
