"""Whatever happens to the index's files, it heals by itself and says so in a line."""

from __future__ import annotations

import shutil
import sqlite3
from typing import TYPE_CHECKING

import pytest

from toolnexus.errors import SearchIndexError
from toolnexus.files import hold_lock
from toolnexus.index import NoteIndex, Refreshed
from toolnexus.testing.embedder import HashEmbedder

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from indexed_notes import Notes

pytestmark = pytest.mark.slow


def many(notes: Notes, count: int) -> None:
    """Add notes: Chroma keeps the first thousand vectors in its log and only then makes files."""
    for number in range(count):
        path = f"memory/n{number}.md"
        notes.texts[path] = f"# N{number}\n\n- Number w{number} is x{number * 7}.\n"


def remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink()


def garble(path: Path) -> None:
    path.write_bytes(b"garbage" * 1000)


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 3])


def empty(path: Path) -> None:
    path.write_bytes(b"")


def segment(folder: Path) -> Path:
    return next(path for path in (folder / "chroma").iterdir() if path.is_dir())


@pytest.mark.parametrize("harm", [remove, garble, cut, empty])
@pytest.mark.parametrize("name", ["lexical.sqlite", "chroma/chroma.sqlite3"])
def test_a_damaged_database_is_made_anew(
    notes: Notes, tmp_path: Path, name: str, harm: Callable[[Path], None]
) -> None:
    """After a refresh with a notice, both sides search as before."""
    with NoteIndex(tmp_path, HashEmbedder()) as index:
        index.refresh(notes.files(), notes.load)
    harm(tmp_path / "index" / name)
    with NoteIndex(tmp_path, HashEmbedder()) as index:
        done = index.refresh(notes.files(), notes.load, verify=True)
        assert any("rebuilt" in notice for notice in done.notices)
        hit = index.search("spare key")[0]
        assert (hit.path, hit.why.cosine is not None) == ("memory/house.md", True)
        assert index.health().ok
        assert index.take_notices() == ()
        assert index.refresh(notes.files(), notes.load, verify=True) == Refreshed()


@pytest.mark.parametrize("harm", [remove, garble, cut, empty])
def test_damaged_vectors_are_made_anew_by_a_search(
    notes: Notes, tmp_path: Path, harm: Callable[[Path], None]
) -> None:
    """A search finds the damage itself: it needs no files to repair the vectors."""
    with NoteIndex(tmp_path, HashEmbedder()) as index:
        index.refresh(notes.files(), notes.load)
    harm(tmp_path / "index/chroma/chroma.sqlite3")
    with NoteIndex(tmp_path, HashEmbedder()) as index:
        hit = index.search("spare key")[0]
        assert (hit.path, hit.why.cosine is not None) == ("memory/house.md", True)
        assert "rebuilt" in " ".join(index.take_notices())


def test_a_short_reach_is_noticed(notes: Notes, tmp_path: Path) -> None:
    """A lost segment folder, of which Chroma says nothing, is noticed and healed by a search."""
    many(notes, 1_200)
    with NoteIndex(tmp_path, HashEmbedder()) as index:
        index.refresh(notes.files(), notes.load)
    shutil.rmtree(segment(tmp_path / "index"))
    with NoteIndex(tmp_path, HashEmbedder()) as index:
        health = index.health()
        assert not health.ok
        assert "reaches" in health.problems[0]
        assert index.search("w17")[0].path == "memory/n17.md"
        assert any("rebuilt" in notice for notice in index.take_notices())
        assert index.health().ok


def test_lost_vectors_are_made_again_alone(notes: Notes, tmp_path: Path) -> None:
    """When Chroma lacks some vectors, only those are embedded again; strays are dropped."""
    embedder = HashEmbedder()
    with NoteIndex(tmp_path, embedder) as index:
        index.refresh(notes.files(), notes.load)
        vectors = index._side._vectors
        lost = min(vectors.ids())
        vectors.delete([lost])
        vectors.upsert(["stray-1", "stray-2"], embedder.embed(["stray", "dog"]))
        vectors.delete(["stray-2"])
        embedder.texts.clear()
        done = index.refresh(notes.files(), notes.load, verify=True)
        assert done.chunks_embedded <= 1
        vectors.delete([lost])
        done = index.refresh(notes.files(), notes.load, verify=True)
        assert done.chunks_embedded == 1
        assert "made again" in done.notices[0]
        assert index.health().vectors == 4


