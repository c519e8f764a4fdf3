"""Reading a transcript's file, as a whole or to find one turn in it."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from toolnexus.errors import HomeError
from toolnexus.transcripts.lines import Line, read_lines
from toolnexus.transcripts.names import conversation_id, file_name, is_cut, is_transcript, printable
from toolnexus.transcripts.turn import (
    ESCAPING,
    TORN,
    UNREADABLE,
    Conversation,
    TranscriptProblem,
    Turn,
)
from toolnexus.transcripts.turn_parse import Parsed, parse_line

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime


class EscapingLinkError(OSError):
    """A symbolic link leads out of the folder it must stay in."""


def confine(path: Path, root: Path) -> Path:
    """Follow a path's symbolic links, as long as it stays below a folder.

    The folder that a path lies in may be a link as well, so that the whole of it is followed.

    Args:
        path: A file, which may be absent or a link.
        root: The folder, resolved.

    Raises:
        EscapingLinkError: when it leads out of the folder.
    """
    target = Path(os.path.realpath(path))
    if not target.is_relative_to(root):
        raise EscapingLinkError(
            errno.EPERM, "a symbolic link that leads out of the home", str(path)
        )
    return target


def escapes(folder: Path, root: Path) -> bool:
    """Whether a symbolic link leads a folder of transcripts out of the folder it must stay in."""
    return not Path(os.path.realpath(folder)).is_relative_to(root)


def require_inside(folder: Path, root: Path) -> None:
    """Stop where a folder of transcripts leads out of the home.

    Raises:
        HomeError: when it does.
    """
    if escapes(folder, root):
        raise HomeError(
            "a symbolic link that leads out of the home is not followed",
            path=str(folder),
            hint="put the folder itself in its place",
        )


def confine_for_writing(path: Path, root: Path) -> Path:
    """Follow a path's last symbolic link, for a file that is to be written.

    Raises:
        HomeError: when it leads out of the folder.
    """
    try:
        return confine(path, root)
    except EscapingLinkError:
        raise HomeError(
            "a symbolic link that leads out of the home is not written to",
            path=str(path),
            hint="put the file itself in its place",
        ) from None


def list_names(folder: Path) -> list[str]:
    """Return the names of a folder's transcripts, in no order; none for an absent folder.

    Raises:
        OSError: when the folder cannot be read.
    """
    try:
        with os.scandir(folder) as entries:
            return [entry.name for entry in entries if is_transcript(entry.name)]
    except FileNotFoundError:
        return []


def open_transcript(path: Path, root: Path) -> BinaryIO:
    """Open a transcript for reading; never blocks on a FIFO or a device.

    Raises:
        OSError: when it is absent, cannot be read, is no regular file, or leads out of `root`.
    """
    flags = os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC
    descriptor = os.open(confine(path, root), flags)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "not a regular file", str(path))
    return os.fdopen(descriptor, "rb", buffering=1 << 18)


def problem_of(error: OSError, name: str) -> TranscriptProblem:
    """Say as a problem why a transcript's file cannot be read."""
    rule = ESCAPING if isinstance(error, EscapingLinkError) else UNREADABLE
    return TranscriptProblem(0, rule, error.strerror or str(error), file=printable(name))


def parse_physical(line: Line, conversation: str, previous_ts: datetime | None) -> Parsed:
    """Read a physical line: `turn_parse.parse_line`, and a problem for one that is too long."""
    if line.too_long:
        message = f"a line of {line.end - line.offset:,} bytes is too long to be a turn"
        return None, (TranscriptProblem(line.number, TORN, message),)
    return parse_line(
        line.data, conversation=conversation, number=line.number, previous_ts=previous_ts
    )


def read_turns(
    file: BinaryIO, conversation: str
) -> Iterator[tuple[Line, Turn | None, tuple[TranscriptProblem, ...]]]:
    """Read a transcript line by line, each turn without an instant taking its predecessor's."""
    previous_ts: datetime | None = None
    for line in read_lines(file):
        turn, problems = parse_physical(line, conversation, previous_ts)
        if turn is not None:
            previous_ts = turn.ts
        yield line, turn, problems


def read_conversation(path: Path, conversation: str, root: Path) -> Conversation:
    """Read a whole transcript; what cannot be read is among its problems.

    Raises:
        FileNotFoundError: when there is none.
    """
    turns: list[Turn] = []
    problems: list[TranscriptProblem] = []
    lines_of_ids: dict[str, int] = {}
    try:
        with open_transcript(path, root) as file:
            for line, turn, found in read_turns(file, conversation):
                problems.extend(found)
                if turn is None:
                    continue
                turns.append(turn)
                first = lines_of_ids.setdefault(turn.id, line.number) if turn.id else line.number
                if first != line.number:
                    problems.append(duplicate_id(line.number, first))
    except FileNotFoundError:
        raise
    except OSError as error:
        problems.append(problem_of(error, path.name))
    return Conversation(conversation, tuple(turns), tuple(problems))


def duplicate_id(number: int, first: int) -> TranscriptProblem:
    """Say that a turn's id was already taken by an earlier line."""
    return TranscriptProblem(number, TORN, f"its id is also that of line {first}", skipped=False)


def read_id(path: Path, root: Path) -> str:
    """Return a transcript's conversation id, from its first line where its name is cut.

    Example:
        >>> read_id(Path("chat%2F1.jsonl"), Path())
        'chat/1'
    """
    if not is_cut(path.name):
        return conversation_id(path.name)
    try:
        with open_transcript(path, root) as file:
            line = next(read_lines(file), None)
    except OSError:
        return conversation_id(path.name)
    turn, _ = parse_line(line.data) if line is not None and not line.too_long else (None, ())
    told = turn.record.get("conversation") if turn is not None else None
    if isinstance(told, str) and told and file_name(told) == path.name:
        return told
    return conversation_id(path.name)
