"""What the model was asked about: the ledger and cursors that make a pass cost what is new.

It is a cache. Without it, or where it is damaged, the next pass is a full one.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from toolnexus.transcripts.cursor import Cursor

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

RULES = 2
"""Counts up whenever the rules of verification change: older ledgers no longer hold."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What the model was asked about, and what came of it.

    Attributes:
        cursors: How far each conversation was taken into account, by its id.
        claims: What came of each claim, by its digest: ``kept``, ``tried``, ``waits`` or
            ``unmentioned``.
        notes: The digests of the notes that the last merge run saw, by path.
    """

    cursors: Mapping[str, Cursor] = field(default_factory=dict)
    claims: Mapping[str, str] = field(default_factory=dict)
    notes: Mapping[str, str] = field(default_factory=dict)


def read_asked(value: object, basis: Sequence[str]) -> Asked:
    """Read what was asked; damaged rows are left out, so that they are asked anew.

    Args:
        value: What `asked_value` gave, or anything at all.
        basis: What verification rests on, such as the roles that count; another one voids it.

    Example:
        >>> read_asked("damaged", ())
        Asked(cursors={}, claims={}, notes={})
    """
    if not isinstance(value, dict) or value.get("basis") != [RULES, *basis]:
        return Asked()
    rows = value.get("cursors")
    cursors = [_cursor(row) for row in rows] if isinstance(rows, list) else []
    return Asked(
        {cursor.conversation: cursor for cursor in cursors if cursor is not None},
        _texts(value.get("claims")),
        _texts(value.get("notes")),
    )


def asked_value(asked: Asked, basis: Sequence[str]) -> dict[str, object]:
    """Return what was asked as plain lists and dictionaries, for JSON."""
    cursors = [[c.conversation, c.number, c.offset, c.checksum] for c in asked.cursors.values()]
    return {
        "basis": [RULES, *basis],
        "cursors": cursors,
        "claims": dict(asked.claims),
        "notes": dict(asked.notes),
    }


def _cursor(row: Any) -> Cursor | None:
    try:
        return Cursor(str(row[0]), *map(int, row[1:4]))
    except (TypeError, ValueError, LookupError):
        return None


def _texts(value: object) -> dict[str, str]:
    if not isinstance(value, dict):
        return {}
    return {key: each for key, each in value.items() if isinstance(each, str)}
