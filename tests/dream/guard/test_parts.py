"""Removals on quotes that end another thing, a part, or somebody else's."""

from __future__ import annotations

import pytest
from test_judge import ask, turn


@pytest.mark.parametrize(
    ("claim", "said"),
    [
        ("Allergic to nuts.", "I'm no longer allergic to cats."),
        ("Allergisch gegen Nüsse.", "Ich bin nicht mehr allergisch gegen Katzen."),
        ("Allergique aux noix.", "Je ne suis plus allergique aux chats."),
        ("Alérgica a las nueces.", "Ya no soy alérgica a los gatos."),
        ("Likes green tea.", "I no longer like green tea from that shop at the station."),
        ("Speaks Italian.", "I don't speak Italian with my boss."),
        ("Has a dog called Rex.", "Rex no longer eats dry food."),
        ("Has a dog called Rex.", "The dog of our neighbours, Rex, died."),
        ("Married to Paul.", "Paul is no longer working at Fiat."),
        ("Works at Fiat.", "Paul no longer works at Fiat."),
        ("Trabaja en Iberia.", "Pablo ya no trabaja en Iberia."),
        ("Le gusta el té verde.", "A mi madre ya no le gusta el té verde."),
        ("Owns a cabin in Norway.", "We sold the boat in Norway."),
        ("Drives a Volvo.", "Our neighbours sold their Volvo."),
        ("Is engaged to Lena.", "Lena left the choir."),
        ("Wears glasses.", "I lost my glasses again."),
        ("Smokes.", "I tried to stop smoking."),
    ],
)
def test_an_end_of_something_else_drops_nothing(claim: str, said: str) -> None:
    """Who ends a part of it, another thing or another's has not ended the claim."""
    assert not ask(claim, "", [turn(1, said)], (1, said)).is_accepted


@pytest.mark.parametrize(
    ("claim", "said"),
    [
        ("Likes green tea.", "I don't like green tea anymore, it keeps me up."),
        ("Aime le thé vert.", "Je n'aime plus le thé vert."),
        ("Le gusta el té verde.", "Ya no me gusta el té verde."),
        ("Plays the flute in the town band.", "I no longer play the flute."),
        ("Has a dog called Rex.", "Rex died on Sunday."),
        ("Works at Fiat.", "I quit my job at Fiat."),
        ("Drives a Volvo.", "I finally sold the old red Volvo."),
        ("Trinkt morgens Kaffee.", "Ich trinke morgens keinen Kaffee mehr."),
        ("Married to Paul.", "Paul and I are divorced now."),
    ],
)
def test_its_own_end_needs_no_person(claim: str, said: str) -> None:
    """A plain end of what the claim says drops it at once, whatever form its verb has."""
    verdict = ask(claim, "", [turn(1, said)], (1, said))
    assert verdict.is_accepted, verdict
