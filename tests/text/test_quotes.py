"""Finding quotes."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolnexus.text.quotes import closest_passage, find_quote, normalise_quote

SPEECH = st.text(
    alphabet=st.sampled_from("ab é“”'’–- \u00a0\n\t½ﬁｶﾞ각\u1100\u1161e\u0301\u200b😀が"), max_size=30
)


@pytest.mark.parametrize(
    ("quote", "text", "found"),
    [
        ("moved to Berlin", "We moved to Berlin.", "moved to Berlin"),
        ("moved  to\nBerlin", "We moved to Berlin.", "moved to Berlin"),
        ("moved to Berlin", "We moved\r\n  to\u00a0Berlin.", "moved\r\n  to\u00a0Berlin"),
        ('it\'s "here"', "So it’s “here”, yes", "it’s “here”"),
        ("caf\u00e9 au", "the cafe\u0301 au lait", "cafe\u0301 au"),
        ("fine 1/2", "a ﬁne ½ mile".replace("½", "1/2"), "ﬁne 1/2"),
        ("1999-2001", "from 1999–2001 on", "1999–2001"),
        ("😀 ok", "well 😀 ok then", "😀 ok"),
        ("soft", "so\u00adft", "so\u00adft"),
    ],
)
def test_quotes_are_found_where_they_stand(quote: str, text: str, found: str) -> None:
    """The span is that of the original text, in code points."""
    start, length = find_quote(quote, text) or (0, 0)
    assert text[start : start + length] == found


@pytest.mark.parametrize(
    ("quote", "text"),
    [("moved to Bern", "moved to Berlin"), ("", "x"), (" \n", "x"), ("x", ""), ("Tea", "tea")],
)
def test_what_does_not_stand_there_is_not_found(quote: str, text: str) -> None:
    """A near miss, another case and an empty quote are no quotes."""
    assert find_quote(quote, text) is None


@settings(max_examples=150, deadline=None)
@given(SPEECH, SPEECH, SPEECH)
def test_a_piece_of_a_text_is_found_in_it(before: str, quote: str, after: str) -> None:
    """Whatever is cut out of a text at blanks is found in it, and what is found reads the same."""
    text = f"{before} {quote} {after}"
    if normalise_quote(quote):
        start, length = find_quote(quote, text) or (0, 0)
        assert normalise_quote(text[start : start + length]) == normalise_quote(quote)


@settings(max_examples=150, deadline=None)
@given(SPEECH | st.text(max_size=30))
def test_normalising_twice_is_normalising_once(text: str) -> None:
    """The compared form is stable, and NFKC forms of one text compare equal."""
    normal = normalise_quote(text)
    assert normalise_quote(normal) == normal
    assert normalise_quote(unicodedata.normalize("NFC", text)) == normal


def test_the_closest_passage_is_shown_in_whole_words() -> None:
    """A misquote is answered by what really stands there."""
    text = "Hello.\nLast week we finally\n moved to Berlin, all of us. It rained."
    assert closest_passage("we moved finally to Berlin", text).startswith(
        "we finally moved to Berlin,"
    )
    assert closest_passage("x", "") == closest_passage("", "x") == ""


@settings(max_examples=150, deadline=None)
@given(SPEECH, SPEECH)
def test_any_passage_is_words_of_the_text(quote: str, text: str) -> None:
    """A passage is never made up: its words stand in the text in this order."""
    passage = closest_passage(quote, text)
    assert passage in " ".join(text.split())
