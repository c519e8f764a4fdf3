"""Quotes about another one of the same name, another thing of the kind, or another time."""

from __future__ import annotations

import pytest
from test_judge import ask, turn

TOM = ("Her brother Tom lives in Lyon.", "Her brother Tom lives in Oslo.")
BUS = ("El tren sale a las 8:30.", "El tren sale a las 9:30.")


@pytest.mark.parametrize(
    ("claims", "said"),
    [
        (TOM, "Tom, my dentist, moved from Lyon to Oslo."),
        (TOM, "My dentist Tom lives in Oslo now."),
        (("Sister Anna works at Fiat.", "Sister Anna works at Seat."),
         "Anna (the one from the gym) works at Seat now."),
        (("Bruder Tom wohnt in Lyon.", "Bruder Tom wohnt in Oslo."),
         "Tom, mein Zahnarzt, wohnt jetzt in Oslo."),
        (("Born in 1984.", "Born in 1989."), "My sister was born in 1989, not 1984."),
        (("Paul's birthday is on 3 May.", "Paul's birthday is on 5 May."),
         "Paul's wife has her birthday on 5 May."),
        (("Vive en París.", "Vive en Berlín."), "Hablé con mi hermana. Ahora vive en Berlín."),
        (("Mora em Paris.", "Mora em Berlim."), "O meu irmão ligou. Agora mora em Berlim."),
    ],
)  # fmt: skip
def test_another_one_of_that_name_or_form_waits(claims: tuple[str, str], said: str) -> None:
    """Namesakes, relatives with dates and verbs of the third person are somebody else's."""
    quote = said.rpartition(". ")[2]
    assert ask(*claims, [turn(1, said)], (1, quote)).answer == "review"


@pytest.mark.parametrize(
    ("claims", "said"),
    [
        (TOM, "My brother Tom moved to Oslo."),
        (TOM, "My brother, Tom, lives in Oslo now."),
        (("Born in 1984.", "Born in 1989."), "I was born in 1989, not 1984."),
        (("Paul's birthday is on 3 May.", "Paul's birthday is on 5 May."),
         "Paul's birthday is on 5 May, I mixed it up."),
        (("Vive en París.", "Vive en Berlín."), "Mi hermana me ayudó. Ahora vivo en Berlín."),
        (("Takes 50 mg of sertraline.", "Takes 100 mg of sertraline."),
         "The doctor raised my sertraline to 100 mg."),
        (("The rent is 900 euros a month.", "The rent is 950 euros a month."),
         "Rent went up to 950 euros a month."),
        (("Drives a Volvo.", "Drives a Tesla."), "We sold the Volvo and now I drive a Tesla."),
    ],
)  # fmt: skip
def test_the_same_one_is_corrected_at_once(claims: tuple[str, str], said: str) -> None:
    """The relative that the claim names, and what is done to the user's own, need no person."""
    quote = said.rpartition(". ")[2]
    assert ask(*claims, [turn(1, said)], (1, quote)).is_accepted


@pytest.mark.parametrize(
    ("claims", "said"),
    [
        (("Flight leaves at 8:30.", "Flight leaves at 9:30."), "The train now leaves at 9:30."),
        (BUS, "El autobús sale ahora a las 9:30."),
        (("Birthday is on 3 May.", "Birthday is on 5 May."),
         "The birthday party is now on 5 May."),
        (("Takes 50 mg of sertraline.", "Takes 100 mg of sertraline."),
         "I now take 100 mg of ibuprofen as well."),
        (("Drinks 2 cups of coffee a day.", "Drinks 4 cups of coffee a day."),
         "I now drink 4 cups of tea a day."),
        (("Gym membership costs 40 euros.", "Gym membership costs 55 euros."),
         "The pool membership is now 55 euros."),
    ],
)  # fmt: skip
def test_a_value_of_another_thing_waits(claims: tuple[str, str], said: str) -> None:
    """What is said of another thing of the kind does not go to the claim's."""
    assert not ask(*claims, [turn(1, said)], (1, said)).is_accepted


@pytest.mark.parametrize(
    ("claims", "said"),
    [
        (("Phone number is 0171 555 12.", "Phone number is 0171 555 99."),
         "My old phone number was 0171 555 99."),
        (("Works at Fiat.", "Works at Seat."), "My former employer is Seat."),
        (("Lives in Paris.", "Lives in Berlin."), "We're moving to Berlin!"),
        (("Wohnt in Paris.", "Wohnt in Berlin."), "Wir ziehen nach Berlin."),
    ],
)  # fmt: skip
def test_what_was_and_what_will_be_wait(claims: tuple[str, str], said: str) -> None:
    """An old number and a move that is under way say nothing of now."""
    assert ask(*claims, [turn(1, said)], (1, said)).answer == "review"