@pytest.mark.parametrize("name", ["lexical.sqlite", "chroma", ""])
def test_files_taken_away_under_a_living_index_are_noticed(
    notes: Notes, tmp_path: Path, name: str
) -> None:
    """An index that is open does not go on with files that are no longer there."""
    with NoteIndex(tmp_path, HashEmbedder()) as index:
        index.refresh(notes.files(), notes.load)
        index.search("key")
        remove(tmp_path / "index" / name)
        index.refresh(notes.files(), notes.load)
        assert index.search("spare key")[0].why.cosine is not None
        assert index.health().ok


def test_damage_in_the_words_heals_during_a_search(notes: Notes, tmp_path: Path) -> None:
    """A search that meets a broken page makes the index anew from the last refresh's files."""
    many(notes, 200)
    with NoteIndex(tmp_path, HashEmbedder()) as index:
        index.refresh(notes.files(), notes.load)
        _break_words(tmp_path / "index/lexical.sqlite")
        assert index.search("spare key")[0].path == "memory/house.md"
        assert any("rebuilt" in notice for notice in index.take_notices())


def test_damage_without_files_at_hand_is_told(notes: Notes, tmp_path: Path) -> None:
    """A search alone cannot make the words anew: it says what to run, and the next run works."""
    many(notes, 200)
    with NoteIndex(tmp_path, HashEmbedder()) as index:
        index.refresh(notes.files(), notes.load)
    _break_words(tmp_path / "index/lexical.sqlite")
    with NoteIndex(tmp_path, HashEmbedder()) as index:
        with pytest.raises(SearchIndexError) as caught:
            index.search("spare key")
        assert "toolnexus index" in caught.value.hint
        index.refresh(notes.files(), notes.load)
        assert index.search("spare key")[0].path == "memory/house.md"


def _break_words(path: Path) -> None:
    """Overwrite the blocks of the full-text index, which opening the file does not read."""
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.execute("UPDATE words_data SET block = zeroblob(length(block)) WHERE id > 10")
    connection.commit()
    connection.close()


def test_damage_under_anothers_lock_stops_nobody(notes: Notes, tmp_path: Path) -> None:
    """While another process holds the lock, damage is left to it: the search finds nothing."""
    with NoteIndex(tmp_path, HashEmbedder()) as index:
        index.refresh(notes.files(), notes.load)
    garble(tmp_path / "index/lexical.sqlite")
    with (
        NoteIndex(tmp_path, HashEmbedder(), lock_timeout_seconds=0) as index,
        hold_lock(tmp_path / "locks/index.lock", timeout_seconds=0, what="a test"),
    ):
        assert "may be behind" in index.refresh(notes.files(), notes.load).notices[0]
        assert not index.is_current("one")
        assert index.search("spare key") == []
        assert index.take_notices()


def test_another_embedder_makes_the_vectors_anew(notes: Notes, tmp_path: Path) -> None:
    """A change of embedder rebuilds with a notice, from the stored passages alone."""
    with NoteIndex(tmp_path, HashEmbedder()) as index:
        index.refresh(notes.files(), notes.load)
    notes.loaded.clear()
    with NoteIndex(tmp_path, HashEmbedder(dimensions=32, digest="2")) as index:
        done = index.refresh(notes.files(), notes.load)
        assert done.chunks_embedded == 4
        assert done.notices == ("the search index was rebuilt for the embedding 'hash'",)
        assert index.search("spare key")[0].why.cosine is not None
    assert notes.loaded == []


def test_another_version_is_made_anew(notes: Notes, tmp_path: Path) -> None:
    """An index of another version of the program is replaced, not read."""
    with NoteIndex(tmp_path, HashEmbedder()) as index:
        index.refresh(notes.files(), notes.load)
    connection = sqlite3.connect(tmp_path / "index/lexical.sqlite")
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    with NoteIndex(tmp_path, HashEmbedder()) as index:
        done = index.refresh(notes.files(), notes.load)
        assert done.added == 3
        assert "another version" in done.notices[0]


def test_a_home_without_room_for_chroma_searches_words(notes: Notes, tmp_path: Path) -> None:
    """Where Chroma cannot be made at all, words alone answer, with a notice."""
    (tmp_path / "index").mkdir()
    with NoteIndex(tmp_path, HashEmbedder()) as index:
        index._side._vectors._folder = tmp_path / "index" / "lexical.sqlite" / "chroma"
        done = index.refresh(notes.files(), notes.load)
        assert "words alone" in done.notices[-1]
        assert index.search("spare key")[0].path == "memory/house.md"
