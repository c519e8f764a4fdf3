"""Facts retold: of the same one, in the user's order, with what limits them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolnexus.clock import parse_instant
from toolnexus.dream.guard.case import Case, Cited
from toolnexus.dream.guard.request import Facts, Request
from toolnexus.dream.learning.retold import is_retold
from toolnexus.dream.learning.secret import holds_secret
from toolnexus.dream.sentence import read_sentences
from toolnexus.transcripts.turn import Turn


def answer(said: str, fact: str) -> str:
    """Tell what is said to a fact that is drawn from the first sentence of a turn."""
    turn = Turn("user", said, parse_instant("2026-11-20T14:03:11Z"), conversation="m", number=1)
    case = Case(Request("add", None, fact), Facts(None, owner="Maria"), (Cited(turn, said, 0),))  # type: ignore[arg-type]
    verdict = is_retold(case, read_sentences(said)[0], said)
    return "accept" if verdict is None else verdict.answer


@pytest.mark.parametrize(
    ("said", "fact"),
    [
        ("Anna hates Tom.", "Tom hates Anna."),
        ("I work with Anna for Tom.", "Works with Tom for Anna."),
        ("I eat everything except nuts.", "Eats nuts."),
        ("I eat everything but nuts.", "Eats nuts."),
        ("I only drink tea on Sundays.", "Drinks tea."),
        ("I drink coffee without sugar.", "Drinks sugar."),
        ("Ich esse alles außer Nüssen.", "Isst Nüssen."),
        ("Je mange tout sauf les noix.", "Mange les noix."),
        ("Como de todo excepto nueces.", "Como nueces."),
        ("Eu como tudo exceto nozes.", "Come nozes."),
    ],
)
def test_what_says_something_else_is_refused(said: str, fact: str) -> None:
    """Another order of names, and a lost exception, make another fact."""
    assert answer(said, fact) == "refuse"


@pytest.mark.parametrize(
    ("said", "fact"),
    [
        ("anna hates tom.", "Tom hates anna."),
        ("Our cat is allergic to nuts.", "Allergic to nuts."),
        ("Peter is allergic to nuts.", "Allergic to nuts."),
        ("My wife's birthday is on 3 May.", "Birthday is on 3 May."),
        ("Anna hates Tom.", "Hates Tom."),
        ("Unsere Katze ist allergisch gegen Nüsse.", "Allergisch gegen Nüsse."),
        ("Notre chat est allergique aux noix.", "Allergique aux noix."),
        ("Nuestro gato es alérgico a las nueces.", "Alérgico a las nueces."),
        ("O nosso gato é alérgico a nozes.", "Alérgico a nozes."),
        ("I love Ghent, except in winter.", "Loves Ghent."),
        ("Unsere Katze mag Fisch.", "Mag Fisch."),
        ("Я не люблю орехи.", "Люблю орехи."),
        ("لا أحب المكسرات.", "أحب المكسرات."),
    ],
)
def test_what_may_say_something_else_waits(said: str, fact: str) -> None:
    """Where no list tells subject, order or negation for certain, a person decides."""
    assert answer(said, fact) == "review"


@pytest.mark.parametrize(
    ("said", "fact"),
    [
        ("I am allergic to nuts.", "Allergic to nuts."),
        ("By the way, I'm allergic to nuts, sadly.", "Allergic to nuts."),
        ("Peter is allergic to nuts.", "Peter is allergic to nuts."),
        ("Our cat is allergic to nuts.", "Cat is allergic to nuts."),
        ("My lovely old dog is blind.", "Old dog is blind."),
        ("My dog Rex is two years old.", "Rex is two years old."),
        ("My sister Clara plays the cello.", "Sister Clara plays the cello."),
        ("Finally got a dog.", "Got a dog."),
        ("My birthday is on 3 May.", "Birthday is on 3 May."),
        ("I eat everything except nuts.", "Eats everything except nuts."),
        ("I only drink tea on Sundays.", "Only drinks tea on Sundays."),
        ("Maria works at a bakery.", "Works at a bakery."),
        ("Ich arbeite seit März in einer Bäckerei.", "Arbeitet seit März in einer Bäckerei."),
        ("Ahora trabajo en Gante.", "Trabajo en Gante."),
        ("J'ai deux chats, Minou et Figaro.", "A deux chats, Minou et Figaro."),
        ("Toco violão numa banda de Lisboa.", "Toco violão numa banda de Lisboa."),
        ("Я люблю орехи.", "Я люблю орехи."),
    ],
)
def test_what_the_user_says_is_taken(said: str, fact: str) -> None:
    """The user's words in their order, of whom they say it, with all that limits it."""
    assert answer(said, fact) == "accept"


@pytest.mark.parametrize(
    "text",
    [
        "My recovery phrase: abandon ability able",
        "abandon ability able about above absent absorb abstract absurd abuse access accident",
        "1. dog 2. hen 3. oak 4. zoo 5. abuse 6. act 7. add 8. cat 9. fog 10. air 11. icy 12. arm",
    ],
)
def test_a_recovery_phrase_is_a_secret(text: str) -> None:
    """By its name, and by what it is: twelve words that say nothing together."""
    assert holds_secret(text)


@pytest.mark.parametrize(
    "text",
    [
        "We went there with our old friends from school and they have been very kind since then",
        "Keeps a phrase book from Lisbon.",
        "Likes cats, dogs, birds and fish.",
    ],
)
def test_prose_is_no_secret(text: str) -> None:
    """Twelve words of a sentence have light ones among them."""
    assert not holds_secret(text)


@given(st.text(max_size=120), st.text(max_size=60))
def test_no_text_raises(said: str, fact: str) -> None:
    """Whatever is said and added, there is an answer."""
    if read_sentences(said):
        assert answer(said, fact) in {"accept", "review", "refuse"}
