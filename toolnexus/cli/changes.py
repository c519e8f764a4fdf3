"""Changes, as fields of a document and as hunks that a person reads."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from toolnexus.cli.console import Styled, one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from toolnexus.change.plan import Change, Evidence
    from toolnexus.cli.console import Line


def evidence_fields(evidence: Iterable[Evidence]) -> list[dict[str, object]]:
    """Return evidence as a document's field."""
    return [
        {
            "conversation": item.conversation,
            "turn": item.turn,
            "role": item.role,
            "ts": item.ts,
            "quote": item.quote,
        }
        for item in evidence
    ]


def change_fields(change: Change) -> dict[str, object]:
    """Return a change as a document's field."""
    return {
        "kind": change.kind,
        "path": change.path,
        "line": change.line,
        "before": change.before,
        "after": change.after,
        "to": change.to,
        "evidence": evidence_fields(change.evidence),
        "reason": reason_of(change),
    }


def reason_of(change: Change) -> str:
    """Say why a change is made: its own reason, else what its kind stands for."""
    return change.why


def change_hunks(changes: Sequence[Change], numbers: Sequence[int] | None = None) -> Iterator[Line]:
    """Write changes as hunks: where, what went, what came, and why.

    Claims that went to the same note behind the same pointer share a hunk.

    Args:
        changes: The changes.
        numbers: What a person calls each in a review.
    """
    named = list(zip(numbers or [0] * len(changes), changes, strict=True))
    for (number, *_), group in groupby(named, key=lambda pair: (pair[0], _shared(pair[1]))):
        yield from _hunk([change for _, change in group], number)


def _shared(change: Change) -> tuple[object, ...]:
    """Return what changes of one hunk have in common; only demotions come in groups."""
    if change.kind != "demoted":
        return (id(change),)
    return change.kind, change.path, change.to, change.after, change.reason


def _hunk(changes: list[Change], number: int) -> Iterator[Line]:
    first, last = changes[0], changes[-1]
    label = f"[{number}] " if number else ""
    where = f"{first.path}:{first.line}" if first.line else first.path
    where += f"-{last.line}" if last.line > first.line else ""
    to = f" → {first.to}" if first.to and first.to != first.path else ""
    yield (label, Styled(f"@@ {where} @@ {first.kind}{to}", "cyan"))
    for change in changes:
        for line in change.before.splitlines():
            yield (Styled(f"- {line}", "red"),)
    for line in first.after.splitlines():
        yield (Styled(f"+ {line}", "green"),)
    yield (f"  because {reason_of(first)}",)
    for item in first.evidence:
        yield (f"  {evidence_line(item)}",)
    yield ("",)


def evidence_line(item: Evidence) -> str:
    """Write evidence on one line: who said it, where, and the words."""
    when = f" on {item.ts[:10]}" if item.ts else ""
    who = item.role or "somebody"
    return f"{who}{when}, {item.conversation}#{item.turn}: “{one_line(item.quote, 200)}”"


def change_line(change: Change) -> str:
    """Write a change on one line.

    Example:
        >>> from toolnexus.change.plan import Change
        >>> change_line(Change("corrected", "MEMORY.md", 3, "Lives in Paris", "Lives in Berlin"))
        'corrected MEMORY.md:3: “Lives in Paris” → “Lives in Berlin”'
        >>> change_line(Change("renamed", "memory/archive/tea.md", 0, "", to="memory/tea.md"))
        'renamed memory/archive/tea.md → memory/tea.md'
    """
    where = f"{change.path}:{change.line}" if change.line else change.path
    parts = [f"“{one_line(text, 120)}”" for text in (change.before, change.after) if text]
    to = f" → {change.to}" if change.to and not change.after else ""
    told = f": {' → '.join(parts)}" if parts else ""
    return f"{change.kind} {where}{told}{to}"
