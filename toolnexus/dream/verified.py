"""The ledger of verified claims: what was checked against which turns, and what they said.

It is a cache. Without it, or when it is damaged or made by other rules, everything is checked anew.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from toolnexus.change.plan import Evidence
from toolnexus.dream.contradiction import Verdict
from toolnexus.transcripts.cursor import Cursor

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

RULES = 3
"""Counts up whenever the rules of verification change: older ledgers no longer hold."""


@dataclass(frozen=True, slots=True)
class CheckedFile:
    """A file whose claims were checked.

    Attributes:
        digest: The file's digest.
        claims: The digests of its claims, in order.
        verdicts: What was said about them, by the claim's number; only where something was.
    """

    digest: str
    claims: tuple[str, ...]
    verdicts: Mapping[int, tuple[Verdict, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Ledger:
    """What was checked.

    Attributes:
        cursors: How far each conversation was taken into account, by its id.
        files: The checked files, by path.
    """

    cursors: Mapping[str, Cursor] = field(default_factory=dict)
    files: Mapping[str, CheckedFile] = field(default_factory=dict)


def read_ledger(value: object, basis: Sequence[str]) -> Ledger:
    """Read a ledger; what is damaged in it is left out, so that it is checked anew.

    Args:
        value: What `ledger_value` gave, or anything at all.
        basis: What verification rests on, such as the roles that count; another one voids it.

    Example:
        >>> read_ledger("damaged", ())
        Ledger(cursors={}, files={})
    """
    if not isinstance(value, dict) or value.get("basis") != [RULES, *basis]:
        return Ledger()
    try:
        cursors = {row[0]: Cursor(str(row[0]), *map(int, row[1:4])) for row in value["cursors"]}
        rows = value["files"].items()
    except (KeyError, TypeError, ValueError, IndexError, AttributeError):
        return Ledger()
    files = {path: checked for path, row in rows if (checked := _read_file(row)) is not None}
    return Ledger(cursors, files)


def read_checked(value: object, basis: Sequence[str], path: str) -> CheckedFile | None:
    """Read one file out of a ledger, and nothing else of it: a home may have ten thousand.

    Args:
        value: What `ledger_value` gave, or anything at all.
        basis: What verification rests on.
        path: The file.

    Returns:
        What was checked in it; None when it was not, or what is kept of it is damaged.

    Example:
        >>> read_checked("damaged", (), "MEMORY.md") is None
        True
    """
    if not isinstance(value, dict) or value.get("basis") != [RULES, *basis]:
        return None
    files = value.get("files")
    return _read_file(files.get(path)) if isinstance(files, dict) else None


def ledger_value(ledger: Ledger, basis: Sequence[str]) -> dict[str, object]:
    """Return a ledger as plain lists and dictionaries, for JSON."""
    return {
        "basis": [RULES, *basis],
        "cursors": [
            [cursor.conversation, cursor.number, cursor.offset, cursor.checksum]
            for cursor in ledger.cursors.values()
        ],
        "files": {path: _file_value(checked) for path, checked in ledger.files.items()},
    }


def _file_value(checked: CheckedFile) -> list[object]:
    verdicts = [[n, [_verdict_value(v) for v in said]] for n, said in checked.verdicts.items()]
    return [checked.digest, " ".join(checked.claims), verdicts]


def _verdict_value(verdict: Verdict) -> list[object]:
    said = [[e.conversation, e.turn, e.quote, e.role, e.ts] for e in verdict.evidence]
    return [verdict.score, list(verdict.supports), verdict.contradicts, verdict.position, said]


def _read_file(row: Any) -> CheckedFile | None:
    try:
        digest, claims, verdicts = row
        said = {int(number): tuple(_read_verdicts(each)) for number, each in verdicts}
        return CheckedFile(str(digest), tuple(claims.split()), said)
    except (TypeError, ValueError, AttributeError):
        return None


def _read_verdicts(rows: Any) -> Iterable[Verdict]:
    for score, supports, contradicts, position, said in rows:
        evidence = tuple(
            Evidence(str(conversation), int(turn), str(quote), str(role), str(ts))
            for conversation, turn, quote, role, ts in said
        )
        if not evidence:
            raise ValueError("a verdict without evidence")
        slot = None if contradicts is None else int(contradicts)
        yield Verdict(float(score), evidence, tuple(map(int, supports)), slot, int(position))
