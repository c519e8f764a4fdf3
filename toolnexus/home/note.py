"""Notes: the Markdown files of a home, soul files included."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from toolnexus.text.types import Document

NoteKind = Literal["soul", "note", "source", "left-out"]

_DAILY = re.compile(r"\d{4}-\d{2}-\d{2}(?!\d)")


@dataclass(frozen=True, slots=True)
class Note:
    """One Markdown file of a home.

    Attributes:
        path: Relative to the home, with ``/``.
        kind: A soul file; a note; a source (daily notes and ``dream: false``: read, searched and
            linked to, never rewritten); or left out (it cannot be read: it still resolves links).
        digest: Of its bytes (`change.plan.digest_of`); empty when left out.
        size_bytes: Its length on disk.
        mtime_seconds: When it was last written, as the disk says.
        document: What stands in it; empty when left out.
        read_only: It is over the read cap, so that it must not be written.
        same_as: The path of the note that it is a symbolic link to: that one is rewritten, and it
            is this one's content too. Empty for a file of its own.
    """

    path: str
    kind: NoteKind
    digest: str
    size_bytes: int
    mtime_seconds: float
    document: Document
    read_only: bool = False
    same_as: str = ""

    @property
    def slug(self) -> str:
        """The file's stem: what a wikilink calls it."""
        return self.path.rpartition("/")[2].removesuffix(".md")

    @property
    def title(self) -> str:
        """The front matter's title, else the first level-1 heading, else the slug."""
        given = self.document.front.fields.get("title")
        if isinstance(given, str | int | float) and str(given).strip():
            return str(given).strip()
        for heading in self.document.headings:
            if heading.level == 1 and heading.text:
                return heading.text
        return self.slug

    @property
    def aliases(self) -> tuple[str, ...]:
        """Other names it answers to."""
        return _names(self.document.front.fields.get("aliases"))

    @property
    def tags(self) -> tuple[str, ...]:
        """Its tags, without ``#``."""
        return tuple(tag.lstrip("#") for tag in _names(self.document.front.fields.get("tags")))

    @property
    def is_writable(self) -> bool:
        """Whether a job of ours may rewrite it."""
        return self.kind in {"soul", "note"} and not (self.read_only or self.same_as)


def _names(value: object) -> tuple[str, ...]:
    """Read a front-matter value that may be one name, a comma list or a list of names."""
    if isinstance(value, str):
        return tuple(part.strip() for part in value.split(",") if part.strip())
    if isinstance(value, list):
        return tuple(str(item).strip() for item in value if str(item).strip())
    return ()


def is_daily(path: str) -> bool:
    """Whether a note's name begins with a date, which makes it a source.

    Example:
        >>> is_daily("memory/2026-03-14-lisbon.md"), is_daily("memory/lisbon.md")
        (True, False)
    """
    return _DAILY.match(path.rpartition("/")[2]) is not None
