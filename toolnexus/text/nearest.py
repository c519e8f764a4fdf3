"""The name that somebody who mistyped it most likely meant."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_ALIKE = 75
"""So many of a hundred two names have to be alike to be taken for one another."""


def nearest(wanted: str, names: Iterable[str]) -> str:
    """Return the name that is most like one that is nobody's; case does not count.

    Args:
        wanted: What was typed.
        names: What there is.

    Returns:
        The name as it stands in `names`; empty where none is alike.

    Example:
        >>> nearest("Balkony", ["balcony", "bicycle"]), nearest("kitchen", ["balcony"])
        ('balcony', '')
    """
    from rapidfuzz import process

    folded = {name: name.casefold() for name in names}
    best = process.extractOne(wanted.casefold(), folded, score_cutoff=_ALIKE)
    return str(best[2]) if best else ""
