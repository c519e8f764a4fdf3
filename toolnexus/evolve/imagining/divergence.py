"""Divergence: two unlike topics, and a note of each that may have to do with the other.

A topic is a tag that two notes or more carry. Two topics are unlike when few notes carry both tags.
What bridges them is a telling word that a note of either speaks of.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from toolnexus.evolve.imagining.idea import Idea
from toolnexus.evolve.imagining.rarity import Rarity, rarity_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from toolnexus.evolve.imagining.material import Piece

FEWEST_NOTES = 2
FEWEST_TOPICS = 2
MOST_TOPICS = 40
"""The largest topics are put beside each other; with all of them the work would grow with pairs."""
_MOST_COMMON_SHARE = 1 / 3
_BRIDGES_EACH = 8


class Topic(NamedTuple):
    """A tag and the notes that carry it, by path."""

    tag: str
    pieces: tuple[Piece, ...]


def find_topics(pieces: Sequence[Piece]) -> list[Topic]:
    """Return the tags that two notes or more carry, the most used first."""
    carried: defaultdict[str, list[Piece]] = defaultdict(list)
    for piece in pieces:
        for tag in piece.tags:
            carried[tag].append(piece)
    topics = [
        Topic(tag, tuple(found)) for tag, found in carried.items() if len(found) >= FEWEST_NOTES
    ]
    return sorted(topics, key=lambda topic: (-len(topic.pieces), topic.tag))


def find_bridges(pieces: Sequence[Piece]) -> Iterator[Idea]:
    """Yield what notes of two unlike topics may have to do with each other, the most telling first.

    Pairs of topics that no word bridges come last.

    Args:
        pieces: The live notes.
    """
    topics = find_topics(pieces)[:MOST_TOPICS]
    if len(topics) < FEWEST_TOPICS:
        return
    rarity = rarity_of(pieces)
    rated: list[tuple[float, tuple[str, ...], Idea]] = []
    for one, other in combinations(topics, 2):
        for idea in _between(one, other, rarity):
            weight = rarity.of(idea.terms[0]) if idea.terms else 0.0
            rated.append((-weight, (*idea.topics, *idea.terms), idea))
    for _, _, idea in sorted(rated, key=lambda row: row[:2]):
        yield idea


def _between(one: Topic, other: Topic, rarity: Rarity) -> Iterator[Idea]:
    """Yield the ideas between two topics; none where they are alike."""
    both = {piece.path for piece in one.pieces} & {piece.path for piece in other.pieces}
    if len(both) > _MOST_COMMON_SHARE * min(len(one.pieces), len(other.pieces)):
        return
    left, right = (
        [piece for piece in topic.pieces if piece.path not in both] for topic in (one, other)
    )
    topics = (one.tag, other.tag)
    speaks, answers = _first_by_term(left), _first_by_term(right)
    bridges = rarity.telling(speaks.keys() & answers.keys(), FEWEST_NOTES)
    named = {word for tag in topics for word in tag.split("/")}
    for term in [term for term in bridges if term not in named][:_BRIDGES_EACH]:
        yield Idea("divergence", (speaks[term], answers[term]), (term,), topics)
    if not bridges:
        yield Idea("divergence", (left[0], right[0]), (), topics)


def _first_by_term(pieces: Sequence[Piece]) -> dict[str, Piece]:
    """Return the first note that speaks of each term."""
    first: dict[str, Piece] = {}
    for piece in pieces:
        for term in piece.terms:
            first.setdefault(term, piece)
    return first
