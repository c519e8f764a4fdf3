"""The index of notes, from files to hits, on a real Chroma."""

from __future__ import annotations

import subprocess
import sys
import threading
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from toolnexus.errors import Unreachable, UsageError
from toolnexus.files import hold_lock
from toolnexus.index import IndexedFile, NoteIndex, Refreshed

if TYPE_CHECKING:
    from pathlib import Path

    from indexed_notes import Notes

    from toolnexus.testing.embedder import HashEmbedder


def tree(folder: Path) -> dict[str, tuple[int, int]]:
    return {
        str(file): (file.stat().st_mtime_ns, file.stat().st_size)
        for file in folder.rglob("*")
        if file.is_file() and not file.name.endswith("-shm")
    }


def test_a_claim_is_found_with_its_file_and_line(index: NoteIndex, notes: Notes) -> None:
    """A question finds the claim that answers it, at the line where it stands."""
    index.refresh(notes.files(), notes.load)
    hit = index.search("where is the key hidden")[0]
    assert (hit.path, hit.line, hit.title) == ("memory/house.md", 3, "House")
    assert "under the blue pot" in hit.text
    assert 0 < hit.score <= 1


def test_the_first_refresh_adds_everything(index: NoteIndex, notes: Notes) -> None:
    """A cold refresh counts what it added and embedded, and says nothing more."""
    assert index.refresh(notes.files(), notes.load) == Refreshed(added=3, chunks_embedded=4)


def test_no_change_reads_and_writes_nothing(
    index: NoteIndex, notes: Notes, embedder: HashEmbedder, tmp_path: Path
) -> None:
    """A refresh of unchanged files loads none, embeds none and touches no file."""
    index.refresh(notes.files(), notes.load)
    notes.loaded.clear()
    embedder.texts.clear()
    index.close()
    with NoteIndex(tmp_path / "state", embedder) as again:
        again.refresh(notes.files(), notes.load)  # opening makes SQLite's own files
        before = tree(tmp_path)
        assert again.refresh(notes.files(), notes.load) == Refreshed()
        assert tree(tmp_path) == before
    assert notes.loaded == []
    assert embedder.texts == []


def test_no_change_needs_no_chroma(index: NoteIndex, notes: Notes, tmp_path: Path) -> None:
    """A process that refreshes an unchanged home imports neither chromadb nor numpy."""
    index.refresh(notes.files(), notes.load)
    script = (
        "import sys; from pathlib import Path\n"
        "from toolnexus.index import NoteIndex\n"
        "from toolnexus.testing.embedder import HashEmbedder\n"
        "done = NoteIndex(Path(sys.argv[1]), HashEmbedder()).refresh(eval(sys.argv[2]), None)\n"
        "assert done.added == 0, done\n"
        "assert not {'chromadb', 'numpy', 'tokenizers'} & set(sys.modules)\n"
    )
    call = [sys.executable, "-c", script, str(tmp_path / "state"), repr(notes.files())]
    assert subprocess.run(call, check=False).returncode == 0


def test_one_changed_file_embeds_its_changed_chunk_only(
    index: NoteIndex, notes: Notes, embedder: HashEmbedder
) -> None:
    """A change under one heading leaves the vectors of the file's other chunks alone."""
    index.refresh(notes.files(), notes.load)
    notes.loaded.clear()
    embedder.texts.clear()
    notes.texts["memory/trip.md"] = notes.texts["memory/trip.md"].replace("412", "7")
    done = index.refresh(notes.files(), notes.load)
    assert (done.changed, done.chunks_embedded) == (1, 1)
    assert notes.loaded == ["memory/trip.md"]
    assert embedder.texts == ["Trip > Hotel\nRoom 7."]
    assert index.search("room 7")[0].text == "Room 7."
    assert all("412" not in hit.text for hit in index.search("room 412"))


