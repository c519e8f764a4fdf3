"""Quotes of what a user says and does not mean as a fact about themselves."""

from __future__ import annotations

import pytest
from test_judge import ask, turn

PARIS, BERLIN = "Lives in Paris.", "Lives in Berlin."


@pytest.mark.parametrize(
    ("said", "quote"),
    [
        ('My boss wrote: "I live in Berlin now and love it."', "I live in Berlin now"),
        ("Look what Tom posted:\n> We finally moved to Berlin!\nFunny.", "finally moved to Berlin"),
        ("Can you translate this: we moved to Berlin last week", "we moved to Berlin last week"),
        ("In my novel the hero says: I moved to Berlin.", "I moved to Berlin."),
        ("Last night I dreamt that I moved to Berlin.", "I moved to Berlin."),
        ("Everybody thinks that I moved to Berlin.", "I moved to Berlin."),
        ("It is not true that I moved to Berlin.", "I moved to Berlin."),
        ("We never moved to Berlin.", "moved to Berlin."),
        ("We didn't finally move to Berlin.", "finally move to Berlin."),
        ("I want to live in Berlin now.", "live in Berlin now."),
        ("did I say that I moved to Berlin", "I moved to Berlin"),
        ("He now lives in Berlin.", "now lives in Berlin."),
        ("They moved to Berlin last week.", "moved to Berlin last week."),
        ("The company moved to Berlin now.", "moved to Berlin now."),
        ("Someone in my yoga class moved to Berlin now.", "moved to Berlin now."),
        ("I moved to Berlin, just kidding.", "I moved to Berlin"),
        ("In 1999 we moved to Berlin, then to Paris in 2005.", "we moved to Berlin"),
        ("We moved to Berlin. No, wait, it fell through.", "We moved to Berlin."),
    ],
)
def test_what_the_user_does_not_say_of_themselves_waits(said: str, quote: str) -> None:
    """Quotations, stories, denials, plans, others' moves and jokes change nothing by themselves."""
    assert ask(PARIS, BERLIN, [turn(1, said)], (1, quote)).answer == "review"


@pytest.mark.parametrize(
    ("before", "after", "said", "quote"),
    [
        ("Wohnt in Paris.", "Wohnt in Berlin.", "Er wohnt jetzt in Berlin.", "jetzt in Berlin"),
        ("Habite à Paris.", "Habite à Berlin.", "Il habite à Berlin.", "Il habite à Berlin."),
        ("Vive en París.", "Vive en Berlín.", "Quiero vivir en Berlín.", "vivir en Berlín."),
        ("Mora em Paris.", "Mora em Berlim.", "Ela mora agora em Berlim.", "mora agora em Berlim"),
    ],
)
def test_so_it_is_in_other_languages(before: str, after: str, said: str, quote: str) -> None:
    """Somebody else's home and a wish wait in German, French, Spanish and Portuguese, too."""
    assert ask(before, after, [turn(1, said)], (1, quote)).answer == "review"


def test_a_next_turn_that_takes_it_back_makes_it_wait() -> None:
    """Who corrects themselves in the turn behind has not said it for good."""
    turns = [turn(1, "I moved to Berlin."), turn(2, "Sorry, I meant my brother did.")]
    assert ask(PARIS, BERLIN, turns, (1, "I moved to Berlin.")).answer == "review"


@pytest.mark.parametrize(
    "said",
    [
        "My wife and I moved to Berlin now.",
        'I told my boss: "I moved to Berlin, get over it."',
        "It was never in doubt: we moved to Berlin.",
        "No, I do not want to stay there, so we moved to Berlin.",
        "Moved to Berlin, finally!",
        "The flat is great since we moved to Berlin.",
    ],
)
def test_what_the_user_says_of_themselves_is_accepted(said: str) -> None:
    """A plain statement gets through, with negations, others and plans beside it."""
    quote = said[said.casefold().index("moved") :].removesuffix('"')
    assert ask(PARIS, BERLIN, [turn(1, said)], (1, quote)).is_accepted


def test_units_that_measure_are_never_one_another() -> None:
    """Ten miles daily are not ten kilometres daily, though the word behind both is one."""
    said = turn(1, "I now run 10 miles daily.")
    assert not ask("Runs 5 km daily.", "Runs 10 km daily.", [said], (1, said.text)).is_accepted
    said = turn(1, "I now run 10 km daily.")
    assert ask("Runs 5 km daily.", "Runs 10 km daily.", [said], (1, said.text)).is_accepted


def test_a_kept_name_is_not_another_one() -> None:
    """What is said of sister Eva says nothing of sister Anna."""
    before, after = "Sister Anna is 30 years old.", "Sister Anna is 31 years old."
    said = turn(1, "My sister Eva is now 31 years old.")
    assert ask(before, after, [said], (1, said.text)).answer == "review"
    said = turn(1, "My sister Anna is now 31 years old.")
    assert ask(before, after, [said], (1, said.text)).is_accepted


def test_a_negation_behind_a_contrast_denies_nothing_before_it() -> None:
    """Who eats fish but no meat does not eat no fish."""
    said = turn(1, "I eat fish but no meat.")
    assert ask("Eats fish.", "Eats no fish.", [said], (1, said.text)).answer == "review"
    assert ask("Eats meat.", "Eats no meat.", [said], (1, said.text)).is_accepted


@pytest.mark.parametrize(
    ("claim", "said"),
    [
        (
            "Likes green tea in the morning.",
            "I no longer like black coffee, but green tea in the morning is great.",
        ),
        (
            "Takes 20 mg of Ritalin daily.",
            "I stopped the vitamin pills, the 20 mg of Ritalin daily go on.",
        ),
    ],
)
def test_the_end_of_something_else_drops_nothing(claim: str, said: str) -> None:
    """A claim is not dropped because the same sentence says that another thing is over."""
    assert not ask(claim, "", [turn(1, said)], (1, said)).is_accepted


@pytest.mark.parametrize(
    "said",
    ["I no longer like green tea in the morning.", "Green tea in the morning, I quit that."],
)
def test_its_own_end_drops_a_claim(said: str) -> None:
    """What is said to be over goes, also where the word for it stands behind a comma."""
    claim = "Likes green tea in the morning."
    assert ask(claim, "", [turn(1, said)], (1, said)).is_accepted


def test_a_word_is_not_left_out_unspoken() -> None:
    """In a language without a list, too, a text does not lose the word that denies it."""
    said = turn(1, "De hond eet vlees.")
    assert ask("Eet geen vlees.", "Eet vlees.", [said], (1, said.text)).answer == "review"
    said = turn(1, "The cat eats meat.")
    assert ask("Does not eat meat.", "Eats meat.", [said], (1, said.text)).answer == "review"
    said = turn(1, "I eat meat again.")
    assert ask("Does not eat meat.", "Eats meat.", [said], (1, said.text)).is_accepted


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        (PARIS, BERLIN, "We don't live in Paris any more but in Berlin."),
        (
            "Wohnt in Paris.",
            "Wohnt in Berlin.",
            "Ich wohne nicht mehr in Paris, sondern in Berlin.",
        ),
        ("Vive en París.", "Vive en Berlín.", "Ahora vivo en Berlín."),
        ("Mora em Paris.", "Mora em Berlim.", "Agora moro em Berlim."),
    ],
)
def test_what_is_left_behind_and_words_of_change_are_no_rivals(
    before: str, after: str, said: str
) -> None:
    """Who names the old home as left, or opens with "now", is believed at once."""
    assert ask(before, after, [turn(1, said)], (1, said)).is_accepted
