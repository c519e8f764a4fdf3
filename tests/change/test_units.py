from __future__ import annotations

import itertools

import pytest
from generated_texts import TEXTS
from hypothesis import given, settings

from toolnexus.change.units import match_units, split_units

BOUNDED = settings(max_examples=100, deadline=None)


@BOUNDED
@given(TEXTS)
def test_units_join_to_the_text(text):
    """Cutting a text into units loses nothing."""
    assert "".join(unit.text for unit in split_units(text)) == text


@BOUNDED
@given(TEXTS, TEXTS)
def test_matched_units_are_equal_and_in_order(old, new):
    """Paired units say the same, and their order is the same on both sides."""
    olds, news = split_units(old), split_units(new)
    pairs = sorted(match_units(olds, news).items())
    assert all(olds[a].key == news[b].key for a, b in pairs)
    assert all(left[1] < right[1] for left, right in itertools.pairwise(pairs))


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("---\ntitle: x\ntags: [a]\n---\nWords\nmore\n", [1, 1, 1, 1, 2]),
        ("- a\n  b\n  - c\n- d\n", [2, 1, 1]),
        ("> a\n> - b\nc\n", [3]),
        ("```\n- a\n  b\n```\nc\n", [1, 1, 1, 1, 1]),
        ("| a |\n| - |\n", [1, 1]),
        ("Title\n=====\n\n# x\ny\n", [2, 1, 1, 1]),
        ("1. a\n2) b\n12345678901. c\n", [1, 2]),
    ],
    ids=["front matter", "items", "quote", "code", "table", "headings", "numbers"],
)
def test_units_are_what_changes_as_one(text, keys):
    """Each kind of Markdown is cut where one claim ends and the next begins."""
    assert [unit.end_line - unit.line + 1 for unit in split_units(text)] == keys


def test_units_know_what_they_stand_under():
    """A unit's context holds its headings and parent items and nothing of its neighbours."""
    units = split_units("# A\n- x\n  - y\n## B\n- z\n# C\n- w\n")
    assert [unit.context for unit in units] == [
        (),
        ("# A",),
        ("# A", "- x"),
        ("# A",),
        ("# A", "## B"),
        (),
        ("# C",),
    ]
