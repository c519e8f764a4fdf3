"""Edits: replacing spans of a text, all offsets being those of the text before any edit."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def apply_edits(text: str, edits: Iterable[tuple[int, int, str]]) -> str:
    """Return the text with each span `start` to `end` replaced; the same edit twice counts once.

    Raises:
        ValueError: when two edits overlap, or one lies outside the text.

    Example:
        >>> apply_edits("one two three", [(8, 13, "3"), (0, 3, "1")])
        '1 two 3'
    """
    parts: list[str] = []
    position = 0
    for start, end, replacement in sorted(dict.fromkeys(edits), key=lambda edit: edit[:2]):
        if start < position:
            raise ValueError(f"edits overlap at offset {start}")
        if not start <= end <= len(text):
            raise ValueError(f"an edit from {start} to {end} in a text of {len(text)} characters")
        parts += [text[position:start], replacement]
        position = end
    parts.append(text[position:])
    return "".join(parts)
