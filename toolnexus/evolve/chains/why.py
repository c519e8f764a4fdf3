"""Why something is believed: a walk, what it comes to, and the story of it."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from toolnexus.evolve.chains.chain import MAX_DEPTH, ChainEdge, ChainNode, Conflict, EvidenceChain
from toolnexus.evolve.chains.circles import find_circles
from toolnexus.evolve.chains.confidence import FACTORS, propagate
from toolnexus.evolve.chains.retraction import resting_on
from toolnexus.evolve.chains.walk import walk_from

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolnexus.evolve.chains.confidence import Outcome
    from toolnexus.evolve.chains.retraction import Retraction
    from toolnexus.evolve.chains.walk import Thing, Walk, World

_ROUND = 12


def chain_of(world: World, root: Thing, max_depth: int = MAX_DEPTH) -> EvidenceChain:
    """Tell what a note, a claim or a turn rests on, and how far that lets it be believed.

    Args:
        world: What there is.
        root: What is asked for.
        max_depth: How many links to follow at most.
    """
    walk = walk_from(world, root, max_depth)
    outcome = propagate(walk.believed, walk.links)
    ids = [thing.id for thing in walk.things]
    edges = tuple(_edges(walk, outcome))
    path, share = _critical_path(walk, outcome)
    return EvidenceChain(
        root=ids[0],
        nodes=tuple(_nodes(walk, outcome)),
        edges=edges,
        overall_confidence=round(outcome.confidence[0], _ROUND),
        critical_path=tuple(ids[number] for number in path),
        critical_path_confidence=round(share, _ROUND),
        conflicts=tuple(
            Conflict(edge.source, edge.target, edge.strength, abs(edge.contribution))
            for edge in edges
            if edge.kind == "refuted_by"
        ),
        broken_links=tuple(thing.id for thing in walk.things if thing.kind == "missing"),
        retracted=tuple(dict.fromkeys(each.told for each in _retracted(walk))),
        circles=tuple(tuple(ids[number] for number in circle) for circle in outcome.circles),
        is_cut=walk.is_cut,
    )


def confidence_of(world: World, root: Thing, max_depth: int = MAX_DEPTH) -> float:
    """Return the number alone that `chain_of` gives as `overall_confidence`."""
    walk = walk_from(world, root, max_depth)
    return round(propagate(walk.believed, walk.links).confidence[0], _ROUND)


def _nodes(walk: Walk, outcome: Outcome) -> list[ChainNode]:
    rests = {link.child for link in walk.links if not link.refutes and outcome.counts(link)}
    return [
        ChainNode(
            id=thing.id,
            kind=thing.kind,
            title=walk.titles[number],
            own=walk.believed[number].own if thing.kind != "claim" else 0.0,
            confidence=round(outcome.confidence[number], _ROUND),
            depth=walk.depths[number],
            is_root=number not in rests or walk.believed[number].stands,
            stage=walk.ripe[number].stage if number in walk.ripe else "",
            role=walk.roles.get(number, ""),
            retracted="; ".join(each.told for each in walk.retracted.get(number, ())),
        )
        for number, thing in enumerate(walk.things)
    ]


def _edges(walk: Walk, outcome: Outcome) -> list[ChainEdge]:
    edges = []
    for link, said in zip(walk.links, walk.said, strict=True):
        share = outcome.confidence[link.parent] * link.strength * FACTORS[link.kind]
        edges.append(
            ChainEdge(
                walk.things[link.child].id,
                walk.things[link.parent].id,
                link.kind,
                round(link.strength, _ROUND),
                round(share, _ROUND) if outcome.counts(link) else 0.0,
                said,
            )
        )
    return edges


def _critical_path(walk: Walk, outcome: Outcome) -> tuple[list[int], float]:
    """Find the way down that brings most, and what it brings."""
    supports: defaultdict[int, list[tuple[int, float]]] = defaultdict(list)
    for link in walk.links:
        if not link.refutes and outcome.counts(link):
            supports[link.child].append((link.parent, link.weight))
    order, _ = find_circles(len(walk.things), [(link.child, link.parent) for link in walk.links])
    best: dict[int, float] = {}
    onward: dict[int, int] = {}
    for number in order:
        believed = walk.believed[number]
        best[number] = believed.own if believed.stands or not supports[number] else 0.0
        for parent, weight in supports[number]:
            share = min(best[parent] * weight, believed.cap)
            if share > best[number]:
                best[number], onward[number] = share, parent
    path = [0]
    while path[-1] in onward:
        path.append(onward[path[-1]])
    return path, best[0]


def _retracted(walk: Walk) -> Sequence[Retraction]:
    """Return what was taken back of what the thing that was asked for rests on."""
    parents: defaultdict[int, list[int]] = defaultdict(list)
    own: dict[int, Sequence[Retraction]] = dict(walk.retracted)
    for link in walk.links:
        if not link.refutes:
            parents[link.child].append(link.parent)
        if link.kind == "stated_in":
            own[link.parent] = ()  # that another claim of the note was dropped is nothing to this
    order, _ = find_circles(
        len(walk.things), [(child, p) for child, found in parents.items() for p in found]
    )
    return resting_on(order, parents, own, walk.ripe).get(0, ())
