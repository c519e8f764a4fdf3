"""How far a conversation was seen, for work that goes on where it stopped."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from toolnexus.transcripts.turn import Turn


@dataclass(frozen=True, slots=True)
class Cursor:
    """How far a conversation was seen.

    It tells from the file's content alone whether what was seen still stands, so that it outlives
    the search's database. Two equal cursors mean that nothing came between.

    Attributes:
        conversation: The conversation's id.
        number: The last turn's line, counted from 1; 0 for none.
        offset: Where that line begins, in bytes.
        checksum: CRC-32 of the file up to that line's end, its newline left out.
    """

    conversation: str
    number: int = 0
    offset: int = 0
    checksum: int = 0


@dataclass(frozen=True, slots=True)
class NewTurns:
    """What a conversation has since a cursor.

    Attributes:
        turns: The turns behind the cursor, in file order.
        restarted: Whether the file is gone, shrank or changed before the cursor; `turns` then
            begin at its start.
        cursor: Where to go on from.
    """

    turns: tuple[Turn, ...]
    restarted: bool
    cursor: Cursor
