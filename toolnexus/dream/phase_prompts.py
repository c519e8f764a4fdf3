"""What the model is told in the phases that follow verification."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from toolnexus.home.memory_index import index_size
from toolnexus.home.operations.read import list_notes, read_target
from toolnexus.home.snapshot import INDEX_FILE

if TYPE_CHECKING:
    from toolnexus.home.snapshot import Snapshot

_MOST_CHARS = 60_000


def demote_prompt(home: Snapshot) -> str:
    """Ask to bring MEMORY.md under its cap."""
    lines, size_bytes = index_size(home.text(INDEX_FILE))
    cap = home.cap
    return (
        f"MEMORY.md is over its cap: {lines} lines and {size_bytes:,} bytes, where {cap.lines} "
        f"lines or {cap.bytes:,} bytes are the most. Move detail into notes with 'demote', several "
        "claims of one topic in one call, until it holds about 80 % of that. What stays behind is "
        "one short line that links the note, such as 'Travel: [[travel]]': a title or the claim's "
        "own words, nothing new. Change no claim's words.\n\n"
        f"MEMORY.md:\n{_fitted(read_target(home).reply)}\n\n"
        f"The notes there are:\n{_fitted(list_notes(home).reply)}"
    )


def merge_prompt(home: Snapshot) -> str:
    """Ask to fold notes that are about the same thing into one."""
    return (
        "Look for notes that are about the same thing under different names, and fold them into "
        "one with 'merge'; 'read' shows a note. Notes on related things stay apart. When none are "
        "duplicates, answer HEARTBEAT_OK.\n\n"
        f"The notes:\n{_fitted(list_notes(home).reply)}"
    )


@cache
def learn_prompt() -> str:
    """Return what asks to add the facts that new turns state."""
    source = files("toolnexus.dream.learning") / "data" / "learn_prompt.md"
    return source.read_text(encoding="utf-8")


def _fitted(text: str) -> str:
    if len(text) <= _MOST_CHARS:
        return text
    cut = text[:_MOST_CHARS].rpartition("\n")[0]
    return f"{cut}\n[{len(text) - len(cut):,} characters more: 'list' and 'read' show them]"
