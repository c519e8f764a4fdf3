"""Undoing a commit claim by claim, around everything that was written since."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

from toolnexus.change.plan import Change, ChangeKind, FileWrite, Plan
from toolnexus.change.rebase import LeftHunk, count_folds, rebase

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from toolnexus.change.threeway import Hunk


@dataclass(frozen=True, slots=True)
class Reverted:
    """How a commit is undone.

    Attributes:
        plan: What to write.
        left: What cannot be undone, because it was changed since or would lose a claim.
    """

    plan: Plan
    left: tuple[LeftHunk, ...]


def plan_revert(
    commit_id: str,
    writes: Sequence[FileWrite],
    current: Mapping[str, bytes | None],
    *,
    standing: Collection[str] = (),
    archived: Mapping[str, str] = MappingProxyType({}),
) -> Reverted:
    r"""Plan the undoing of a commit.

    Each file is merged back towards what it was before. A claim goes only when the commit itself
    brought it in, or when it stands somewhere else afterwards.

    Args:
        commit_id: The commit, for the reasons that are logged.
        writes: The files as it changed them, the log left out.
        current: What is there now, by path; None means no such file.
        standing: The folded claims of all other files.
        archived: Where the commit archived notes, by the path that each had; one that goes back as
            a whole is told as moved, and not line by line.

    Example:
        >>> passed = FileWrite("MEMORY.md", b"- Tea\n", b"- Coffee\n")
        >>> done = plan_revert("x", [passed], {"MEMORY.md": b"- Coffee\n- Cello\n"})
        >>> done.plan.writes[0].after
        b'- Tea\n- Cello\n'
    """
    before: Counter[str] = Counter()
    after: Counter[str] = Counter()
    for write in writes:
        before += count_folds(write.before)
        after += count_folds(write.after)
    back = [FileWrite(write.path, write.after, write.before) for write in writes]
    done = rebase(back, current, standing=standing, may_vanish=after - before)
    changed = {write.path for write in done.writes}
    back_again = _brought_back(done.writes, archived)
    changed -= {*back_again, *back_again.values()}
    changes = tuple(
        Change("renamed", to, 0, "", to=path, reason=f"reverts {commit_id}")
        for path, to in back_again.items()
    ) + tuple(
        _change(commit_id, path, hunk)
        for path, hunks in done.applied.items()
        if path in changed
        for hunk in hunks
        if hunk.before.strip() or hunk.after.strip()
    )
    return Reverted(Plan("revert", done.writes, changes), done.left)


def _brought_back(writes: Sequence[FileWrite], archived: Mapping[str, str]) -> dict[str, str]:
    """Return the notes that come back from where they were archived to, each with that place."""
    come = {write.path for write in writes if write.before is None and write.after is not None}
    gone = {write.path for write in writes if write.before is not None and write.after is None}
    return {path: to for path, to in archived.items() if path in come and to in gone}


def _change(commit_id: str, path: str, hunk: Hunk) -> Change:
    before, after = _words(hunk.before), _words(hunk.after)
    kind: ChangeKind = "added" if not before else "corrected" if after else "dropped"
    return Change(kind, path, hunk.line, before, after, reason=f"reverts {commit_id}")


def _words(lines: str) -> str:
    """Put a hunk's lines on one line, without a list marker."""
    return " ".join(lines.split()).removeprefix("- ").removeprefix("* ")
