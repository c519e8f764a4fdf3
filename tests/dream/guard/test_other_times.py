"""What was so once, will be so or is left behind, and what somebody else wrote."""

from __future__ import annotations

import pytest
from test_judge import ask, turn

PARIS, BERLIN = "Lives in Paris.", "Lives in Berlin."
RENT = "The rent is {} euros a month."


@pytest.mark.parametrize(
    "said",
    [
        "I will live in Berlin from May.",
        "I live in Berlin from next year.",
        "Next year I move to Berlin.",
        "Someday I'll live in Berlin.",
        "As a child I lived in Berlin.",
        "Back in 2010 I lived in Berlin.",
        "I lived in Berlin when I was a student.",
        "Years ago we lived in Berlin.",
        "We moved from Berlin to Madrid.",
        "We moved away from Berlin.",
        "We moved out of our flat in Berlin.",
        "I refused to move to Berlin.",
        "I live in Madrid now instead of Berlin.",
        "I live in Berlin now, at least in my head.",
        "Sure, I live in Berlin now /s",
        "I live in Berlin for a while.",
        "Our head office moved to Berlin.",
    ],
)
def test_a_home_of_another_time_or_mood_waits(said: str) -> None:
    """Where the user will live, lived once, or has left, is not where they live."""
    assert ask(PARIS, BERLIN, [turn(1, said)], (1, said)).answer == "review"


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("Wohnt in Paris.", "Wohnt in Berlin.", "Früher wohnte ich in Berlin."),
        ("Wohnt in Paris.", "Wohnt in Berlin.", "Nächstes Jahr werde ich in Berlin wohnen."),
        ("Wohnt in Paris.", "Wohnt in Berlin.", "Als Kind wohnte ich in Berlin."),
        ("Wohnt in Paris.", "Wohnt in Berlin.", "Wir sind von Berlin nach Madrid gezogen."),
        ("Wohnt in Paris.", "Wohnt in Berlin.", "Ich wohne keineswegs in Berlin."),
        ("Habite à Paris.", "Habite à Lyon.", "Avant, j'habitais à Lyon."),
        ("Habite à Paris.", "Habite à Lyon.", "L'an prochain nous allons vivre à Lyon."),
        ("Habite à Paris.", "Habite à Lyon.", "Nous avons déménagé de Lyon à Nice."),
        ("Vive en París.", "Vive en Madrid.", "De niña vivía en Madrid."),
        ("Vive en París.", "Vive en Madrid.", "El año que viene voy a vivir en Madrid."),
        ("Vive en París.", "Vive en Madrid.", "Nos mudamos de Madrid a Roma."),
        ("Mora em Paris.", "Mora em Lisboa.", "Quando era criança morava em Lisboa."),
        ("Mora em Paris.", "Mora em Lisboa.", "No próximo ano vou morar em Lisboa."),
        ("Mora em Paris.", "Mora em Lisboa.", "Mudamos de Lisboa para Roma."),
        ("Vive en París.", "Vive en Madrid.", "Mi cuñado vive en Madrid ahora."),
        ("Mora em Paris.", "Mora em Lisboa.", "Minha sogra mora em Lisboa agora."),
    ],
)
def test_so_it_is_in_other_languages(before: str, after: str, said: str) -> None:
    """Childhood, next year and the town that was left wait in four more languages."""
    assert not ask(before, after, [turn(1, said)], (1, said)).is_accepted


@pytest.mark.parametrize(
    ("after", "said"),
    [
        ("1200", "The rent is at most 1200 euros a month."),
        ("1200", "The rent is less than 1200 euros a month."),
        ("1200", "The rent is up to 1200 euros a month now."),
        ("100", "The rent went up by 100 euros a month."),
        ("1000", "The rent went down from 1000 euros a month to 950."),
        ("800", "The rent used to cost 800 euros a month."),
        ("800", "The rent was 800 euros a month when we moved in."),
    ],
)
def test_a_bound_a_difference_and_what_was_are_no_value(after: str, said: str) -> None:
    """A number that bounds, that tells how much more, or that was so once is not what it costs."""
    verdict = ask(RENT.format(900), RENT.format(after), [turn(1, said)], (1, said))
    assert not verdict.is_accepted


@pytest.mark.parametrize(
    "said",
    [
        "From: Tom\nSubject: Hi\n\nI live in Berlin now.\n\nBest, Tom",
        "See this:\nVon: Tom\nBetreff: Hallo\n\nI live in Berlin now.",
        "Tom: I live in Berlin now.\nMe: nice",
        "[12.03.24, 10:22] Tom: I live in Berlin now.",
        "Anna (10:22): where are you?\nTom (10:23): I live in Berlin now.",
        "On Monday, Tom Brandt wrote:\n\nI live in Berlin now.",
        "---------- Forwarded message ---------\nI live in Berlin now.",
        "Please proofread the following text. I live in Berlin now.",
        "Let's play a game, I am Sherlock. I live in Berlin now.",
        "Tom: I live in Berlin now.",
    ],
)
def test_pasted_words_of_others_wait(said: str) -> None:
    """A mail, a chat or a text for proof-reading is somebody else's words."""
    quote = "I live in Berlin now."
    assert ask(PARIS, BERLIN, [turn(1, said)], (1, quote)).answer == "review"


@pytest.mark.parametrize(
    "said",
    [
        "Update: I live in Berlin now.",
        "Subject: my address. I live in Berlin now.",
        "Me: I live in Berlin now.\nTom: nice",
        "We moved from Paris to Berlin.",
        "We left Paris, I live in Berlin now.",
        "We lived abroad for years, and since May we live in Berlin.",
        "I have lived in Berlin since May.",
        "Two things:\nFirst: I live in Berlin now.\nSecond: I need a plumber.",
    ],
)
def test_what_the_user_says_of_today_is_accepted(said: str) -> None:
    """Labels, the town that was left and the years before do not hide what is so now."""
    verdict = ask(PARIS, BERLIN, [turn(1, said)], (1, said))
    assert verdict.is_accepted, verdict


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        (RENT.format(900), RENT.format(1000), "The rent went up from 900 to 1000 euros a month."),
        ("Pays at most 900 euros rent.", "Pays at most 950 euros rent.", "I pay at most 950 rent."),
        ("Will move to Paris.", "Will move to Berlin.", "I will move to Berlin after all."),
        (
            "Cut the letter from 846 to 600 words.",
            "Cut the letter from 846 to 520 words.",
            "I cut the letter from 846 to 520 words.",
        ),
        (
            "Cut the letter from 846 to 520 words.",
            "Cut the letter from 650 to 520 words.",
            "I cut the letter from 650 to 520 words.",
        ),
        (RENT.format(900), RENT.format(950), "A rent of 950 euros a month will hurt me."),
        ("Works from Paris.", "Works from Berlin.", "I now work from Berlin."),
        ("As a child lived in Bonn.", "As a child lived in Köln.", "As a child I lived in Köln."),
        (
            "The dentist appointment is on 3 May.",
            "The dentist appointment is on 9 May.",
            "The dentist appointment will be on 9 May.",
        ),
    ],
)
def test_what_the_claim_itself_tells_of_is_no_hindrance(before: str, after: str, said: str) -> None:
    """A claim about a bound, a plan or a childhood is corrected by what tells of the same."""
    verdict = ask(before, after, [turn(1, said)], (1, said))
    assert verdict.is_accepted, verdict
