"""The search over turns with a second opinion: the transcripts' words, the index's meaning."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolnexus.index.embedder import Embedder
    from toolnexus.transcripts.fused import Closeness


def closeness_of(embedder: Embedder) -> Closeness:
    """Return the opinion of an embedder on how close texts come to a query in meaning.

    Args:
        embedder: Turns texts into unit vectors; it is asked only for the texts at hand.

    Returns:
        A function of a query and texts, for `transcripts.fused.search_fused`; 0 is unrelated, 1
        says the same, on the embedder's own calibration.

    Example:
        >>> closeness = closeness_of(make_embedder("default"))
        >>> [round(close) for close in closeness("her car", ["The car she drives.", "Rain again."])]
        [1, 0]
    """

    def closeness(query: str, texts: Sequence[str]) -> list[float]:
        vectors = embedder.embed([query, *texts])
        scale = embedder.calibration.scale
        return [scale(float(cosine)) for cosine in vectors[1:] @ vectors[0]]

    return closeness
