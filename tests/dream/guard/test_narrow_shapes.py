"""Corrections that look proved and are not: other people's values, unrelated evidence, hedges."""

from __future__ import annotations

import pytest
from test_judge import ask, turn

TOLD = turn(1, "So you pay 1100 euros rent now.", "assistant")


@pytest.mark.parametrize(
    ("claim", "after", "said"),
    [
        (
            "Does not eat fish on Fridays.",
            "Does eat fish on Fridays.",
            "On Fridays I eat at the canteen",
        ),
        ("Maria is not married to Tom.", "Maria is married to Tom.", "Maria went to see Tom"),
        (
            "Never lend money to cousin Bob again.",
            "Lend money to cousin Bob again.",
            "Please lend money to cousin Ann",
        ),
    ],
)
def test_a_negation_is_not_lost_on_unrelated_words(claim: str, after: str, said: str) -> None:
    """A quote that does not say the rest of the claim does not lift its negation."""
    assert ask(claim, after, [turn(1, said)], (1, said)).answer == "review"


@pytest.mark.parametrize(
    ("claim", "after", "said"),
    [
        ("Maria is not married to Tom.", "Maria is married to Tom.", "Maria married Tom in May"),
        ("Does not eat fish on Fridays.", "Eats fish on Fridays.", "On Fridays I eat fish now"),
    ],
)
def test_a_negation_goes_when_the_rest_is_said(claim: str, after: str, said: str) -> None:
    """A quote that says all the claim denies, without a negation, corrects it at once."""
    assert ask(claim, after, [turn(1, said)], (1, said)).is_accepted


@pytest.mark.parametrize("claim", ["Ines pays {} euros rent.", "Pays {} euros rent."])
@pytest.mark.parametrize(
    "said",
    ["Clara pays 1100 euros rent.", "And Clara pays 1100 euros rent, Ines is fine."],
)
def test_the_value_of_another_person_waits(claim: str, said: str) -> None:
    """What Clara pays is nothing that anybody else pays."""
    verdict = ask(claim.format(900), claim.format(1100), [turn(1, said)], (1, said))
    assert verdict.answer == "review"


@pytest.mark.parametrize(
    "said",
    [
        "Ines pays 1100 euros rent now.",
        "Rent for Ines is 1100 euros now.",
        "Clara says that Ines pays 1100 euros rent.",
    ],
)
def test_the_value_of_the_same_person_is_accepted(said: str) -> None:
    """A clause that names whom the claim is about speaks of them."""
    verdict = ask(
        "Ines pays 900 euros rent.", "Ines pays 1100 euros rent.", [turn(1, said)], (1, said)
    )
    assert verdict.is_accepted, verdict


@pytest.mark.parametrize(
    ("objects", "said", "answer"),
    [
        ("penicillin and nuts", "I am not allergic to penicillin, only to nuts", "review"),
        ("penicillin and nuts", "I am not allergic to penicillin", "review"),
        ("nuts", "I am not allergic to penicillin, only to nuts", "review"),
        ("penicillin and nuts", "I am not allergic to penicillin or nuts", "accept"),
        ("penicillin", "I am not allergic to penicillin, only to nuts", "accept"),
    ],
)
def test_a_negation_spreads_over_nothing_else(objects: str, said: str, answer: str) -> None:
    """Only what the quote itself denies is denied; "only" and "but" end what it reaches."""
    claim, after = f"Is allergic to {objects}.", f"Is not allergic to {objects}."
    assert ask(claim, after, [turn(1, said)], (1, said)).answer == answer


@pytest.mark.parametrize(
    "reply",
    [
        "Yes and no, actually it is still 900.",
        "Yes, it is still 900.",
        "Yes, but let me look it up first.",
        "Yes, no change.",
        "No, 900.",
    ],
)
def test_a_hedge_confirms_nothing(reply: str) -> None:
    """An assent that is taken back, or that keeps the old value, proves no new one."""
    verdict = ask(
        "Pays 900 euros rent.",
        "Pays 1100 euros rent.",
        [TOLD, turn(2, reply)],
        (1, "you pay 1100 euros rent now"),
        (2, reply),
    )
    assert verdict.answer == "refuse"


@pytest.mark.parametrize(
    "reply", ["Yes, exactly.", "Sure, right, yes.", "Yes, 1100 now, not 900.", "It is 1100 now."]
)
def test_a_plain_assent_confirms(reply: str) -> None:
    """An assent, or the new value in the user's own words, confirms the answer before it."""
    verdict = ask(
        "Pays 900 euros rent.",
        "Pays 1100 euros rent.",
        [TOLD, turn(2, reply)],
        (1, "you pay 1100 euros rent now"),
        (2, reply),
    )
    assert verdict.is_accepted, verdict


def test_a_verb_that_is_denied_is_no_other_subject() -> None:
    """That "drives" becomes "does not drive" swaps no subject."""
    said = turn(1, "I do not drive the red car anymore.")
    assert ask("Drives a red car.", "Does not drive a red car.", [said], (1, said.text)).is_accepted
