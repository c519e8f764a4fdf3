"""Later turns that give the same thing yet another value stand against older evidence."""

from __future__ import annotations

import pytest
from test_judge import ask, turn

BERLIN = "I live in Berlin now."


@pytest.mark.parametrize(
    "later",
    [
        "We moved to Madrid.",
        "I live in Madrid now.",
        "By the way, we have just moved to Madrid!",
        "Now I live in Madrid with Tom.",
    ],
)
def test_a_later_move_stands_against_an_older_one(later: str) -> None:
    """Who moved on to Madrid does not live in Berlin; the turn that says so is named."""
    turns = [turn(1, BERLIN), turn(2, "Noted.", "assistant"), turn(3, later)]
    verdict = ask("Lives in Paris.", "Lives in Berlin.", turns, (1, BERLIN))
    assert verdict.answer == "review"
    assert "c#3" in verdict.reason


@pytest.mark.parametrize(
    ("before", "after", "said", "later"),
    [
        (
            "Wohnt in Paris.",
            "Wohnt in Berlin.",
            "Ich wohne jetzt in Berlin.",
            "Wir sind nach Madrid umgezogen.",
        ),
        ("Habite à Paris.", "Habite à Lyon.", "J'habite à Lyon.", "J'habite à Nice maintenant."),
        ("Vive en París.", "Vive en Roma.", "Ahora vivo en Roma.", "Nos mudamos a Madrid."),
        (
            "Mora em Paris.",
            "Mora em Roma.",
            "Agora moro em Roma.",
            "Agora moro em Lisboa, finalmente.",
        ),
        (
            "The monthly rent of the flat in Ghent is 900 euros.",
            "The monthly rent of the flat in Ghent is 1000 euros.",
            "The monthly rent of the flat in Ghent is now 1000 euros.",
            "The rent of the flat went up, it is now 1100 euros.",
        ),
    ],
)
def test_so_it_is_of_other_values_and_languages(
    before: str, after: str, said: str, later: str
) -> None:
    """A rent that rose again, and a move told in another language, are later values."""
    turns = [turn(1, said), turn(2, later)]
    verdict = ask(before, after, turns, (1, said))
    assert verdict.answer == "review"
    assert "c#2" in verdict.reason


@pytest.mark.parametrize(
    "later",
    [
        "We moved the sofa to the attic.",
        "My sister moved to Madrid.",
        "Maybe we live in Madrid next year.",
        "I met Tom in Madrid.",
        "Now I live in Berlin, no longer in Madrid.",
        "Tom now works at Siemens.",
    ],
)
def test_later_words_of_other_things_stand_against_nothing(later: str) -> None:
    """Other people's moves, plans, visits and what names the new value too change nothing."""
    turns = [turn(1, BERLIN), turn(2, later)]
    verdict = ask("Lives in Paris.", "Lives in Berlin.", turns, (1, BERLIN))
    assert verdict.is_accepted, verdict


def test_a_later_old_value_counts_without_its_unit() -> None:
    """Of a small claim the value alone is enough, also where nobody says its unit."""
    before, after = "The rent is 900 euros a month.", "The rent is 800 euros a month."
    said, later = "The rent is 800 euros a month now.", "It is 900 now."
    verdict = ask(before, after, [turn(1, said), turn(2, later)], (1, said))
    assert verdict.answer == "review"
