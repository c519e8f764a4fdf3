"""Folding claims for comparison."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolnexus.text.fold import _fold_once, _fold_simple, fold_claim, fold_target, strip_emphasis

MARKED = st.lists(
    st.sampled_from(
        [
            *(
                "a",
                "B",
                "snake_case",
                "*",
                "**",
                "_",
                "~~",
                "==",
                "`",
                "[[",
                "]]",
                "|",
                "#",
                "(",
                ")",
            ),
            *(
                "[",
                "](b.md)",
                ".",
                " ",
                "- ",
                "ﬁ",
                "＊",
                "é",
                "İ",
                "\u00a0",
                "!",
                "<!--",
                "-->",
                "\\",
                "5",
            ),
        ]
    ),
    max_size=14,
).map("".join)


@pytest.mark.parametrize(
    "same",
    [
        (
            "Lives in Paris",
            "lives in paris.",
            "- Lives  in\nParis.",
            "**Lives** in _Paris_",
            "* LIVES in Paris",
        ),
        ("See [[Trip Notes]]", "see [[trip_notes|there]].", "See [here](trip_notes.md)"),
        ("a ~~b~~ ==c==", "a b c"),
        ("ﬁne ①", "fine 1"),
        ("Café", "Cafe\u0301"),
        ("***x*** **y *z***", "x y z"),
        ("**[[a]]** b", "[[a]] b"),
    ],
)
def test_what_folds_alike(same: tuple[str, ...]) -> None:
    """Case, form, emphasis, bullets, labels, blanks and the final point do not count."""
    assert len({fold_claim(text) for text in same}) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Lives in Paris", "Does not live in Paris"),
        ("Paid 5", "Paid 50"),
        ("3. May", "4. May"),
        ("2 * 3 * 4", "2 3 4"),
        ("snake_case_name", "snakecasename"),
        ("Use `*a*`", "Use `a`"),
        ("See [[a]]", "See [[b]]"),
        ("See [[a#x]]", "See [[a#y]]"),
        ("Costs -5", "Costs 5"),
        ("Sure?", "Sure"),
        ("[x] done", "[ ] done"),
        ("café", "cafe"),
    ],
)
def test_what_does_not(one: str, other: str) -> None:
    """Numbers, negations, names, code, targets and marks inside words count."""
    assert fold_claim(one) != fold_claim(other)


def test_a_resolver_names_targets() -> None:
    """Two spellings of one note are one target after resolution."""
    names = {"t": "travel", "Travel": "travel", "memory/travel.md": "travel"}
    texts = ("see [[t]]", "See [[Travel|x]].", "see [y](memory/travel.md)")
    assert {fold_claim(text, names.__getitem__) for text in texts} == {"see [[travel]]"}


def test_targets_fold_as_names() -> None:
    """A target's ending and case do not count."""
    assert fold_target("My Trips.md") == fold_target("my_trips") == "my-trips"


@settings(max_examples=150, deadline=None)
@given(MARKED | st.text(max_size=30))
def test_folding_twice_is_folding_once(text: str) -> None:
    """A folded text folds to itself, whatever it is."""
    assert fold_claim(fold_claim(text)) == fold_claim(text)


@settings(max_examples=150, deadline=None)
@given(
    st.lists(
        st.sampled_from(["A", " b", ".", " - ", "[[", "]]", "|", "#", "[", " ", "!", ":"])
    ).map("".join)
)
def test_the_short_way_folds_as_the_long_way(text: str) -> None:
    """ASCII words with nothing but wikilinks fold alike on both ways."""
    if "![" not in text:
        assert _fold_simple(text, fold_target) == _fold_once(text, fold_target)


@settings(max_examples=150, deadline=None)
@given(MARKED)
def test_stripping_emphasis_drops_marks_alone(text: str) -> None:
    """All that is no mark is there afterwards, in order."""
    kept = [char for char in strip_emphasis(text) if char not in "*_~="]
    assert kept == [char for char in text if char not in "*_~="]
