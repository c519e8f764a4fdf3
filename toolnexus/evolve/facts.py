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
    drawn_refs,
    has_faded,
    is_due_for_distilling,
    is_due_for_extraction,
    kept_by_soul,
)
from toolnexus.home.operations.archive import may_move
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
        may_fade: Whether it would have faded if it were weak enough.
        is_kept: Whether it stays all the same: a soul file links to it, or its place is taken.
        linked_by: The notes that link to it, where that may keep it out of the archive.
        is_source: Whether it is a source, which nothing rewrites.
        day: The day that a source tells of; None where that is not known.
        is_drawn: Whether a note says that it was extracted from this one.
        digest: The digest of its text, where that tells whether it is to be extracted.
    """

    path: str
    ripening: Ripening
    is_imagined: bool = False
    raw_since: datetime | None = None
    may_distil: bool = False
    may_fade: bool = False
    is_kept: bool = False
    linked_by: tuple[str, ...] = ()
    is_source: bool = False
    day: datetime | None = None
    is_drawn: bool = False
    digest: str = ""


def facts_of(home: Snapshot) -> tuple[NoteFacts, ...]:
    """Gather the facts of a home's notes; soul files have none."""
    notes = [note for note in home.notes.values() if note.kind != "soul"]
    ripe = {note.path: ripening_of(note) for note in notes}
    drawn = _named(home, drawn_refs(home))
    distilled = _named(home, distilled_refs(iter(ripe.values())))
    linked = kept_by_soul(home)

    def gather(note: Note) -> NoteFacts:
        path, ripening = note.path, ripe[note.path]
        raw_since, may_fade = _raw_since(note, ripening), has_faded(note, ripening, 0.0, 1.0)
        return NoteFacts(
            path,
            _without_links(ripening),
            is_imagined=ripening.is_proposed and DREAMED in note.tags,
            raw_since=raw_since,
            may_distil=path not in distilled
            and is_due_for_distilling(note, ripening, _ALWAYS, _ALWAYS.uses),
            may_fade=may_fade,
            is_kept=may_fade and (path in linked or not may_move(home, path)),
            linked_by=_linked_by(home, path) if may_fade else (),
            is_source=note.kind != "note",
            day=born(note, ripening) if note.kind == "source" else None,
            is_drawn=path in drawn,
            digest=note.digest if raw_since is not None else "",
        )

    return tuple(map(gather, notes))


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
            int(each.is_kept),
            list(each.linked_by),
            int(each.is_source),
            _told(each.day),
            int(each.is_drawn),
            each.digest,
        ]
        for each in facts
    ]


def from_rows(rows: Iterable[list[Any]]) -> Iterator[NoteFacts]:
    """Read facts back.

    Raises:
        ValueError: when they are not what `to_rows` wrote; so do TypeError and IndexError say.
    """
    for path, stage, stability, proposed, archived, created, updated, *rest in rows:
        imagined, raw_since, distil, fade, kept, linked_by, source, day, drawn, digest = rest
        ripening = Ripening(
            STAGES[stage],
            STABILITIES[stability],
            is_proposed=bool(proposed),
            is_archived=bool(archived),
            created=_instant(created),
            updated=_instant(updated),
        )
        yield NoteFacts(
            path,
            ripening,
            is_imagined=bool(imagined),
            raw_since=_instant(raw_since),
            may_distil=bool(distil),
            may_fade=bool(fade),
            is_kept=bool(kept),
            linked_by=tuple(map(str, linked_by)),
            is_source=bool(source),
            day=_instant(day),
            is_drawn=bool(drawn),
            digest=str(digest),
        )


def _linked_by(home: Snapshot, path: str) -> tuple[str, ...]:
    """Return the other notes that link to a note."""
    linking = dict.fromkeys(source for source, _ in home.backlinks.get(path, ()))
    return tuple(source for source in linking if source != path)


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
