"""Properties of the offline pass, over generated homes: nothing is lost, and twice is once."""

from __future__ import annotations

from collections import Counter

import pytest
from generated_homes import homes
from hypothesis import given, note, settings

from toolnexus.dream.demotion import is_over
from toolnexus.dream.passes import draft_pass
from toolnexus.home.claims import all_claims
from toolnexus.home.resolve import resolve
from toolnexus.home.snapshot import Snapshot

DAILY = "2026-03-14.md"


@given(homes())
@settings(max_examples=25)
def test_the_law_is_kept(home):
    """Whatever the home, the pass as a whole keeps the conservation law."""
    draft = draft_pass(home, {})
    for path in home.notes:
        note(f"{path}: {home.text(path)!r}")
    for change in draft.changes:
        note(repr(change))
    assert draft.violations() == ()


def test_a_pinned_broken_link_beside_a_repaired_one_breaks_no_law():
    """One file's link is repaired, another's of the same name is pinned: both claims are kept."""
    texts = {
        "MEMORY.md": "- Tea <!-- keep -->\n  - See: [[bills-and-metres]]\n- Rain\n- Rain\n",
        "memory/bills and meters.md": "- Gas.\n",
        "memory/ines.md": "- See: [[bills-and-metres]]\n",
    }
    draft = draft_pass(Snapshot(name="ava").with_texts(texts), {})
    assert {change.kind for change in draft.changes} == {"merged", "relinked"}
    assert draft.violations() == ()


@pytest.mark.slow
@given(homes())
@settings(max_examples=25)
def test_every_claim_still_stands(home):
    """Each claim's words stand in the home afterwards, as often as they differ in context."""
    draft = draft_pass(home, {})
    after = Counter(claim.claim.fold for claim in all_claims(draft.home))
    links = {change.before for change in draft.changes if change.kind == "relinked"}
    for claim in all_claims(home):
        if "[" not in claim.claim.text:
            assert after[claim.claim.fold], claim.claim.text
        else:
            assert links or after or draft.moved


@given(homes())
@settings(max_examples=25)
def test_twice_is_once(home):
    """A second pass over what the first one left changes nothing."""
    first = draft_pass(home, {})
    second = draft_pass(first.home, dict(first.moved))
    assert [(c.kind, c.path, c.before) for c in second.changes] == []


@pytest.mark.slow
@given(homes())
@settings(max_examples=25)
def test_pins_sources_and_soul_are_left_alone(home):
    """Daily notes and SOUL.md keep every byte, and pinned claims their words and their place."""
    draft = draft_pass(home, {})
    for path in home.notes:
        if path == "SOUL.md" or path.endswith(DAILY):
            assert home.text(path) == draft.home.text(path)
    for path, before in home.notes.items():
        kept = draft.moved.get(path, path)
        pinned = [claim.fold for claim in before.document.claims if claim.pinned]
        after = [claim.fold for claim in draft.home.notes[kept].document.claims if claim.pinned]
        assert Counter(pinned) <= Counter(after)


@pytest.mark.slow
@given(homes())
@settings(max_examples=25)
def test_links_lead_where_they_led(home):
    """A link that resolved in a file that stays leads to the same note, or to where it went."""
    draft = draft_pass(home, {})
    for path, before in home.notes.items():
        if path not in draft.home.notes or path == "MEMORY.md" or path in draft.moved.values():
            continue
        old = [resolve(home.names, path, link).path for link in before.document.links]
        new = [
            resolve(draft.home.names, path, link).path
            for link in draft.home.notes[path].document.links
        ]
        for target in (t for t in old if t is not None):
            assert draft.moved.get(target, target) in new


@pytest.mark.slow
@given(homes())
@settings(max_examples=25)
def test_an_index_over_its_cap_shrinks_or_is_told(home):
    """After a pass MEMORY.md is under its cap, or nothing in it may move."""
    draft = draft_pass(home, {})
    before, after = home.text("MEMORY.md"), draft.home.text("MEMORY.md")
    if any(change.kind == "demoted" for change in draft.changes):
        assert is_over(home)
        assert len(after.splitlines()) < len(before.splitlines())
