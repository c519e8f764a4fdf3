"""What is due: which notes have faded, are to be extracted, or could become a skill.

All of it is told by a note itself and by the journal of uses; nothing is kept, and nothing is read
twice.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from toolnexus.clock import parse_instant
from toolnexus.home.ripening import DREAMED, ripening_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime, timedelta

    from toolnexus.home.note import Note
    from toolnexus.home.ripening import Ripening
    from toolnexus.home.snapshot import Snapshot
    from toolnexus.store.uses import NoteUses

PROCEDURE_TAGS = frozenset({"procedure", "how-to", "howto", "recipe", "checklist", "runbook"})
"""Tags that say that a note tells how something is done."""
LEAST_STEPS = 2
"""How many numbered items make a note a procedure, whatever its tags."""

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


def has_faded(note: Note, ripening: Ripening, strength: float, below: float) -> bool:
    """Whether a note is so weak that it may go into the archive.

    What is permanent, a skill, pinned or a source never is.

    Args:
        note: The note.
        ripening: What its front matter says.
        strength: How strong it is, 0 to 1.
        below: The strength from which it has not faded.
    """
    if strength >= below or note.kind != "note" or not note.is_writable:
        return False
    if ripening.is_archived or ripening.stability == "permanent" or ripening.stage == "skill":
        return False
    document = note.document
    return not any(claim.pinned for claim in document.claims) and not any(
        heading.pinned for heading in document.headings
    )


def born(note: Note, ripening: Ripening) -> datetime | None:
    """Tell when a note was made: by its front matter, else by the date in its name."""
    if ripening.created is not None:
        return ripening.created
    day = _DAY.match(note.slug)
    try:
        return None if day is None else parse_instant(day.group())
    except ValueError:
        return None


def is_due_for_extraction(note: Note, ripening: Ripening, now: datetime, age: timedelta) -> bool:
    """Whether a note is raw and so old that what it says is to be drawn out of it.

    Whether that was done before is not asked (see `extracted_refs`).
    """
    if ripening.stage != "raw" or ripening.is_archived or ripening.is_proposed:
        return False
    made = born(note, ripening)
    return made is not None and now - made >= age and bool(note.document.claims)


def is_procedure(note: Note) -> bool:
    """Whether a note tells how something is done: by its tags, or in numbered steps."""
    if any(tag.casefold() in PROCEDURE_TAGS for tag in note.tags):
        return True
    return sum(claim.ordered for claim in note.document.claims) >= LEAST_STEPS


def is_due_for_distilling(note: Note, ripening: Ripening, uses: NoteUses, least_uses: int) -> bool:
    """Whether a note is a procedure that is often used and well rated.

    Whether it was distilled before is not asked (see `distilled_refs`).
    """
    if note.kind != "note" or ripening.is_archived or ripening.is_proposed:
        return False
    if ripening.stage not in {"extracted", "knowledge"} or uses.uses < least_uses:
        return False
    return uses.boost > 1 and is_procedure(note)


def kept_by_soul(home: Snapshot) -> frozenset[str]:
    """Return the notes that MEMORY.md or another soul file links to."""
    return frozenset(
        found.path
        for path, note in home.notes.items()
        if note.kind == "soul"
        for found in home.resolutions.get(path, ())
        if found.path is not None
    )


def extracted_refs(ripenings: Iterator[Ripening]) -> frozenset[str]:
    """Return what notes say that they were extracted from: slugs, and ``transcript:id``."""
    refs = (ref for ripening in ripenings for ref in ripening.links.get("derived_from", ()))
    return frozenset(ref.partition("#")[0] for ref in refs)


def drawn_refs(home: Snapshot) -> frozenset[str]:
    """Return what the notes of a home were extracted from; what is imagined draws nothing out."""
    drawn = (note for note in home.notes.values() if DREAMED not in note.tags)
    return extracted_refs(ripening_of(note) for note in drawn if note.kind != "soul")


def distilled_refs(ripenings: Iterator[Ripening]) -> frozenset[str]:
    """Return the notes that skills were distilled from, as they are named there."""
    return frozenset(
        ref for ripening in ripenings for ref in ripening.links.get("distilled_from", ())
    )
