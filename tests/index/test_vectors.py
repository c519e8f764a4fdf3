"""The Chroma collection itself, embedded and on a server."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.request import urlopen

import numpy as np
import pytest

from toolnexus.errors import ConfigError
from toolnexus.index import NoteIndex
from toolnexus.index.vectors import Vectors, VectorsDamagedError, VectorsUnreachableError
from toolnexus.testing.embedder import HashEmbedder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from indexed_notes import Notes

ROWS = np.eye(4, dtype=np.float32)


@pytest.fixture
def vectors(tmp_path: Path) -> Iterator[Vectors]:
    opened = Vectors(tmp_path / "chroma")
    opened.create("token")
    yield opened
    opened.close()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def answers(port: int) -> bool:
    try:
        with urlopen(f"http://127.0.0.1:{port}/api/v2/heartbeat", timeout=5):
            return True
    except OSError:
        return False


def test_the_nearest_come_first(vectors: Vectors) -> None:
    """A query gives ids with their cosines, the best first, among the allowed ones."""
    vectors.upsert(["a", "b", "c"], np.array([[1, 0], [0.6, 0.8], [0, 1]], dtype=np.float32))
    found = vectors.query(np.array([[1, 0]], dtype=np.float32), 2)
    assert [name for name, _ in found] == ["a", "b"]
    assert [round(cosine, 3) for _, cosine in found] == [1.0, 0.6]
    only = vectors.query(np.array([[1, 0]], dtype=np.float32), 2, ids=["c"])
    assert [name for name, _ in only] == ["c"]
    assert vectors.query(ROWS[:1, :2], 2, ids=[]) == []


def test_an_upsert_replaces(vectors: Vectors) -> None:
    """The same id again has its new vector, once."""
    vectors.upsert(["a", "b"], ROWS[:2])
    vectors.upsert(["a"], ROWS[2:3])
    assert vectors.count() == 2
    assert vectors.query(ROWS[2:3], 1)[0][0] == "a"


def test_a_delete_of_what_is_not_there_is_fine(vectors: Vectors) -> None:
    """Deleting is safe to repeat."""
    vectors.upsert(["a"], ROWS[:1])
    vectors.delete(["a", "never"])
    vectors.delete(["a"])
    assert vectors.ids() == set()


def test_a_collection_of_another_index_is_refused(vectors: Vectors, tmp_path: Path) -> None:
    """Only the token that a collection was created with opens it."""
    other = Vectors(tmp_path / "chroma")
    with pytest.raises(VectorsDamagedError, match="another index"):
        other.open("other")
    other.open("token")
    assert other.count() == 0
    other.close()


def test_a_missing_collection_is_refused_and_not_made(tmp_path: Path) -> None:
    """Opening for reading leaves no folder behind."""
    with pytest.raises(VectorsDamagedError, match="missing"):
        Vectors(tmp_path / "chroma").open("token")
    assert list(tmp_path.iterdir()) == []


def test_telemetry_is_off(vectors: Vectors) -> None:
    """Before Chroma and its runtime are imported, their telemetry is switched off."""
    assert os.environ["ORT_DISABLE_TELEMETRY"] == "1"
    assert os.environ["ANONYMIZED_TELEMETRY"] == "False"


@pytest.mark.parametrize("server", ["ftp://x", "http://", "http://x:port"])
def test_a_server_that_is_no_url_is_a_setting_that_is_wrong(tmp_path: Path, server: str) -> None:
    """A server's address is checked when the index is made."""
    with pytest.raises(ConfigError, match=r"index\.server"):
        Vectors(tmp_path, server)


def test_a_server_out_of_reach_is_no_damage(tmp_path: Path) -> None:
    """When nobody listens, the hint says what to do."""
    with pytest.raises(VectorsUnreachableError) as caught:
        Vectors(tmp_path, f"http://127.0.0.1:{free_port()}").open("token")
    assert "index.server" in caught.value.hint


@pytest.mark.soak
def test_a_server_serves_homes_apart(notes: Notes, tmp_path: Path) -> None:
    """Two homes on one server do not mix, and each sees its own writes at once."""
    port = free_port()
    call = [
        Path(sys.executable).with_name("chroma"),
        "run",
        "--path",
        tmp_path,
        "--port",
        str(port),
    ]
    with subprocess.Popen(call, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:
        try:
            while server.poll() is None and not answers(port):
                os.sched_yield()
            url = f"http://127.0.0.1:{port}"
            with (
                NoteIndex(tmp_path / "one", HashEmbedder(), url) as one,
                NoteIndex(tmp_path / "one", HashEmbedder(), url) as again,
                NoteIndex(tmp_path / "two", HashEmbedder(), url) as two,
            ):
                one.refresh(notes.files(), notes.load)
                two.refresh({"MEMORY.md": "1"}, notes.load)
                assert again.search("spare key")[0].why.vector_rank == 1
                assert {hit.path for hit in two.search("spare key tea travels")} == {"MEMORY.md"}
                assert one.health().vectors == 4
        finally:
            server.kill()
