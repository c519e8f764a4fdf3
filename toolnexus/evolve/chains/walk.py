"""The walk from what was asked for to everything that it rests on, nearest first."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from toolnexus.evolve.chains.confidence import Believed, Rests
from toolnexus.evolve.chains.refs import TurnRef, find_target
from toolnexus.evolve.chains.retraction import Retraction
from toolnexus.evolve.chains.testimony import about_claim, about_note
from toolnexus.evolve.imagining.idea import CONFIDENCE as GUESSED
from toolnexus.home.ripening import DREAMED, ripening_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from toolnexus.evolve.chains.chain import EdgeKind, NodeKind
    from toolnexus.evolve.chains.testimony import Testimony
    from toolnexus.home.ripening import Ripening, Stage
    from toolnexus.home.snapshot import Snapshot
    from toolnexus.transcripts.turn import Turn

OWN: Mapping[Stage, float] = {"raw": 0.8, "extracted": 0.6, "knowledge": 1.0, "skill": 1.0}
"""How far a note can be believed that says nothing of it, by its stage: what a person wrote is
their word, what was noted down in passing less, what an agent made of it less again."""
PROPOSED = 0.35
_UNTOLD = "unknown"
HEARD, OVERHEARD = 1.0, 0.5
"""How far a turn can be believed: of a role whose words are evidence, and of any other."""


@dataclass(frozen=True, slots=True)
class Thing:
    """Something in a chain, by what it is and where it stands.

    Attributes:
        kind: What it is.
        id: What it is called in the chain.
        path: A note's path, or that of the note that a claim stands in.
        claim: The claim's number in that note.
        turn: The turn.
    """

    kind: NodeKind
    id: str
    path: str = ""
    claim: int = -1
    turn: TurnRef | None = None


@dataclass(frozen=True, slots=True)
class World:
    """What chains are made from.

    Attributes:
        home: The home as read.
        find_turn: Reads a turn; None where there is none.
        made: What dreams wrote in a note on the word of turns, by its path.
        heard: What else turns say about a note's claims. It is asked about claims alone: to look
            it up takes longer than all the rest.
        retractions: What dreams took back, by the path that it stood in.
        evidence_roles: The roles whose words are evidence.
    """

    home: Snapshot
    find_turn: Callable[[TurnRef], Turn | None]
    made: Callable[[str], Sequence[Testimony]]
    heard: Callable[[str], Sequence[Testimony]]
    retractions: Mapping[str, Sequence[Retraction]] = field(default_factory=dict)
    evidence_roles: frozenset[str] = frozenset({"user"})


@dataclass(slots=True)
class Walk:
    """What a walk came by; all lists go by number, and the thing that was asked for is 0.

    Attributes:
        things: What there is.
        depths: How many links lead to each, at least.
        believed: How far each can be believed by itself.
        links: What rests on what.
        said: The words that a link goes by, by the link's place in `links`.
        titles: What each is called or says.
        roles: Who speaks, by number.
        ripe: How ripe the notes are, by number.
        retracted: What was taken back in each, by number.
        is_cut: Whether something rests on more than was followed.
    """

    things: list[Thing] = field(default_factory=list)
    depths: list[int] = field(default_factory=list)
    believed: list[Believed] = field(default_factory=list)
    links: list[Rests] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    titles: list[str] = field(default_factory=list)
    roles: dict[int, str] = field(default_factory=dict)
    ripe: dict[int, Ripening] = field(default_factory=dict)
    retracted: dict[int, list[Retraction]] = field(default_factory=dict)
    is_cut: bool = False


@dataclass(frozen=True, slots=True)
class _Step:
    """One link to follow: how it counts, where it leads, and what is known of a turn there."""

    kind: EdgeKind
    to: Thing
    strength: float = 1.0
    said: str = ""
    role: str = ""


def walk_from(world: World, root: Thing, max_depth: int) -> Walk:
    """Walk from a thing to everything that it rests on, breadth first.

    Args:
        world: What there is.
        root: Where to begin.
        max_depth: How many links to follow at most.
    """
    walker = _Walker(world, root)
    waiting = deque([0])
    while waiting:
        number = waiting.popleft()
        steps = list(walker.steps(number))
        if walker.walk.depths[number] >= max_depth:
            walker.walk.is_cut |= bool(steps)
            walker.settle(number, ())
            continue
        walker.settle(number, steps)
        waiting.extend(walker.follow(number, steps))
    return walker.walk


class _Walker:
    """A walk as it grows."""

    def __init__(self, world: World, root: Thing) -> None:
        self.walk = Walk()
        self._world = world
        self._root = root
        self._numbers: dict[str, int] = {}
        self._add(root, 0)

    def steps(self, number: int) -> Iterator[_Step]:
        """Yield what a thing rests on, and what refutes it."""
        thing = self.walk.things[number]
        if thing.kind == "note":
            yield from self._written(number, thing)
            if thing.path != self._root.path or self._root.kind != "claim":
                note = self._world.home.notes[thing.path]
                told = self._world.made(thing.path)
                yield from map(_spoken, about_note(told, len(note.document.claims)))
        elif thing.kind == "claim":
            yield _Step("stated_in", Thing("note", thing.path, thing.path))
            told = (*self._world.made(thing.path), *self._world.heard(thing.path))
            yield from map(_spoken, about_claim(told, thing.claim))

    def settle(self, number: int, steps: Sequence[_Step]) -> None:
        """Decide how far a thing can be believed by itself."""
        thing = self.walk.things[number]
        match thing.kind:
            case "note":
                ripe = self.walk.ripe[number]
                told = self._told(thing.path, ripe)
                own = told
                if own is None:
                    own = PROPOSED if ripe.is_proposed else OWN[ripe.stage]
                bound = 1.0 if told is None and not ripe.is_proposed else own
                names_a_basis = any(step.kind != "refuted_by" and not step.role for step in steps)
                believed = Believed(own, stands=not names_a_basis, cap=bound)
            case "turn":
                role = self.walk.roles[number]
                is_heard = role in self._world.evidence_roles
                believed = Believed(HEARD if is_heard else OVERHEARD)
            case "merged":
                believed = Believed(OWN["knowledge"])
            case _:
                believed = Believed(0.0)
        self.walk.believed[number] = believed

    def _told(self, path: str, ripe: Ripening) -> float | None:
        """Return how sure a note says it is; what it said as a guess ends when it is accepted."""
        is_accepted = not ripe.is_proposed and DREAMED in self._world.home.notes[path].tags
        return None if is_accepted and ripe.confidence in GUESSED.values() else ripe.confidence

    def follow(self, number: int, steps: Sequence[_Step]) -> Iterator[int]:
        """Add what a thing rests on, and yield what was not known before."""
        depth = self.walk.depths[number] + 1
        for step in steps:
            known = self._numbers.get(step.to.id)
            parent = self._add(step.to, depth, step) if known is None else known
            self.walk.links.append(Rests(number, parent, step.kind, step.strength))
            self.walk.said.append(step.said)
            if known is None:
                yield parent

    def _written(self, number: int, thing: Thing) -> Iterator[_Step]:
        """Yield the typed links of a note's front matter."""
        for kind, names in self.walk.ripe[number].links.items():
            for name in names:
                target = find_target(self._world.home, thing.path, name)
                match target.kind:
                    case "note":
                        to = Thing("note", target.path, target.path)
                    case "turn":
                        assert target.turn is not None
                        to = Thing("turn", target.turn.written, turn=target.turn)
                    case "merged":
                        to = Thing("merged", f"{name} (now {target.path})", target.path)
                    case _:
                        to = Thing("missing", name)
                yield _Step(kind, to)
                if kind == "refuted_by" and to.kind in {"note", "turn"}:
                    updated = self.walk.ripe[number].updated
                    back = Retraction(thing.path, "", when=updated, refuter=to.id)
                    self.walk.retracted.setdefault(number, []).append(back)

    def _add(self, thing: Thing, depth: int, step: _Step | None = None) -> int:
        """Add a thing, looked up: a turn that is not there is missing."""
        number = len(self.walk.things)
        title, role = "", ""
        if thing.kind == "turn" and step is not None and step.role and step.said:
            title, role = step.said, step.role
        elif thing.kind == "turn":
            assert thing.turn is not None
            turn = self._world.find_turn(thing.turn)
            if turn is None:
                thing = Thing("missing", thing.id)
            else:
                title, role = turn.text or turn.tool_text, turn.role
        elif thing.kind == "note":
            note = self._world.home.notes[thing.path]
            title = note.title
            self.walk.ripe[number] = ripening_of(note)
            self.walk.retracted[number] = [*self._world.retractions.get(thing.path, ())]
        elif thing.kind == "claim":
            claims = self._world.home.notes[thing.path].document.claims
            title = claims[thing.claim].text
        self._numbers[thing.id] = number
        self.walk.things.append(thing)
        self.walk.depths.append(depth)
        self.walk.titles.append(" ".join(title.split()))
        self.walk.believed.append(Believed(0.0))
        if role:
            self.walk.roles[number] = role
        return number


def _spoken(told: Testimony) -> _Step:
    """Make a step of what a turn says."""
    evidence = told.evidence
    turn = TurnRef(evidence.conversation, evidence.turn)
    thing = Thing("turn", turn.written, turn=turn)
    return _Step(told.kind, thing, told.strength, evidence.quote, evidence.role or _UNTOLD)
