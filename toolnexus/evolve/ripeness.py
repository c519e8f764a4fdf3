"""Ripeness: how far a home's memory has come, in a few numbers."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from toolnexus.evolve.review import needs_review
from toolnexus.evolve.strength import FADING_BELOW, strength_of
from toolnexus.home.ripening import STAGES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime

    from toolnexus.evolve.facts import NoteFacts
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
class Due:
    """How much `compact` would find to do.

    Attributes:
        extraction: How many raw notes are to be extracted; `talks` how many conversations.
        merge: How many notes say nothing that another one does not say.
        archive: How many notes have faded.
    """

    extraction: int = 0
    talks: int = 0
    merge: int = 0
    archive: int = 0


_NOTHING = Due()


@dataclass(frozen=True, slots=True)
class Ripeness:
    """How far a home's memory has come. Soul files are not counted.

    Attributes:
        stages: How many live notes there are of each stage.
        archived: Notes in the archive; they are counted nowhere else.
        proposed: Live notes that wait for a person's word; `imagined` of them a persona imagined.
        extraction: How many raw notes are due for extraction; `talks` how many conversations.
        merge: How many notes say nothing that another one does not say, and are due to be merged.
        distillation: How many notes are due to become a skill.
        fading: How many live notes grow weak; `faded` notes are due for the archive.
        review: How many notes a person is asked to look at.
        wanting: The first of these.
    """

    stages: Mapping[str, int] = field(default_factory=lambda: dict.fromkeys(STAGES, 0))
    archived: int = 0
    proposed: int = 0
    imagined: int = 0
    extraction: int = 0
    talks: int = 0
    merge: int = 0
    distillation: int = 0
    fading: int = 0
    faded: int = 0
    review: int = 0
    wanting: tuple[Wanting, ...] = ()


def ripeness_of(
    facts: Iterable[NoteFacts], uses: Uses, now: datetime, settings: Settings, due: Due = _NOTHING
) -> Ripeness:
    """Tell how far a home's memory has come.

    Args:
        facts: The facts of its notes.
        uses: Its uses and feedback.
        now: The present.
        settings: When notes have faded, and what is due when.
        due: What is due, as far as that hangs on more than a note.
    """
    every = list(facts)
    live = [each for each in every if not each.ripening.is_archived]
    strengths = [
        strength_of(each.ripening, uses.of(each.path), now, settings.evolve) for each in live
    ]
    stages = Counter(each.ripening.stage for each in live)
    procedures = [each for each in live if _is_skilful(each, uses, settings)]
    wanting = sorted(e.path for e in live if needs_review(e.ripening, uses.of(e.path)))
    return Ripeness(
        stages={stage: stages[stage] for stage in STAGES},
        archived=len(every) - len(live),
        proposed=sum(each.ripening.is_proposed for each in live),
        imagined=sum(each.is_imagined for each in live),
        extraction=due.extraction,
        talks=due.talks,
        merge=due.merge,
        distillation=len(procedures),
        fading=sum(left < FADING_BELOW for left in strengths),
        faded=due.archive,
        review=len(wanting),
        wanting=tuple(_wanting(path, uses) for path in wanting[:_LISTED]),
    )


def _is_skilful(facts: NoteFacts, uses: Uses, settings: Settings) -> bool:
    own = uses.of(facts.path)
    return facts.may_distil and own.uses >= settings.compact.distil_uses and own.boost > 1


def _wanting(path: str, uses: Uses) -> Wanting:
    own = uses.of(path)
    told = own.reasons[-1].text if own.reasons and own.reasons[-1].score < 0 else ""
    return Wanting(path, round(own.boost, 4), own.last_score, told)
