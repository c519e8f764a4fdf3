"""The vector side: a Chroma collection, embedded or on a server. Only here chromadb is imported.

What Chroma does that this module is shaped by (measured with 1.5): a reader's `query` misses what
another process wrote until the client is opened afresh; `add` ignores an id that exists; a lost
segment folder gives no error but a fraction of the hits; clients of one folder share one system for
as long as any of them is open.
"""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import shutil
import threading
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit

from toolnexus.errors import ConfigError, SearchIndexError
from toolnexus.index.vendor import quiet_vendors

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from toolnexus.index.embedder import Matrix

BATCH = 5_000
PROBE = 2_000
REACH_SHARE = 0.95
_LABEL = "token"
_T = TypeVar("_T")


class VectorsDamagedError(SearchIndexError):
    """The collection cannot be used as it is, or is not ours: it must be made anew."""


class VectorsUnreachableError(SearchIndexError):
    """The Chroma server does not answer."""


@dataclass(frozen=True, slots=True)
class Reach:
    """How much of a collection a query reaches.

    Attributes:
        count: How many vectors the collection says it has.
        probed: How many nearest ones a query asked for; `reached` how many it got.
    """

    count: int
    probed: int
    reached: int

    @property
    def ok(self) -> bool:
        """Whether the query got them all, but for the few per cent that HNSW may miss."""
        return self.reached >= self.probed * REACH_SHARE


class Vectors:
    """A Chroma collection of a home's chunks.

    Args:
        folder: Where the embedded Chroma lives; also names the collection on a server.
        server: The URL of a Chroma server; None for the embedded one.

    Raises:
        ConfigError: when the URL is none.
    """

    def __init__(self, folder: Path, server: str | None = None) -> None:
        self._folder = folder
        self._server = _parse_server(server) if server else None
        self._name = "toolnexus-" + hashlib.sha256(str(folder.resolve()).encode()).hexdigest()[:32]
        self._client: Any = None
        self._collection: Any = None
        self._spelling = ""

    @property
    def embedded(self) -> bool:
        """Whether it lives in the folder rather than on a server."""
        return self._server is None

    @property
    def is_open(self) -> bool:
        """Whether it can be asked without being opened first."""
        return self._collection is not None

    def exists(self) -> bool:
        """Tell cheaply, without chromadb, whether there may be a collection."""
        return not self.embedded or (self._folder / "chroma.sqlite3").is_file()

    def files(self) -> str:
        """Tell the embedded Chroma's files by name and size: what is lost or cut short shows.

        Empty for a server, and where a file vanishes in that very moment.
        """
        if not self.embedded:
            return ""
        with contextlib.suppress(OSError):
            found = [each for each in sorted(self._folder.rglob("*")) if each.is_file()]
            return "\n".join(f"{each.name} {each.stat().st_size}" for each in found)
        return ""

    def open(self, token: str) -> None:
        """Open the collection that was created with this token.

        Raises:
            VectorsDamagedError: when there is none, or another.
            VectorsUnreachableError: when the server does not answer.
        """
        self.close()
        if not self.exists():
            raise VectorsDamagedError("the vectors are missing")
        self._client = self._call(self._connect)
        collection = self._call(
            lambda: self._client.get_collection(self._name, embedding_function=None)
        )
        if (collection.metadata or {}).get(_LABEL) != token:
            self.close()
            raise VectorsDamagedError("the vectors belong to another index")
        self._collection = collection

    def create(self, token: str) -> None:
        """Drop whatever there is and open an empty collection.

        Raises:
            VectorsDamagedError: when it cannot be made.
            VectorsUnreachableError: when the server does not answer.
        """
        self.close()
        if self.embedded and self._folder.exists():
            shutil.rmtree(self._folder, ignore_errors=True)
        self._client = self._call(self._connect)
        names = [one.name for one in self._call(self._client.list_collections)]
        if self._name in names:
            self._call(lambda: self._client.delete_collection(self._name))
        self._collection = self._call(
            lambda: self._client.create_collection(
                self._name,
                metadata={_LABEL: token},
                embedding_function=None,
                configuration={"hnsw": {"space": "cosine"}},
            )
        )

    def close(self) -> None:
        """Let go of the client; the next `open` sees what other processes wrote."""
        client, self._client, self._collection = self._client, None, None
        if client is not None:
            with contextlib.suppress(Exception):  # a broken client has nothing left to close
                client.close()
                _SPELLINGS.release(self._spelling)
        # The spelling of a client that could not be opened or closed is never used again: Chroma
        # may have kept its broken system.
        self._spelling = ""

    def count(self) -> int:
        """Return how many vectors there are."""
        return int(self._call(self._collection.count))

    def ids(self) -> set[str]:
        """Return the ids of all vectors."""
        return set(self._call(lambda: self._collection.get(include=[]))["ids"])

    def upsert(self, ids: Sequence[str], rows: Matrix) -> None:
        """Put vectors in, in the place of those with the same ids."""
        for start in range(0, len(ids), BATCH):
            batch = slice(start, start + BATCH)
            upsert = partial(self._collection.upsert, list(ids[batch]), embeddings=rows[batch])
            self._call(upsert)

    def delete(self, ids: Sequence[str]) -> None:
        """Take vectors out; ids that are not there are fine."""
        for start in range(0, len(ids), BATCH):
            self._call(partial(self._collection.delete, list(ids[start : start + BATCH])))

    def query(
        self, row: Matrix, limit: int, ids: Sequence[str] | None = None
    ) -> list[tuple[str, float]]:
        """Return the nearest vectors as pairs of id and cosine, the best first.

        Args:
            row: The query's vector, as a matrix of one row.
            limit: At most this many.
            ids: Only among these; all when it is None.
        """
        if limit < 1 or (ids is not None and not ids):
            return []
        found = self._call(
            lambda: self._collection.query(
                query_embeddings=row,
                n_results=limit,
                include=["distances"],
                ids=None if ids is None else list(ids),
            )
        )
        distances = found["distances"][0]
        return [
            (name, 1.0 - float(distance))
            for name, distance in zip(found["ids"][0], distances, strict=True)
        ]

    def rows(self, ids: Sequence[str]) -> tuple[list[str], Matrix]:
        """Return the vectors of these ids as rows of a matrix, with their ids in the same order."""
        import numpy as np

        found: list[str] = []
        parts = [np.zeros((0, 0), np.float32)]
        for start in range(0, len(ids), BATCH):
            batch = list(ids[start : start + BATCH])
            got = self._call(partial(self._collection.get, ids=batch, include=["embeddings"]))
            found += got["ids"]
            parts.append(np.asarray(got["embeddings"], dtype=np.float32))
        filled = [part for part in parts if len(part)]
        return found, np.concatenate(filled) if filled else parts[0]

    def reach(self, row: Matrix) -> Reach:
        """Measure how much of the collection a query reaches."""
        count = self.count()
        probed = min(count, PROBE)
        return Reach(count, probed, len(self.query(row, probed)))

    def _connect(self) -> Any:
        quiet_vendors()
        import chromadb
        from chromadb.config import Settings

        settings = Settings(anonymized_telemetry=False)
        if self._server is not None:
            host, port, ssl = self._server
            return chromadb.HttpClient(host=host, port=port, ssl=ssl, settings=settings)
        self._folder.mkdir(parents=True, exist_ok=True)
        self._spelling = _SPELLINGS.take(str(self._folder))
        return chromadb.PersistentClient(self._spelling, settings=settings)

    def _call(self, call: Callable[[], _T]) -> _T:
        """Map whatever Chroma raises: it has no error tree to rely on, and Rust may panic."""
        try:
            return call()
        except (KeyboardInterrupt, SystemExit, GeneratorExit):
            raise
        except BaseException as error:
            self.close()
            if self.embedded:
                raise VectorsDamagedError(f"Chroma failed: {error}") from error
            if _is_not_found(error):
                raise VectorsDamagedError("the server has no vectors of this home") from error
            raise VectorsUnreachableError(
                f"the Chroma server failed: {error}",
                hint="start it, or take index.server out of the settings",
            ) from error


