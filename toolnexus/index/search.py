"""A search: words and vectors are asked, and what they found is fused."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolnexus.index.fusion import candidates, fuse
from toolnexus.index.hit import Weight

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from toolnexus.index.chunk import Chunk
    from toolnexus.index.embedder import Calibration
    from toolnexus.index.hit import Hit
    from toolnexus.index.lexical import Frequencies, Lexical
    from toolnexus.index.manifest import Manifest
    from toolnexus.index.query import Query

    _Both = tuple[list[Chunk], list[tuple[Chunk, float]]]
    AskVectors = Callable[[str, int, list[str] | None], list[tuple[str, float]]]

POOL = 24
NARROW = 2_000
_EVEN = Weight()


def search(
    query: Query,
    manifest: Manifest,
    lexical: Lexical,
    ask_vectors: AskVectors,
    calibration: Calibration,
    *,
    k: int,
    min_score: float = 0.0,
    tags: Sequence[str] = (),
    paths: Collection[str] | None = None,
    without: Collection[str] = (),
    weigh: Callable[[str], Weight] = lambda _: _EVEN,
) -> list[Hit]:
    """Return the passages that either side found, the best first.

    Args:
        query: What is looked for.
        manifest: What the index holds.
        lexical: The words' side.
        ask_vectors: Takes a text, a limit and the ids to stay among (None for all), and returns
            ids with their cosines, the best first.
        calibration: The embedder's scale.
        k: At most this many.
        min_score: Only hits of this score or above.
        tags: Only files that carry all of these.
        paths: Only these files and folders.
        without: None of these files.
        weigh: Says what a file weighs beside the relevance, by its path.
    """
    frequencies = lexical.frequencies(query, manifest.generation())
    allowed = _allowed(manifest, tags, paths, without)
    if not frequencies.total or allowed == {}:
        return []
    pool = max(POOL, 3 * k)
    corrections = _corrections(query, frequencies, lexical)
    read = query.read_as(corrections)

    def ask(limit: int, among: dict[str, int] | None) -> _Both:
        by_words = _by_words(read, manifest, lexical, limit, among)
        return by_words, _by_vector(query, manifest, ask_vectors, limit, among)

    is_narrowed = allowed is not None or not without
    both = ask(pool, allowed) if is_narrowed else _around(ask, pool, manifest, without)
    found = candidates(*both)
    return fuse(
        query, frequencies, found, calibration, corrections, k=k, min_score=min_score, weigh=weigh
    )


def _allowed(
    manifest: Manifest, tags: Sequence[str], paths: Collection[str] | None, without: Collection[str]
) -> dict[str, int] | None:
    """Return the passages to stay among, by id; None for all of them."""
    if not tags and paths is None:
        return None
    own = manifest.paths_with(tags, paths)
    return manifest.numbers_of([path for path in own if path not in without])


def _around(
    ask: Callable[[int, dict[str, int] | None], _Both],
    pool: int,
    manifest: Manifest,
    without: Collection[str],
) -> _Both:
    """Ask for more and more until there is enough beside what is not wanted.

    Where so much of that fits, what is wanted is asked for by name, which takes longer at first.
    """
    limit = pool
    while limit <= NARROW:
        words, vectors = ask(limit, None)
        by_words = [chunk for chunk in words if chunk.path not in without]
        by_vector = [pair for pair in vectors if pair[0].path not in without]
        enough = len(by_words) >= pool or len(words) < limit
        if enough and (len(by_vector) >= pool or len(vectors) < limit):
            return by_words[:pool], by_vector[:pool]
        limit *= 4
    own = [path for path in manifest.paths_with((), None) if path not in without]
    return ask(pool, manifest.numbers_of(own))


def _by_words(
    query: Query, manifest: Manifest, lexical: Lexical, pool: int, allowed: dict[str, int] | None
) -> list[Chunk]:
    frequencies = lexical.frequencies(query, manifest.generation())
    numbers = None if allowed is None else allowed.values()
    return manifest.chunks_by_number(lexical.search(query, frequencies, pool, numbers))


def _by_vector(
    query: Query,
    manifest: Manifest,
    ask_vectors: AskVectors,
    pool: int,
    allowed: dict[str, int] | None,
) -> list[tuple[Chunk, float]]:
    """Ask the vectors: among few ids Chroma can look itself, of many we filter what it finds."""
    if allowed is None:
        pairs = ask_vectors(query.text, pool, None)
    elif len(allowed) <= NARROW:
        pairs = ask_vectors(query.text, min(pool, len(allowed)), list(allowed))
    else:
        wide = ask_vectors(query.text, NARROW, None)
        pairs = [pair for pair in wide if pair[0] in allowed][:pool]
    chunks = manifest.chunks_by_id(name for name, _ in pairs)
    return [(chunks[name], cosine) for name, cosine in pairs if name in chunks]


def _corrections(query: Query, frequencies: Frequencies, lexical: Lexical) -> dict[str, str]:
    """Read each word that the home does not know as the nearest one that it knows."""
    unknown = [term for term in query.terms if not frequencies.of(term)]
    near = {term: lexical.nearest_word(term) for term in unknown if term not in query.partial}
    return {term: word for term, word in near.items() if word is not None}
