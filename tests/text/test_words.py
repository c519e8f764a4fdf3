"""Content words and values."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolnexus.text.lexicon import (
    LANGUAGES,
    calendar_words,
    fold_words,
    guess_language,
    light_words,
    negations,
    number_words,
)
from toolnexus.text.values import values
from toolnexus.text.words import content_words, stem


def test_light_words_and_negations_are_left_out() -> None:
    """What carries no content is not compared."""
    assert content_words("She doesn't live in the old house of Clara's") == (
        "liv",
        "old",
        "hous",
        "clar",
    )
    assert content_words("Sie wohnt nicht mehr in der Stadt") == ("wohnt", "stadt")
    assert content_words("of the") == ()


@pytest.mark.parametrize(
    "forms",
    [
        ("move", "moves", "moved", "moving"),
        ("live", "lives", "lived", "living"),
        ("city", "cities"),
        ("stop", "stopped", "stopping", "stops"),
        ("book", "books", "booked"),
        ("casada", "casado", "casadas"),
        ("wohne", "wohnen"),
    ],
)
def test_forms_of_a_word_share_a_stem(forms: tuple[str, ...]) -> None:
    """Plurals and tenses do not part two statements about one thing."""
    assert len({stem(form) for form in forms}) == 1


def test_short_words_and_numbers_are_no_stems() -> None:
    """Numbers and short words stay as they are."""
    assert [stem(word) for word in ("bus", "2026", "a320s", "glass")] == [
        "bus",
        "2026",
        "a320s",
        "glass",
    ]


def test_scripts_without_blanks_are_compared_by_pairs() -> None:
    """Chinese and Japanese text has content words too."""
    assert set(content_words("住在巴黎")) & set(content_words("她在巴黎工作"))


@pytest.mark.parametrize(
    ("text", "kind", "found"),
    [
        ("Paid 1,200 euros", "numbers", ("1200",)),
        ("Zahlt 1.234,50 Euro und sie ist da", "numbers", ("1234.5",)),
        ("pi is 3.14 and v1.2.3", "numbers", ("3.14", "v1.2.3")),
        ("three cats, the 3rd floor", "numbers", ("3",)),
        ("Sie hat drei Katzen", "numbers", ("3",)),
        ("at 8:30 on flight A320", "numbers", ("8:30", "a320")),
        ("-5 degrees", "numbers", ("-5",)),
        ("born 3 May 2026", "dates", ("2026-05-03",)),
        ("born May 3rd, 2026", "dates", ("2026-05-03",)),
        ("am 3. Mai 2026 geboren", "dates", ("2026-05-03",)),
        ("le 3 mai 2026", "dates", ("2026-05-03",)),
        ("el 3 de mayo de 2026", "dates", ("2026-05-03",)),
        ("2026-05-03 or 03.05.2026", "dates", ("2026-05-03",)),
        ("on 4 May", "dates", ("--05-04",)),
        ("in May 2026", "dates", ("2026-05",)),
        ("every Monday", "dates", ("weekday-1",)),
        ("Her friend Ines met Max's aunt", "names", ("ines", "max")),
        ("Ines left. Clara stayed", "names", ()),
        ("她住在巴黎", "names", ("她住在巴黎",)),
        ("does not, won't and cannot", "negations", ("not", "not", "not")),
        ("Sie hat keine Zeit", "negations", ("keine",)),
        ("mail a.b@c.org or https://x.org/y.", "addresses", ("a.b@c.org", "https://x.org/y")),
        ('she said “The Sea” and "red"', "quoted", ("red", "the sea")),
    ],
)
def test_values(text: str, kind: str, found: tuple[str, ...]) -> None:
    """Values are found in all five languages and written so that equal ones are equal text."""
    assert getattr(values(text), kind) == found


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Meets on 3 May", "Meets on 4 May"),
        ("Has two cats", "Has three cats"),
        ("Likes tea", "Does not like tea"),
        ("A friend of Ines", "A friend of Clara"),
        ("Costs 1.5", "Costs 15"),
    ],
)
def test_look_alikes_differ_in_a_value(one: str, other: str) -> None:
    """Claims that say different things in alike words are told apart."""
    assert values(one) != values(other)


@pytest.mark.parametrize("language", LANGUAGES)
def test_word_lists_are_clean(language: str) -> None:
    """Each list has words, all folded, and no negation or number word passes for a light word."""
    light, turning, numbers = light_words(language), negations(language), number_words(language)
    assert light
    assert numbers
    assert all(fold_words(word) == [word] for word in light | turning | set(numbers))
    assert not light & set(numbers)


def test_calendar_lists_are_complete() -> None:
    """All months and weekdays have a name."""
    assert set(calendar_words("months").values()) == set(range(1, 13))
    assert set(calendar_words("weekdays").values()) == set(range(1, 8))


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("She lives in the city", "en"),
        ("Sie wohnt in der Stadt", "de"),
        ("Elle habite dans la ville", "fr"),
        ("Ella vive en la ciudad", "es"),
        ("Ela mora na cidade com você", "pt"),
        ("Xyzzy", "en"),
    ],
)
def test_languages_are_guessed(text: str, language: str) -> None:
    """The language is that of most light words, English when there are none."""
    assert guess_language(fold_words(text)) == language


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(
    st.text(max_size=60)
    | st.lists(st.sampled_from(["3", ".", "May ", "-", "12", "/", " ", "20"])).map("".join)
)
def test_any_text_has_words_and_values(text: str) -> None:
    """Both readings take any text, and are stable under its case-folded words' order."""
    assert all(content_words(text))
    assert values(text) == values(text)
