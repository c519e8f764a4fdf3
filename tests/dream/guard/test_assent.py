"""Assent: when a user's "yes" stands by what the persona said, and when it turns it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from test_judge import ask, turn

if TYPE_CHECKING:
    from toolnexus.dream.guard import Verdict

BERLIN = "You live in Berlin now."


def confirmed(reply: str, answer: str = BERLIN, quote: str = "") -> Verdict:
    """Ask for the move to Berlin on an answer of the persona's and the reply to it."""
    turns = [turn(1, "Where do I live?"), turn(2, answer, "assistant"), turn(3, reply)]
    return ask("Lives in Paris.", "Lives in Berlin.", turns, (2, quote or answer), (3, reply))


@pytest.mark.parametrize(
    "reply",
    [
        "Yes, in my dreams.",
        "Sure, and I am the Pope.",
        "True for my brother.",
        "Exactly the opposite.",
        "Right, Madrid.",
        "Yes, but only for the summer.",
        "Yes? Since when?",
        "Yes, maybe.",
        "Right, if you say so.",
        "Yes, that is what Tom says.",
        "Correct, until last year.",
        "Sure thing, Sherlock",
        "Yes yes, very funny.",
        "Yes, I wish.",
        "Yep, next year.",
        "Yeah right, as if.",
        "Yes, I lived there once.",
        "Yes, please book a table.",
        "Ja, schön wär's.",
        "Ja, aber nur im Sommer.",
        "Genau das Gegenteil.",
        "Stimmt für meinen Bruder.",
        "Oui, si seulement.",
        "Exactement le contraire.",
        "Oui, dans mes rêves.",
        "Sí, en mis sueños.",
        "Exacto, lo contrario.",
        "Sim, nos meus sonhos.",
        "Certo, para o meu irmão.",
    ],
)
def test_an_assent_that_says_something_else_confirms_nothing(reply: str) -> None:
    """Another value, subject, time or mood behind the word of assent makes it none."""
    assert not confirmed(reply).is_accepted


@pytest.mark.parametrize(
    "reply",
    [
        "Yes.",
        "Yes, exactly!",
        "Yes, that's right.",
        "Yes, I do.",
        "Yes, Berlin.",
        "Yes, we live in Berlin now.",
        "Correct, thank you.",
        "Yeah, you are right about that.",
        "Yes, we moved to Berlin.",
        "Yes. By the way, Tom called and asked for a ticket to Rome.",
        "Ja, genau.",
        "Ja, das stimmt.",
        "Oui, c'est ça.",
        "Sí, es correcto.",
        "Sim, isso mesmo.",
    ],
)
def test_a_plain_assent_confirms(reply: str) -> None:
    """What only repeats, thanks or agrees says nothing else; later sentences may be of anything."""
    verdict = confirmed(reply)
    assert verdict.is_accepted, verdict


@pytest.mark.parametrize(
    ("answer", "reply"),
    [
        (f"{BERLIN} Shall I set an alarm for tomorrow?", "Yes please."),
        (f"{BERLIN} Is that false?", "Yes."),
        (f"Once a princess said: {BERLIN} Shall I go on with the tale?", "Yes."),
    ],
)
def test_a_yes_to_another_question_confirms_nothing(answer: str, reply: str) -> None:
    """A yes answers the question that was asked last, and not what stands before it."""
    assert not confirmed(reply, answer, BERLIN).is_accepted


@pytest.mark.parametrize("asked", ["Is that right?", "Right?", "Did I get that right?"])
def test_a_yes_to_whether_it_is_right_confirms(asked: str) -> None:
    """Who is asked whether it is right and says yes confirms it."""
    verdict = confirmed("Yes.", f"{BERLIN} {asked}", BERLIN)
    assert verdict.is_accepted, verdict
