"""Demotion: detail moves into a note, and a short pointer stays."""

from __future__ import annotations

import pytest
from generated_homes import homes
from hypothesis import given, settings
from hypothesis import strategies as st

from toolnexus.errors import UsageError
from toolnexus.home.drafts.draft import Draft
from toolnexus.home.layout import LAYOUTS
from toolnexus.home.operations.demote import demote_claims, demote_numbers, write_pointer
from toolnexus.home.resolve import resolve
from toolnexus.home.snapshot import Snapshot

MEMORY = "# Memory\n\n- Likes tea.\n\n## Travel\n\n- Window seats.\n- Night flights.\n"


def home_of(memory: str = MEMORY, layout: str = "persona", **notes: str) -> Snapshot:
    files = {f"memory/{slug}.md": text for slug, text in notes.items()}
    return Snapshot(name="ava", layout=LAYOUTS[layout]).with_texts({"MEMORY.md": memory, **files})


def test_a_claim_moves_behind_a_pointer():
    """The claim stands in a new note under its heading, and a pointer stands where it stood."""
    step = demote_claims(home_of(), "Window seats.", "seats")
    assert step.texts["MEMORY.md"] == MEMORY.replace("Window seats.", "Seats: [[seats]]")
    assert step.texts["memory/seats.md"] == "# Seats\n\n## Travel\n\n- Window seats.\n"


def test_several_claims_go_behind_one_pointer_and_empty_their_heading():
    """What a demotion empties goes; claims of several sections leave their pointer under none."""
    step = demote_claims(home_of(), ["Likes tea.", "Window seats.", "Night flights."], "more")
    assert step.texts["MEMORY.md"] == "# Memory\n\n- More: [[more]]\n"


def test_a_heading_of_the_notes_name_is_not_repeated():
    """A section goes into the note of its name without a heading that says the title twice."""
    step = demote_claims(home_of(travel="# Travel\n"), "Window seats.", "travel")
    assert step.texts["memory/travel.md"] == "# Travel\n\n- Window seats.\n"


def test_no_second_pointer():
    """Where the index links the note already, and that link stays, no other is written."""
    home = home_of("- Travel: [[travel]]\n- Window seats.\n", travel="# Travel\n")
    assert (
        demote_claims(home, "Window seats.", "travel").texts["MEMORY.md"]
        == "- Travel: [[travel]]\n"
    )


def test_a_pointer_that_goes_itself_is_no_pointer():
    """A link within the demoted claims does not count as the one that stays."""
    home = home_of("- Window seats: [[travel]]\n- Tea\n", travel="# Travel\n")
    text = demote_claims(home, "Window seats: [[travel]]", "travel").texts["MEMORY.md"]
    assert text == "- Travel: [[travel]]\n- Tea\n"


@pytest.mark.parametrize(
    ("with_", "told"),
    [
        ("See travel", "does not link"),
        ("[[tea]]", "does not link"),
        ("Aisle seats: [[travel]]", "says more"),
        ("Never window seats: [[travel]]", "says more"),
    ],
)
def test_pointers_that_will_not_do(with_, told):
    """A given pointer must link the note and may say nothing that was not said."""
    home = home_of(travel="# Travel\n", tea="# Tea\n")
    with pytest.raises(UsageError, match=told):
        demote_claims(home, "Window seats.", "travel", with_)


def test_a_given_pointer_stands():
    """A pointer of the claim's own words is taken as it is."""
    step = demote_claims(home_of(), "Window seats.", "travel", "Window seats: [[travel]]")
    assert "- Window seats: [[travel]]\n" in step.texts["MEMORY.md"]


@pytest.mark.parametrize(
    ("memory", "claim", "told"),
    [
        ("- Tea. <!-- keep -->\n", "Tea.", "pinned"),
        ("- Ines\n  - Lyon\n", "Lyon", "nested"),
        ("- Likes tea.\n", "tea", "a part of a claim"),
        ("- Likes tea.\n", "rum", "no claim reads"),
    ],
)
def test_claims_that_do_not_move(memory, claim, told):
    """Pinned claims, nested ones, parts and misses are errors."""
    with pytest.raises(UsageError, match=told):
        demote_claims(home_of(memory), claim, "more")


def test_it_goes_under_the_right_heading_of_two():
    """A heading of the same name below another person's is not the one that is meant."""
    home = home_of(
        "## Plans\n\n- Learn Polish.\n", more="# More\n\n## Clara\n\n### Plans\n\n- Paints.\n"
    )
    after = home.with_texts(demote_claims(home, "Learn Polish.", "more").texts)
    claim = next(c for c in after.notes["memory/more.md"].document.claims if "Polish" in c.text)
    assert claim.headings == ("More", "Plans")


def test_relative_links_are_carried():
    """A Markdown link in a demoted claim leads from its new folder to where it led."""
    home = home_of("- Seats: [plan](memory/plan.md#x)\n- Tea\n", plan="# Plan\n")
    text = demote_claims(home, "Seats: [plan](memory/plan.md#x)", "seats").texts["memory/seats.md"]
    assert "[plan](plan.md#x)" in str(text)


def test_pointers_follow_the_layout():
    """A memory folder of Claude Code gets a Markdown link, percent-encoded where it must be."""
    home = Snapshot(name="x", layout=LAYOUTS["claude"]).with_texts(
        {"MEMORY.md": "- A\n", "my plans (2).md": "# Plans [b]\n"}
    )
    pointer = write_pointer(home, "my plans (2).md", "Plans [b]")
    assert pointer == "[Plans (b)](my%20plans%20%282%29.md)"
    probe = home.with_texts({"MEMORY.md": f"- {pointer}\n"})
    (link,) = probe.notes["MEMORY.md"].document.links
    assert resolve(probe.names, "MEMORY.md", link).path == "my plans (2).md"


def test_crlf_and_byte_order_mark_stay():
    """The index keeps its line endings and its mark."""
    home = home_of("\ufeff- Tea.\r\n- Window seats.\r\n")
    text = demote_claims(home, "Window seats.", "seats").texts["MEMORY.md"]
    assert text == "\ufeff- Tea.\r\n- Seats: [[seats]]\r\n"


@pytest.mark.slow
@given(homes(cap=False), st.data())
@settings(max_examples=30)
def test_any_demotion_keeps_the_law_or_is_refused(home, data):
    """Whatever claims a caller names, none is lost and none changes its subject."""
    claims = home.notes["MEMORY.md"].document.claims
    if not claims:
        return
    numbers = data.draw(st.sets(st.integers(0, len(claims) - 1), min_size=1, max_size=4))
    to = data.draw(st.sampled_from(["tea", "ines", "new-note", "travel"]))
    try:
        step = demote_numbers(home, sorted(numbers), to)
    except UsageError:
        return
    draft = Draft(home)
    if draft.take(step):
        assert draft.violations() == ()
        assert any(
            found.path == step.changes[0].to for found in draft.home.resolutions["MEMORY.md"]
        )
