"""What a pass leaves alone: what waits for a person, and what a person took back."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from toolnexus.app import Home
from toolnexus.clock import FixedClock, parse_instant
from toolnexus.home.drafts.spared import Spared
from toolnexus.testing.model import ScriptedModel, call, use

if TYPE_CHECKING:
    from pathlib import Path

    from toolnexus.dream.types import Pass

CITED = {"conversation": "m", "turn": 1, "quote": "we finally moved to Berlin"}
MOVE = call(
    "memory",
    action="replace",
    text="Lives in Paris.",
    with_="Lives in sunny Berlin.",
    evidence=[CITED],
)
FACTS = [f"Fact {n} about the garden: bed {n} holds plant {n * 7}." for n in range(30)]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A home in which each offline phase has something to do."""
    folder = tmp_path / "ava"
    (folder / "transcripts").mkdir(parents=True)
    (folder / "memory").mkdir()
    (folder / "SOUL.md").write_text("You are Ava.\n")
    (folder / "memory" / "beekeeping.md").write_text(
        "# Beekeeping\n\n- Two hives, on the roof.\n- Two hives, on the roof.\n"
    )
    lines = ["# Memory", "", "- Lives in Paris.", "- Keeps bees: [[beekeping]]"]
    (folder / "MEMORY.md").write_text("\n".join(lines) + "\n")
    row = {"role": "user", "content": "Well, we finally moved to Berlin.", "ts": "2026-11-20"}
    (folder / "transcripts" / "m.jsonl").write_text(json.dumps(row) + "\n")
    return folder


def opened(root: Path) -> Home:
    return Home.open(root, clock=FixedClock(parse_instant("2026-11-29T03:00:00Z")))


def overfill(root: Path, *more: str) -> None:
    """Put MEMORY.md over its cap, with claims that could all be demoted."""
    (root / "persona.yaml").write_text("memory:\n  cap: {lines: 20}\n")
    with (root / "MEMORY.md").open("a") as file:
        file.write("".join(f"- {fact}\n" for fact in (*more, *FACTS)))


def kinds(done: Pass) -> list[str]:
    return sorted({change.kind for change in done.changes})


def whole(root: Path) -> dict[str, str]:
    """Every file of the home that a pass could write."""
    paths = [root / "MEMORY.md", *sorted((root / "memory").glob("*.md"))]
    return {path.name: path.read_text() for path in paths if path.name != "log.md"}


def test_each_offline_phase_has_something_to_do(root: Path) -> None:
    """Left to itself a pass demotes, folds and repairs: what the tests below hold back."""
    overfill(root)
    assert kinds(opened(root).dream()) == ["demoted", "merged", "relinked"]


def test_a_proposed_pass_is_not_made_nor_proposed_again(root: Path) -> None:
    """Until a person decides, no offline phase touches what waits; then all of it is made."""
    overfill(root)
    before = whole(root)
    first = opened(root).dream(propose=True)
    assert first.outcome == "proposed"
    for again in (opened(root).dream(), opened(root).dream(propose=True, full=True)):
        assert again.outcome == "nothing"
        assert whole(root) == before
    (proposal,) = opened(root).proposals()
    assert opened(root).apply(proposal.id).left == ()
    assert opened(root).dream().outcome == "nothing"


def test_a_claim_that_waits_is_not_demoted(root: Path) -> None:
    """A correction that waits for a person still fits after offline passes moved the rest."""
    waits = opened(root).dream(model=ScriptedModel(use(MOVE), default="HEARTBEAT_OK"))
    assert [change.after for change in waits.waiting] == ["Lives in sunny Berlin."]
    overfill(root)
    assert "demoted" in kinds(opened(root).dream())
    assert "- Lives in Paris.\n" in (root / "MEMORY.md").read_text()
    proposal = next(p for p in opened(root).proposals() if p.changes[0].kind == "corrected")
    assert opened(root).apply(proposal.id).left == ()
    assert "- Lives in sunny Berlin.\n" in (root / "MEMORY.md").read_text()


