"""Facts: the little of each note that tells how ripe a home is, kept so that no note is read twice.

None of it hangs on the time, on uses or on settings: what these make of it is `ripeness`.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from toolnexus.clock import parse_instant
from toolnexus.evolve.due import (
    born,
    distilled_refs,
    extracted_refs,
    has_faded,
    is_due_for_distilling,
    is_due_for_extraction,
    kept_by_soul,
)
from toolnexus.home.resolve import resolve_target
from toolnexus.home.ripening import DREAMED, STABILITIES, STAGES, Ripening, ripening_of
from toolnexus.store.uses import MOST_BOOST, NoteUses

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from toolnexus.home.note import Note
    from toolnexus.home.snapshot import Snapshot

_ALWAYS = NoteUses(uses=1, boost=MOST_BOOST)
_END_OF_TIME = parse_instant("9999-12-31T00:00:00Z")


@dataclass(frozen=True, slots=True)
class NoteFacts:
    """What is asked of one note.

    Attributes:
        path: The note.
        ripening: What its front matter says, without its links.
        is_imagined: Whether a persona imagined it and nobody has accepted it.
        raw_since: Since when there is something to extract from it; None when there is nothing.
        may_distil: Whether it could become a skill if it were used and rated well enough.
        may_fade: Whether it could go into the archive if it were weak enough.
    """

    path: str
    ripening: Ripening
    is_imagined: bool = False
    raw_since: datetime | None = None
    may_distil: bool = False
    may_fade: bool = False


def facts_of(home: Snapshot) -> tuple[NoteFacts, ...]:
    """Gather the facts of a home's notes; soul files have none."""
    notes = [note for note in home.notes.values() if note.kind != "soul"]
    ripe = {note.path: ripening_of(note) for note in notes}
    # What was imagined of a source draws nothing out of it.
    drawn = (ripe[note.path] for note in notes if DREAMED not in note.tags)
    extracted = _named(home, extracted_refs(drawn))
    distilled = _named(home, distilled_refs(iter(ripe.values())))
    linked = kept_by_soul(home)
    return tuple(
        NoteFacts(
            note.path,
            _without_links(ripe[note.path]),
            ripe[note.path].is_proposed and DREAMED in note.tags,
            None if note.path in extracted else _raw_since(note, ripe[note.path]),
            note.path not in distilled
            and is_due_for_distilling(note, ripe[note.path], _ALWAYS, _ALWAYS.uses),
            note.path not in linked and has_faded(note, ripe[note.path], 0.0, 1.0),
        )
        for note in notes
    )


def to_rows(facts: Iterable[NoteFacts]) -> list[list[Any]]:
    """Write facts as values of JSON."""
    return [
        [
            each.path,
            STAGES.index(each.ripening.stage),
            STABILITIES.index(each.ripening.stability),
            int(each.ripening.is_proposed),
            int(each.ripening.is_archived),
            _told(each.ripening.created),
            _told(each.ripening.updated),
            int(each.is_imagined),
            _told(each.raw_since),
            int(each.may_distil),
            int(each.may_fade),
        ]
        for each in facts
    ]


def from_rows(rows: Iterable[list[Any]]) -> Iterator[NoteFacts]:
    """Read facts back.

    Raises:
        ValueError: when they are not what `to_rows` wrote; so do TypeError and IndexError say.
    """
    for path, stage, stability, proposed, archived, created, updated, *rest in rows:
        imagined, raw_since, distil, fade = rest
        ripening = Ripening(
            STAGES[stage],
            STABILITIES[stability],
            is_proposed=bool(proposed),
            is_archived=bool(archived),
            created=_instant(created),
            updated=_instant(updated),
        )
        yield NoteFacts(
            path, ripening, bool(imagined), _instant(raw_since), bool(distil), bool(fade)
        )


def _named(home: Snapshot, refs: frozenset[str]) -> frozenset[str]:
    """Return the notes that typed links name."""
    found = (resolve_target(home.names, "", ref).path for ref in refs)
    return frozenset(path for path in found if path is not None)


def _without_links(ripening: Ripening) -> Ripening:
    return Ripening(
        ripening.stage,
        ripening.stability,
        is_proposed=ripening.is_proposed,
        is_archived=ripening.is_archived,
        created=ripening.created,
        updated=ripening.updated,
    )


def _raw_since(note: Note, ripening: Ripening) -> datetime | None:
    due = is_due_for_extraction(note, ripening, _END_OF_TIME, timedelta())
    return born(note, ripening) if due else None


def _told(when: datetime | None) -> str | None:
    return None if when is None else when.isoformat()


def _instant(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)
