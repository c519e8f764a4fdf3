"""Merging near-duplicates: a cluster becomes one note of knowledge that names what it was."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from toolnexus.errors import UsageError
from toolnexus.home.drafts.same import rank_of
from toolnexus.home.operations.merge import merge_into
from toolnexus.home.ripening import ripening_of
from toolnexus.text.frontmatter import append_to_list, set_field

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolnexus.home.note import Note
    from toolnexus.home.operations.step import Step
    from toolnexus.home.snapshot import Snapshot


def merge_cluster(home: Snapshot, paths: Sequence[str], reason: str) -> Step:
    """Fold notes that say nearly the same into the one that most links lead to.

    Every claim lives on: what the note that stays does not say word for word comes along, under
    the title that it was said under. Its front matter names the others as `merged_from`.

    Args:
        home: The home as read.
        paths: Two or more notes.
        reason: Why, for the log and for whoever decides it.

    Raises:
        UsageError: when the front matter of the note that stays takes the others' in no more.
    """
    kept, *gone = sorted(paths, key=lambda path: rank_of(home, home.notes[path]))
    step = merge_into(home, gone, kept, apart=True)
    slugs = [home.notes[path].slug for path in gone]
    text = _as_knowledge(step.texts[kept] or "", home.notes[kept], slugs)
    changes = tuple(
        replace(change, reason="; ".join(filter(None, (reason, change.reason))))
        for change in step.changes
    )
    return replace(step, texts={**step.texts, kept: text}, changes=changes)


def _as_knowledge(text: str, kept: Note, slugs: Sequence[str]) -> str:
    """Write into a note's front matter that it is knowledge now, and what it was made of."""
    ripening = ripening_of(kept)
    known = ripening.links.get("merged_from", ())
    try:
        text = append_to_list(text, "merged_from", [slug for slug in slugs if slug not in known])
        return text if ripening.stage == "knowledge" else set_field(text, "stage", "knowledge")
    except ValueError as error:
        hint = "write its front matter as plain 'key: value' lines"
        raise UsageError(
            f"it takes in no other note: {error}", path=kept.path, hint=hint
        ) from error
