"""Ideas: what could be imagined, and of which notes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from toolnexus.evolve.imagining.material import Piece

Phase = Literal["consolidation", "divergence"]

PHASE_TAG = "dream:"
"""How the tag begins that tells which of the two kinds a guess is of."""
CONFIDENCE: dict[Phase, float] = {"consolidation": 0.35, "divergence": 0.30}


@dataclass(frozen=True, slots=True)
class Idea:
    """Something that could be imagined.

    Attributes:
        phase: Which kind it is of.
        sources: The notes that it is made of, in a fixed order.
        terms: The stems that they share, the most telling first; perhaps none for a divergence.
        topics: For a divergence the tags of the two topics, that of the first source first.
    """

    phase: Phase
    sources: tuple[Piece, ...]
    terms: tuple[str, ...]
    topics: tuple[str, ...] = ()

    @property
    def paths(self) -> frozenset[str]:
        """The files that it is made of."""
        return frozenset(piece.path for piece in self.sources)

    @property
    def key(self) -> tuple[str, ...]:
        """What it is about, whatever the notes: an idea of the same key is the same idea."""
        if self.phase == "divergence":
            return (*sorted(self.topics), *self.terms[:1])
        return tuple(sorted(self.terms[:2]))
