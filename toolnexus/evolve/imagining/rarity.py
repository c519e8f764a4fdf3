"""Rarity: how telling a word is among the notes: one that many share tells nothing apart."""

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


@dataclass(frozen=True, slots=True)
class Rarity:
    """In how many notes each word and tag stands.

    Attributes:
        counts: How many notes hold a term; a tag's term begins with ``#``.
        notes: How many notes there are.
    """

    counts: Mapping[str, int]
    notes: int

    @property
    def most(self) -> int:
        """In how many notes a telling term may stand: a tenth of them, but eight at the least."""
        return max(_MOST_AT_LEAST, int(self.notes * _MOST_SHARE))

    def of(self, term: str) -> float:
        """Return how rare a term is: 0 for one that every note has."""
        return math.log(self.notes / self.counts[term]) if self.counts[term] else 0.0

    def telling(self, terms: Iterable[str], fewest: int) -> list[str]:
        """Keep the terms that stand in at least so many notes and not in too many; rarest first."""
        kept = [term for term in terms if fewest <= self.counts[term] <= self.most]
        return sorted(kept, key=lambda term: (self.counts[term], term))


def rarity_of(pieces: Sequence[Piece]) -> Rarity:
    """Count the terms of some notes."""
    counts = Counter(term for piece in pieces for term in terms_and_tags(piece))
    return Rarity(counts, len(pieces))


def terms_and_tags(piece: Piece) -> tuple[str, ...]:
    """Return a note's terms, its tags among them."""
    return (*piece.terms, *(TAG + tag for tag in piece.tags))
