"""Reading single turns out of the files, by the byte offsets that the search keeps."""

from __future__ import annotations

import os
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING

from toolnexus.transcripts.reader import open_transcript
from toolnexus.transcripts.timestamp import from_microseconds
from toolnexus.transcripts.turn_parse import parse_line

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from toolnexus.transcripts.turn import Turn


@dataclass(frozen=True, slots=True)
class TurnRow:
    """Where a turn stands: file name, line and byte span, and its instant in microseconds."""

    name: str
    conversation: str
    number: int
    ts: int | None
    offset: int
    length: int


def fetch_turns(folder: Path, root: Path, rows: Iterable[TurnRow]) -> list[Turn | None]:
    """Read turns from the transcripts of a folder.

    Returns:
        For each row its turn, or None where the file is gone or no turn is there any more.
    """
    turns: list[Turn | None] = []
    descriptor: int | None = None
    name = ""
    with ExitStack() as stack:
        for row in rows:
            if row.name != name:
                stack.close()
                name = row.name
                descriptor = _open(stack, folder / name, root)
            turns.append(None if descriptor is None else _read(descriptor, row))
    return turns


def _open(stack: ExitStack, path: Path, root: Path) -> int | None:
    try:
        return stack.enter_context(open_transcript(path, root)).fileno()
    except OSError:
        return None


def _read(descriptor: int, row: TurnRow) -> Turn | None:
    try:
        data = os.pread(descriptor, row.length, row.offset)
    except OSError:
        return None
    ts = None if row.ts is None else from_microseconds(row.ts)
    turn, _ = parse_line(data, conversation=row.conversation, number=row.number, previous_ts=ts)
    return turn
