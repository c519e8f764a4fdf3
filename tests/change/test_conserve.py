"""The conservation law: each test gives a home before and after, and what the plan said it did."""

from __future__ import annotations

import pytest

from toolnexus.change.conserve import find_violations
from toolnexus.change.matching import keeps_context
from toolnexus.change.plan import Change, Evidence
from toolnexus.home.claims import side_of
from toolnexus.home.snapshot import Snapshot

QUOTE = (Evidence("move", 1, "we finally moved to Berlin", "user"),)


def broken(before: dict[str, str], after: dict[str, str], *changes: Change) -> list[str]:
    """Return the texts that a plan from one home to another would lose or make up."""
    paths = sorted({*before, *after})
    old = side_of(Snapshot(name="ava").with_texts(before), paths)
    new = side_of(Snapshot(name="ava").with_texts(after), paths)
    return [violation.text for violation in find_violations(old, new, changes)]


def test_unchanged_home_keeps_the_law():
    """A plan that changes nothing breaks nothing."""
    home = {"MEMORY.md": "# Memory\n\n- Lives in Lyon.\n", "memory/tea.md": "# Tea\n\n- Green.\n"}
    assert broken(home, home) == []


def test_a_claim_that_vanishes_breaks_it():
    """A claim that stands nowhere any more is a violation that names it."""
    assert broken({"MEMORY.md": "- Tea.\n- Coffee.\n"}, {"MEMORY.md": "- Tea.\n"}) == ["Coffee."]


def test_a_claim_out_of_nowhere_breaks_it():
    """A claim that nobody said is a violation that names it."""
    assert broken({"MEMORY.md": "- Tea.\n"}, {"MEMORY.md": "- Tea.\n- Rum.\n"}) == ["Rum."]


def test_a_move_keeps_it_only_under_the_same_headings():
    """A claim may move to a note of its heading's name, and not under another person's."""
    before = {
        "MEMORY.md": "## Ines\n\n- Lives in Lyon.\n\n## Clara\n\n- Paints.\n",
        "memory/ines.md": "# Ines\n",
        "memory/clara.md": "# Clara\n",
    }
    right = {
        "MEMORY.md": "## Clara\n\n- Paints.\n",
        "memory/ines.md": "# Ines\n\n- Lives in Lyon.\n",
        "memory/clara.md": "# Clara\n",
    }
    wrong = {
        "MEMORY.md": "## Clara\n\n- Paints.\n",
        "memory/ines.md": "# Ines\n",
        "memory/clara.md": "# Clara\n\n- Lives in Lyon.\n",
    }
    moved = Change("demoted", "MEMORY.md", 3, "Lives in Lyon.", to="memory/ines.md")
    assert broken(before, right, moved) == []
    assert "Lives in Lyon." in broken(before, wrong, moved)


def test_equal_words_about_two_people_are_two_facts():
    """Of two equal texts under two headings neither may be folded into the other."""
    before = {
        "MEMORY.md": "## Ines\n\n- Lives in Lyon.\n\n## Clara\n\n- Lives in Lyon.\n- Paints.\n"
    }
    after = {"MEMORY.md": "## Ines\n\n- Lives in Lyon.\n\n## Clara\n\n- Paints.\n"}
    assert broken(before, after) == ["Lives in Lyon."]


def test_a_true_duplicate_may_be_folded():
    """The same claim twice under one heading may become one."""
    before = {"MEMORY.md": "- Likes **tea**.\n- likes tea\n"}
    assert broken(before, {"MEMORY.md": "- Likes **tea**.\n"}) == []


def test_a_correction_needs_evidence():
    """The same edit keeps the law with a quote and breaks it without one."""
    before, after = {"MEMORY.md": "- Lives in Paris.\n"}, {"MEMORY.md": "- Lives in Berlin.\n"}
    change = Change("corrected", "MEMORY.md", 1, "Lives in Paris.", "Lives in Berlin.")
    proved = Change("corrected", "MEMORY.md", 1, "Lives in Paris.", "Lives in Berlin.", "", QUOTE)
    assert broken(before, after, change) == ["Lives in Paris.", "Lives in Berlin."]
    assert broken(before, after, proved) == []


