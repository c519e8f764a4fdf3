"""Near notes: which notes are near to each other, by the vectors that the index has already."""

from __future__ import annotations

import itertools
import shutil
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from indexed_notes import Notes

from toolnexus.index.nearness import BLOCK, near_pairs, note_rows

if TYPE_CHECKING:
    from pathlib import Path

    from toolnexus.index import NoteIndex
    from toolnexus.testing.embedder import HashEmbedder

TEXTS = {
    "memory/a.md": "# Tea\n\n- Ines drinks green tea in the morning.\n",
    "memory/b.md": "# Tea\n\n- In the morning Ines drinks green tea.\n",
    "memory/c.md": "# Car\n\n- The winter tyres are in the cellar.\n",
    "memory/d.md": "# Tea\n\n- Ines drinks green tea in the morning, too.\n",
}


def pairs(index: NoteIndex, *groups: list[str], least: float = 0.6) -> list[tuple[str, str]]:
    """Return which of some notes are near."""
    return [(near.one[7], near.other[7]) for near in index.near(groups, least)]


@pytest.fixture
def full(index: NoteIndex) -> NoteIndex:
    notes = Notes(TEXTS)
    index.refresh(notes.files(), notes.load)
    return index


def test_notes_that_say_alike_are_near_and_others_are_not(full: NoteIndex) -> None:
    """Each near pair comes once, in the order of the paths."""
    assert pairs(full, sorted(TEXTS)) == [("a", "b"), ("a", "d"), ("b", "d")]


def test_notes_of_two_groups_are_never_near(full: NoteIndex) -> None:
    """Only what stands in one group is held against each other; a group of one has no pairs."""
    groups = (["memory/a.md", "memory/c.md"], ["memory/b.md", "memory/d.md"], ["memory/gone.md"])
    assert pairs(full, *groups) == [("b", "d")]


def test_nothing_is_embedded_for_it(full: NoteIndex, embedder: HashEmbedder) -> None:
    """The vectors are those that the index has: the embedder is not asked."""
    asked = len(embedder.texts)
    assert full.near([sorted(TEXTS)], 0.6)
    assert len(embedder.texts) == asked


def test_lost_vectors_are_a_notice_and_nothing_is_near(full: NoteIndex, tmp_path: Path) -> None:
    """Where Chroma's files are gone, there are no pairs, and a line says why."""
    full.close()
    shutil.rmtree(tmp_path / "state" / "index" / "chroma")
    assert full.near([sorted(TEXTS)], 0.6) == []
    assert "no near notes could be found" in full.take_notices()[0]


@pytest.mark.slow
@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32 - 1), st.sampled_from([3, BLOCK - 1, BLOCK + 3]))
def test_blocks_change_nothing(seed: int, count: int) -> None:
    """The pairs of a group are those that comparing all of it with all of it gives."""
    chance = np.random.default_rng(seed)
    names = [f"{number:04}" for number in range(count)]
    rows = chance.normal(size=(count, 3)).astype(np.float32)
    named, unit = note_rows(names, rows)
    found = {(near.one, near.other) for near in near_pairs(unit, named, 0.99, most=count)}
    whole = unit @ unit.T
    if abs(whole - 0.99).min() > 1e-5:  # on the very edge, blocks may round otherwise
        wanted = {(a, b) for a, b in itertools.combinations(range(count), 2) if whole[a, b] >= 0.99}
        assert found == {(names[a], names[b]) for a, b in wanted}


def test_only_the_nearest_neighbours_are_looked_at() -> None:
    """Where all are alike, each note brings in no more pairs than it may."""
    rows = np.ones((200, 4), np.float32) / 2
    assert len(list(near_pairs(rows, [f"{n:03}" for n in range(200)], 0.9, most=3))) <= 600


def test_a_note_of_several_passages_has_one_vector() -> None:
    """Its passages are summed up, and what says nothing at all is left out."""
    rows = np.array([[1, 0], [0, 1], [0, 0]], np.float32)
    named, unit = note_rows(["a", "a", "b"], rows)
    assert named == ["a"]
    assert np.allclose(unit, [[0.70710678, 0.70710678]])
