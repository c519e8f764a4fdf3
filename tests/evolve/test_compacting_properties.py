"""Properties of compacting, over generated homes: nothing is lost, and twice is once."""

from __future__ import annotations

import re
from collections import Counter
from itertools import combinations
from typing import TYPE_CHECKING

import pytest
from compacting_homes import NothingToLearn
from generated_homes import homes
from hypothesis import given, note, settings
from hypothesis import strategies as st

from toolnexus.agent.budget import Meter
from toolnexus.clock import parse_instant
from toolnexus.evolve.compacting.memory import Looked, looked_value, read_looked
from toolnexus.evolve.compacting.nearby import (
    MOST_IN_CLUSTER,
    find_clusters,
    group_by_values,
    may_be_near,
)
from toolnexus.evolve.compacting.run import compact_draft
from toolnexus.evolve.compacting.types import CompactOptions
from toolnexus.evolve.compacting.work import Means, Thinker, Work
from toolnexus.home.claims import all_claims
from toolnexus.home.drafts.draft import Draft
from toolnexus.home.drafts.spared import Spared
from toolnexus.settings.types import CompactSettings, EvolveSettings
from toolnexus.store.uses import Uses
from toolnexus.testing.model import ScriptedModel, call, use

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolnexus.home.snapshot import Snapshot
    from toolnexus.models.completion import Completion, Request

LATER = parse_instant("2036-01-01T00:00:00Z")
FRONTS = ["", "---\ncreated: 2026-01-01\n---\n", "---\nstage: skill\ncreated: 2026-01-01\n---\n"]


@st.composite
def ripe_homes(draw):
    """Draw a home in which some notes say what another one says, and some have faded."""
    home = draw(homes(cap=False))
    texts = {}
    for number, path in enumerate(path for path, it in home.notes.items() if it.kind == "note"):
        if not draw(st.booleans()):
            continue
        claims = [c.text for c in home.notes[path].document.claims if not c.pinned]
        told = "".join(f"- {text}\n" for text in draw(st.permutations(claims)))
        folder = path.rpartition("/")[0]
        front = draw(st.sampled_from(FRONTS))
        name = f"{folder}/twin-{number}.md" if folder else f"twin-{number}.md"
        texts[name] = f"{front}# Twin {number}\n\n{told}"
    return home.with_texts(texts)


def all_near(groups: Sequence[Sequence[str]], least: float) -> list[tuple[str, str, float]]:
    """Find everything near to everything: the guard alone keeps notes apart."""
    return [(*sorted(pair), 1.0) for group in groups for pair in combinations(sorted(group), 2)]


def eager(request: Request) -> str | Completion:
    """Merge whatever is shown, by the slugs that it is shown by."""
    shown = re.findall(r"^The note '(.+?)' \(", str(request.messages[-1].text), re.MULTILINE)
    if len(shown) < 2:
        return "HEARTBEAT_OK"
    return use(call("memory", action="merge", from_=shown[1:], to=shown[0]))


def compacted(
    home: Snapshot,
    *,
    model: bool,
    looked: Looked | None = None,
    spared: Spared = Spared(),  # noqa: B008 - immutable
) -> Work:
    """Compact a home, with an eager model or without one."""
    thinker = Thinker(ScriptedModel(default=eager), Meter()) if model else None
    at_hand = Means(
        LATER, all_near, Uses(), CompactSettings(), EvolveSettings(), NothingToLearn(), thinker
    )
    work = Work(Draft(home, spared), CompactOptions(), at_hand, looked or Looked())
    compact_draft(work)
    for path in home.notes:
        note(f"{path}: {home.text(path)!r}")
    for change in work.draft.changes:
        note(repr(change))
    return work


@given(ripe_homes(), st.booleans())
@settings(max_examples=40, deadline=None)
def test_the_law_is_kept(home, model):
    """Whatever the home, the compaction as a whole keeps the conservation law."""
    assert compacted(home, model=model).draft.violations() == ()


@pytest.mark.slow
@given(ripe_homes())
@settings(max_examples=40, deadline=None)
def test_every_claim_still_stands(home):
    """Each claim's words stand in the home afterwards, also where a model merges all it may."""
    work = compacted(home, model=True)
    after = Counter(claim.claim.fold for claim in all_claims(work.home))
    for claim in all_claims(home):
        if "[" not in claim.claim.text:
            assert after[claim.claim.fold], claim.claim.text


@pytest.mark.slow
@given(ripe_homes(), st.booleans())
@settings(max_examples=40, deadline=None)
def test_twice_is_once(home, model):
    """A second compaction of what the first one left changes nothing and asks no model."""
    first = compacted(home, model=model)
    left = {
        path: found.digest
        for path, found in first.home.notes.items()
        if may_be_near(first.home, path)
    }
    kept = read_looked(looked_value(Looked({first.means.mode: left})))
    waiting = first.draft.spared
    again = compacted(first.home, model=model, looked=kept, spared=waiting)
    assert again.draft.changes == []
    assert again.waiting == []
    assert again.usage.calls == 0


@pytest.mark.slow
@given(ripe_homes())
@settings(max_examples=40, deadline=None)
def test_clusters_share_nothing_and_are_small(home):
    """No note is of two clusters, and every two notes of one come from the same folder."""
    groups = group_by_values(home, [path for path in home.notes if may_be_near(home, path)])
    clusters = find_clusters(home, groups, all_near, 0.7)
    paths = [path for cluster in clusters for path in cluster.paths]
    assert len(paths) == len(set(paths))
    for cluster in clusters:
        assert 2 <= len(cluster.paths) <= MOST_IN_CLUSTER
        assert len({path.rpartition("/")[0] for path in cluster.paths}) == 1


@given(
    st.recursive(
        st.none() | st.text(max_size=5),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(["rules", "near", "offline", "distilled", "learnt"]), inner
            )
        ),
    )
)
@settings(max_examples=100)
def test_damaged_memory_is_read_as_far_as_it_can_be(value):
    """Whatever stands in the state file, what is read of it can be kept and read again."""
    looked = read_looked({"rules": 1, "near": value, "distilled": value, "learnt": None})
    assert read_looked(looked_value(looked)) == looked
