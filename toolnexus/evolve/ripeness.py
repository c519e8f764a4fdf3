"""Ripeness: how far a home's memory has come, in a few numbers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from toolnexus.evolve.due import (
    distilled_refs,
    extracted_refs,
    has_faded,
    is_due_for_distilling,
    is_due_for_extraction,
)
from toolnexus.evolve.rank import DREAMED
from toolnexus.evolve.review import needs_review
from toolnexus.evolve.strength import FADING_BELOW, strength
from toolnexus.home.drafts.same import due_for_merging
from toolnexus.home.ripening import STAGES, Ripening, ripening_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from toolnexus.home.note import Note
    from toolnexus.home.snapshot import Snapshot
    from toolnexus.settings import Settings
    from toolnexus.store.uses import Uses

_LISTED = 20


@dataclass(frozen=True, slots=True)
class Wanting:
    """A note that a person is asked to look at.

    Attributes:
        path: The note.
        boost: What its feedback comes to.
        score: The last score that it got.
        reason: Why, in the words of whoever gave it; empty when nobody said.
    """

    path: str
    boost: float
    score: float
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Ripeness:
    """How far a home's memory has come. Soul files are not counted, nor is the archive but once.

    Attributes:
        stages: How many live notes there are of each stage.
        archived: Notes in the archive.
        proposed: Live notes that wait for a person's word; `imagined` of them a persona imagined.
        extraction: How many raw notes are due for extraction.
        merge: How many notes say what another one says, and are due to be merged into it.
        distillation: How many notes are due to become a skill.
        fading: How many live notes grow weak; `faded` of them have faded, and are due for the
            archive.
        review: How many notes a person is asked to look at.
        wanting: The first of these.
    """

    stages: Mapping[str, int] = field(default_factory=lambda: dict.fromkeys(STAGES, 0))
    archived: int = 0
    proposed: int = 0
    imagined: int = 0
    extraction: int = 0
    merge: int = 0
    distillation: int = 0
    fading: int = 0
    faded: int = 0
    review: int = 0
    wanting: tuple[Wanting, ...] = ()


def ripeness_of(home: Snapshot, uses: Uses, now: datetime, settings: Settings) -> Ripeness:
    """Tell how far a home's memory has come.

    Args:
        home: The home as read.
        uses: Its uses and feedback.
        now: The present.
        settings: When notes have faded, and what is due when.
    """
    notes = [note for note in home.notes.values() if note.kind != "soul"]
    ripe = {note.path: ripening_of(note) for note in notes}
    live = [note for note in notes if not ripe[note.path].is_archived]
    strengths = {
        note.path: strength(note, ripe[note.path], uses, now, settings.evolve) for note in live
    }
    proposed = [note for note in live if ripe[note.path].is_proposed]
    wanting = [note.path for note in live if needs_review(ripe[note.path], uses.of(note.path))]
    stages = [ripe[note.path].stage for note in live]
    return Ripeness(
        stages={stage: stages.count(stage) for stage in STAGES},
        archived=len(notes) - len(live),
        proposed=len(proposed),
        imagined=sum(1 for note in proposed if DREAMED in note.tags),
        extraction=len(_due_for_extraction(live, ripe, now, settings)),
        merge=len(due_for_merging(home)),
        distillation=len(_due_for_distilling(live, ripe, uses, settings)),
        fading=sum(1 for each in strengths.values() if each < FADING_BELOW),
        faded=sum(
            has_faded(note, ripe[note.path], strengths[note.path], settings.evolve.faded_below)
            for note in live
        ),
        review=len(wanting),
        wanting=tuple(_wanting(path, uses) for path in sorted(wanting)[:_LISTED]),
    )


def _due_for_extraction(
    live: list[Note], ripe: Mapping[str, Ripening], now: datetime, settings: Settings
) -> list[str]:
    age, done = settings.compact.extract_after, extracted_refs(iter(ripe.values()))
    return [
        note.path
        for note in live
        if is_due_for_extraction(note, ripe[note.path], now, age) and not _is_named(note, done)
    ]


def _due_for_distilling(
    live: list[Note], ripe: Mapping[str, Ripening], uses: Uses, settings: Settings
) -> list[str]:
    least, done = settings.compact.distil_uses, distilled_refs(iter(ripe.values()))
    return [
        note.path
        for note in live
        if is_due_for_distilling(note, ripe[note.path], uses.of(note.path), least)
        and not _is_named(note, done)
    ]


def _is_named(note: Note, refs: frozenset[str]) -> bool:
    return note.slug in refs or note.path.removesuffix(".md") in refs


def _wanting(path: str, uses: Uses) -> Wanting:
    own = uses.of(path)
    told = own.reasons[-1].text if own.reasons and own.reasons[-1].score < 0 else ""
    return Wanting(path, round(own.boost, 4), own.last_score, told)
