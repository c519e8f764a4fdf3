"""Fading: notes that nobody has asked for in a long time go into the archive."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolnexus.evolve.archival import due_for_archive, most_at_once
from toolnexus.evolve.facts import facts_of
from toolnexus.home.drafts.draft import Draft
from toolnexus.home.operations.archive import archive_notes

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from toolnexus.evolve.compacting.work import Work
    from toolnexus.home.drafts.spared import Spared

_MOST_STEPS = 50
"""Into how many steps notes that wait are parted at most: each follows all links once."""


def archive_faded(work: Work) -> None:
    """Move what has faded into the archive; where that would be too much at once, it waits."""
    facts = facts_of(work.home)
    alone = left_alone(work.draft.spared)
    means = work.means
    due = due_for_archive(facts, work.uses(), means.now, means.evolve, alone)
    faded = [path for path in due if work.covers(path)]
    covered = (each for each in facts if work.covers(each.path))
    most, live = most_at_once(covered, work.options.max_change)
    if len(faded) <= most:
        _archive(work.draft, faded)
        return
    reason = (
        f"it would archive {len(faded)} of {live} live notes at once, "
        f"more than dream.max_change ({work.options.max_change:g}) allows"
    )
    _let_wait(work, faded, reason)


def left_alone(spared: Spared) -> frozenset[str]:
    """Return the notes that are not archived: they wait for a person, or one brought them back."""
    brought_back = {path for kind, path, _ in spared.unmade if kind == "archived"}
    return frozenset(brought_back | {path for path, _ in spared.waiting})


def _archive(draft: Draft, paths: Sequence[str], reason: str = "") -> None:
    """Archive notes in one step, so that links are followed once; if the law objects, by halves."""
    step = archive_notes(draft.home, paths, reason)
    before = len(draft.refused)
    if not step.texts or draft.take(step) or len(paths) == 1:
        return
    del draft.refused[before:]
    middle = len(paths) // 2
    for half in (paths[:middle], paths[middle:]):
        _archive(draft, half, reason)


def _let_wait(work: Work, paths: Sequence[str], reason: str) -> None:
    """Leave it to a person, in steps that each can be decided on by itself."""
    trial = Draft(work.home, work.draft.spared)
    for part in _parts(paths):
        _archive(trial, part, reason)
    work.leave(trial, reason)


def _parts(paths: Sequence[str]) -> Iterator[Sequence[str]]:
    size = -(-len(paths) // _MOST_STEPS)
    for start in range(0, len(paths), size):
        yield paths[start : start + size]
