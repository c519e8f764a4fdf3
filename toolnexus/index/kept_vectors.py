"""The vectors once more, beside the words: a search by meaning that has no need of Chroma.

Importing Chroma and opening a collection take more than a second, which a command that answers one
question would spend on nothing else. These vectors are read in a moment and gone through one by
one, which is exact, and for the homes of people as quick as Chroma itself. They are written in the
same transaction as what says that Chroma has them, and Chroma is asked as soon as it is open.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Sequence

    from toolnexus.index.database import Database
    from toolnexus.index.embedder import Matrix

MOST = 50_000
"""More passages than this and Chroma is quicker, its import included."""


class KeptVectors:
    """Reads the vectors of the chunks that Chroma has.

    Args:
        database: The index's SQLite file.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._read: tuple[int, list[str], Matrix] | None = None

    def nearest(
        self, row: Matrix, limit: int, ids: Sequence[str] | None, generation: int
    ) -> list[tuple[str, float]] | None:
        """Return the nearest chunks as pairs of id and cosine, the best first.

        Args:
            row: The query's unit vector, as a matrix of one row.
            limit: At most this many.
            ids: Only among these; all when it is None.
            generation: The vectors' generation; what was read is remembered for it.

        Returns:
            None where they are too many, or some are not kept: Chroma has to be asked.
        """
        import numpy as np

        read = self._all(generation, row.shape[1])
        if read is None:
            return None
        names, matrix = read
        # Not by the product of matrices: its threads would wait for each other longer than that.
        cosines = np.einsum("ij,j->i", matrix, row[0])
        if ids is not None:
            wanted = set(ids)
            cosines[[name not in wanted for name in names]] = -np.inf
            limit = min(limit, len(wanted.intersection(names)))
        limit = min(limit, len(names))
        if limit < 1:
            return []
        best = np.argpartition(-cosines, limit - 1)[:limit]
        best = best[np.argsort(-cosines[best], kind="stable")]
        return [(names[at], float(cosines[at])) for at in best]

    def _all(self, generation: int, dimensions: int) -> tuple[list[str], Matrix] | None:
        """Return all ids and their vectors, as rows of a matrix; None where they do not do."""
        import numpy as np

        if self._read is None or self._read[0] != generation:
            expected = self._database.number("SELECT count(*) FROM chunk WHERE embedded")
            if expected > MOST:
                return None
            rows = self._database.rows(
                "SELECT id, vector FROM chunk JOIN kept_vector USING (n) WHERE embedded ORDER BY n"
            )
            data = b"".join(vector for _, vector in rows if isinstance(vector, bytes))
            if len(rows) != expected or len(data) != 4 * dimensions * expected:
                return None
            matrix = np.frombuffer(data, dtype="<f4").reshape(expected, dimensions)
            self._read = generation, [str(name) for name, _ in rows], matrix
        return self._read[1:]


def keep(connection: sqlite3.Connection, ids: Iterable[str], rows: Matrix) -> None:
    """Write the vectors of chunks, within the caller's transaction."""
    connection.executemany(
        "INSERT OR REPLACE INTO kept_vector SELECT n, ? FROM chunk WHERE id = ?",
        ((row.astype("<f4").tobytes(), name) for name, row in zip(ids, rows, strict=True)),
    )
