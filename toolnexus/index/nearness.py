"""Nearness: which notes of a group are near to each other in meaning, by the vectors there are."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from toolnexus.index.embedder import Matrix
    from toolnexus.index.manifest import Manifest
    from toolnexus.index.vector_side import VectorSide

MOST_NEAR = 8
"""How many of a note's nearest neighbours are looked at."""
BLOCK = 512
"""How many notes are held against their group at once: it bounds the memory, not the result."""


class Near(NamedTuple):
    """Two notes, by their paths in order, and the cosine of what they say."""

    one: str
    other: str
    cosine: float


def find_near(
    manifest: Manifest,
    side: VectorSide,
    groups: Sequence[Sequence[str]],
    least: float,
    most: int = MOST_NEAR,
) -> list[Near]:
    """Find the notes of each group that are near to each other.

    Args:
        manifest: What the index holds.
        side: Where its vectors are.
        groups: Files that may be near to each other; those of different groups never are.
        least: The least cosine.
        most: How many of the nearest ones of each file are looked at.

    Raises:
        SearchIndexError: when the vectors cannot be had.
    """
    path_of = manifest.chunk_paths([path for group in groups for path in group])
    if not path_of:
        return []
    found, rows = side.rows(manifest, list(path_of))
    places = {name: number for number, name in enumerate(found)}
    ids = [name for name in path_of if name in places]  # Chroma has an order of its own
    paths, summed = note_rows([path_of[i] for i in ids], rows[[places[i] for i in ids]])
    rows_of = {path: number for number, path in enumerate(paths)}
    return [
        near
        for group in groups
        if len(names := sorted(rows_of.keys() & set(group))) > 1
        for near in near_pairs(summed[[rows_of[name] for name in names]], names, least, most)
    ]


def note_rows(paths: Sequence[str], rows: Matrix) -> tuple[list[str], Matrix]:
    """Sum up the vectors of notes' passages: one unit vector a note.

    Args:
        paths: The note of each passage.
        rows: The passages' vectors.

    Returns:
        The notes in order, and their vectors; a note whose passages say nothing is left out.
    """
    import numpy as np

    places: defaultdict[str, list[int]] = defaultdict(list)
    for number, path in enumerate(paths):
        places[path].append(number)
    named = sorted(places)
    if not named:
        return [], rows[:0]
    summed = np.stack([rows[places[path]].sum(axis=0) for path in named]).astype(np.float32)
    lengths = np.linalg.norm(summed, axis=1)
    said = np.flatnonzero(lengths > 0)
    return [named[n] for n in said], summed[said] / lengths[said, None]


def near_pairs(rows: Matrix, names: Sequence[str], least: float, most: int) -> Iterator[Near]:
    """Yield the pairs of one group that are near, each once: for each note its nearest ones alone.

    Args:
        rows: Unit vectors.
        names: What each is the vector of, in order.
        least: The least cosine.
        most: How many neighbours of each note are looked at.
    """
    import numpy as np

    seen: set[tuple[int, int]] = set()
    for start in range(0, len(names), BLOCK):
        cosines = rows[start : start + BLOCK] @ rows.T
        for offset, line in enumerate(cosines):
            number = start + offset
            line[number] = -1.0
            close = np.flatnonzero(line >= least)
            if len(close) > most:  # stable, so that equal cosines give the same ones each time
                close = close[np.argsort(-line[close], kind="stable")[:most]]
            for other in close.tolist():
                pair = (number, other) if number < other else (other, number)
                if pair not in seen:
                    seen.add(pair)
                    yield Near(names[pair[0]], names[pair[1]], float(line[other]))
