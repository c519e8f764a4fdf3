"""Definitions of references go along with the claims that use them."""

from __future__ import annotations

import pytest

from toolnexus.errors import UsageError
from toolnexus.home.claims import side_of
from toolnexus.home.operations.demote import demote_claims
from toolnexus.home.snapshot import Snapshot

MEMORY = """\
- Green tea with [lemon][l].
- Tea from [the shop].
- The [boat][b] is red, and so is the [shop][the shop].

[l]: memory/lemon.md "Lemons"
[the shop]: https://example.org/shop
[b]: memory/boat.md
"""
HOME = Snapshot(name="ava").with_texts(
    {"MEMORY.md": MEMORY, "memory/lemon.md": "- Yellow.\n", "memory/boat.md": "- Red.\n"}
)
BOTH = ["Green tea with [lemon][l].", "Tea from [the shop]."]


def test_a_demoted_claim_takes_its_definitions_along():
    """Targets lead right from the note; what MEMORY.md still uses stays in it as well."""
    step = demote_claims(HOME, BOTH, "tea")
    note, memory = step.texts["memory/tea.md"], step.texts["MEMORY.md"]
    assert note.endswith('\n\n[l]: lemon.md "Lemons"\n[the shop]: https://example.org/shop\n')
    assert "[l]:" not in memory
    assert "[the shop]: https" in memory
    assert "[b]: memory/boat.md" in memory
    after = HOME.with_texts(step.texts)
    assert after.backlinks["memory/lemon.md"][0][0] == "memory/tea.md"


def test_the_law_sees_what_a_reference_leads_to():
    """A claim that kept its words but lost its definition is another claim."""
    paths = ["MEMORY.md"]
    lost = HOME.with_texts({"MEMORY.md": MEMORY.replace("memory/lemon.md", "memory/boat.md")})
    folds = [claim.fold for claim in side_of(HOME, paths).claims]
    others = [claim.fold for claim in side_of(lost, paths).claims]
    assert folds[0] == "green tea with [[memory/lemon.md]]"
    assert folds[0] != others[0]
    assert folds[1:] == others[1:]


def test_a_definition_of_another_meaning_stops_the_demotion():
    """Where the note means something else by a label nothing moves."""
    home = HOME.with_texts({"memory/tea.md": "- Leaf, see [it][l].\n\n[L]: boat.md\n"})
    with pytest.raises(UsageError, match=r"\[l\] otherwise"):
        demote_claims(home, BOTH, "tea")


def test_a_definition_that_is_there_already_is_not_repeated():
    """The same definition in the note serves both."""
    there = '- Leaf, see [it][l].\n\n[l]: lemon.md "Lemons"\n'
    step = demote_claims(HOME.with_texts({"memory/tea.md": there}), BOTH, "tea")
    assert step.texts["memory/tea.md"].count("[l]:") == 1