def test_what_begins_to_wait_is_left_alone_in_the_same_pass(root: Path) -> None:
    """A pass that finds a doubtful correction demotes other claims, not that one."""
    overfill(root)
    done = opened(root).dream(model=ScriptedModel(use(MOVE), default="HEARTBEAT_OK"))
    assert "demoted" in kinds(done)
    assert "- Lives in Paris.\n" in (root / "MEMORY.md").read_text()


def test_a_model_leaves_alone_what_waits(root: Path) -> None:
    """Neither demotion nor merging by a model touches a claim that waits, and it is told why."""
    opened(root).dream(model=ScriptedModel(use(MOVE), default="HEARTBEAT_OK"))
    overfill(root)
    away = call("memory", action="demote", text="Lives in Paris.", to="home", title="Home")
    done = opened(root).dream(full=True, model=ScriptedModel(default=use(away)))
    assert "- Lives in Paris.\n" in (root / "MEMORY.md").read_text()
    assert any("waits for a person" in one.reason for one in done.refused)


def test_a_reverted_pass_is_not_made_again(root: Path) -> None:
    """Demotion, folding and repair that a person took back stay undone; other claims go."""
    overfill(root)
    home = opened(root)
    before = whole(root)
    first = home.dream()
    home.revert(first.id)
    assert whole(root) == before
    demoted = {change.before for change in first.changes if change.kind == "demoted"}
    again = opened(root).dream(full=True)
    assert set(kinds(again)) <= {"demoted"}
    assert demoted.isdisjoint(change.before for change in again.changes)
    for claim in demoted:
        assert f"- {claim}\n" in (root / "MEMORY.md").read_text()


def test_a_discarded_pass_is_not_made_again(root: Path) -> None:
    """What a person turned down is not done by the next pass."""
    home = opened(root)
    before = whole(root)
    first = home.dream(propose=True)
    home.discard(first.id)
    assert opened(root).dream().outcome == "nothing"
    assert whole(root) == before


def test_something_new_is_done(root: Path) -> None:
    """A repair to another note, a fold of other claims and a demotion of new words are new."""
    home = opened(root)
    home.revert(home.dream().id)
    (root / "memory" / "beekeeping.md").unlink()
    (root / "memory" / "beekepings.md").write_text("# Bees\n\n- One hive.\n- One hive.\n")
    overfill(root, "Lives in a small flat in Paris, on the fifth floor, near the river.")
    again = opened(root).dream()
    assert kinds(again) == ["demoted", "merged", "relinked"]


def test_a_model_does_not_make_again_what_a_person_took_back(root: Path) -> None:
    """A demotion that was reverted is refused to a model as well."""
    overfill(root)
    home = opened(root)
    first = home.dream()
    home.revert(first.id)
    claim = next(change.before for change in first.changes if change.kind == "demoted")
    away = call("memory", action="demote", text=claim, to="garden", title="Garden")
    done = opened(root).dream(full=True, model=ScriptedModel(default=use(away)))
    assert f"- {claim}\n" in (root / "MEMORY.md").read_text()
    assert any("took this change back" in one.reason for one in done.refused)


def test_what_an_offline_pass_moves_counts_as_written_by_no_person(root: Path) -> None:
    """A claim that an offline pass demoted still yields to turns from before that pass."""
    opened(root).dream(model=ScriptedModel(default="HEARTBEAT_OK"))
    overfill(root)
    for number in range(3):
        (root / "MEMORY.md").touch()
        opened(root).dream(full=bool(number))
    right = call(
        "memory",
        action="replace",
        text="Lives in Paris.",
        with_="Lives in Berlin.",
        evidence=[CITED],
    )
    done = opened(root).dream(full=True, model=ScriptedModel(use(right), default="HEARTBEAT_OK"))
    assert [change.after for change in done.changes] == ["Lives in Berlin."]


def test_nothing_is_spared_by_default() -> None:
    """A home without proposals and taken-back changes leaves nothing alone."""
    assert not Spared().leaves("MEMORY.md", "Likes tea.")
