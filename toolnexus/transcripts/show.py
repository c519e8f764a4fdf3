"""From what a search found to what a person is shown of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolnexus.text.secrets import mask
from toolnexus.transcripts.excerpt import find_excerpts
from toolnexus.transcripts.hit import TurnHit
from toolnexus.transcripts.turn import ROLES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolnexus.transcripts.search import Found
    from toolnexus.transcripts.turn import Turn


def make_hits(found: Sequence[tuple[Found, Turn]], match: str) -> list[TurnHit]:
    """Make hits of speeches and the turns that they stand in; secrets in them are masked.

    Args:
        found: The speeches, each with its turn.
        match: The full-text expression whose best match an excerpt is cut around.
    """
    texts = [mask(turn.text if speech.own else turn.tool_text) for speech, turn in found]
    return [
        TurnHit(
            turn.conversation,
            turn.number,
            turn.id,
            ROLES[speech.role],
            turn.ts,
            excerpt.text,
            excerpt.match_start,
            excerpt.match_length,
            speech.score,
        )
        for (speech, turn), excerpt in zip(found, find_excerpts(texts, match), strict=True)
    ]
