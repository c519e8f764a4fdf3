"""Confidence: how far each thing can be believed, given what it rests on. Pure.

What a thing rests on brings its confidence × the link's strength × a factor of the link's kind.
Several bring the noisy-or of that: the chance that at least one of them holds, were they
independent. They are not where they rest on the same thing, so that two bounds hold at once:

- *by parents*: the noisy-or over what it rests on directly. None brings more than it has itself.
- *by origins*: the noisy-or over what everything comes from in the end, each by the best path that
  leads there. No origin counts twice, over however many paths it comes.

The lesser of the two is taken; without shared origins that is the first. What a thing says of
itself (`Believed.cap`) bounds the outcome, and what refutes it is subtracted from it.

In a circle nothing supports itself: links between things that rest on each other bring nothing.
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from toolnexus.evolve.chains.circles import find_circles

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from toolnexus.evolve.chains.chain import EdgeKind

FACTORS: Mapping[EdgeKind, float] = {
    "derived_from": 0.9,
    "supported_by": 0.7,
    "merged_from": 0.85,
    "distilled_from": 0.95,
    "stated_in": 1.0,
    "refuted_by": -0.5,
}


@dataclass(frozen=True, slots=True)
class Believed:
    """Something that can be believed.

    Attributes:
        own: How far by itself, 0 to 1.
        stands: Whether that counts beside what it rests on; what rests on nothing always stands.
        cap: The most that it can be believed, whatever it rests on: what it says of itself.
    """

    own: float
    stands: bool = False
    cap: float = 1.0


@dataclass(frozen=True, slots=True)
class Rests:
    """A thing rests on another, or is refuted by it; both by their numbers."""

    child: int
    parent: int
    kind: EdgeKind
    strength: float = 1.0

    @property
    def weight(self) -> float:
        """How much of the parent's confidence counts, 0 to 1."""
        return self.strength * abs(FACTORS[self.kind])

    @property
    def refutes(self) -> bool:
        """Whether it speaks against the child."""
        return FACTORS[self.kind] < 0


@dataclass(frozen=True, slots=True)
class Outcome:
    """How far everything can be believed.

    Attributes:
        confidence: By number, 0 to 1.
        circles: The numbers of things that rest on each other.
    """

    confidence: tuple[float, ...]
    circles: tuple[tuple[int, ...], ...]

    def counts(self, rests: Rests) -> bool:
        """Whether a link counts: not within a circle."""
        return not any({rests.child, rests.parent} <= {*circle} for circle in self.circles)


def propagate(things: Sequence[Believed], links: Iterable[Rests]) -> Outcome:
    """Compute how far everything can be believed.

    Args:
        things: By number.
        links: What rests on what, in any order.

    Example:
        >>> note, turn = Believed(1.0), Believed(1.0)
        >>> propagate([note, turn], [Rests(0, 1, "derived_from")]).confidence
        (0.9, 1.0)
    """
    links = list(links)
    order, circles = find_circles(len(things), ((link.child, link.parent) for link in links))
    circle_of = {number: at for at, circle in enumerate(circles) for number in circle}
    parents: defaultdict[int, list[Rests]] = defaultdict(list)
    for link in links:
        inside = circle_of.get(link.child, -1)
        if inside < 0 or inside != circle_of.get(link.parent):
            parents[link.child].append(link)
    confidence = [0.0] * len(things)
    origins: list[dict[int, float]] = [{} for _ in things]
    for number in order:
        found = _settle(number, things[number], parents[number], confidence, origins)
        confidence[number], origins[number] = found
    return Outcome(tuple(confidence), circles)


def _settle(
    number: int,
    thing: Believed,
    links: Iterable[Rests],
    confidence: Sequence[float],
    origins: Sequence[Mapping[int, float]],
) -> tuple[float, dict[int, float]]:
    """Return how far one thing can be believed, as a whole and by where that comes from."""
    supports = [link for link in links if not link.refutes]
    brought = [confidence[link.parent] * link.weight for link in supports]
    reached: dict[int, float] = {}
    for link in supports:
        for origin, share in origins[link.parent].items():
            reached[origin] = max(reached.get(origin, 0.0), share * link.weight)
    if thing.stands or not supports:
        brought.append(thing.own)
        reached[number] = thing.own
    refuted = sum(sorted(confidence[x.parent] * x.weight for x in links if x.refutes))

    def bounded(value: float) -> float:
        return min(1.0, max(0.0, min(value, thing.cap) - refuted))

    whole = bounded(min(noisy_or(brought), noisy_or(reached.values())))
    return whole, {origin: bounded(share) for origin, share in reached.items()}


def noisy_or(shares: Iterable[float]) -> float:
    """Return the chance that at least one of several independent things holds.

    Example:
        >>> noisy_or([0.5, 0.5]), noisy_or([])
        (0.75, 0.0)
    """
    # A product has rounding of its own in each order: sorted, none depends on the links' order.
    return 1.0 - math.prod(1.0 - share for share in sorted(shares))