def test_one_correction_explains_one_claim_only():
    """Evidence for one claim does not let another one change along with it."""
    before = {"MEMORY.md": "- Lives in Paris.\n- Works in Paris.\n"}
    after = {"MEMORY.md": "- Lives in Berlin.\n- Works in Berlin.\n"}
    proved = Change("corrected", "MEMORY.md", 1, "Lives in Paris.", "Lives in Berlin.", "", QUOTE)
    assert broken(before, after, proved) == ["Works in Paris.", "Works in Berlin."]


def test_items_under_a_corrected_parent_are_kept():
    """Correcting an item does not orphan what is nested in it."""
    before = {"MEMORY.md": "- Milo is five.\n  - Likes trains.\n"}
    after = {"MEMORY.md": "- Milo is six.\n  - Likes trains.\n"}
    proved = Change("corrected", "MEMORY.md", 1, "Milo is five.", "Milo is six.", "", QUOTE)
    assert broken(before, after, proved) == []


def test_a_drop_needs_evidence():
    """A claim may go with a quote, not without one."""
    before, after = {"MEMORY.md": "- Tea.\n- Smokes.\n"}, {"MEMORY.md": "- Tea.\n"}
    assert broken(before, after, Change("dropped", "MEMORY.md", 2, "Smokes.")) == ["Smokes."]
    proved = Change("dropped", "MEMORY.md", 2, "Smokes.", evidence=QUOTE)
    assert broken(before, after, proved) == []


@pytest.mark.parametrize(
    ("pointer", "is_fine"),
    [
        ("Travel: [[travel]]", True),
        ("[[travel|Travel]]", True),
        ("window seats: [[travel]]", True),
        ("Never window seats: [[travel]]", False),
        ("Prefers aisle seats: [[travel]]", False),
    ],
)
def test_a_pointer_says_nothing_new(pointer, is_fine):
    """What a demotion leaves behind may repeat the title or the claim's own words, no others."""
    before = {"MEMORY.md": "## Travel\n\n- Prefers window seats.\n"}
    after = {
        "MEMORY.md": f"## Travel\n\n- {pointer}\n",
        "memory/travel.md": "# Travel\n\n- Prefers window seats.\n",
    }
    moved = Change("demoted", "MEMORY.md", 3, "Prefers window seats.", pointer, "memory/travel.md")
    assert (broken(before, after, moved) == []) is is_fine


def test_code_and_comments_are_conserved():
    """Structure may neither vanish nor be made up, even where every claim is kept."""
    before = {"memory/x.md": "- Run:\n\n```\nmake\n```\n\n<!-- mine -->\n"}
    assert broken(before, {"memory/x.md": "- Run:\n\n<!-- mine -->\n"})
    assert broken(before, {"memory/x.md": "- Run:\n\n```\nmake\n```\n"})
    assert broken(before, {"memory/x.md": "- Run:\n\n```\nrm -r\n```\n\n<!-- mine -->\n"})


def test_headings_are_conserved():
    """A heading goes only where a demotion emptied it, and none is made up."""
    before = {"MEMORY.md": "## A\n\n- One.\n\n## B\n\n- Two.\n"}
    assert broken(before, {"MEMORY.md": "- One.\n\n## B\n\n- Two.\n"})
    assert broken(before, {"MEMORY.md": "## A\n\n- One.\n\n## B\n\n- Two.\n\n## C\n"})


def test_front_matter_is_conserved():
    """A pass does not touch the front matter of a note that took nothing in."""
    before = {"memory/x.md": "---\ntags: [a]\n---\n- One.\n"}
    assert broken(before, {"memory/x.md": "---\ntags: [b]\n---\n- One.\n"}) == [""]


def test_context_is_kept_in_order():
    """What stands above a claim may gain levels and may not lose or swap any."""
    assert keeps_context(("a", "b"), ("x", "a", "y", "b"))
    assert not keeps_context(("a", "b"), ("b", "a"))
    assert not keeps_context(("a",), ())
