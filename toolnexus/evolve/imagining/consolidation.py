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
    from collections.abc import Iterable, Iterator, Sequence

    from toolnexus.evolve.imagining.material import Piece

FEWEST_NOTES = 3
"""Two notes that share words are no pattern."""
MOST_SOURCES = 6
_PAIRS = 500_000
"""Pairs of words that are looked at, in all: where notes are many, each is known by fewer words."""
_FEWEST_TERMS, _MOST_TERMS = 8, 64
_PAIRS_AT_ONCE = 256
_TERMS_TOLD = 4
_MOST_COMMON_SHARE = 0.5

Pair = tuple[str, str]


def find_patterns(pieces: Sequence[Piece]) -> Iterator[Idea]:
    """Yield the patterns that recur over some notes, the most telling first.

    Args:
        pieces: The live notes.
    """
    distinct = _once(pieces)
    rarity = rarity_of(distinct, FEWEST_NOTES)
    pairs = _ranked(distinct, rarity)
    for start in range(0, len(pairs), _PAIRS_AT_ONCE):
        some = pairs[start : start + _PAIRS_AT_ONCE]
        where = _places(distinct, frozenset(term for pair in some for term in pair))
        for one, other in some:
            shared = sorted(where[one].intersection(where[other]))
            sources = _apart(distinct[number] for number in shared)
            if len(sources) >= FEWEST_NOTES:
                yield Idea("consolidation", sources, _terms((one, other), sources, rarity))


def _once(pieces: Sequence[Piece]) -> list[Piece]:
    """Return the notes, of those that say the very same only the first."""
    return list({piece.said: piece for piece in reversed(pieces)}.values())[::-1]


def _apart(pieces: Iterable[Piece]) -> tuple[Piece, ...]:
    """Leave out notes that mostly repeat one before them: what is said twice is no pattern."""
    kept: list[Piece] = []
    for piece in pieces:
        said = set(piece.said)
        if all(len(said.intersection(k.said)) <= _MOST_COMMON_SHARE * len(said) for k in kept):
            kept.append(piece)
        if len(kept) == MOST_SOURCES:
            break
    return tuple(kept)


def _places(pieces: Sequence[Piece], terms: frozenset[str]) -> dict[str, set[int]]:
    """Return the numbers of the notes that hold each of some terms."""
    where: defaultdict[str, set[int]] = defaultdict(set)
    for number, piece in enumerate(pieces):
        for term in terms.intersection(terms_and_tags(piece)):
            where[term].add(number)
    return where


def _ranked(pieces: Sequence[Piece], rarity: Rarity) -> list[Pair]:
    """Return the pairs of terms that several notes share, the most telling first."""
    counts: Counter[Pair] = Counter()
    each = min(_MOST_TERMS, max(_FEWEST_TERMS, math.isqrt(2 * _PAIRS // max(1, len(pieces)))))
    for piece in pieces:
        telling = rarity.telling(terms_and_tags(piece))[:each]
        counts.update(combinations(sorted(telling), 2))
    rated = [
        (-_weight(pair, count, rarity), pair)
        for pair, count in counts.items()
        if count >= FEWEST_NOTES and not pair[1].startswith(TAG)  # two tags are no words
    ]
    return [pair for _, pair in sorted(rated)]


def _weight(pair: Pair, count: int, rarity: Rarity) -> float:
    return sum(rarity.of(term) for term in pair if not term.startswith(TAG)) * math.log1p(count)


def _terms(pair: Pair, sources: Sequence[Piece], rarity: Rarity) -> tuple[str, ...]:
    """Return what all the sources share: the pair first, then the most telling of the rest."""
    words = [term for term in pair if not term.startswith(TAG)]
    common = set(sources[0].terms).intersection(*(piece.terms for piece in sources[1:]))
    rest = rarity.telling(common.difference(words))
    return tuple([*words, *rest][:_TERMS_TOLD])
