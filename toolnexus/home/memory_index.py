"""MEMORY.md, the index: how long it is, and how much of it rides in a prompt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from toolnexus.home.layout import INDEX_FILE

if TYPE_CHECKING:
    from toolnexus.home.snapshot import IndexCap, Snapshot


class IndexSize(NamedTuple):
    """How long a text is, in lines and UTF-8 bytes."""

    lines: int
    bytes: int


@dataclass(frozen=True, slots=True)
class Overrun:
    """How far MEMORY.md is over its cap.

    Attributes:
        size: How long it is.
        cap: How long it may be.
    """

    size: IndexSize
    cap: IndexCap

    def __str__(self) -> str:
        parts = []
        if self.size.lines > self.cap.lines:
            parts.append(f"{self.size.lines:,} of {self.cap.lines:,} lines")
        if self.size.bytes > self.cap.bytes:
            parts.append(f"{self.size.bytes:,} of {self.cap.bytes:,} bytes")
        return " and ".join(parts)


def index_size(text: str) -> IndexSize:
    r"""Measure a text as the cap counts it; a last line without newline is a line.

    Example:
        >>> index_size("- tea\n- café")
        IndexSize(lines=2, bytes=13)
    """
    lines = text.count("\n") + (not text.endswith("\n") and text != "")
    return IndexSize(lines, _bytes(text))


def over_cap(snapshot: Snapshot) -> Overrun | None:
    """Return how far MEMORY.md is over its cap; None when it is within, or absent."""
    size = index_size(snapshot.text(INDEX_FILE))
    cap = snapshot.cap
    if size.lines <= cap.lines and size.bytes <= cap.bytes:
        return None
    return Overrun(size, cap)


def cut_to_cap(text: str, cap: IndexCap) -> str:
    r"""Keep as many whole lines as the cap allows; of a single line that is too long, its start.

    Example:
        >>> from toolnexus.home.snapshot import IndexCap
        >>> cut_to_cap("- a\n- b\n- c\n", IndexCap(lines=2))
        '- a\n- b\n'
    """
    lines = text.split("\n")
    kept = text if len(lines) <= cap.lines else "\n".join(lines[: cap.lines]) + "\n"
    return cut_to_lines(kept, cap.bytes)


def cut_to_lines(text: str, cap_bytes: int) -> str:
    r"""Keep as many whole lines as fit; of a first line that is too long, as many characters.

    Args:
        text: The text.
        cap_bytes: How many UTF-8 bytes may stay.

    Example:
        >>> cut_to_lines("one\ntwo\n", 6), cut_to_lines("né", 2)
        ('one\n', 'n')
    """
    data = text.encode("utf-8", "surrogatepass")
    if len(data) <= cap_bytes:
        return text
    kept = data[: max(cap_bytes, 0)]
    whole = kept.rfind(b"\n") + 1
    return (kept[:whole] if whole else kept).decode("utf-8", "ignore")


def _bytes(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))
