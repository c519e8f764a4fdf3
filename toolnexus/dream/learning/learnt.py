"""How far conversations were learnt from, as it is kept between passes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolnexus.transcripts.cursor import Cursor

if TYPE_CHECKING:
    from collections.abc import Mapping


def read_learnt(value: object) -> dict[str, Cursor] | None:
    """Read how far conversations were learnt from; damaged rows are left out.

    Returns:
        None where nothing was kept: nothing was learnt yet.

    Example:
        >>> read_learnt(None) is None, read_learnt([["m", 3, 120, 9], "damaged"])
        (True, {'m': Cursor(conversation='m', number=3, offset=120, checksum=9)})
    """
    if not isinstance(value, list):
        return None
    rows = (row for row in value if isinstance(row, list) and len(row) == 4)
    return {
        str(row[0]): Cursor(str(row[0]), *row[1:])
        for row in rows
        if all(isinstance(number, int) for number in row[1:])
    }


def learnt_value(learnt: Mapping[str, Cursor]) -> list[list[object]]:
    """Return how far conversations were learnt from as plain lists, for JSON."""
    return [[c.conversation, c.number, c.offset, c.checksum] for c in learnt.values()]
