from __future__ import annotations

import sqlite3

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from toolnexus.transcripts.excerpt import EXCERPT_CHARS, find_excerpts
from toolnexus.transcripts.query import parse_query

TYPED = st.text("aé\"'()*:^-+ANDORNT~{}住在\0\ud83d .,?", max_size=30) | st.text(max_size=30)


@pytest.mark.slow
@settings(max_examples=250)
@given(TYPED)
@example('"')
@example("NEAR(a b")
@example("a\0b")
@example("text: x OR")
def test_no_query_is_a_syntax_error(typed: str):
    """Whatever a person types, the engine takes all expressions of it, and finds its own words."""
    query = parse_query(typed)
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE VIRTUAL TABLE words USING fts5 (text)")
    said = " ".join(word.strip('"').replace('""', '"') for word in (*query.phrases, *query.words))
    connection.execute("INSERT INTO words VALUES (?)", (said,))
    find = "SELECT count(*) FROM words WHERE words MATCH ?"
    for match in (query.with_all(query.words), query.with_any(query.words), query.with_anything()):
        if match:
            assert connection.execute(find, (match,)).fetchone() == (1,), match
    connection.close()


@pytest.mark.parametrize(
    ("typed", "phrases", "words"),
    [
        ("Where does she live?", (), ('"live"',)),
        ("who are you", (), ('"who"', '"are"', '"you"')),
        ('the "spare key" pot', ('"spare key"',), ('"pot"',)),
        ("“spare key”", ('"spare key"',), ()),
        ('an "open quote', (), ('"open"', '"quote"')),
        ("AB-1234 don't a@b.org", (), ('"AB-1234"', '"don\'t"', '"a@b.org"')),
        ("tea Tea TEA", (), ('"tea"',)),
        ("???", (), ()),
    ],
)
def test_words_phrases_and_stop_words_are_told_apart(typed, phrases, words):
    """Quoted phrases stay whole, identifiers too; stop words go unless there is nothing else."""
    query = parse_query(typed)
    assert (query.phrases, query.words) == (phrases, words)


WORDS = st.lists(
    st.sampled_from(["Berlin", "moved", "flat", "naïve", "住在柏林", "x\x1f", "we", "\n", "and"]),
    max_size=150,
)


@settings(max_examples=60)
@given(WORDS, WORDS)
def test_an_excerpt_is_verbatim_and_its_match_is_marked(before: list[str], after: list[str]):
    """An excerpt stands in its text as it is, within bounds, and its span is the match."""
    text = " ".join([*before, "Zürich", *after])
    (excerpt,) = find_excerpts([text], '"zurich"')
    assert excerpt.text in text
    assert len(excerpt.text) <= EXCERPT_CHARS
    start = excerpt.match_start
    assert excerpt.text[start : start + excerpt.match_length] == "Zürich"


def test_an_excerpt_shows_the_densest_place():
    """Of several places the one with more of the words is shown."""
    text = "key " + "lorem ipsum " * 100 + "the spare key hangs there " + "dolor " * 100
    (excerpt,) = find_excerpts([text], '"spare" OR "key"')
    assert "spare key hangs" in excerpt.text


def test_a_phrase_across_pieces_is_found():
    """A phrase is marked wherever it stands in a long text."""
    for at in range(225, 245):
        text = "x" * at + " spare key " + "y " * 300
        (excerpt,) = find_excerpts([text], '"spare key"')
        start = excerpt.match_start
        assert excerpt.text[start : start + excerpt.match_length] == "spare key"


def test_a_text_without_the_match_shows_its_beginning():
    """Where nothing matches the excerpt is the text's start, with an empty match."""
    (excerpt,) = find_excerpts(["nothing here"], '"zebra"')
    assert (excerpt.text, excerpt.match_start, excerpt.match_length) == ("nothing here", 0, 0)