def test_a_moved_claim_has_its_new_line(index: NoteIndex, notes: Notes) -> None:
    """Lines shift without a new embedding, and hits show the new ones."""
    index.refresh(notes.files(), notes.load)
    notes.texts["memory/house.md"] = "\n\n\n" + notes.texts["memory/house.md"]
    assert index.refresh(notes.files(), notes.load) == Refreshed(changed=1)
    assert index.search("spare key")[0].line == 6


def test_a_removed_file_is_gone(index: NoteIndex, notes: Notes) -> None:
    """What a removed file said is found no more, by words or by vectors."""
    index.refresh(notes.files(), notes.load)
    del notes.texts["memory/house.md"]
    assert index.refresh(notes.files(), notes.load).removed == 1
    assert all(hit.path != "memory/house.md" for hit in index.search("spare key blue pot", k=50))
    assert index.health().vectors == 3


def test_the_last_file_can_go(index: NoteIndex, notes: Notes) -> None:
    """An emptied home has an empty index, and a search of it finds nothing."""
    index.refresh(notes.files(), notes.load)
    assert index.refresh({}, notes.load).removed == 3
    assert index.search("key") == []
    assert index.health().vectors in {0, None}


def test_tags_and_paths_narrow_a_search(index: NoteIndex, notes: Notes) -> None:
    """Only files with the tag, or one nested in it, and under the path, are searched."""
    notes.tags = {"memory/trip.md": ("Travel/Portugal",), "MEMORY.md": ("travel",)}
    index.refresh(notes.files(), notes.load)
    query = "travels flies key room tea"
    assert {hit.path for hit in index.search(query, tags=["#travel"])} == {
        "memory/trip.md",
        "MEMORY.md",
    }
    assert {hit.path for hit in index.search(query, tags=["travel/portugal"])} == {"memory/trip.md"}
    assert index.search(query, tags=["trav"]) == []
    assert {hit.path for hit in index.search(query, paths=["memory/"])} == {
        "memory/trip.md",
        "memory/house.md",
    }
    assert index.search(query, paths=[]) == []
    assert index.search(query, paths=["mem"]) == []


def test_hits_are_sorted_bounded_and_above_the_score(index: NoteIndex, notes: Notes) -> None:
    """`k` and `min_score` hold, and scores fall."""
    index.refresh(notes.files(), notes.load)
    hits = index.search("tea key room flies", k=2)
    assert len(hits) == 2
    scores = [hit.score for hit in index.search("tea key room flies", k=50)]
    assert scores == sorted(scores, reverse=True)
    assert all(hit.score >= 0.3 for hit in index.search("tea key room flies", min_score=0.3))
    assert index.search("tea", min_score=1.0) == []


@pytest.mark.parametrize(("k", "min_score"), [(0, 0.0), (-1, 0.0), (1, -0.1), (1, 1.1)])
def test_a_senseless_call_is_refused(index: NoteIndex, k: int, min_score: float) -> None:
    """Numbers that make no sense are the caller's mistake."""
    with pytest.raises(UsageError):
        index.search("key", k=k, min_score=min_score)


def test_a_search_before_any_refresh_finds_nothing(index: NoteIndex) -> None:
    """An index that was never filled answers with nothing."""
    assert index.search("key") == []
    assert index.health().ok


def test_the_tree_digest_is_a_short_cut(index: NoteIndex, notes: Notes) -> None:
    """A tree that was refreshed is current until it is refreshed as another."""
    assert not index.is_current("one")
    index.refresh(notes.files(), notes.load, tree_digest="one")
    assert index.is_current("one")
    assert not index.is_current("two")
    assert not index.is_current("")
    index.refresh(notes.files(), notes.load, tree_digest="two")
    assert index.is_current("two")


def test_an_unreadable_file_waits_for_the_next_time(index: NoteIndex, notes: Notes) -> None:
    """A file that cannot be read is told and tried again; one left out is not."""

    def load(path: str) -> IndexedFile | None:
        if path == "memory/house.md":
            raise PermissionError(path)
        return None if path == "MEMORY.md" else notes.load(path)

    done = index.refresh(notes.files(), load, tree_digest="one")
    assert done.notices == ("1 files could not be read and were left as they were",)
    assert not index.is_current("one")
    assert {hit.path for hit in index.search("tea key flies room")} == {"memory/trip.md"}
    notes.loaded.clear()
    index.refresh(notes.files(), notes.load)
    assert notes.loaded == ["memory/house.md"]


