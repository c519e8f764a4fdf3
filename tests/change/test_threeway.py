from __future__ import annotations

from collections import Counter

import pytest
from generated_texts import TEXTS
from hypothesis import given, settings

from toolnexus.change.threeway import merge_texts

BOUNDED = settings(max_examples=100, deadline=None)


def lines_of(text: str) -> Counter[str]:
    return Counter(line.rstrip("\r") for line in text.split("\n") if line.strip())


@pytest.mark.slow
@BOUNDED
@given(TEXTS, TEXTS)
def test_an_untouched_file_becomes_ours(base, ours):
    """Where nobody else wrote, a merge gives exactly our text."""
    assert merge_texts(base, ours, base).text == ours


@BOUNDED
@given(TEXTS, TEXTS)
def test_no_change_of_ours_leaves_theirs(base, theirs):
    """Where we change nothing, a merge gives their text byte for byte."""
    assert merge_texts(base, base, theirs).text == theirs


@BOUNDED
@given(TEXTS, TEXTS, TEXTS)
def test_what_a_person_added_survives(base, ours, theirs):
    """No line that the other side added is ever lost, however both sides changed."""
    added = lines_of(theirs) - lines_of(base)
    assert not added - lines_of(merge_texts(base, ours, theirs).text)


@BOUNDED
@given(TEXTS, TEXTS, TEXTS)
def test_nothing_comes_from_nowhere(base, ours, theirs):
    """A merged text holds no line that neither side has."""
    merged = lines_of(merge_texts(base, ours, theirs).text)
    assert not merged - lines_of(theirs) - lines_of(ours)


@BOUNDED
@given(TEXTS, TEXTS)
def test_the_same_change_twice_is_one(base, ours):
    """Where the other side made our very change, nothing is doubled and nothing is left."""
    merged = merge_texts(base, ours, ours)
    assert merged.text == ours


@BOUNDED
@given(TEXTS, TEXTS, TEXTS)
def test_every_hunk_is_applied_or_left(base, ours, theirs):
    """A merge accounts for every change of ours, in one of its two lists."""
    merged = merge_texts(base, ours, theirs)
    everything = merge_texts(base, ours, base).applied
    assert sorted((*merged.applied, *merged.left), key=repr) == sorted(everything, key=repr)


@pytest.mark.parametrize(
    ("base", "ours", "theirs", "merged"),
    [
        ("- a\n- b\n- c\n", "- A\n- b\n- c\n", "- a\n- b\n- c2\n", "- A\n- b\n- c2\n"),
        ("- a\n- b\n", "- A\n- B\n", "- a\n- b!\n", "- A\n- b!\n"),
        ("- a\n- b\n", "- a\n- b\n- c\n", "- a\n- b\n- d\n", "- a\n- b\n- c\n- d\n"),
        ("- a\n", "- a\n- c\n", "- a2", "- a2\n- c\n"),
        ("- a\n- b\n", "- a\n", "- a\n- b\n- c\n", "- a\n- c\n"),
        ("- a\n- b\n", "- A\n- b\n", "- a\r\n- b\r\n- c\r\n", "- A\r\n- b\r\n- c\r\n"),
        ("- a\n- b", "- a\n- b\n- c", "- a\n- b\n- z", "- a\n- b\n- c\n- z"),
        ("- a\n- b\n- c\n", "- A\n- b\n- c\n", "- b\n- c\n- a\n", "- b\n- c\n- A\n"),
        ("p1\n\np2\n\np3\n", "p1\n\np3\n", "p1\n\nP2\n\np3\n", "p1\n\nP2\n\np3\n"),
        (
            "# Ines\n- Lives in Lyon\n# Clara\n- Sings\n",
            "# Ines\n- Lives in Rome\n# Clara\n- Sings\n",
            "# Ines\n# Clara\n- Sings\n- Lives in Lyon\n",
            "# Ines\n# Clara\n- Sings\n- Lives in Lyon\n",
        ),
        ("- a\n  b\n", "- A\n  B\n", "- a\n  b2\n", "- a\n  b2\n"),
    ],
    ids=[
        "both sides",
        "neighbours are apart",
        "both append",
        "append behind an edit",
        "remove before an addition",
        "their line endings",
        "no last newline",
        "moved in its section",
        "edited paragraph keeps its blanks",
        "moved to another person",
        "a claim's lines change as one",
    ],
)
def test_merges(base, ours, theirs, merged):
    """Each small merge gives what a careful person would make of it."""
    assert merge_texts(base, ours, theirs).text == merged


def test_what_is_left_is_told_with_its_line():
    """A hunk that cannot be placed names its line and both its texts."""
    (left,) = merge_texts("# M\n- a\n- b\n", "# M\n- a\n- B\n", "# M\n- a\n- x\n").left
    assert (left.line, left.end_line, left.before, left.after) == (3, 3, "- b\n", "- B\n")


def test_a_hunk_can_be_left_on_purpose():
    """The caller's veto keeps a claim, and the others go on."""
    merged = merge_texts("- a\n- b\n", "- A\n", "- a\n- b\n", leave=lambda hunk: not hunk.after)
    assert merged.text == "- A\n- b\n"
    assert [hunk.before for hunk in merged.left] == ["- b\n"]


@pytest.mark.slow
def test_long_texts_of_equal_lines_are_merged_in_time():
    """Six thousand blank and equal lines take no quadratic time."""
    base = "- same\n\n" * 6_000
    assert merge_texts(base, base + "- new\n", "- first\n" + base).text == (
        "- first\n" + base + "- new\n"
    )
