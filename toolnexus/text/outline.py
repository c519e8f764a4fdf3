"""The outline of a Markdown text, as a reader of plain CommonMark sees it: no tables, no links."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from toolnexus.text.blocks import parse_commonmark

OutlineKind = Literal["heading", "code", "html", "other"]

_KINDS: dict[str, OutlineKind] = {
    "heading_open": "heading",
    "fence": "code",
    "code_block": "code",
    "html_block": "html",
}


@dataclass(frozen=True, slots=True)
class OutlineBlock:
    """A block with lines of its own: a heading, a code or HTML block, or something else.

    Attributes:
        kind: What it is.
        first: Its first line, counted from 0.
        end: The line behind its last.
        level: A heading's level, 1 to 6; else 0.
        words: A heading's text as written, one line or several.
        markup: What marks it: ``#`` marks, the ``=`` or ``-`` of an underline, the fence.
        is_nested: It stands in a quote or a list.
    """

    kind: OutlineKind
    first: int
    end: int
    level: int = 0
    words: str = ""
    markup: str = ""
    is_nested: bool = False

    @property
    def is_setext(self) -> bool:
        """Whether it is a heading that is underlined, in place of ``#`` marks."""
        return self.kind == "heading" and self.markup in {"=", "-"}


def read_outline(body: str) -> list[OutlineBlock]:
    r"""Return the blocks of a text without front matter, outer ones before what is in them.

    Args:
        body: The text; its lines end with ``\n``.

    Example:
        >>> [(block.kind, block.level, block.words) for block in read_outline("A\n=\n\n    x\n")]
        [('heading', 1, 'A'), ('code', 0, '')]
    """
    tokens = parse_commonmark(body)
    blocks = []
    for position, token in enumerate(tokens):
        if not token.map or token.type == "inline":
            continue
        kind = _KINDS.get(token.type, "other")
        is_heading = kind == "heading"
        level = int(token.tag[1:]) if is_heading else 0
        words = tokens[position + 1].content if is_heading else ""
        first, end = token.map
        is_nested = token.level > 0
        blocks.append(OutlineBlock(kind, first, end, level, words, token.markup, is_nested))
    return blocks
