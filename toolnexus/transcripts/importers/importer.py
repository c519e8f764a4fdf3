"""The protocol of an importer, and what it hands back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from datetime import datetime
    from pathlib import Path

    from toolnexus.transcripts.turn import Turn


@dataclass(frozen=True, slots=True)
class Skip:
    """Something in a source that becomes no turn, or not all of it does.

    Attributes:
        reason: Why, in a few words that are the same for all of its kind: they are counted.
        line: Its line or element in the file, counted from 1; 0 for the file as a whole.
        path: The file; empty for the one that is being read.
        retry: Whether it may be there the next time, though the file looks unchanged.
    """

    reason: str
    line: int = 0
    path: str = ""
    retry: bool = False


@dataclass(frozen=True, slots=True)
class Said:
    """A turn.

    Attributes:
        turn: What was said. Its `id` should be the tool's own for it, if it has one that stays.
        line: Its line or element in the file, counted from 1.
        thread: Empty for the conversation itself; else which talk beside it (a sub-agent's) this
            is part of, which becomes a conversation of its own.
    """

    turn: Turn
    line: int = 0
    thread: str = ""


Item = Said | Skip


@dataclass(frozen=True, slots=True)
class Session:
    """One conversation in a source.

    Attributes:
        name: The tool's own id for it.
        read: Reads it, from the start; may raise OSError.
        started: When it began, for people to find it by; None when nothing tells.
        is_file_name: Whether the name is only the file's, which another file may bear as well.
    """

    name: str
    read: Callable[[], Iterable[Item]]
    started: datetime | None = None
    is_file_name: bool = False


class Importer(Protocol):
    """Reads one tool's transcripts.

    Name a class without arguments, or a function that returns one, in the entry point group
    ``toolnexus.importers``; the entry point's name is what ``toolnexus import`` takes.

    Attributes:
        version: Raise it when the same file would give other turns than before: files that were
            read by an older version are then read again.

    Example:
        >>> class Diary:
        ...     version = 1
        ...     def files(self, source):
        ...         yield from sorted(source.glob("*.txt"))
        ...     def sessions(self, path):
        ...         yield Session(path.stem, lambda: [Said(Turn("user", path.read_text()))])
    """

    version: int

    def files(self, source: Path) -> Iterator[Path | Skip]:
        """Find the files to read in what the caller named, a file or a folder."""
        ...

    def sessions(self, path: Path) -> Iterator[Session | Skip]:
        """Tell which conversations a file holds; may raise OSError."""
        ...
