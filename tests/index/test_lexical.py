"""The words' side, on a real SQLite file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from toolnexus.index.chunk import Chunk
from toolnexus.index.database import Database
from toolnexus.index.lexical import Lexical
from toolnexus.index.manifest import FileChunks, Manifest
from toolnexus.index.query import parse_query
from toolnexus.index.words import keys

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

TEXTS = (
    "The spare key is under the blue pot.",
    "Flies on LH-1234 in March.",
    "Runs v2.3.1 of the router's firmware.",
    "Writes C++ and mails ana@example.org.",
    "Stays at the Café Zürich in Genève.",
    "The accommodation has a passport photo booth.",
)


def fill(path: Path, texts: tuple[str, ...]) -> Manifest:
    manifest = Manifest(Database(path))
    manifest.replace(
        FileChunks(
            f"n{number}.md",
            "1",
            chunks=(
                Chunk(
                    f"c{number}", f"n{number}.md", 1, 1, f"N{number}", "", text, (1,), keys(text)
                ),
            ),
        )
        for number, text in enumerate(texts)
    )
    return manifest


@pytest.fixture
def find(tmp_path: Path) -> Callable[[str], list[int]]:
    manifest = fill(tmp_path / "x.sqlite", TEXTS)
    lexical = Lexical(manifest._database)

    def search(text: str) -> list[int]:
        query = parse_query(text)
        frequencies = lexical.frequencies(query, manifest.generation())
        return [number - 1 for number in lexical.search(query, frequencies, 5)]

    return search


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("keys under pots", 0),
        ("LH-1234", 1),
        ("lh1234", 1),
        ("v2.3.1", 2),
        ("c++", 3),
        ("ANA@EXAMPLE.ORG", 3),
        ("cafe zurich", 4),
        ('"blue pot"', 0),
    ],
)
def test_words_and_identifiers_are_found(
    find: Callable[[str], list[int]], query: str, expected: int
) -> None:
    """Word forms, accents and the spellings of an identifier do not matter."""
    assert find(query)[0] == expected


def test_a_phrase_must_stand_in_a_row(find: Callable[[str], list[int]]) -> None:
    """A passage with the phrase comes before one with its words apart."""
    assert find('"the router\'s firmware"')[0] == 2


@pytest.mark.parametrize(
    ("word", "right"), [("passprot", "passport"), ("acommodation", "accommod"), ("furnace", None)]
)
def test_a_misspelt_word_is_read_as_the_nearest(
    tmp_path: Path, word: str, right: str | None
) -> None:
    """A slip of a letter or two leads to a known word; more does not."""
    manifest = fill(tmp_path / "x.sqlite", TEXTS)
    assert Lexical(manifest._database).nearest_word(word) == right


def test_common_words_are_met_together(tmp_path: Path) -> None:
    """Where every word is common, passages that have all of them still come first."""
    texts = tuple(f"alpha {'beta' if number % 3 else 'gamma'}" for number in range(2_400))
    manifest = fill(tmp_path / "x.sqlite", (*texts, "alpha beta gamma"))
    lexical = Lexical(manifest._database)
    query = parse_query("alpha beta gamma")
    frequencies = lexical.frequencies(query, manifest.generation())
    assert lexical.search(query, frequencies, 5)[0] == 2_401


@settings(
    max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(text=st.text(max_size=60) | st.text(alphabet='"*()^:{}+-ANDORNEAR x', max_size=60))
def test_no_query_is_a_syntax_error(find: Callable[[str], list[int]], text: str) -> None:
    """Whatever a person types, FTS5's own syntax included, is searched for as words."""
    assert all(0 <= number < len(TEXTS) for number in find(text))