def test_a_refresh_elsewhere_never_stops_a_search(
    index: NoteIndex, notes: Notes, tmp_path: Path
) -> None:
    """While another holds the lock, a refresh says so and a search gives what there is."""
    index.refresh(notes.files(), notes.load)
    notes.texts["memory/new.md"] = "# New\n\n- Brand new.\n"
    with hold_lock(tmp_path / "state/locks/index.lock", timeout_seconds=0, what="a test"):
        done = index.refresh(notes.files(), notes.load)
        assert "another process" in done.notices[0]
        assert index.search("spare key")[0].path == "memory/house.md"
    assert index.refresh(notes.files(), notes.load).added == 1


def test_a_model_out_of_reach_leaves_the_words(index: NoteIndex, notes: Notes) -> None:
    """When a hosted embedder fails, words alone answer, and a later refresh catches up."""
    index.refresh(notes.files(), notes.load)
    notes.texts["memory/new.md"] = "# New\n\n- A marmalade recipe.\n"
    real, index._embedder.embed = index._embedder.embed, _unreachable
    done = index.refresh(notes.files(), notes.load)
    assert "words alone" in done.notices[0]
    hit = index.search("marmalade")[0]
    assert hit.path == "memory/new.md"
    assert hit.why.cosine is None
    assert index.take_notices()
    index._embedder.embed = real
    assert index.refresh(notes.files(), notes.load) == Refreshed(chunks_embedded=1)
    assert index.search("marmalade")[0].why.cosine is not None


def _unreachable(texts: list[str]) -> None:
    raise Unreachable("no answer")


def test_a_rebuild_starts_from_nothing(
    index: NoteIndex, notes: Notes, embedder: HashEmbedder, tmp_path: Path
) -> None:
    """A rebuild embeds everything again and leaves no trace of deleted text on the disk."""
    notes.texts["memory/secret.md"] = "# Secret\n\n- The word is xylophonist.\n"
    index.refresh(notes.files(), notes.load)
    del notes.texts["memory/secret.md"]
    assert index.rebuild(notes.files(), notes.load) == Refreshed(added=3, chunks_embedded=4)
    index.close()
    for file in (tmp_path / "state").rglob("*"):
        assert not file.is_file() or b"xylophonist" not in file.read_bytes()


def test_an_index_may_be_used_from_many_threads(index: NoteIndex, notes: Notes) -> None:
    """Threads that search and refresh at once get right answers."""
    index.refresh(notes.files(), notes.load)
    found: list[bool] = []

    def work() -> None:
        for _ in range(5):
            index.refresh(notes.files(), notes.load)
            found.append(index.search("spare key")[0].path == "memory/house.md")

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [True] * 20


def test_health_counts_and_changes_nothing(index: NoteIndex, notes: Notes, tmp_path: Path) -> None:
    """Health is measured on what is there, down to what a query reaches."""
    index.refresh(notes.files(), notes.load)
    before = tree(tmp_path)
    health = index.health()
    assert replace(health, size_bytes=0).problems == ()
    assert (health.ok, health.files, health.chunks, health.vectors, health.reachable) == (
        True,
        3,
        4,
        4,
        4,
    )
    assert health.embedder == "hash:1"
    assert health.size_bytes > 0
    assert tree(tmp_path) == before


def test_importing_the_package_is_light() -> None:
    """Importing the index imports no heavy vendor."""
    script = (
        "import sys, toolnexus.index\n"
        "heavy = {'chromadb', 'numpy', 'onnxruntime', 'tokenizers', 'safetensors', 'rapidfuzz'}\n"
        "assert not heavy & set(sys.modules), heavy & set(sys.modules)\n"
    )
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0
