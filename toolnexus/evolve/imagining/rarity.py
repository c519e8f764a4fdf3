"""Rarity: how telling a word is among the notes; one that many share tells nothing apart."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from toolnexus.evolve.imagining.material import Piece

TAG = "#"
"""How a tag is told from a word among terms."""
_MOST_SHARE = 0.1
_MOST_AT_LEAST = 8
_SMALL = 30
"""Notes: in a home of fewer even what all of them share may be what there is to see."""


@dataclass(frozen=True, slots=True)
class Rarity:
    """The telling terms of some notes: those that a few of them share.

    Attributes:
        order: Each telling term's place, the rarest first; a tag's term begins with ``#``.
        counts: In how many notes each of them stands.
        notes: How many notes there are.
    """

    order: Mapping[str, int]
    counts: Mapping[str, int]
    notes: int

    def of(self, term: str) -> float:
        """Return how rare a telling term is: 0 for one that every note has."""
        return math.log(self.notes / self.counts[term])

    def telling(self, terms: Iterable[str]) -> list[str]:
        """Return the telling ones of some terms, the rarest first."""
        return sorted(self.order.keys() & set(terms), key=self.order.__getitem__)


def rarity_of(pieces: Sequence[Piece], fewest: int) -> Rarity:
    """Find the terms that so many notes share or more, but not more than a tenth, or eight.

    Args:
        pieces: The notes.
        fewest: In how many of them a telling term stands at the least.
    """
    counts = Counter(term for piece in pieces for term in terms_and_tags(piece))
    most = max(_MOST_AT_LEAST, int(len(pieces) * _MOST_SHARE))
    if len(pieces) < _SMALL:
        most = len(pieces)
    kept = {term: count for term, count in counts.items() if fewest <= count <= most}
    ranked = sorted(kept, key=lambda term: (kept[term], term))
    return Rarity({term: place for place, term in enumerate(ranked)}, kept, len(pieces))


def terms_and_tags(piece: Piece) -> tuple[str, ...]:
    """Return a note's terms, its tags among them."""
    return (*piece.terms, *(TAG + tag for tag in piece.tags))
