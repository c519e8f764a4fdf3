"""Anchors: whether a note has the heading or block that a link names."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from toolnexus.text.types import Document, Heading

_PUNCTUATION = re.compile(r"[!\"#$%&()*+,.:;<=>?@^`{|}~/\[\]\\\s]+")
_NOT_IN_SLUG = re.compile(r"[^\w\- ]")


def has_anchor(document: Document, anchor: str, *, slugs: bool = False) -> bool:
    """Whether a link's anchor leads somewhere in a document.

    Args:
        document: The document that the link leads to.
        anchor: A heading's text (``A#B`` for B below A) or ``^block``, as the link gives it.
        slugs: Also take a heading's slug as GitHub makes it, for Markdown links.

    Example:
        >>> from toolnexus.text.types import Document, Heading
        >>> document = Document(headings=(Heading(2, "Night flights: why?", 1, 0, 23),))
        >>> has_anchor(document, "night flights why"), has_anchor(document, "trains")
        (True, False)
        >>> has_anchor(document, "night-flights-why", slugs=True)
        True
    """
    anchor = anchor.strip()
    if anchor.startswith("^"):
        wanted = anchor[1:].casefold()
        return any(block.casefold() == wanted for block in document.block_ids)
    whole = fold_heading(anchor)
    if any(fold_heading(heading.text) == whole for heading in document.headings):
        return True
    steps = [folded for part in anchor.split("#") if (folded := fold_heading(part))]
    if len(steps) > 1 and _descends(document.headings, steps):
        return True
    return slugs and anchor.casefold() in set(github_slugs(document.headings))


@lru_cache(maxsize=65_536)
def fold_heading(text: str) -> str:
    """Fold a heading as Obsidian compares it: case, white space and punctuation do not count."""
    spaced = _PUNCTUATION.sub(" ", unicodedata.normalize("NFC", text))
    return spaced.strip().casefold()


def github_slugs(headings: Iterable[Heading]) -> list[str]:
    """Return the anchors that GitHub gives headings: repeated ones get ``-1``, ``-2`` and on."""
    seen: Counter[str] = Counter()
    slugs = []
    for heading in headings:
        plain = unicodedata.normalize("NFC", heading.text).strip().casefold()
        slug = _NOT_IN_SLUG.sub("", plain).replace(" ", "-")
        slugs.append(f"{slug}-{seen[slug]}" if seen[slug] else slug)
        seen[slug] += 1
    return slugs


def _descends(headings: Sequence[Heading], steps: Sequence[str]) -> bool:
    """Whether the steps are found one below the other, outermost first."""
    above: list[tuple[int, int]] = []  # the open headings: level, and how many steps led there
    for heading in headings:
        while above and above[-1][0] >= heading.level:
            above.pop()
        taken = above[-1][1] if above else 0
        if fold_heading(heading.text) == steps[taken]:
            taken += 1
            if taken == len(steps):
                return True
        above.append((heading.level, taken))
    return False
