"""Layouts: how the homes of different tools are laid out, as data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable

SOUL_FILES = (
    "AGENTS.md",
    "SOUL.md",
    "IDENTITY.md",
    "USER.md",
    "TOOLS.md",
    "HEARTBEAT.md",
    "MEMORY.md",
)
DREAM_FILE = "DREAM.md"
INDEX_FILE = "MEMORY.md"
USER_FILE = "USER.md"
HEARTBEAT_FILE = "HEARTBEAT.md"
SETTINGS_FILE = "persona.yaml"
STATE_FOLDER = ".toolnexus"
SOUL_CAP_BYTES = 2 * 1024 * 1024

LayoutName = Literal["persona", "vault", "claude"]


@dataclass(frozen=True, slots=True)
class Layout:
    """Where things are in a home, and how a pointer is written.

    Attributes:
        name: What persona.yaml calls it.
        notes_folder: Where notes are, relative to the home; empty for the home itself.
        nested: Whether notes may lie in sub-folders.
        log_path: The dream log.
        transcripts_path: Where conversations are.
        pointer: ``wiki`` for ``[[slug]]``, ``markdown`` for ``[Title](file.md)``.
    """

    name: LayoutName
    notes_folder: str
    nested: bool
    log_path: str
    transcripts_path: str
    pointer: Literal["wiki", "markdown"]


LAYOUTS: dict[LayoutName, Layout] = {
    "persona": Layout("persona", "memory", True, "memory/log.md", "transcripts", "wiki"),
    "vault": Layout("vault", "", True, "dream-log.md", ".toolnexus/transcripts", "wiki"),
    "claude": Layout("claude", "", False, "dream-log.md", ".toolnexus/transcripts", "markdown"),
}


def detect_layout(names: Iterable[str]) -> Layout | None:
    """Choose the first layout that fits a folder's own entries; None when it is no home.

    Args:
        names: The entries directly in the folder; folders end with ``/``.

    Example:
        >>> detect_layout(["SOUL.md", "notes/"]).name
        'persona'
        >>> detect_layout(["readme.txt"]) is None
        True
    """
    present = set(names)
    if ".obsidian/" in present and not present & {"SOUL.md", "memory/"}:
        # An AGENTS.md for coding tools, or a USER.md of ours, makes no persona of a person's vault.
        return LAYOUTS["vault"]
    if present & {*SOUL_FILES, DREAM_FILE} - {"MEMORY.md"} or "memory/" in present:
        return LAYOUTS["persona"]
    if "MEMORY.md" in present:
        return LAYOUTS["claude"]
    return None
