"""Values that come in: said of the same thing, or only said."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_judge import ask, turn

TRIP = "the trip took 5 hours and cost 300 euros"


@pytest.mark.parametrize(
    ("claim", "after", "said"),
    [
        ("The trip cost 250 euros.", "The trip cost 300 euros.", TRIP),
        ("The trip took 6 hours.", "The trip took 5 hours.", TRIP),
        ("Pays 900 euros rent.", "Pays 1100 euros rent.", "I pay 1100 euros rent now"),
        ("The rent is 900 euros.", "The rent is 1100 euros.", "rent went from 900 to 1100 euros"),
        ("The rent is 900 euros.", "The rent is 1100 euros.", "The rent is up. It is 1100 euros."),
        ("Has two cats.", "Has three cats.", "we have three lovely cats now"),
        ("Runs 5 km a day.", "Runs 8 km a day.", "I run 8 kilometres a day now"),
        ("Works as a nurse at Acme.", "Works as a nurse at Globex.", "I am a nurse at Globex now"),
        ("Has a cat called Miso.", "Has a cat called Mochi.", "our cat is called Mochi, not Miso"),
        (
            "Owns a dog called Rex.",
            "Owns a cat called Milo.",
            "Rex died in spring, we have a cat called Milo now",
        ),
        ("Meets Ana on Tuesdays.", "Meets Ana on Thursdays.", "I meet Ana on Thursdays now"),
        ("Her birthday is 3 May.", "Her birthday is 4 May.", "no, her birthday is on 4 May"),
        ("Trains at 7:30.", "Trains at 8:15.", "training is at 8:15 now"),
        ("The password is tulip42.", "The password is rose77.", "my new password is rose77"),
        ("Zahlt 900 Euro Miete.", "Zahlt 1100 Euro Miete.", "Ich zahle jetzt 1100 Euro Miete"),
        ("Vive en Madrid.", "Vive en Sevilla.", "nos mudamos a Sevilla"),
    ],
)
def test_a_value_of_the_same_thing_is_accepted(claim: str, after: str, said: str) -> None:
    """A value comes in when it was said with its unit, its neighbours, or of a small claim."""
    verdict = ask(claim, after, [turn(1, said)], (1, said))
    assert verdict.is_accepted, verdict


@pytest.mark.parametrize(
    ("claim", "after", "said"),
    [
        ("The trip cost 250 euros.", "The trip cost 5 euros.", TRIP),
        ("The trip took 6 hours.", "The trip took 300 hours.", TRIP),
        ("The trip of 4 people took 6 hours.", "The trip of 300 people took 6 hours.", TRIP),
    ],
)
def test_a_number_of_something_else_is_refused(claim: str, after: str, said: str) -> None:
    """A number that the turn counts other things with corrects nothing."""
    verdict = ask(claim, after, [turn(1, said)], (1, said))
    assert verdict.answer == "refuse", verdict
    assert "of something else" in verdict.reason


@pytest.mark.parametrize(
    ("claim", "after", "said"),
    [
        # Another unit, another kind of value.
        ("The trip cost 250 euros.", "The trip cost 5 hours.", TRIP),
        ("Ana gave a talk on May 4.", "Ana gave a talk on Ana 4.", "Ana gave talk 4 today"),
        # The claim's own value is said as well.
        (
            "Flight LH123 leaves at 10:00.",
            "Flight LH123 leaves at 12:45.",
            "flight LH123 leaves at 10:00 and lands at 12:45",
        ),
        # The value is said, of another part of the claim.
        (
            "Ana and Tom agreed to meet twice a week.",
            "Ana and Ana agreed to meet twice a week.",
            "I agreed with Ana to meet twice a week",
        ),
        # Part of a name.
        (
            "Meets the visa officer at Harbour House.",
            "Meets the visa officer at Garden House.",
            "I met the visa officer in the café at Garden Lane",
        ),
        # Another thing altogether.
        (
            "Paused the music subscription on February 26 to reduce monthly expenses.",
            "Paused the music subscription on November 1 to reduce monthly expenses.",
            "I put aside some money for monthly subscriptions starting November 1, but my expenses",
        ),
    ],
)
def test_a_value_in_another_place_waits(claim: str, after: str, said: str) -> None:
    """A value that may have been said of something else is left to a person."""
    verdict = ask(claim, after, [turn(1, said)], (1, said))
    assert verdict.answer == "review", verdict


_COUNTED = st.sampled_from(["hours", "people", "cats", "kilometres", "euros", "tickets"])
_NUMBERS = st.integers(2, 900)


@given(_COUNTED, _COUNTED, _NUMBERS, _NUMBERS, _NUMBERS)
def test_a_number_never_comes_in_with_another_unit(
    mine: str, other: str, old: int, new: int, elsewhere: int
) -> None:
    """Whatever is counted, a number of one thing never becomes the number of another."""
    if mine == other or len({old, new, elsewhere}) < 3:
        return
    said = f"For the party we had {new} {other} and {elsewhere} {mine}"
    claim = "The party had {} {}."
    stolen = ask(claim.format(old, mine), claim.format(new, mine), [turn(1, said)], (1, said))
    right = ask(claim.format(old, mine), claim.format(elsewhere, mine), [turn(1, said)], (1, said))
    assert stolen.answer == "refuse"
    assert right.is_accepted, right
