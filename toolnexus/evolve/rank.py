"""Rank: what a note weighs in a search beside its relevance, by its stage and by feedback.

A hit is ranked by ``relevance × stage weight × feedback``. The feedback factor lies between
1 / `BAND` and `BAND`, so that this law holds, whatever feedback anybody gives: where one hit's
relevance × stage weight is more than ``BAND²`` times another's, it stays before it.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from toolnexus.home.ripening import DREAMED
from toolnexus.index.hit import Weight
from toolnexus.store.uses import LEAST_BOOST, MOST_BOOST, clamp_boost

if TYPE_CHECKING:
    from collections.abc import Mapping

    from toolnexus.home.note import Note
    from toolnexus.home.ripening import Ripening, Stage
    from toolnexus.store.uses import NoteUses

STAGE_WEIGHTS: Mapping[Stage, float] = {
    "skill": 1.0,
    "knowledge": 0.9,
    "extracted": 0.7,
    "raw": 0.45,
}
PROPOSED_SHARE = 0.5
"""How much of its stage's weight a note has that waits for a person's word: facts come first."""
BAND = 1.25
"""How far feedback lifts or sinks a hit at most."""


def feedback_factor(boost: float) -> float:
    """Return what a boost is worth in a search: 1 / `BAND` at its least, 1 at 1, `BAND` at most.

    Args:
        boost: What feedback made of a note, .1 to 5.

    Example:
        >>> feedback_factor(0.1), feedback_factor(1.0), feedback_factor(5.0)
        (0.8, 1.0, 1.25)
    """
    boost = clamp_boost(boost)
    end = MOST_BOOST if boost >= 1 else LEAST_BOOST
    share = math.log(boost) / math.log(end)
    return float(BAND**share if boost >= 1 else BAND**-share)


def weight_of(note: Note, ripening: Ripening, uses: NoteUses) -> Weight:
    """Tell what a note weighs in a search.

    Args:
        note: The note.
        ripening: What its front matter says.
        uses: Its uses and feedback.
    """
    stage_weight = STAGE_WEIGHTS[ripening.stage]
    if ripening.is_proposed:
        stage_weight *= PROPOSED_SHARE
    return Weight(
        stage=ripening.stage,
        stage_weight=stage_weight,
        boost=round(uses.boost, 4),
        feedback=round(feedback_factor(uses.boost), 4),
        is_proposed=ripening.is_proposed,
        is_imagined=ripening.is_proposed and DREAMED in note.tags,
    )
