"""Search over a home's notes: words in SQLite, meanings in Chroma, one ranking of both.

The index is a cache. Nothing in it is the only copy of anything, so whatever is missing, damaged or
made with other settings is made again by itself, with a one-line notice.
"""

from __future__ import annotations

from toolnexus.index.chunk import Chunk, chunk_document
from toolnexus.index.embedder import Calibration, Embedder, make_embedder
from toolnexus.index.hit import Hit, IndexedFile, IndexHealth, Refreshed, Why
from toolnexus.index.note_index import NoteIndex

__all__ = [
    "Calibration",
    "Chunk",
    "Embedder",
    "Hit",
    "IndexHealth",
    "IndexedFile",
    "NoteIndex",
    "Refreshed",
    "Why",
    "chunk_document",
    "make_embedder",
]
