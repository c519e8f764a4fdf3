"""Removals: what a quote denies or says is over has to be what the claim says."""

from __future__ import annotations

import pytest
from test_judge import ask, turn

COFFEE = "Drinks coffee in the morning."
PENICILLIN = "Allergic to penicillin."


@pytest.mark.parametrize(
    ("claim", "said"),
    [
        (PENICILLIN, "I am allergic to penicillin, not to aspirin."),
        (PENICILLIN, "I am allergic to penicillin and there is no cure."),
        (PENICILLIN, "Penicillin is not the only thing I am allergic to."),
        (PENICILLIN, "Do not forget that I am allergic to penicillin."),
        (PENICILLIN, "Nobody remembers that I am allergic to penicillin."),
        (PENICILLIN, "The doctor forgot I am allergic to penicillin, that was wrong."),
        (COFFEE, "I can't stop drinking coffee in the morning."),
        (COFFEE, "I never stopped drinking coffee in the morning."),
        (COFFEE, "I drink not only coffee in the morning, but tea as well."),
        (COFFEE, "I never start the morning without coffee, I drink it every day."),
        (COFFEE, "No question, I drink coffee in the morning."),
        (COFFEE, "I drink my morning coffee no longer than ten minutes."),
        (COFFEE, "No coffee this morning, I drink tea today."),
        (COFFEE, "I do not talk before I drink my coffee in the morning."),
        (COFFEE, "You did not know that I drink coffee in the morning?!"),
        ("Has a cat called Milo.", "Milo the cat stopped at the door."),
        ("Has a cat called Milo.", "The film about our cat Milo ended."),
        ("Anna works at Siemens.", "Anna is so over Siemens, as everybody is who works there."),
        ("Plays the cello in an orchestra.", "The orchestra is over for today, my cello is fine."),
        ("Plays the cello in an orchestra.", "I did not play the cello in the orchestra today."),
        ("Plays the cello.", "I stopped in front of a shop that plays the cello."),
    ],
)
def test_who_says_that_it_is_so_drops_nothing(claim: str, said: str) -> None:
    """A negation or an ending of something else, or one that is itself denied, ends no claim."""
    verdict = ask(claim, "", [turn(1, said)], (1, said))
    assert not verdict.is_accepted
    assert "penicillin" not in claim or verdict.answer == "review"


@pytest.mark.parametrize(
    ("claim", "said"),
    [
        ("Trinkt morgens Kaffee.", "Ich trinke morgens nicht nur Kaffee."),
        ("Trinkt morgens Kaffee.", "Ohne Kaffee geht morgens nichts, ich trinke ihn immer."),
        ("Trinkt morgens Kaffee.", "Ich habe nie aufgehört, morgens Kaffee zu trinken."),
        ("Allergisch gegen Penicillin.", "Vergiss nicht: Ich bin allergisch gegen Penicillin."),
        ("Allergisch gegen Penicillin.", "Ich bin allergisch gegen Penicillin, nicht auf Aspirin."),
        ("Boit du café le matin.", "Je ne bois pas que du café le matin."),
        ("Boit du café le matin.", "Je n'ai jamais arrêté de boire du café le matin."),
        ("Bebe café por la mañana.", "No solo bebo café por la mañana."),
        ("Bebe café por la mañana.", "Nunca dejé de beber café por la mañana."),
        ("Bebe café de manhã.", "Não bebo só café de manhã."),
        ("Bebe café de manhã.", "Nunca parei de beber café de manhã."),
    ],
)
def test_so_it_is_in_other_languages(claim: str, said: str) -> None:
    """In four more languages "not only", "never stopped" and "not the other" end nothing."""
    assert not ask(claim, "", [turn(1, said)], (1, said)).is_accepted


@pytest.mark.parametrize(
    ("claim", "said"),
    [
        (PENICILLIN, "It turned out that I am not allergic to penicillin."),
        (PENICILLIN, "Not allergic to penicillin, only to aspirin."),
        (COFFEE, "I don't drink coffee in the morning anymore."),
        (COFFEE, "I drink tea in the morning, not coffee."),
        (COFFEE, "No, I quit coffee in the morning."),
        ("Has a cat called Milo.", "Our cat Milo died last spring."),
        ("Has a cat called Milo.", "We had a cat called Milo. He died in March."),
        ("Works as a nurse at Charité.", "I am not at Charité as a nurse anymore."),
        ("Married to Tom.", "It is over, I am not married to Tom any more."),
        ("Trinkt morgens Kaffee.", "Kaffee trinke ich morgens nicht."),
        ("Trinkt morgens Kaffee.", "Ich trinke morgens keinen Kaffee mehr."),
        ("Boit du café le matin.", "Je ne bois plus de café le matin."),
        ("Bebe café por la mañana.", "Ya no bebo café por la mañana."),
        ("Bebe café de manhã.", "Não bebo mais café de manhã."),
    ],
)
def test_its_own_end_drops_a_claim(claim: str, said: str) -> None:
    """What denies or ends the claim's own words drops it at once."""
    verdict = ask(claim, "", [turn(1, said)], (1, said))
    assert verdict.is_accepted, verdict


@pytest.mark.parametrize(
    ("after", "said"),
    [
        ("Allergic to aspirin.", "I am allergic to penicillin. Aspirin is fine."),
        ("Not allergic to penicillin.", "I am not allergic to aspirin."),
    ],
)
def test_what_the_quote_says_of_another_thing_rewrites_nothing(after: str, said: str) -> None:
    """A quote that stands by the claim, or that denies another thing, changes no word of it."""
    assert ask(PENICILLIN, after, [turn(1, said)], (1, said)).answer == "review"


def test_what_denies_the_claim_rewrites_it() -> None:
    """A quote that denies just what the claim says puts a negation into it."""
    said = turn(1, "It turned out that I am not allergic to penicillin.")
    verdict = ask(PENICILLIN, "Not allergic to penicillin.", [said], (1, said.text))
    assert verdict.is_accepted, verdict


@pytest.mark.parametrize("later", ["Back on my morning coffee!", "Coffee again this morning."])
def test_what_was_taken_up_again_is_not_over(later: str) -> None:
    """A later turn that takes a habit up again stands against its end."""
    turns = [turn(1, "I no longer drink coffee in the morning."), turn(2, later)]
    verdict = ask(COFFEE, "", turns, (1, turns[0].text))
    assert verdict.answer == "review"
