"""Pointers: links with nothing beside them but words that are said elsewhere."""

from __future__ import annotations

import pytest

from toolnexus.change.pointer import is_pointer


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[[travel]]", []),
        ("Travel: [[travel]]", []),
        ("Long trips: [[journeys]]", ["Long trips"]),
        ("[Long trips](journeys.md)", ["Long trips"]),
        ("never flies: [[journeys]]", ["Maria never flies at night"]),
    ],
)
def test_pointers(text, said):
    """The link's target, the note's title and a run of the claim's own words may be repeated."""
    assert is_pointer(text, said)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Travel", ["Travel"]),
        ("Often travels: [[travel]]", ["Travel"]),
        ("flies at night: [[journeys]]", ["Maria flies never at night"]),
        ("[[journeys|he hates it]]", ["Journeys"]),
    ],
)
def test_no_pointers(text, said):
    """A text without a link, with words of its own, or with words left out of a run is none."""
    assert not is_pointer(text, said)


@pytest.mark.parametrize(
    ("pointer", "claim"),
    [
        ("Eats nuts: [[food]]", "Never eats nuts."),
        ("[[food|smokes]] and [[food|eats nuts]]", "Doesn't smoke, eats nuts never."),
        ("Isst Nüsse: [[food]]", "Isst keine Nüsse."),
        ("Mange des noix: [[food]]", "Ne mange pas de noix."),
    ],
)
def test_a_run_keeps_the_negation_of_its_claim(pointer: str, claim: str) -> None:
    """Words of a claim that denies something do not stand there without its negation."""
    assert not is_pointer(pointer, ["Food", claim])


def test_a_word_of_a_claim_that_denies_something_is_a_name() -> None:
    """A single word states nothing, and the whole run says what the claim says."""
    assert is_pointer("Nuts: [[food]]", ["Never eats nuts."])
    assert is_pointer("never eats nuts: [[food]]", ["Never eats nuts."])
