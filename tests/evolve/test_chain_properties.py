"""What holds for the chain of any note, whatever the typed links of a home are."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from toolnexus.evolve.chains.check import check_chains
from toolnexus.evolve.chains.retraction import Retraction
from toolnexus.evolve.chains.walk import Thing, World
from toolnexus.evolve.chains.why import chain_of, confidence_of
from toolnexus.home.ripening import LINK_KINDS
from toolnexus.home.snapshot import Snapshot
from toolnexus.transcripts.turn import Turn

if TYPE_CHECKING:
    from toolnexus.evolve.chains.refs import TurnRef

SLUGS = ["a", "b", "c", "d", "e", "x/a"]
TARGETS = [*SLUGS, "gone", "A", "transcript:talk#1", "transcript:talk#9", "transcript:", "[[b]]"]
WORDS = "Lives in Paris."


@st.composite
def homes(draw) -> Snapshot:
    """Draw a home whose notes name each other, turns, and what is not there."""
    files = {}
    for slug in draw(st.sets(st.sampled_from(SLUGS), min_size=1)):
        fields: dict[str, object] = draw(
            st.dictionaries(
                st.sampled_from(LINK_KINDS),
                st.lists(st.sampled_from(TARGETS), max_size=3),
                max_size=3,
            )
        )
        if draw(st.booleans()):
            fields["confidence"] = draw(st.floats(0, 1))
        fields["updated"] = draw(st.sampled_from(["2026-11-01", "2026-12-01"]))
        lines = "".join(f"{key}: {json.dumps(value)}\n" for key, value in fields.items())
        files[f"memory/{slug}.md"] = f"---\n{lines}---\n- {WORDS}\n"
    return Snapshot(name="ava", moved={"memory/old.md": "memory/a.md"}).with_texts(files)


def world_of(home: Snapshot) -> World:
    """Make a world with one conversation of two turns, in which nobody took anything back."""

    def find_turn(ref: TurnRef) -> Turn | None:
        is_there = ref.conversation == "talk" and ref.turn in (1, 2)
        return Turn("user", "We live in Paris.", number=1) if is_there else None

    return World(home, find_turn, lambda _: (), lambda _: ())


@given(homes(), st.integers(0, 6), st.data())
def test_a_chain_holds_together(home, depth, data):
    """Every edge joins two nodes, each node is told once, and the numbers agree."""
    path = data.draw(st.sampled_from(sorted(home.notes)))
    asked = data.draw(st.sampled_from([Thing("note", path, path), Thing("claim", "it", path, 0)]))
    chain = chain_of(world_of(home), asked, depth)
    ids = [node.id for node in chain.nodes]
    assert ids[0] == chain.root == asked.id
    assert len(ids) == len(set(ids))
    assert {end for edge in chain.edges for end in (edge.source, edge.target)} <= set(ids)
    assert all(node.depth <= depth for node in chain.nodes)
    assert chain.overall_confidence == chain.nodes[0].confidence
    assert confidence_of(world_of(home), asked, depth) == chain.overall_confidence
    assert set(chain.broken_links) == {node.id for node in chain.nodes if node.kind == "missing"}
    joined = {(edge.source, edge.target) for edge in chain.edges}
    steps = list(zip(chain.critical_path, chain.critical_path[1:], strict=False))
    assert chain.critical_path[0] == chain.root
    assert set(steps) <= joined
    assert chain.needs_reverification == (bool(chain.retracted) or chain.overall_confidence < 0.4)


@given(homes())
def test_check_tells_what_the_chains_tell(home):
    """A note has a broken or circular basis for check exactly where its own chain has one."""
    world = world_of(home)
    found = list(check_chains(home, tuple, lambda turn: world.find_turn(turn) is not None))
    for path in home.notes:
        chain = chain_of(world, Thing("note", path, path), 20)
        rules = {each.rule for each in found if each.path == path}
        missing = {node.id for node in chain.nodes if node.kind == "missing"}
        own = {edge.target for edge in chain.edges if edge.source == path}
        assert ("broken-basis" in rules) == bool(missing & own)
        supports = [edge for edge in chain.edges if edge.kind != "refuted_by"]
        reached = _reached(path, [(edge.source, edge.target) for edge in supports])
        assert ("circular-basis" in rules) == (path in reached)
        assert ("retracted-basis" in rules) == bool(chain.retracted)


@given(homes(), st.sampled_from(SLUGS))
def test_more_taken_back_never_settles_anything(home, slug):
    """A further retraction flags the same notes or more."""
    back = Retraction(f"memory/{slug}.md", "Has a cat.")
    few = {each.path for each in check_chains(home, tuple, bool) if each.rule == "retracted-basis"}
    more = {
        each.path
        for each in check_chains(home, lambda: (back,), bool)
        if each.rule == "retracted-basis"
    }
    assert few <= more


def _reached(start: str, pairs: list[tuple[str, str]]) -> set[str]:
    found: set[str] = set()
    waiting = [start]
    while waiting:
        each = waiting.pop()
        new = {target for source, target in pairs if source == each} - found
        found |= new
        waiting += new
    return found
