"""Which files were read before and what came of them: a file that is unchanged is not read again.

This is a short cut and nothing else: without it every turn is known again by its key.
"""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from toolnexus.transcripts.scan import Stamp

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

_COMPANIONS = ("", "-wal")  # what is new in a SQLite store stands in its log at first


@dataclass(frozen=True, slots=True)
class Remembered:
    """A file that was read to its end.

    Attributes:
        version: The importer's version.
        stamps: Size, mtime and inode of the file, and of the log beside it.
        conversations: What it went to, each with the size of its file afterwards.
        turns: How many turns it holds.
    """

    version: int
    stamps: tuple[Stamp | None, ...]
    conversations: tuple[tuple[str, int], ...]
    turns: int


class ImportMemory:
    """The files that one importer has read.

    Args:
        importer: Its name.
        value: What `value` gave the last time; anything else counts as nothing.
    """

    def __init__(self, importer: str, value: Any = None) -> None:
        self._importer = importer
        self._value: dict[str, Any] = dict(value) if isinstance(value, dict) else {}
        self.changed = False

    @property
    def value(self) -> dict[str, Any]:
        """What to keep, as JSON."""
        return self._value

    def recall(self, path: Path, version: int, size_of: Callable[[str], int]) -> Remembered | None:
        """Return what came of a file, when it and all that it went to are as they were, or longer.

        Args:
            path: The file.
            version: The importer's version.
            size_of: Gives the size of a conversation's file, -1 when there is none.
        """
        known = _parse(self._value.get(self._key(path)))
        if known is None or known.version != version or known.stamps != stamps_of(path):
            return None
        return known if all(size_of(c) >= size for c, size in known.conversations) else None

    def went_to(self, path: Path) -> tuple[str, ...]:
        """Return the conversations that a file went to, whatever became of it since."""
        known = _parse(self._value.get(self._key(path)))
        return tuple(name for name, _ in known.conversations) if known else ()

    def keep(self, path: Path, remembered: Remembered) -> None:
        """Remember a file."""
        self._value[self._key(path)] = asdict(remembered)
        self.changed = True

    def _key(self, path: Path) -> str:
        place = blake2b(os.fsencode(path.absolute()), digest_size=16).hexdigest()
        return f"{self._importer}:{place}"


def stamps_of(path: Path) -> tuple[Stamp | None, ...]:
    """Return the stamps of a file and of what lies beside it; None for what is not there."""
    return tuple(_stamp(path.with_name(path.name + companion)) for companion in _COMPANIONS)


def _stamp(path: Path) -> Stamp | None:
    try:
        return Stamp.of(path.stat())
    except OSError:
        return None


def _parse(value: Any) -> Remembered | None:
    """Read an entry; None for one that is damaged."""
    try:
        return Remembered(
            int(value["version"]),
            tuple(None if stamp is None else Stamp(*map(int, stamp)) for stamp in value["stamps"]),
            tuple((str(name), int(size)) for name, size in value["conversations"]),
            int(value["turns"]),
        )
    except (KeyError, TypeError, ValueError, OverflowError):
        return None
