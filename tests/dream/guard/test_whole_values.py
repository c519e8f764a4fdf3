"""Whole values: the number that was said, in its unit, and dates in their speaker's order."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_judge import ask, turn

from toolnexus.dream.guard.amount import find_amounts


@pytest.mark.parametrize(
    ("claim", "after", "said"),
    [
        ("Earns 50000 euros a year.", "Earns 60 euros a year.", "I earn 60k euros a year now."),
        ("Earns 50 euros a day.", "Earns 60 euros a day.", "I earn 60 thousand euros a day now."),
        ("Has 10 hens.", "Has 2 hens.", "I have two dozen hens now."),
        ("Takes 2 pills a day.", "Takes 1 pill a day.", "I take 1 and a half pills a day."),
        ("Won 10 euros.", "Won a million euros.", "I won half a million euros."),
        ("Hat 10 Hühner.", "Hat 2 Hühner.", "Ich habe jetzt 2 Dutzend Hühner."),
        ("A 10 poules.", "A 2 poules.", "J'ai maintenant 2 douzaines de poules."),
        ("Tiene 10 gallinas.", "Tiene 2 gallinas.", "Ahora tengo 2 docenas de gallinas."),
        ("Tem 10 galinhas.", "Tem 2 galinhas.", "Agora tenho 2 dúzias de galinhas."),
        (
            "The rent is 900 euros a month.",
            "The rent is 900 dollars a month.",
            "The rent in dollars is 980 a month, 900 euros.",
        ),
        ("Runs 10 km a day.", "Runs 10 miles a day.", "I run 10 km a day, or in miles 6."),
    ],
)
def test_a_part_of_a_number_is_refused(claim: str, after: str, said: str) -> None:
    """A number that only stands in a larger one, or was said in another unit, was not said."""
    verdict = ask(claim, after, [turn(1, said)], (1, said))
    assert verdict.answer == "refuse", verdict


@pytest.mark.parametrize(
    "said",
    [
        "I take 1 or 3 pills a day.",
        "I take 1-3 pills a day.",
        "I take 1–3 pills a day.",
        "I take between 1 and 3 pills a day.",
        "I take 1 to 3 pills a day.",
    ],
)
@pytest.mark.parametrize("number", [1, 3])
def test_what_leaves_a_number_open_waits(said: str, number: int) -> None:
    """Of two numbers neither is the one."""
    pills = "pill" if number == 1 else "pills"
    verdict = ask(
        "Takes 2 pills a day.", f"Takes {number} {pills} a day.", [turn(1, said)], (1, said)
    )
    assert verdict.answer in {"review", "refuse"}, verdict


@pytest.mark.parametrize(
    ("claim", "after", "said"),
    [
        ("Earns 50k euros a year.", "Earns 60k euros a year.", "I earn 60k euros a year now."),
        ("The rent is 900 euros.", "The rent is 1100 euros.", "rent went from 900 to 1100 euros"),
        ("Takes 2 pills a day.", "Takes 3 pills a day.", "I take 3 pills a day. Tom takes 1 or 2."),
        ("Owns 12 hens.", "Owns 14 hens.", "I own 14 hens now, and half of them lay eggs."),
        ("Runs 10 km a day.", "Runs 8 km a day.", "I run 8 kilometres a day now."),
    ],
)
def test_the_whole_number_is_taken(claim: str, after: str, said: str) -> None:
    """What was said as it is said comes in."""
    verdict = ask(claim, after, [turn(1, said)], (1, said))
    assert verdict.is_accepted, verdict


def test_a_number_in_words_is_no_refusal() -> None:
    """Two dozen are 24: it may wait, but it is not called unsaid."""
    said = "I have two dozen hens now."
    assert ask("Has 10 hens.", "Has 24 hens.", [turn(1, said)], (1, said)).answer != "refuse"


APPOINTMENT = "Dentist appointment on 2026-12-01."
MOVED = "The dentist appointment is on 03/04/2026 now."


@pytest.mark.parametrize("date", ["2026-04-03", "2026-03-04"])
def test_a_date_that_reads_both_ways_waits(date: str) -> None:
    """Nobody but its speaker knows which number is the month."""
    after = f"Dentist appointment on {date}."
    verdict = ask(APPOINTMENT, after, [turn(1, MOVED)], (1, MOVED))
    assert verdict.answer == "review", verdict
    assert "order" in verdict.reason


@pytest.mark.parametrize(
    ("other", "right", "wrong"),
    [
        ("The party is on 25/12/2026.", "2026-04-03", "2026-03-04"),
        ("The party is on 12/25/2026.", "2026-03-04", "2026-04-03"),
    ],
)
def test_another_date_of_the_same_person_tells_the_order(
    other: str, right: str, wrong: str
) -> None:
    """One date with a day above 12 shows how they write the others."""
    turns = [turn(1, other), turn(2, MOVED)]
    assert ask(APPOINTMENT, f"Dentist appointment on {right}.", turns, (2, MOVED)).is_accepted
    refused = ask(APPOINTMENT, f"Dentist appointment on {wrong}.", turns, (2, MOVED))
    assert refused.answer == "refuse", refused


def test_the_language_tells_the_order() -> None:
    """In German, French, Spanish and Portuguese the day comes first."""
    said = "Der Termin beim Zahnarzt ist jetzt am 03/04/2026."
    claim = "Termin beim Zahnarzt am 2026-12-01."
    after = "Termin beim Zahnarzt am {}."
    assert ask(claim, after.format("2026-04-03"), [turn(1, said)], (1, said)).is_accepted
    assert ask(claim, after.format("2026-03-04"), [turn(1, said)], (1, said)).answer == "refuse"


@given(st.text(alphabet="0123456789 ½/.,-kKhalf or to and a dozen million", max_size=80))
def test_no_text_of_numbers_raises(text: str) -> None:
    """Whatever is made of numbers and words beside them, amounts are found."""
    for amount in find_amounts(text, "en"):
        assert amount.written


@given(st.integers(min_value=1, max_value=999), st.sampled_from([("k", 1000), ("dozen", 12)]))
def test_what_multiplies_makes_one_number(number: int, times: tuple[str, int]) -> None:
    """A number and what multiplies it are one amount."""
    (amount,) = find_amounts(f"about {number} {times[0]} of them", "en")
    assert amount.value == str(number * times[1])
