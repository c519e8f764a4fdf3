"""Consolidation: patterns that recur over several notes, found by the words that they share.

Each note is looked at by its few most telling words, so that the work grows with the notes and not
with their pairs.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from itertools import combinations
from typing import TYPE_CHECKING

from toolnexus.evolve.imagining.idea import Idea
from toolnexus.evolve.imagining.rarity import TAG, Rarity, rarity_of, terms_and_tags

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from toolnexus.evolve.imagining.material import Piece

FEWEST_NOTES = 3
"""Two notes that share words are no pattern."""
MOST_SOURCES = 6
_TERMS_EACH = 8
_TERMS_TOLD = 4

Pair = tuple[str, str]


def find_patterns(pieces: Sequence[Piece]) -> Iterator[Idea]:
    """Yield the patterns that recur over some notes, the most telling first.

    Args:
        pieces: The live notes.
    """
    distinct = list({piece.said: piece for piece in reversed(pieces)}.values())[::-1]
    rarity = rarity_of(distinct)
    where = _places(distinct, rarity)
    for pair in _ranked(distinct, rarity):
        shared = sorted(set(where[pair[0]]).intersection(where[pair[1]]))
        sources = tuple(distinct[number] for number in shared[:MOST_SOURCES])
        yield Idea("consolidation", sources, _terms(pair, sources, rarity))


def _places(pieces: Sequence[Piece], rarity: Rarity) -> dict[str, list[int]]:
    """Return the numbers of the notes that hold each telling term."""
    where: defaultdict[str, list[int]] = defaultdict(list)
    for number, piece in enumerate(pieces):
        for term in terms_and_tags(piece):
            if FEWEST_NOTES <= rarity.counts[term] <= rarity.most:
                where[term].append(number)
    return where


def _ranked(pieces: Sequence[Piece], rarity: Rarity) -> list[Pair]:
    """Return the pairs of terms that several notes share, the most telling first."""
    counts: Counter[Pair] = Counter()
    for piece in pieces:
        telling = rarity.telling(terms_and_tags(piece), FEWEST_NOTES)[:_TERMS_EACH]
        counts.update(combinations(sorted(telling), 2))
    rated = [
        (-_weight(pair, count, rarity), pair)
        for pair, count in counts.items()
        if count >= FEWEST_NOTES and not pair[1].startswith(TAG)  # two tags are no words
    ]
    return [pair for _, pair in sorted(rated)]


def _weight(pair: Pair, count: int, rarity: Rarity) -> float:
    return (rarity.of(pair[0]) + rarity.of(pair[1])) * math.log1p(count)


def _terms(pair: Pair, sources: Sequence[Piece], rarity: Rarity) -> tuple[str, ...]:
    """Return what all the sources share: the pair first, then the most telling of the rest."""
    words = [term for term in pair if not term.startswith(TAG)]
    common = set(sources[0].terms).intersection(*(piece.terms for piece in sources[1:]))
    rest = rarity.telling(common.difference(words), FEWEST_NOTES)
    return tuple([*words, *rest][:_TERMS_TOLD])
