"""Reviewing: what waits is applied or discarded, whole or by number, on the home as it is then."""

from __future__ import annotations

import json

import pytest
from small_homes import FILES, files_of, make_home, write_files

from toolnexus.change.plan import Change
from toolnexus.errors import UsageError
from toolnexus.home.drafts.draft import Draft
from toolnexus.home.drafts.hold import reason_to_hold
from toolnexus.home.drafts.proposal import from_payload, to_payload
from toolnexus.home.snapshot import Snapshot


def held(home):
    """Hold a pass for review, and return its proposal."""
    told = home.dream(propose=True)
    assert (told.outcome, told.wrote) == ("proposed", False)
    (proposal,) = home.proposals()
    assert proposal.id == told.id
    return proposal


def test_a_proposal_waits_and_is_applied_by_number(tmp_path):
    """Proposed changes write nothing; single ones are applied, the rest goes on waiting."""
    home = make_home(tmp_path)
    proposal = held(home)
    assert files_of(tmp_path) == {path: text.encode() for path, text in FILES.items()}
    number = next(
        n
        for n, change in zip(proposal.numbers, proposal.changes, strict=True)
        if change.kind == "relinked"
    )
    done = home.apply(proposal.id, [number])
    assert [change.kind for change in done.applied] == ["relinked"]
    assert done.waiting == len(proposal.steps) - 1
    assert "[[bills-and-meters]]" in (tmp_path / "memory/tea.md").read_text()
    assert "seat number 3" in (tmp_path / "MEMORY.md").read_text()


def test_a_whole_proposal_does_what_the_dream_would_have(tmp_path):
    """Applying all of a proposal gives the files that a pass would have written."""
    one, other = make_home(tmp_path / "one"), make_home(tmp_path / "other")
    one.apply(held(one).id)
    other.dream()
    mine, theirs = files_of(tmp_path / "one"), files_of(tmp_path / "other")
    mine.pop("memory/log.md")
    theirs.pop("memory/log.md")
    assert mine == theirs
    assert one.proposals() == []


def test_a_discarded_proposal_is_gone(tmp_path):
    """Discarding leaves the files alone; an unknown proposal or number is an error."""
    home = make_home(tmp_path)
    proposal = held(home)
    with pytest.raises(UsageError, match="no change 99"):
        home.apply(proposal.id, [99])
    assert home.discard(proposal.id, [1]).waiting == len(proposal.steps) - 1
    home.discard(proposal.id)
    assert home.proposals() == []
    with pytest.raises(UsageError):
        home.apply(proposal.id)


def test_a_proposal_is_put_to_a_home_that_moved_on(tmp_path):
    """A person's edits beside what waits stand when it is applied."""
    home = make_home(tmp_path)
    proposal = held(home)
    home.remember("Owns a canoe.")
    done = home.apply(proposal.id)
    memory = (tmp_path / "MEMORY.md").read_text()
    assert "- Owns a canoe.\n" in memory
    assert done.left == ()
    said = "".join(data.decode() for data in files_of(tmp_path).values())
    assert all(f"seat number {n} on night flights." in said for n in range(12))


def test_a_step_that_no_longer_fits_goes_on_waiting(tmp_path):
    """Where a person rewrote what a change is about, it is left and named; the others are made."""
    home = make_home(tmp_path)
    proposal = held(home)
    write_files(tmp_path, {"MEMORY.md": "# Memory\n\n- Likes tea: [[tea]]\n- All new.\n"})
    done = home.apply(proposal.id)
    assert done.left
    assert {change.kind for change in done.applied} >= {"relinked"}
    assert (tmp_path / "MEMORY.md").read_text() == "# Memory\n\n- Likes tea: [[tea]]\n- All new.\n"
    assert len(home.proposals()[0].steps) == len(done.left)


def test_a_change_keeps_its_number_until_it_is_decided(tmp_path):
    """Whatever is decided before, a number means the same change, and none that is decided."""
    home = make_home(tmp_path)
    proposal = held(home)
    first, second, *rest = proposal.step_numbers
    done = home.discard(proposal.id, [first])
    assert (done.numbers, done.waiting) == ((second, *rest), len(rest) + 1)
    (waiting,) = home.proposals()
    assert waiting.numbered == {n: proposal.numbered[n] for n in (second, *rest)}
    with pytest.raises(UsageError, match=f"no change {first} that waits"):
        home.apply(proposal.id, [first])
    done = home.apply(proposal.id, [second])
    told = [(change.kind, change.path, change.before) for change in done.applied]
    wanted = proposal.numbered[second].changes
    assert told == [(change.kind, change.path, change.before) for change in wanted]
    assert done.numbers == tuple(rest)


def test_numbers_that_were_kept_are_read_back_or_refused(tmp_path):
    """A proposal of before numbers were kept counts from 1; one with a number twice is damaged."""
    payload = to_payload(held(make_home(tmp_path)))
    for step in payload["steps"]:
        del step["number"]
    old = from_payload(payload)
    assert old.step_numbers == tuple(range(1, len(old.steps) + 1))
    assert len(old.steps) > 1
    for number in (1, 0, "2", True):
        for step in payload["steps"]:
            step["number"] = number
        with pytest.raises(ValueError, match="number"):
            from_payload(payload)


def test_a_damaged_proposal_blocks_nothing(tmp_path):
    """A proposal that cannot be read is told in a notice, and the others are listed."""
    home = make_home(tmp_path)
    proposal = held(home)
    (path,) = (tmp_path / ".toolnexus").rglob(f"{proposal.id}*")
    path.write_text(json.dumps({"id": proposal.id}))
    assert home.proposals() == []
    assert any("damaged" in notice for notice in home.store.notices)


def test_a_pass_that_would_lose_a_claim_is_held():
    """Such a pass is never written: the reason names the claim."""
    draft = Draft(Snapshot(name="ava").with_texts({"MEMORY.md": "- Tea.\n- Rum.\n"}))
    draft.home = draft.home.with_texts({"MEMORY.md": "- Tea.\n"})
    assert "'Rum.' (this claim would be lost)" in reason_to_hold(draft, 0.3)


def test_a_pass_that_drops_too_much_is_held():
    """More than a share of a file's claims is a person's to decide, one is always allowed."""
    draft = Draft(Snapshot(name="ava").with_texts({"MEMORY.md": "- A.\n- B.\n- C.\n"}))
    draft.changes.append(Change("dropped", "MEMORY.md", 1, "A."))
    assert reason_to_hold(draft, 0.3) == ""
    draft.changes.append(Change("dropped", "MEMORY.md", 2, "B."))
    assert "more than dream.max_change (0.3)" in reason_to_hold(draft, 0.3)
