"""Reading: what there is, as plain sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolnexus.home.operations.step import Step, find_target, target_path
from toolnexus.home.ripening import is_proposed

if TYPE_CHECKING:
    from toolnexus.home.snapshot import Snapshot


GUESS = "(This note is a guess that waits for a person's word. It is no fact.)"


def list_notes(home: Snapshot) -> Step:
    """List the notes: slug, title, tags, size, backlinks; a line each."""
    lines = []
    for path, note in sorted(home.notes.items()):
        if note.kind == "soul":
            continue
        tags = f" [{', '.join(note.tags)}]" if note.tags else ""
        linked = len(home.backlinks.get(path, ()))
        kind = {"source": ", a source", "left-out": ", unreadable"}.get(note.kind, "")
        kind += ", a guess" if is_proposed(note) else ""
        lines.append(
            f"{note.slug}: {note.title}{tags} ({note.size_bytes:,} bytes, {linked} backlinks{kind})"
        )
    return Step(reply="\n".join(lines) or "There are no notes yet.")


def read_target(home: Snapshot, target: str = "self") -> Step:
    """Return a target's claims, numbered, under their headings.

    Raises:
        UsageError: when there is no such note.
    """
    note = find_target(home, target)
    if note is None:
        return Step(reply=f"{target_path(target)} is not written yet.")
    lines = [GUESS] if is_proposed(note) else []
    above: tuple[str, ...] = ()
    for number, claim in enumerate(note.document.claims, 1):
        if claim.headings != above:
            above = claim.headings
            lines.append(f"# {' / '.join(above)}" if above else "#")
        indent = "  " if claim.parent >= 0 else ""
        lines.append(f"{number}. {indent}{claim.text}")
    return Step(reply="\n".join(lines) or f"{note.path} holds no claims.", path=note.path)
