"""Keeps Chroma and the manifest in step: catches up, notices staleness and damage, repairs."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from toolnexus.index.manifest import CHROMA_FILES
from toolnexus.index.vectors import Reach, Vectors, VectorsDamagedError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from toolnexus.index.embedder import Embedder, Matrix
    from toolnexus.index.manifest import Manifest

EMBED_BATCH = 2_000


class VectorSide:
    """The vectors of a home's chunks, as the manifest has them.

    What is written here is written under the index's lock, which the caller holds.

    Args:
        folder: Where the embedded Chroma lives.
        embedder: What makes the vectors.
        server: The URL of a Chroma server, if there is one.
    """

    def __init__(self, folder: Path, embedder: Embedder, server: str | None) -> None:
        self._vectors = Vectors(folder, server)
        self._embedder = embedder
        self._generation = -1
        self._checked = False
        self.key = f"{embedder.name}:{embedder.digest}"

    def needs_work(self, manifest: Manifest) -> bool:
        """Tell cheaply, without chromadb, whether `catch_up` has something to do."""
        if not manifest.count_chunks():
            return manifest.has_work()
        return (
            manifest.has_work()
            or manifest.get("embedder") != self.key
            or not self._vectors.exists()
        )

    def catch_up(self, manifest: Manifest, notices: list[str], *, verify: bool = False) -> int:
        """Bring Chroma up to the manifest; under the lock.

        Args:
            manifest: What Chroma should hold.
            notices: Where a repair is told.
            verify: Also look for damage that Chroma itself keeps quiet about.

        Returns:
            How many chunks were embedded.

        Raises:
            VectorsDamagedError: when Chroma cannot be used even anew.
            VectorsUnreachableError: when the server does not answer.
            ToolnexusError: whatever the embedder raises.
        """
        try:
            self._open_for_writing(manifest, notices, verify=verify)
            return self._embed_missing(manifest)
        except VectorsDamagedError as error:
            notices.append(f"the search vectors were rebuilt: {error.message}")
            self._start_anew(manifest)
            return self._embed_missing(manifest)

    def rebuild(self, manifest: Manifest) -> int:
        """Make all vectors anew; under the lock. Returns how many chunks were embedded."""
        self._start_anew(manifest)
        return self._embed_missing(manifest)

    def query(
        self, manifest: Manifest, text: str, limit: int, ids: Sequence[str] | None
    ) -> list[tuple[str, float]]:
        """Return the nearest chunks as pairs of id and cosine; never stale ones.

        Raises:
            VectorsDamagedError: when Chroma is not as the manifest says; `catch_up` repairs it.
            VectorsUnreachableError: when the server does not answer.
            ToolnexusError: whatever the embedder raises.
        """
        if manifest.get("embedder") != self.key:
            raise VectorsDamagedError("they were made with another embedder")
        row = self._embedder.embed([text])
        if not row.any():
            return []
        if not self._vectors.is_open and self._is_as_written(manifest):
            found = manifest.kept.nearest(row, limit, ids, manifest.vector_generation())
            if found is not None:
                return found
        self._open_for_reading(manifest, row)
        return self._vectors.query(row, limit, ids)

    def rows(self, manifest: Manifest, ids: Sequence[str]) -> tuple[list[str], Matrix]:
        """Return the vectors that chunks have already, with their ids in the same order.

        Raises:
            VectorsDamagedError: when Chroma is not as the manifest says.
            VectorsUnreachableError: when the server does not answer.
        """
        if manifest.get("embedder") != self.key:
            raise VectorsDamagedError("they were made with another embedder")
        self._open(manifest)
        return self._vectors.rows(ids)

    def reach(self, manifest: Manifest) -> Reach:
        """Measure how much of Chroma a query reaches."""
        self._open(manifest)
        return self._vectors.reach(self._probe())

    def exists(self) -> bool:
        """Tell cheaply whether there may be vectors."""
        return self._vectors.exists()

    def close(self) -> None:
        """Let go of Chroma."""
        self._vectors.close()
        self._generation = -1

    def _open(self, manifest: Manifest) -> None:
        """Open Chroma, or open it afresh when another process wrote."""
        generation = manifest.vector_generation()
        if self._vectors.is_open and self._generation == generation and self._vectors.exists():
            return
        self._checked = False
        self._vectors.open(manifest.get("token"))
        self._generation = generation

    def _is_as_written(self, manifest: Manifest) -> bool:
        """Whether Chroma's files are as the last write left them, as far as a glance can tell."""
        files = self._vectors.files()
        return bool(files) and files == manifest.get(CHROMA_FILES)

    def _open_for_reading(self, manifest: Manifest, row: Matrix) -> None:
        self._open(manifest)
        if self._checked:
            return
        expected = len(manifest.embedded_ids())
        reach = self._vectors.reach(row)
        if not reach.ok or reach.count < expected:
            raise VectorsDamagedError(f"a query reaches {reach.reached} of {expected}")
        self._checked = True

    def _open_for_writing(self, manifest: Manifest, notices: list[str], *, verify: bool) -> None:
        if manifest.get("embedder") != self.key:
            self._start_anew(manifest, notices)
            return
        self._open(manifest)
        if not self._checked or verify:
            self._settle_differences(manifest, notices, verify=verify)
            reach = self._vectors.reach(self._probe())
            if not reach.ok:
                raise VectorsDamagedError(f"a query reached {reach.reached} of {reach.probed}")
            self._checked = True

    def _settle_differences(self, manifest: Manifest, notices: list[str], *, verify: bool) -> None:
        """Note what Chroma lacks and has too many, if its count says so or it is to be verified."""
        expected, stale = manifest.embedded_ids(), set(manifest.stale_ids())
        fits = len(expected) <= self._vectors.count() <= len(expected) + len(stale)
        if fits and not verify:
            return
        present = self._vectors.ids()
        if missing := expected - present:
            notices.append(f"the search index lacked {len(missing)} vectors; they were made again")
            manifest.mark_missing(missing)
        if extra := present - manifest.chunk_ids() - stale:
            manifest.mark_stale(extra)
        self._generation = manifest.vector_generation()

    def _start_anew(self, manifest: Manifest, notices: list[str] | None = None) -> None:
        before = manifest.get("embedder")
        if notices is not None and before:
            notices.append(
                f"the search index was rebuilt for the embedding '{self._embedder.name}'"
            )
        elif notices is not None and self._vectors.embedded and self._vectors.exists():
            notices.append("the search index had lost a part and was rebuilt")
        token = secrets.token_hex(16)
        self._vectors.create(token)
        self._checked = True
        manifest.start_collection(token, self.key)
        self._generation = manifest.vector_generation()

    def _embed_missing(self, manifest: Manifest) -> int:
        """Add what Chroma lacks, then drop what it has too many."""
        done = 0
        while chunks := manifest.behind(EMBED_BATCH):
            rows = self._embedder.embed([chunk.embedding_text() for chunk in chunks])
            ids = [chunk.id for chunk in chunks]
            self._vectors.upsert(ids, rows)
            manifest.mark_embedded(ids, rows, self._vectors.files())
            done += len(chunks)
        if stale := manifest.stale_ids():
            self._vectors.delete(stale)
            manifest.mark_dropped(stale, self._vectors.files())
        self._generation = manifest.vector_generation()
        return done

    def _probe(self) -> Matrix:
        return self._embedder.embed(["what is known here"])
