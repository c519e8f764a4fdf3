"""Queries as people type them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolnexus.index.query import Shape, parse_query, query_shape


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("LH-1234", "exact"),
        ("policy HV-77-20914", "exact"),
        ("2026-03-14", "exact"),
        ("7391", "exact"),
        ('"water pressure"', "exact"),
        ("[[trip-2026]]", "exact"),
        ("m.brandt@example.net", "exact"),
        ("what was wrong with PROJ-318 in the import", "mixed"),
        ("where does Ines live", "mixed"),
        ("where is the key hidden", "prose"),
        ("Where is the key hidden?", "prose"),
        ("", "exact"),
    ],
)
def test_a_querys_shape_is_what_it_is_made_of(text: str, shape: Shape) -> None:
    """Identifiers, numbers, dates and quotes make a query exact; names make it mixed."""
    assert query_shape(parse_query(text), frozenset()) == shape


def test_a_rare_word_makes_a_query_mixed() -> None:
    """A word that the home has but rarely is looked up rather than understood."""
    query = parse_query("who is girard")
    assert query_shape(query, frozenset({"girard"})) == "mixed"


def test_quotes_make_phrases() -> None:
    """Straight and curly quotes and wiki brackets all hold words together."""
    query = parse_query('"blue pot" “spare key” [[trip-notes|the trip]]')
    assert query.phrases == (("blue", "pot"), ("spare", "key"), ("trip", "notes"))
    assert "tripnotes" in query.keys


def test_shouting_is_not_an_identifier() -> None:
    """A query in capitals throughout is read as words."""
    assert query_shape(parse_query("WHERE IS THE KEY"), frozenset()) == "prose"


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=100))
def test_any_text_is_a_query(text: str) -> None:
    """There is no syntax: any text is read, and what is read of it can be encoded."""
    query = parse_query(text)
    query.text.encode()
    assert query_shape(query, frozenset()) in {"exact", "mixed", "prose"}
    assert query.blank == (not query.terms and not query.keys)
    assert len(query.terms) <= 24
