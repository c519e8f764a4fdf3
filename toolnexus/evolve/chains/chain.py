"""What an evidence chain is made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from toolnexus.home.ripening import LinkKind, Stage

NodeKind = Literal["note", "claim", "turn", "merged", "missing"]
EdgeKind = LinkKind | Literal["stated_in"]

NEEDS_REVERIFICATION_BELOW = 0.4
MAX_DEPTH = 10


@dataclass(frozen=True, slots=True)
class ChainNode:
    """Something that something else rests on, or the thing that was asked for.

    Attributes:
        id: A note's path; a claim's as ``path:line``; a turn's as ``transcript:conversation#turn``;
            what is missing as it was written.
        kind: ``merged`` is a note that lives on in the one that names it.
        title: The note's title, the claim's words, or what was said in the turn.
        own: How far it can be believed by itself, 0 to 1.
        confidence: How far with what it rests on, 0 to 1.
        depth: How many links lead to it from what was asked for, at least.
        is_root: It rests on nothing else here.
        stage: How ripe a note is; empty for what is no note.
        role: Who speaks in a turn; empty for what is no turn.
        retracted: What was taken back in it, in a sentence; empty when nothing was.
    """

    id: str
    kind: NodeKind
    title: str
    own: float
    confidence: float
    depth: int
    is_root: bool
    stage: Stage | Literal[""] = ""
    role: str = ""
    retracted: str = ""


@dataclass(frozen=True, slots=True)
class ChainEdge:
    """One thing rests on another, or is refuted by it.

    Attributes:
        source: The id of what rests.
        target: The id of what it rests on.
        kind: The typed link; ``stated_in`` leads from a claim to its note.
        strength: How much of it counts, 0 to 1.
        contribution: What it brings by itself: the target's confidence × strength × the kind's
            factor; below zero for a refutation, zero within a circle.
        said: The words of the turn that it goes by; empty when nothing is quoted.
    """

    source: str
    target: str
    kind: EdgeKind
    strength: float
    contribution: float
    said: str = ""


@dataclass(frozen=True, slots=True)
class Conflict:
    """A refutation: what it is of, what refutes it, and how much confidence that costs, 0 to 1."""

    node: str
    refuter: str
    strength: float
    impact: float


@dataclass(frozen=True, slots=True)
class EvidenceChain:
    """Why something is believed.

    Attributes:
        root: The id of what was asked for.
        nodes: It, and everything that it rests on, nearest first.
        edges: What rests on what.
        overall_confidence: How far it can be believed, 0 to 1.
        critical_path: The ids from it down the strongest evidence to where that comes from.
        critical_path_confidence: What that path alone would bring, 0 to 1.
        conflicts: The refutations among the edges.
        broken_links: The links that lead nowhere, as they are written.
        retracted: What was taken back of what it rests on, in sentences.
        circles: Nodes that rest on each other, each circle's ids in order.
        is_cut: Whether it rests on more than was followed.
        needs_reverification: Its confidence is under .4, or something that it rests on was taken
            back since.
    """

    root: str
    nodes: tuple[ChainNode, ...]
    edges: tuple[ChainEdge, ...]
    overall_confidence: float
    critical_path: tuple[str, ...]
    critical_path_confidence: float
    conflicts: tuple[Conflict, ...] = ()
    broken_links: tuple[str, ...] = ()
    retracted: tuple[str, ...] = ()
    circles: tuple[tuple[str, ...], ...] = ()
    is_cut: bool = False

    @property
    def needs_reverification(self) -> bool:
        """Whether a person or a dream should look at it again."""
        return bool(self.retracted) or self.overall_confidence < NEEDS_REVERIFICATION_BELOW

    @property
    def max_depth(self) -> int:
        """How many links the longest way down has, at least."""
        return max(node.depth for node in self.nodes)

    @property
    def sources(self) -> tuple[str, ...]:
        """The ids of what everything comes from in the end."""
        return tuple(node.id for node in self.nodes if node.is_root and node.kind != "missing")
