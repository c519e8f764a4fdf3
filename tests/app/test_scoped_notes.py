"""Feedback and chains that stay within a scope."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from small_homes import make_home

from toolnexus.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path

    from toolnexus.app import Home

FILES = {
    "SOUL.md": "You are Ava.\n",
    "memory/work/plan.md": "---\nderived_from: [budget, wish]\n---\n- Move the office.\n",
    "memory/work/budget.md": "- The rent is 900.\n",
    "memory/home/plan.md": "- Paint the hall.\n",
    "memory/home/wish.md": "- A bigger hall.\n",
}


@pytest.fixture
def ava(tmp_path: Path) -> Home:
    """Return a home in which two folders have a note of the same name."""
    return make_home(tmp_path / "ava", FILES)


def test_feedback_is_for_the_note_of_its_scope(ava: Home):
    """A name that two folders have means one note in each, and several in the whole home."""
    with pytest.raises(UsageError, match="several"):
        ava.feedback("plan", 0.5)
    assert ava.feedback("plan", 0.5, scope="home").path == "memory/home/plan.md"
    assert ava.feedback("plan", -0.5, scope="work").path == "memory/work/plan.md"


def test_a_scope_does_not_know_its_siblings_notes(ava: Home):
    """A note beside the scope is not there, be it by its slug, its path or a claim's words."""
    for name in ("wish", "memory/home/wish", "home/wish"):
        with pytest.raises(UsageError):
            ava.feedback(name, 0.5, scope="work")
        with pytest.raises(UsageError):
            ava.evidence_chain(name, scope="work")
    with pytest.raises(UsageError, match="no claim"):
        ava.evidence_chain("A bigger hall", scope="work")
    assert ava.log() == []


def test_a_chain_stays_in_its_scope(ava: Home):
    """A link out of the scope leads nowhere there, and lowers no confidence by what it says."""
    whole = ava.evidence_chain("work/plan")
    assert {"memory/work/budget.md", "memory/home/wish.md"} <= {node.id for node in whole.nodes}
    own = ava.evidence_chain("plan", scope="work")
    shown = {node.id for node in own.nodes}
    assert "memory/work/budget.md" in shown
    assert "memory/home/wish.md" not in shown
    assert ["wish" in str(link) for link in own.broken_links] == [True]
    assert ava.chain_confidence("plan", scope="work") == own.overall_confidence


def test_a_scope_that_is_none_is_refused(ava: Home):
    """There have to be notes in it."""
    for ask in (
        lambda: ava.feedback("plan", 0.5, scope="gone"),
        lambda: ava.evidence_chain("plan", scope="gone"),
        lambda: ava.chain_confidence("plan", scope="../.."),
    ):
        with pytest.raises(UsageError):
            ask()
