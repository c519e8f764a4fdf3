"""What a Markdown file is made of, as far as a persona's memory is concerned.

All positions are code-point offsets into the file's decoded text, which is the file's bytes decoded
as UTF-8 and nothing else: a byte order mark stays as its first character and line endings stay as
they are, so that ``text.encode()`` gives the file back byte for byte.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

ClaimKind = Literal["item", "paragraph", "row", "quote"]
StructureKind = Literal["code", "comment", "html", "rule", "table-head"]
LinkKind = Literal["wiki", "embed", "markdown"]


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong inside one file's text: `line` counts from 1."""

    rule: str
    line: int
    message: str
    hint: str = ""


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """The YAML block at a file's top.

    Attributes:
        start: Offset of the opening ``---`` (0, or 1 after a byte order mark).
        end: Offset just behind the closing ``---`` line's newline; the body begins here.
            Equal to `start` when there is no front matter.
        fields: What it says, plain Python values; empty when it is absent or cannot be read.
    """

    start: int = 0
    end: int = 0
    fields: dict[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading; `start` to `end` are its whole lines, newline included; `text` reads plain."""

    level: int
    text: str
    line: int
    start: int
    end: int
    pinned: bool = False


@dataclass(frozen=True, slots=True)
class Claim:
    """The unit that the dreamer verifies and that nothing may lose.

    Attributes:
        kind: A list item, a paragraph, a table row or a block quote.
        start: Offset of the first of its own lines (column 0, indentation and marker included).
        end: Offset behind its last own line, newline included. Own lines leave out nested items,
            which are claims of their own, and nested code.
        body_start: Where its words begin: behind the indentation, list marker or quote mark.
        body_end: Where its words end: before trailing blanks, trailing comments and the newline.
        line: Its first line, counted from 1; `end_line` its last.
        text: Its words on one line: no marker, white space collapsed, emphasis kept,
            continuation indents and quote marks gone.
        fold: `text` folded for comparison (see `text.fold`), links as written.
        headings: The texts of the headings above it, outermost first.
        parent: Index in `Document.claims` of the item it is nested in, or -1.
        ordered: Whether it is an item of a numbered list, where position has meaning.
        pinned: Whether a ``<!-- keep -->`` pins it, or the section it stands in.
    """

    kind: ClaimKind
    start: int
    end: int
    body_start: int
    body_end: int
    line: int
    end_line: int
    text: str
    fold: str
    headings: tuple[str, ...] = ()
    parent: int = -1
    ordered: bool = False
    pinned: bool = False


@dataclass(frozen=True, slots=True)
class Structure:
    """A stretch that is no claim and that a pass leaves as it is: whole lines, newline included."""

    kind: StructureKind
    start: int
    end: int
    line: int


@dataclass(frozen=True, slots=True)
class Link:
    r"""A link in running text; links in code, comments and front matter are text and not here.

    Attributes:
        kind: ``[[…]]``, ``![[…]]`` or ``[text](note.md)``.
        start: Offset of its first character; `end` is behind its last.
        target: Where it leads, as written without anchor: trimmed, ``.md`` kept, percent-decoded
            for Markdown links. Empty for a link within the file.
        anchor: A heading's text, or ``^block``; empty when there is none.
        label: What is shown in its place; empty when none is given.
        target_start: Span of the target (without anchor and label) in the source, which an
            edit replaces; `target_end` is behind it.
        line: Counted from 1.
        escaped_pipe: The label is parted by ``\|``, as inside a table.
    """

    kind: LinkKind
    start: int
    end: int
    target: str
    anchor: str
    label: str
    target_start: int
    target_end: int
    line: int
    escaped_pipe: bool = False


@dataclass(frozen=True, slots=True)
class Document:
    """A Markdown text, read: everything the rest of the house asks of it.

    Attributes:
        front: Its front matter.
        headings: All headings in order; `claims`, `structure` and `links` likewise.
        block_ids: The ``^id`` marks that a link's ``#^id`` can lead to, without the caret.
        problems: What is wrong in it (front matter that cannot be read, …).
    """

    front: FrontMatter = FrontMatter()
    headings: tuple[Heading, ...] = ()
    claims: tuple[Claim, ...] = ()
    structure: tuple[Structure, ...] = ()
    links: tuple[Link, ...] = ()
    block_ids: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()
