"""Fading: notes that nobody has asked for in a long time go into the archive."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolnexus.evolve.due import has_faded, kept_by_soul
from toolnexus.home.operations.archive import archive_notes
from toolnexus.home.ripening import ripening_of
from toolnexus.home.scope import in_scope

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from toolnexus.evolve.compacting.types import CompactOptions
    from toolnexus.home.drafts.draft import Draft
    from toolnexus.home.note import Note

    Strength = Callable[[Note], float]
    """Tells how strong a note is, 0 to 1."""


def archive_faded(draft: Draft, options: CompactOptions, strength: Strength) -> bool:
    """Move what has faded into the archive; tell whether anything was.

    Args:
        draft: The compaction so far.
        options: How it is done.
        strength: Tells how strong a note is now.
    """
    faded = list(_faded(draft, options, strength))
    return bool(faded) and _archive(draft, faded)


def _faded(draft: Draft, options: CompactOptions, strength: Strength) -> Iterator[str]:
    home, spared = draft.home, draft.spared
    waiting = {path for path, _ in spared.waiting}
    taken_back = {path for kind, path, _ in spared.unmade if kind == "archived"}
    left_alone = waiting | taken_back | kept_by_soul(home)
    for path, note in home.notes.items():
        if path in left_alone or not in_scope(path, options.scope):
            continue
        if has_faded(note, ripening_of(note), strength(note), options.faded_below):
            yield path


def _archive(draft: Draft, paths: list[str]) -> bool:
    """Archive notes in one step, so that links are followed once; if the law objects, by halves."""
    step = archive_notes(draft.home, paths)
    before = len(draft.refused)
    if draft.take(step):
        return True
    if len(paths) == 1 or not step.texts:
        return False
    del draft.refused[before:]
    middle = len(paths) // 2
    halves = [_archive(draft, half) for half in (paths[:middle], paths[middle:])]
    return any(halves)
