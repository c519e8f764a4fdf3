"""Divergence: two unlike topics, and a note of each that may have to do with the other.

A topic is a tag that two notes or more carry. Two topics are unlike when few notes carry both tags.
What bridges them is a telling word that a note of either speaks of.
"""

from __future__ import annotations

from collections import defaultdict
from heapq import nsmallest
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from toolnexus.evolve.imagining.idea import Idea
from toolnexus.evolve.imagining.rarity import Rarity, rarity_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from toolnexus.evolve.imagining.material import Piece

FEWEST_NOTES = 2
FEWEST_TOPICS = 2
MOST_TOPICS = 30
"""The largest topics are put beside each other; with all of them the work would grow with pairs."""
_MOST_COMMON_SHARE = 1 / 3
_BRIDGES_EACH = 8
_NOTES_EACH = 3


class Topic(NamedTuple):
    """A tag and the notes that carry it, by path."""

    tag: str
    pieces: tuple[Piece, ...]
    paths: frozenset[str]


def find_topics(pieces: Sequence[Piece]) -> list[Topic]:
    """Return the tags that two notes or more carry, the most used first."""
    carried: defaultdict[str, list[Piece]] = defaultdict(list)
    for piece in pieces:
        for tag in piece.tags:
            carried[tag].append(piece)
    topics = [
        Topic(tag, tuple(found), frozenset(piece.path for piece in found))
        for tag, found in carried.items()
        if len(found) >= FEWEST_NOTES
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
    rarity = rarity_of(pieces, FEWEST_NOTES)
    spoken = [_Spoken(topic, _first_by_term(topic, rarity)) for topic in topics]
    rated: list[tuple[float, tuple[str, ...], Idea]] = []
    for one, other in combinations(spoken, 2):
        for idea in _between(one, other, rarity):
            weight = rarity.of(idea.terms[0]) if idea.terms else 0.0
            rated.append((-weight, (*idea.topics, *idea.terms), idea))
    for _, _, idea in sorted(rated, key=lambda row: row[:2]):
        yield idea


class _Spoken(NamedTuple):
    """A topic, with the first notes of it that hold each telling term."""

    topic: Topic
    first: dict[str, list[Piece]]


def _between(one: _Spoken, other: _Spoken, rarity: Rarity) -> Iterator[Idea]:
    """Yield the ideas between two topics; none where they are alike."""
    topics = (one.topic.tag, other.topic.tag)
    both = frozenset(one.topic.paths & other.topic.paths)
    if len(both) > _MOST_COMMON_SHARE * min(len(one.topic.paths), len(other.topic.paths)):
        return
    named = {word for tag in topics for word in tag.split("/")}
    bridges = (one.first.keys() & other.first.keys()).difference(named)
    found = False
    for term in nsmallest(_BRIDGES_EACH, bridges, key=rarity.order.__getitem__):
        sides = (_outside(one.first[term], both), _outside(other.first[term], both))
        if sides[0] is not None and sides[1] is not None:
            found = True
            yield Idea("divergence", (sides[0], sides[1]), (term,), topics)
    left, right = _outside(one.topic.pieces, both), _outside(other.topic.pieces, both)
    if not found and left is not None and right is not None:
        yield Idea("divergence", (left, right), (), topics)


def _outside(pieces: Iterable[Piece], both: frozenset[str]) -> Piece | None:
    """Return the first note that is of one topic alone."""
    return next((piece for piece in pieces if piece.path not in both), None)


def _first_by_term(topic: Topic, rarity: Rarity) -> dict[str, list[Piece]]:
    """Return the first few notes of a topic that hold each telling term."""
    first: defaultdict[str, list[Piece]] = defaultdict(list)
    telling = rarity.order.keys()
    for piece in topic.pieces:
        for term in telling & piece.terms:
            if len(first[term]) < _NOTES_EACH:
                first[term].append(piece)
    return first
