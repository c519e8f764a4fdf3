"""Lines that announce claims belong to their sense: nothing is folded or added across them."""

from __future__ import annotations

import pytest

from toolnexus.dream.passes import draft_pass
from toolnexus.home.operations.edit import add_claim
from toolnexus.home.snapshot import IndexCap, Snapshot

SMALL = IndexCap(lines=6)


@pytest.mark.parametrize(
    "text",
    [
        "**Ines**\n\n- Lives in Lyon\n\n**Clara**\n\n- Lives in Lyon\n",
        "Anna must never eat:\n\n- Peanuts\n\nBob likes:\n\n- Peanuts\n- Tea\n",
        "Does she like tea?\n\nYes.\n\nDoes she like coffee?\n\nYes.\n",
        "- Does she like tea?\n- Yes.\n- Does she like coffee?\n- Yes.\n",
    ],
)
def test_equal_words_behind_two_lead_ins_are_two_facts(text):
    """What stands twice behind different lines is not folded."""
    home = Snapshot(name="ava").with_texts({"MEMORY.md": text})
    assert draft_pass(home, {}).changes == []


def test_notes_that_announce_differently_are_not_the_same():
    """Two notes of equal lines in another order, which changes who likes what, stay two."""
    one = "# Food\n\nAnna:\n\n- Tea\n\nBob:\n\n- Rum\n"
    two = "# Food\n\nAnna:\n\n- Rum\n\nBob:\n\n- Tea\n"
    home = Snapshot(name="ava").with_texts({"memory/a.md": one, "memory/b.md": two})
    assert draft_pass(home, {}).changes == []


def test_a_claim_is_added_before_a_lead_in():
    """What a person remembers does not land under 'None of this is true'."""
    text = "None of this is true:\n\n- Lives in Lyon\n"
    home = Snapshot(name="ava").with_texts({"MEMORY.md": text})
    assert add_claim(home, "Has a dog").texts["MEMORY.md"] == "- Has a dog\n\n" + text


def test_a_demotion_goes_before_a_lead_in():
    """Demoted claims do not land under what their note announces as untrue."""
    note = "# Work\n\nNone of this ever happened:\n\n- Was fired\n"
    memory = (
        "## Work\n\n- Leads a team\n- Starts at nine\n- Has Fridays off\n- Shares a room\n- Ok\n"
    )
    home = Snapshot(name="ava", cap=SMALL).with_texts({"MEMORY.md": memory, "memory/work.md": note})
    after = draft_pass(home, {}).home.text("memory/work.md")
    assert after.index("Starts at nine") < after.index("None of this")
    assert after.endswith("None of this ever happened:\n\n- Was fired\n")


@pytest.mark.parametrize("title", ["No longer true", "Clara"])
def test_a_lone_heading_that_says_something_goes_along(title):
    """A level-1 heading of MEMORY.md that is no mere title stays above what is demoted."""
    claims = "- Lives in Lyon\n- Has a dog\n- Likes tea\n- Likes jazz\n- Has a boat\n"
    home = Snapshot(name="ava", cap=SMALL).with_texts({"MEMORY.md": f"# {title}\n\n{claims}"})
    after = draft_pass(home, {}).home
    notes = [path for path in after.notes if path.startswith("memory/")]
    assert len(notes) == 1
    assert after.text(notes[0]).startswith(f"# {title}\n\n- Lives in Lyon")


def test_identical_notes_of_one_slug_become_one():
    """Two files that are byte for byte the same are merged, whatever folder they are in."""
    text = "# X\n\n- one\n"
    home = Snapshot(name="ava").with_texts({"memory/a/x.md": text, "memory/b/x.md": text})
    after = draft_pass(home, {}).home
    assert sorted(path for path in after.notes if "/x.md" in path) == ["memory/a/x.md"]


def test_a_note_whose_front_matter_cannot_be_read_is_not_rewritten():
    """It may say `dream: false`."""
    text = "---\ndream: false\ntags: [\n---\n- d\n- d\n"
    home = Snapshot(name="ava").with_texts({"memory/n.md": text, "MEMORY.md": "- [[n]]\n"})
    assert draft_pass(home, {}).changes == []
