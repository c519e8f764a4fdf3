"""What the index's tests share: a small home's notes and an index of them in a fresh folder."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from indexed_notes import Notes

from toolnexus.index import NoteIndex
from toolnexus.testing.embedder import HashEmbedder

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def notes() -> Notes:
    return Notes()


@pytest.fixture
def embedder() -> HashEmbedder:
    return HashEmbedder()


@pytest.fixture
def index(tmp_path: Path, embedder: HashEmbedder) -> Iterator[NoteIndex]:
    with NoteIndex(tmp_path / "state", embedder, lock_timeout_seconds=0.2) as opened:
        yield opened
