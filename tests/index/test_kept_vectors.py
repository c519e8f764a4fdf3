"""The vectors that are kept beside the words answer as Chroma does, and without it."""

from __future__ import annotations

import random
import subprocess
import sys
from typing import TYPE_CHECKING

import numpy as np
import pytest

from toolnexus.index import NoteIndex, kept_vectors
from toolnexus.index.database import Database
from toolnexus.index.manifest import Manifest
from toolnexus.testing.embedder import HashEmbedder

if TYPE_CHECKING:
    from pathlib import Path

    from indexed_notes import Notes

WORDS = ("tea", "pot", "key", "mill", "door", "lantern", "garden", "stair", "blue", "green")


def grow(notes: Notes, count: int, seed: int = 7) -> None:
    """Add notes of a few words each."""
    chance = random.Random(seed)
    for number in range(count):
        said = " ".join(chance.choices(WORDS, k=5))
        notes.texts[f"memory/n{number}.md"] = f"# N{number}\n\n- {said} {number}.\n"


def nearest_of(index: NoteIndex, text: str, limit: int, ids: list[str] | None = None):
    """What the vector side says of a text."""
    _, manifest, _ = index._open()
    return index._side.query(manifest, text, limit, ids)


@pytest.mark.parametrize("limit", [1, 5, 500])
def test_they_answer_as_chroma_does(notes: Notes, tmp_path: Path, limit: int) -> None:
    """The same chunks with the same cosines, where both look at all of them."""
    grow(notes, 60)
    with NoteIndex(tmp_path, HashEmbedder()) as index:
        index.refresh(notes.files(), notes.load)
        assert index._side._vectors.is_open
        by_chroma = nearest_of(index, "the lantern by the door", limit)
    with NoteIndex(tmp_path, HashEmbedder()) as index:
        kept = nearest_of(index, "the lantern by the door", limit)
        assert not index._side._vectors.is_open
    assert [cosine for _, cosine in kept] == pytest.approx(
        [cosine for _, cosine in by_chroma], abs=1e-5
    )
    if limit == 500:
        assert {name for name, _ in kept} == {name for name, _ in by_chroma}


def test_only_the_wanted_chunks_are_compared(notes: Notes, tmp_path: Path) -> None:
    """Ids that are not there are fine; none at all give nothing."""
    grow(notes, 20)
    with NoteIndex(tmp_path, HashEmbedder()) as index:
        index.refresh(notes.files(), notes.load)
    with NoteIndex(tmp_path, HashEmbedder()) as index:
        every = [name for name, _ in nearest_of(index, "tea", 50)]
        some = [every[3], every[9], "no-such-chunk"]
        assert {name for name, _ in nearest_of(index, "tea", 50, some)} == set(every[3:10:6])
        assert nearest_of(index, "tea", 50, []) == []
        assert not index._side._vectors.is_open


def test_what_changed_and_what_is_gone_is_not_found_any_more(notes: Notes, tmp_path: Path) -> None:
    """The kept vectors are those of the chunks that there are."""
    grow(notes, 20)
    with NoteIndex(tmp_path, HashEmbedder()) as index:
        index.refresh(notes.files(), notes.load)
        del notes.texts["memory/n3.md"]
        notes.texts["memory/n4.md"] = "# N4\n\n- A kettle.\n"
        index.refresh(notes.files(), notes.load)
    with NoteIndex(tmp_path, HashEmbedder()) as index:
        _, manifest, _ = index._open()
        found = {name for name, _ in nearest_of(index, "kettle", 500)}
        assert not index._side._vectors.is_open
        assert found == manifest.chunk_ids() == manifest.embedded_ids()


def test_chroma_is_asked_where_its_files_are_not_as_they_were(notes: Notes, tmp_path: Path) -> None:
    """Damage to it is found by the next search, and mended, as without the kept vectors."""
    with NoteIndex(tmp_path, HashEmbedder()) as index:
        index.refresh(notes.files(), notes.load)
    (tmp_path / "index" / "chroma" / "chroma.sqlite3").write_bytes(b"garbage" * 1000)
    with NoteIndex(tmp_path, HashEmbedder()) as index:
        assert index.search("spare key")[0].path == "memory/house.md"
        assert any("rebuilt" in notice for notice in index.take_notices())
        assert index._side._vectors.is_open


def test_beyond_what_is_quick_chroma_is_asked(
    notes: Notes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Many chunks are not gone through one by one."""
    with NoteIndex(tmp_path, HashEmbedder()) as index:
        index.refresh(notes.files(), notes.load)
    monkeypatch.setattr(kept_vectors, "MOST", 2)
    with NoteIndex(tmp_path, HashEmbedder()) as index:
        assert index.search("spare key")[0].path == "memory/house.md"
        assert index._side._vectors.is_open


def test_a_vector_that_is_not_kept_leaves_it_to_chroma(notes: Notes, tmp_path: Path) -> None:
    """Some are never taken for all."""
    with NoteIndex(tmp_path, HashEmbedder()) as index:
        index.refresh(notes.files(), notes.load)
    database = Database(tmp_path / "index" / "lexical.sqlite")
    with database.writing() as connection:
        connection.execute("DELETE FROM kept_vector WHERE n = 1")
    manifest = Manifest(database)
    row = np.ones((1, HashEmbedder().dimensions), dtype=np.float32)
    assert manifest.kept.nearest(row, 5, None, manifest.vector_generation()) is None
    database.close()


def test_another_process_searches_without_chroma(notes: Notes, tmp_path: Path) -> None:
    """A fresh process that finds nothing changed does not import it."""
    with NoteIndex(tmp_path, HashEmbedder()) as index:
        index.refresh(notes.files(), notes.load)
    script = (
        "import sys; from pathlib import Path;"
        "from toolnexus.index import NoteIndex;"
        "from toolnexus.testing.embedder import HashEmbedder;"
        f"hits = NoteIndex(Path({str(tmp_path)!r}), HashEmbedder()).search('spare key');"
        "print(hits[0].path, hits[0].why.cosine is not None, 'chromadb' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["memory/house.md", "True", "False"]