class _Spellings:
    """Gives each open client a spelling of its folder's path that no other client has.

    Chroma keeps one system for each *spelling* of a path for as long as any client of it is open.
    With one of our own, closing a client really lets go of the stale view, and neither another
    `Vectors` nor a client of the embedding program loses its system by it.
    """

    def __init__(self) -> None:
        self._taken: set[str] = set()
        self._lock = threading.Lock()

    def take(self, path: str) -> str:
        with self._lock:
            tries = (path + "/." * number for number in itertools.count(1))
            spelling = next(one for one in tries if one not in self._taken)
            self._taken.add(spelling)
            return spelling

    def release(self, spelling: str) -> None:
        with self._lock:
            self._taken.discard(spelling)


_SPELLINGS = _Spellings()


def _is_not_found(error: BaseException) -> bool:
    from chromadb.errors import NotFoundError

    return isinstance(error, NotFoundError)


def _parse_server(server: str) -> tuple[str, int, bool]:
    try:
        parts = urlsplit(server if "://" in server else f"http://{server}")
        if parts.hostname and parts.scheme in {"http", "https"}:
            ssl = parts.scheme == "https"
            return parts.hostname, parts.port or (443 if ssl else 8000), ssl
    except ValueError:  # a port that is no number
        pass
    raise ConfigError(
        f"index.server is no URL: {server}", hint="write it as 'http://localhost:8000'"
    )
