"""Slugs: what a note is called in links and on disk."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection

RESERVED = frozenset({"log", "self", "user"})
MAX_CHARS = 60
MAX_BYTES = 200

_DEFAULT = "note"
_GAP = re.compile(r"[\s_]+")


def fold_name(text: str) -> str:
    """Fold a name for comparison: NFC, case, and ``_`` or white space as ``-``; accents stay.

    Example:
        >>> fold_name("Café Notes") == fold_name("café_notes")
        True
    """
    folded = unicodedata.normalize("NFC", unicodedata.normalize("NFD", text).casefold())
    return _GAP.sub("-", folded.strip())


def is_safe_slug(slug: str) -> bool:
    """Tell whether a slug can be a file's stem in any folder and can lead nowhere else.

    Example:
        >>> is_safe_slug("flights-2026"), is_safe_slug("../flights"), is_safe_slug(".hidden")
        (True, False, False)
    """
    if not slug or slug != slug.strip() or slug.startswith(".") or slug.endswith("."):
        return False
    if any(char in '/\\:*?"<>|' or unicodedata.category(char)[0] == "C" for char in slug):
        return False
    if not _encodes_within(slug, MAX_BYTES):
        return False
    return ".." not in slug


def slugify(title: str, taken: Collection[str] = ()) -> str:
    """Make a slug from a title: lower case, letters of any script, parted by ``-``.

    Args:
        title: Any text.
        taken: Slugs that exist; they are compared folded, and a clash gets ``-2``, ``-3``, ….

    Example:
        >>> slugify("Travel & Préférences!"), slugify("log"), slugify("Tea", taken={"tea"})
        ('travel-préférences', 'log-note', 'tea-2')
    """
    words = re.sub(r"[^\w]+|_+", "-", unicodedata.normalize("NFC", title.casefold())).strip("-")
    base = _shorten(words) or _DEFAULT
    if fold_name(base) in RESERVED:
        base = f"{base}-{_DEFAULT}"
    known = {fold_name(slug) for slug in taken}
    slug, number = base, 2
    while fold_name(slug) in known:
        slug, number = f"{base}-{number}", number + 1
    return slug


def _shorten(words: str) -> str:
    """Cut at a word's end to what a file name can hold."""
    room = MAX_BYTES - 20
    if len(words) <= MAX_CHARS and _encodes_within(words, room):
        return words
    kept = words[: MAX_CHARS + 1]
    if len(words) > MAX_CHARS:
        kept = kept.rpartition("-")[0] or words[:MAX_CHARS]
    while not _encodes_within(kept, room):
        kept = kept[:-1]
    return kept.strip("-")


def _encodes_within(text: str, size: int) -> bool:
    return len(text.encode("utf-8", "surrogatepass")) <= size
