"""The choice: which ideas a run tries, out of all that there are."""

from __future__ import annotations

from itertools import chain, islice
from typing import TYPE_CHECKING

from toolnexus.evolve.imagining.consolidation import find_patterns
from toolnexus.evolve.imagining.divergence import find_bridges
from toolnexus.evolve.imagining.tried import Known, Try

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from toolnexus.evolve.imagining.idea import Idea
    from toolnexus.evolve.imagining.material import Piece

MOST_PATTERNS = 3
MOST_BRIDGES = 2
"""Each guess asks a person for a judgement: a run makes few."""


def choose_ideas(pieces: Sequence[Piece], tries: Iterable[Try]) -> tuple[Idea, ...]:
    """Choose what to imagine: the most telling ideas that were never tried.

    Args:
        pieces: The live notes.
        tries: What was tried before.
    """
    known = Known(tries)
    patterns = islice(_untried(find_patterns(pieces), known), MOST_PATTERNS)
    bridges = islice(_untried(_once_each(find_bridges(pieces), known), known), MOST_BRIDGES)
    return tuple(chain(patterns, bridges))


def _once_each(ideas: Iterable[Idea], known: Known) -> Iterator[Idea]:
    """Yield one untried idea for each pair of topics."""
    seen: set[tuple[str, ...]] = set()
    for idea in ideas:
        if idea.topics not in seen and not known.has(idea):
            seen.add(idea.topics)
            yield idea


def _untried(ideas: Iterable[Idea], known: Known) -> Iterator[Idea]:
    for idea in ideas:
        if not known.has(idea):
            known.add(Try(idea.phase, idea.paths, idea.key))
            yield idea
