"""Sentences that ask, deny from far off, or stand in a frame: what they say is not meant."""

from __future__ import annotations

import pytest
from test_judge import ask, turn

PARIS, BERLIN = "Lives in Paris.", "Lives in Berlin."
WOHNT = ("Wohnt in Paris.", "Wohnt in Berlin.")
HABITE = ("Habite à Paris.", "Habite à Berlin.")
VIVE = ("Vive en París.", "Vive en Berlín.")
MORA = ("Mora em Paris.", "Mora em Berlim.")


@pytest.mark.parametrize(
    ("claims", "said"),
    [
        ((PARIS, BERLIN), "We live in Berlin now, don't we?"),
        ((PARIS, BERLIN), "I live in Berlin now? Nonsense, never heard that."),
        (WOHNT, "Wohne ich jetzt etwa in Berlin?"),
        (WOHNT, "Ich wohne jetzt in Berlin, oder?"),
        (HABITE, "J'habite maintenant à Berlin ?"),
        (VIVE, "¿Vivo ahora en Berlín?"),
        (MORA, "Moro agora em Berlim, não moro?"),
    ],
)
def test_who_asks_whether_it_is_so_has_not_said_it(claims: tuple[str, str], said: str) -> None:
    """A question for the very thing, with a tag or without, waits in every language."""
    assert ask(*claims, [turn(1, said)], (1, said)).answer == "review"


@pytest.mark.parametrize(
    ("claims", "said"),
    [
        ((PARIS, BERLIN), "I live in Berlin now, can you find me a baker?"),
        ((PARIS, BERLIN), "How do I register the car now that I live in Berlin?"),
        ((PARIS, BERLIN), "We live in Berlin now, any tips for bakers?"),
        (WOHNT, "Ich wohne jetzt in Berlin, kennst du einen guten Bäcker?"),
        (VIVE, "Ahora vivo en Berlín, ¿puedes buscarme un panadero?"),
    ],
)
def test_who_asks_for_something_else_has_said_it(claims: tuple[str, str], said: str) -> None:
    """A question behind a statement, or around it, takes nothing from it."""
    assert ask(*claims, [turn(1, said)], (1, said)).is_accepted


@pytest.mark.parametrize(
    ("claims", "said", "quote"),
    [
        ((PARIS, BERLIN), "That we now live in Berlin is not true.", "we now live in Berlin"),
        ((PARIS, BERLIN), "I do not, despite what Kim says, live in Berlin now.", ""),
        (WOHNT, "Dass ich jetzt in Berlin wohne, stimmt nicht.", "ich jetzt in Berlin wohne"),
        (WOHNT, "Ich wohne jetzt in Berlin – von wegen!", ""),
        (HABITE, "Je n'habite toujours pas, malgré mes démarches, à Berlin.", ""),
        (HABITE, "Que j'habite à Berlin, c'est faux.", "j'habite à Berlin"),
        (VIVE, "Es mentira que ahora vivo en Berlín.", "ahora vivo en Berlín"),
        (MORA, "É mentira que agora moro em Berlim.", "agora moro em Berlim"),
    ],
)
def test_a_denial_reaches_as_far_as_its_sentence(
    claims: tuple[str, str], said: str, quote: str
) -> None:
    """What is denied in front of a clause set between, or behind it all, is not so."""
    assert ask(*claims, [turn(1, said)], (1, quote or said)).answer == "review"


@pytest.mark.parametrize(
    ("said", "quote"),
    [
        ("Correct my grammar please\n\nI now live in Berlin.", "I now live in Berlin."),
        ("Things my characters say:\n- I moved to Berlin\n- I left", "I moved to Berlin"),
        ("Lyrics idea: I moved to Berlin, now nights are long", "I moved to Berlin"),
        ("Headline: I moved to Berlin and live there now", "I moved to Berlin"),
        ('Sure, I "live in Berlin" now, haha.', 'I "live in Berlin" now'),
    ],
)
def test_framed_words_are_not_meant(said: str, quote: str) -> None:
    """A text to work on, a label that tells a kind of text, and scare quotes make words wait."""
    assert ask(PARIS, BERLIN, [turn(1, said)], (1, quote)).answer == "review"


@pytest.mark.parametrize(
    "said",
    [
        "Update for my profile:\n- I now live in Berlin\n- same job",
        'I said: "I live in Berlin now", for good.',
        "No, I don't live in Paris. I live in Berlin.",
        "That's wrong: I live in Berlin.",
        "I live in Berlin now, the old number is wrong.",
    ],
)
def test_lists_own_words_and_other_faults_are_meant(said: str) -> None:
    """A list of news, one's own words told again and a fault elsewhere do not make it wait."""
    quote = next(line for line in said.splitlines() if "Berlin" in line)
    assert ask(PARIS, BERLIN, [turn(1, said)], (1, quote)).is_accepted


@pytest.mark.parametrize("behind", ["Wait, that was a typo. I live in Bern.", "As if!"])
def test_a_turn_that_only_calls_it_untrue_makes_it_wait(behind: str) -> None:
    """A mistake of the hand and a scoff in the turn behind take a statement back."""
    turns = [turn(1, "I now live in Berlin."), turn(2, behind)]
    assert ask(PARIS, BERLIN, turns, (1, "I now live in Berlin.")).answer == "review"
