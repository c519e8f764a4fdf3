"""Words, stems and keys."""

from __future__ import annotations

import re
from unittest import mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolnexus.index import words as words_module
from toolnexus.index.words import (
    WordForms,
    content_words,
    fold,
    identifiers,
    keys,
    squash,
    stem,
    stems,
    words,
)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("LH-1234", "lh1234"),
        ("v2.3.1", "V2.3.1"),
        ("TN-2420", "TN2420"),
        ("ana@example.org", "Ana@Example.org"),
        ("parse_invoice_lines", "parse_invoice_lines()"),
        ("C++", "c++"),
        ("on 2026-03-14", "14 March 2026"),
        ("14.3.2026", "March 14th, 2026"),
        ("in March 2026", "2026-03-31"),
        ("3 June", "june 3rd"),
        ("1,240 euros", "1'240"),
        ("青い鉢", "鍵は青い鉢の下"),
    ],
)
def test_spellings_of_one_thing_share_a_key(one: str, other: str) -> None:
    """An identifier, number or date leaves a key that its other spellings leave as well."""
    assert set(keys(one)) & set(keys(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [("LH-1234", "LH-1235"), ("v2.3.1", "v2.3.10"), ("C++", "C#"), ("2026-03-14", "2027-04-14")],
)
def test_different_things_share_no_key(one: str, other: str) -> None:
    """What differs in a digit or a sign leaves different keys."""
    assert not set(keys(one)) & set(keys(other))


def test_prose_leaves_no_keys() -> None:
    """Ordinary words, capitals at the start and full stops included, are no identifiers."""
    assert keys("The spare key is under the blue pot. Ask Ines: she knows - or e.g. not!") in {
        (),
        ("eg",),
    }


@pytest.mark.parametrize("text", ["2026-13-40", "99.99.2026", "45 March 2026"])
def test_impossible_dates_leave_no_date(text: str) -> None:
    """A date that no calendar has is not read as one."""
    assert not [key for key in keys(text) if key.startswith(("date2026", "date45"))]


@pytest.mark.parametrize(
    ("form", "other"),
    [
        ("prefers", "preferred"),
        ("flights", "flight"),
        ("cities", "city"),
        ("running", "runs"),
        ("walked", "walking"),
    ],
)
def test_forms_of_a_word_share_a_stem(form: str, other: str) -> None:
    """Common English forms of a word meet at one stem."""
    assert stem(form) == stem(other)


def test_stop_words_go_unless_nothing_else_is_left() -> None:
    """A query of stop words alone still asks for something."""
    assert content_words("where is the key") == ["key"]
    assert content_words("to be or not to be") == ["to", "be", "or", "not"]


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=200))
def test_any_text_can_be_read(text: str) -> None:
    """No text is too odd; words and keys are folded, and reading twice gives the same."""
    assert all(fold(word) == word for word in words(text) if word.isascii())
    assert all(1 < len(key) <= 64 for key in keys(text))
    assert keys(text) == keys(text)
    assert all(squash(one) == squash(squash(one)) or "+" in one for one in identifiers(text))


PIECES = st.sampled_from(
    ["prefer", "preferred", "preferences", "pre", "banana", "ana", "Zürich", "lh", "1234", "住在",
     "bees", "bee", "_", "-", " ", "\n", "ß", "é", "İ"]
)  # fmt: skip


@given(word=st.text(max_size=6) | PIECES, text=st.lists(PIECES | st.text(max_size=3)).map("".join))
def test_a_form_stands_in_a_text_when_one_of_its_words_has_the_stem(word, text):
    """Looking for one word's forms says what stemming every word of the text would say."""
    for one in words(word):
        assert WordForms(one).stand_in(fold(text)) == (stem(one) in stems(text))


@given(start=st.sampled_from(["ana", "pre", "b", "12"]), text=st.lists(PIECES).map("".join))
def test_a_start_is_that_of_a_word(start, text):
    """What a misspelt word was read as counts where a word begins with it."""
    begins = any(word.startswith(start) for word in words(text))
    assert WordForms("zzzz", start).stand_in(fold(text)) == begins


_MARKS = tuple("aZK9.>-&,'’_@#+:/\\ \néÄ")
_PARTS = ("12", "345", "青い", "mar", "March", "sept", "ſep", "of ", "th")
_KEYED_TEXTS = st.lists(st.sampled_from(_MARKS + _PARTS), max_size=24).map("".join)


@settings(max_examples=300)
@given(_KEYED_TEXTS)
def test_quick_looks_before_the_slow_forms_lose_no_key(text: str) -> None:
    """A text leaves the same keys when all that spares the slow forms their work is left out."""
    plain = re.compile(r"[\d@_/\\:+#]|[a-z][A-Z]|[A-Z][A-Z&.-]|\w[.>]\w")
    with mock.patch.multiple(
        words_module, _UNUSUAL=plain, _GROUPED=re.compile(""), _has_month_word=bool
    ):
        expected = keys(text)
    assert keys(text) == expected
