"""References: what a typed link of front matter, or a caller, means by a name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from toolnexus.home.names import folded
from toolnexus.home.resolve import Resolution, resolve_target
from toolnexus.home.ripening import TRANSCRIPT

if TYPE_CHECKING:
    from toolnexus.home.snapshot import Snapshot

TargetKind = Literal["note", "turn", "merged", "ambiguous", "missing"]


@dataclass(frozen=True, slots=True)
class TurnRef:
    """A turn: its conversation, and its line counted from 1, or its own id."""

    conversation: str
    turn: int | str

    @property
    def written(self) -> str:
        """How a typed link writes it."""
        return f"{TRANSCRIPT}{self.conversation}#{self.turn}"


@dataclass(frozen=True, slots=True)
class Target:
    """What a typed link leads to.

    Attributes:
        kind: A note; a turn, which may not be there; a note that was merged into the one that
            names it; several notes; nothing.
        written: The link as it is written.
        path: The note's path.
        turn: The turn.
        candidates: The notes that it could mean.
    """

    kind: TargetKind
    written: str
    path: str = ""
    turn: TurnRef | None = None
    candidates: tuple[str, ...] = ()


def parse_turn(text: str) -> TurnRef | None:
    """Read ``transcript:conversation#turn``; None when it is written otherwise.

    Example:
        >>> parse_turn("transcript:2026-11-20-move#14")
        TurnRef(conversation='2026-11-20-move', turn=14)
        >>> parse_turn("transcript:2026-11-20-move") is None
        True
    """
    if not text.startswith(TRANSCRIPT):
        return None
    conversation, mark, turn = text.removeprefix(TRANSCRIPT).rpartition("#")
    conversation, turn = conversation.strip(), turn.strip()
    if not (mark and conversation and turn) or not text.isprintable():
        return None
    is_line = turn.isascii() and turn.isdigit() and len(turn) < 10
    return TurnRef(conversation, int(turn) if is_line else turn)


def find_note(home: Snapshot, name: str, from_path: str = "") -> Resolution:
    """Find the note that a name means, in the order that links are resolved in.

    Exact paths and slugs, as nearly all are, are found without making every note of the home. A
    name that leads nowhere now may be what a note was called before it was renamed or merged.

    Args:
        home: The home as read.
        name: A slug, path, title or alias.
        from_path: The note that names it; empty when a caller does.
    """
    key = name.removesuffix(".md")
    if f"{key}.md" in home.notes:
        return Resolution(f"{key}.md", step="path")
    paths = () if "/" in key else home.called(key)
    if len(paths) == 1:
        return Resolution(paths[0], step="slug")
    if paths:
        return Resolution(None, paths, step="slug")
    found = resolve_target(home.names, from_path, name)
    if found.path is None and not found.candidates:
        return _moved(home, key) or found
    return found if found.candidates or found.path in home.notes else Resolution(None)


def _moved(home: Snapshot, key: str) -> Resolution | None:
    """Find where a note lives on that was called so before."""
    wanted = folded(key)
    goals = {
        new
        for old, new in home.moved.items()
        if new in home.notes and f"/{folded(old.removesuffix('.md'))}".endswith(f"/{wanted}")
    }
    return Resolution(goals.pop(), step="slug") if len(goals) == 1 else None


def find_target(home: Snapshot, from_path: str, written: str) -> Target:
    r"""Find what a typed link leads to; whether a turn is there only the transcripts tell.

    Args:
        home: The home as read.
        from_path: The note that the link stands in.
        written: The link as it is written.

    Example:
        >>> from toolnexus.home.snapshot import Snapshot
        >>> home = Snapshot(name="ava").with_texts({"memory/tea.md": "- Green.\n"})
        >>> find_target(home, "memory/cup.md", "tea").path
        'memory/tea.md'
        >>> find_target(home, "memory/cup.md", "coffee").kind
        'missing'
    """
    if written.startswith(TRANSCRIPT):
        turn = parse_turn(written)
        return Target("missing" if turn is None else "turn", written, turn=turn)
    found = find_note(home, written, from_path)
    if found.path == from_path and from_path:
        itself = from_path.rpartition("/")[2].removesuffix(".md")
        was_called_so = folded(itself) != folded(written.rpartition("/")[2])
        return Target("merged" if was_called_so else "note", written, path=from_path)
    if found.path is not None:
        return Target("note", written, path=found.path)
    kind: TargetKind = "ambiguous" if found.candidates else "missing"
    return Target(kind, written, candidates=found.candidates)
