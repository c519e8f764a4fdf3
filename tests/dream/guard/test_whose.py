"""Claims under somebody's name: a heading, a parent item or a note's title says whose they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from test_judge import ask, claim_of, turn

from toolnexus.home.claims import located_claims
from toolnexus.home.snapshot import Snapshot

if TYPE_CHECKING:
    from toolnexus.change.located import LocatedClaim

OLD, NEW = "Allergic to penicillin.", "Allergic to ibuprofen."
MINE = "I am allergic to ibuprofen."


def under(head: str, text: str = OLD) -> LocatedClaim:
    """The claim under a heading of MEMORY.md."""
    return claim_of(text, head=f"# Memory\n\n## {head}\n\n")


def nested() -> LocatedClaim:
    """The claim below an item that names somebody."""
    home = Snapshot(name="ava").with_texts({"MEMORY.md": f"- Ingrid:\n  - {OLD}\n"})
    return located_claims(home, "MEMORY.md")[1]


@pytest.mark.parametrize("head", ["Ingrid", "My sister", "Zoë", "Ingrid's health", "Meine Mutter"])
@pytest.mark.parametrize("said", [MINE, "Peter is allergic to ibuprofen."])
def test_what_is_said_of_another_leaves_the_claim_of_a_heading(head: str, said: str) -> None:
    """What the user says of themselves, or of Peter, is nothing that is so of Ingrid."""
    assert ask(under(head), NEW, [turn(1, said)], (1, said)).answer == "review"


def test_so_it_is_under_a_name_that_no_list_knows() -> None:
    """Who speaks of themselves says nothing of what stands under a word that may be a name."""
    assert ask(under("Thandeka"), NEW, [turn(1, MINE)], (1, MINE)).answer == "review"


def test_a_parent_item_and_a_title_name_whom_it_is_about() -> None:
    """An item above the claim, and the title of its note, count as headings do."""
    note = claim_of(OLD, "memory/ingrid.md", "# Ingrid\n\n")
    assert ask(nested(), NEW, [turn(1, MINE)], (1, MINE)).answer == "review"
    assert ask(note, NEW, [turn(1, MINE)], (1, MINE)).answer == "review"
    gone = turn(1, "I am no longer allergic to penicillin.")
    assert ask(note, "", [gone], (1, gone.text)).answer == "review"


def test_their_name_in_the_turn_settles_it() -> None:
    """A turn that names them is about them."""
    said = turn(1, "Ingrid is allergic to ibuprofen.")
    for claim in (under("Ingrid"), nested(), under("Ingrid's health")):
        verdict = ask(claim, NEW, [said], (1, said.text))
        assert verdict.is_accepted, verdict


def test_their_name_right_before_settles_it() -> None:
    """What "she" is depends on what was spoken of right before."""
    turns = [turn(1, "How is Ingrid?", "assistant"), turn(2, "She is allergic to ibuprofen now.")]
    verdict = ask(under("Ingrid"), NEW, turns, (2, turns[1].text))
    assert verdict.is_accepted, verdict


def test_another_sentence_that_names_them_does_not_settle_it() -> None:
    """Who greets Ingrid and then speaks of themselves says nothing of her."""
    said = turn(1, f"I met Ingrid today. {MINE}")
    assert ask(under("Ingrid"), NEW, [said], (1, said.text)).answer == "review"


@pytest.mark.parametrize("head", ["Health", "Allergies", "My health", "Maria", "Gesundheit"])
def test_a_topic_names_nobody(head: str) -> None:
    """Under a topic, and under the owner's own name, the user speaks of themselves."""
    verdict = ask(under(head), NEW, [turn(1, MINE)], (1, MINE), owner="Maria")
    assert verdict.is_accepted, verdict


@pytest.mark.parametrize("head", ["Old flat 2010-2015", "Former flat", "Früher"])
def test_a_heading_of_another_time_keeps_its_claims(head: str) -> None:
    """What is so now is nothing of the flat of years ago."""
    said = turn(1, "Our rent was 900 euros last month.")
    claim = under(head, "Rent was 500 euros.")
    assert ask(claim, "Rent was 900 euros.", [said], (1, said.text)).answer == "review"


def test_a_heading_of_this_year_is_of_no_other_time() -> None:
    """The year in which it was said is the year of the heading."""
    said = turn(1, "Our rent was 900 euros last month.")
    claim = under("Flat 2026", "Rent was 500 euros.")
    verdict = ask(claim, "Rent was 900 euros.", [said], (1, said.text))
    assert verdict.is_accepted, verdict


def test_a_word_in_small_letters_is_no_name() -> None:
    """What somebody writes in small letters anywhere names nobody, whatever no list knows."""
    said = turn(2, "I feed the starter weekly now.")
    claim = under("Sourdough", "Feeds the starter daily.")
    after = "Feeds the starter weekly."
    assert ask(claim, after, [said], (2, said.text)).answer == "review"
    baked = turn(1, "That was a long evening with my sourdough, really.")
    verdict = ask(claim, after, [baked, said], (2, said.text))
    assert verdict.is_accepted, verdict


def test_what_peter_is_the_owner_is_not() -> None:
    """A clause that a given name opens is about its bearer, whatever its verb."""
    said = turn(1, "Peter is allergic to ibuprofen.")
    assert ask(OLD, NEW, [said], (1, said.text)).answer == "review"
