"""The index: how its cap is counted and how a text is cut to it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolnexus.home.memory_index import cut_to_cap, index_size, over_cap
from toolnexus.home.snapshot import IndexCap, Snapshot


@pytest.mark.parametrize(
    ("text", "size"),
    [("", (0, 0)), ("a", (1, 1)), ("a\n", (1, 2)), ("a\n\n", (2, 3)), ("é\r\nb", (2, 5))],
)
def test_lines_and_bytes_are_counted(text, size):
    """A last line without newline counts, and bytes are those on disk."""
    assert index_size(text) == size


@pytest.mark.parametrize(
    ("text", "is_over"),
    [
        ("- a\n" * 200, False),
        ("- a\n" * 201, True),
        ("x" * 25_600, False),
        ("x" * 25_601, True),
        ("é" * 12_801, True),
    ],
)
def test_the_default_cap_is_200_lines_or_25600_bytes(text, is_over):
    """Whichever comes first: one line or one byte more is over."""
    home = Snapshot(name="ava").with_texts({"MEMORY.md": text})
    assert (over_cap(home) is not None) == is_over


def test_a_home_without_index_is_within_its_cap():
    """No MEMORY.md is no overrun."""
    assert over_cap(Snapshot(name="ava")) is None


def test_an_overrun_says_by_how_much():
    """Only the measure that is passed is named."""
    home = Snapshot(name="ava", cap=IndexCap(lines=1)).with_texts({"MEMORY.md": "- a\n- b\n"})
    assert str(over_cap(home)) == "2 of 1 lines"


def test_one_line_over_the_cap_is_cut_between_characters():
    """Of a single line that is too long its start is kept, never half a character."""
    assert cut_to_cap("aé" * 10, IndexCap(bytes=5)) == "aéa"


@pytest.mark.slow
@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.sampled_from(["- a", "é", "", "\n", "\r\n", "🙂", "\u2028"]), max_size=30),
    st.integers(1, 6),
    st.integers(0, 40),
)
def test_what_is_kept_is_the_longest_start_that_fits(pieces, lines, size):
    """The cut text is a start of the text within the cap, and the next line would not fit."""
    text, cap = "".join(pieces), IndexCap(lines=lines, bytes=size)
    kept = cut_to_cap(text, cap)
    assert text.startswith(kept)
    assert index_size(kept).lines <= lines
    assert index_size(kept).bytes <= size
    if kept != text and (not kept or kept.endswith("\n")):
        rest = text[len(kept) :]
        more = index_size(kept + rest[: rest.find("\n") + 1 or len(rest)])
        assert more.lines > lines or more.bytes > size
