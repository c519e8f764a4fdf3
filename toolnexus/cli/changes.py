"""Changes, as fields of a document and as hunks that a person reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolnexus.cli.console import Styled, one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from toolnexus.change.plan import Change, ChangeKind, Evidence
    from toolnexus.cli.console import Line

_WHY: dict[ChangeKind, str] = {
    "corrected": "the transcripts say otherwise",
    "dropped": "the transcripts contradict it",
    "demoted": "MEMORY.md was over its cap; the words are kept in the note",
    "merged": "it says what another says; one of the two is enough",
    "relinked": "only one note can be meant",
    "added": "it was asked for",
    "written": "it was asked for",
    "renamed": "it was asked for",
}


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
    return change.reason or _WHY[change.kind]


def change_hunk(change: Change, number: int = 0) -> Iterator[Line]:
    """Write a change as a hunk: where, what went, what came, and why.

    Args:
        change: The change.
        number: What a person calls it in a review; 0 for no number.
    """
    label = f"[{number}] " if number else ""
    where = f"{change.path}:{change.line}" if change.line else change.path
    to = f" → {change.to}" if change.to else ""
    yield (label, Styled(f"@@ {where} @@ {change.kind}{to}", "cyan"))
    for sign, text, style in (("-", change.before, "red"), ("+", change.after, "green")):
        for line in text.splitlines():
            yield (Styled(f"{sign} {line}", style),)
    yield (f"  because {reason_of(change)}",)
    for item in change.evidence:
        yield (f"  {evidence_line(item)}",)


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
    """
    where = f"{change.path}:{change.line}" if change.line else change.path
    parts = [f"“{one_line(text, 120)}”" for text in (change.before, change.after) if text]
    to = f" → {change.to}" if change.to and not change.after else ""
    return f"{change.kind} {where}: {' → '.join(parts)}{to}"
