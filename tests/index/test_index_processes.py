"""Several processes with one index: no stale vectors, no lost chunks, no half-done work."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from toolnexus.index import NoteIndex, Refreshed
from toolnexus.index.vectors import Vectors
from toolnexus.testing.embedder import HashEmbedder

if TYPE_CHECKING:
    from collections.abc import Sequence

    from indexed_notes import Notes

REFRESH = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[3])
from indexed_notes import Notes
from toolnexus.index import NoteIndex
from toolnexus.testing.embedder import HashEmbedder

state, notes = Path(sys.argv[1]), Notes(eval(sys.argv[2]))
index = NoteIndex(state, HashEmbedder(), lock_timeout_seconds=60)
index.refresh(notes.files(), notes.load)
"""


def refresh(state: Path, notes: Notes) -> subprocess.Popen[bytes]:
    here = str(Path(__file__).parent)
    call = [sys.executable, "-c", REFRESH, str(state), repr(notes.texts), here]
    return subprocess.Popen(call)


def paths(index: NoteIndex, query: str) -> Sequence[str]:
    return [hit.path for hit in index.search(query) if hit.why.vector_rank is not None]


@pytest.mark.slow
def test_a_reader_sees_what_another_process_wrote(
    index: NoteIndex, notes: Notes, tmp_path: Path
) -> None:
    """A long-lived reader's vectors are those of the last write, new and deleted ones alike."""
    index.refresh(notes.files(), notes.load)
    assert paths(index, "spare key")[0] == "memory/house.md"
    del notes.texts["memory/house.md"]
    notes.texts["memory/shed.md"] = "# Shed\n\n- The lawn mower sleeps in winter.\n"
    assert refresh(tmp_path / "state", notes).wait() == 0
    assert "memory/house.md" not in paths(index, "spare key under the blue pot")
    assert paths(index, "lawn mower")[0] == "memory/shed.md"
    assert index.refresh(notes.files(), notes.load) == Refreshed()


def test_two_indexes_in_one_process_see_each_other(notes: Notes, tmp_path: Path) -> None:
    """Closing one of two indexes of a home leaves the other working."""
    with NoteIndex(tmp_path, HashEmbedder()) as one, NoteIndex(tmp_path, HashEmbedder()) as two:
        one.refresh(notes.files(), notes.load)
        assert paths(two, "spare key")[0] == "memory/house.md"
        notes.texts["memory/shed.md"] = "# Shed\n\n- The lawn mower sleeps in winter.\n"
        two.refresh(notes.files(), notes.load)
        assert paths(one, "lawn mower")[0] == "memory/shed.md"
        two.close()
        assert paths(one, "lawn mower")[0] == "memory/shed.md"


@pytest.mark.slow
def test_refreshes_at_once_make_one_index(notes: Notes, tmp_path: Path) -> None:
    """Two processes that fill an index at the same time leave it whole."""
    running = [refresh(tmp_path, notes) for _ in range(2)]
    assert [one.wait() for one in running] == [0, 0]
    with NoteIndex(tmp_path, HashEmbedder()) as index:
        assert index.refresh(notes.files(), notes.load, verify=True) == Refreshed()
        assert index.health().vectors == 4


class Death(BaseException):
    """What the process dies of."""


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("step", ["create", "upsert", "delete"])
def test_a_death_in_the_middle_is_healed(
    notes: Notes, tmp_path: Path, step: str, when: str
) -> None:
    """A run that dies between words and vectors leaves work that the next refresh ends."""
    with NoteIndex(tmp_path, HashEmbedder()) as index:
        if step != "create":
            index.refresh(notes.files(), notes.load)
        notes.texts["memory/house.md"] = "# House\n\n- The lawn mower sleeps in winter.\n"
        real = getattr(Vectors, step)

        def dying(self: Vectors, *args: object) -> None:
            if when == "after":
                real(self, *args)
            raise Death

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Vectors, step, dying)
            with pytest.raises(Death):
                index.refresh(notes.files(), notes.load)
    with NoteIndex(tmp_path, HashEmbedder()) as index:
        assert index.search("lawn mower")[0].path == "memory/house.md"
        assert all("pot" not in hit.text for hit in index.search("spare key blue pot", k=50))
        index.refresh(notes.files(), notes.load)
        assert paths(index, "lawn mower")[0] == "memory/house.md"
        health = index.health()
        assert (health.ok, health.vectors, health.chunks) == (True, 4, 4)


@pytest.mark.slow
def test_a_kill_at_any_time_is_healed(notes: Notes, tmp_path: Path) -> None:
    """A process killed at some moment of a larger fill leaves what a refresh completes."""
    for number in range(600):
        notes.texts[f"memory/n{number}.md"] = f"# N{number}\n\n- Number w{number}.\n"
    running = refresh(tmp_path, notes)
    database = tmp_path / "index/lexical.sqlite"
    while running.poll() is None and not database.exists():
        os.sched_yield()
    running.send_signal(signal.SIGKILL)
    running.wait()
    with NoteIndex(tmp_path, HashEmbedder()) as index:
        index.refresh(notes.files(), notes.load)
        assert index.health().ok
        assert index.search("w411")[0].path == "memory/n411.md"
