"""memsearch on Milvus Lite, with an embedder in the same process that costs next to nothing.

Its own embedders need a network, or weights that are fetched from one; this one hashes words, so
that what is measured is memsearch itself.
"""

from __future__ import annotations

import asyncio
import hashlib
from pathlib import Path

DIMENSIONS = 256


class WordHashes:
    """An embedding provider: a vector has a mark for each word."""

    model_name = "word-hashes"
    dimension = DIMENSIONS
    batch_size = max_batch_size = 256

    async def embed(self, texts: list[str]) -> list[list[float]]:
        """Return a vector for each text."""
        return [_embed(text) for text in texts]


class Driver:
    """A vault, indexed."""

    def open(self, vault: str, state: str) -> None:
        """Open the index."""
        from memsearch import core

        core.get_provider = lambda *_args, **_options: WordHashes()
        Path(state).mkdir(parents=True, exist_ok=True)
        self.vault = Path(vault)
        self.loop = asyncio.new_event_loop()
        uri = str(Path(state) / "milvus.db")
        self.memory = core.MemSearch(paths=[vault], milvus_uri=uri)
        self.added = 0

    def index(self) -> int:
        """Index what is new or changed; return how many passages that are."""
        return int(self.loop.run_until_complete(self.memory.index()))

    refresh = index

    def search(self, query: str) -> int:
        """Search what is indexed."""
        return len(self.loop.run_until_complete(self.memory.search(query, top_k=8)))

    def find(self, query: str) -> int:
        """Look for what changed, index it, and search."""
        self.index()
        return self.search(query)

    def add(self, text: str) -> None:
        """Write a note and index it."""
        self.added += 1
        place = self.vault / "memory" / f"added-{self.added}.md"
        place.write_text(f"# Added\n\n{text}\n", "utf-8")
        self.loop.run_until_complete(self.memory.index_file(place))


def _embed(text: str) -> list[float]:
    row = [0.0] * DIMENSIONS
    for word in text.lower().split():
        row[int.from_bytes(hashlib.blake2b(word.encode(), digest_size=2).digest()) % DIMENSIONS] = 1
    length = sum(row) ** 0.5 or 1.0
    return [mark / length for mark in row]
