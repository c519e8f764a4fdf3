"""An embedder for unit tests: hashed words; quick, and the same on each machine."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING

from toolnexus.index.embedder import Calibration, normalise
from toolnexus.index.words import stems

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    import numpy.typing as npt


class HashEmbedder:
    """Puts texts near each other that share words; it knows nothing of meaning.

    Args:
        dimensions: Length of a vector.
        digest: Another one makes an index think that the embedder has changed.

    Attributes:
        texts: Every text that it was asked to embed, in order.

    Example:
        >>> HashEmbedder().embed(["one", "two"]).shape
        (2, 64)
    """

    name = "hash"
    calibration = Calibration(0.1, 0.9)

    def __init__(self, dimensions: int = 64, digest: str = "1") -> None:
        self.dimensions = dimensions
        self.digest = digest
        self.texts: list[str] = []

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Return one unit vector a text."""
        import numpy as np

        self.texts += texts
        rows = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for stem in stems(text):
                row[zlib.crc32(stem.encode()) % self.dimensions] += 1.0
        return normalise(rows)
