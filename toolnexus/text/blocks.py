"""The blocks of a Markdown text: the only place that knows markdown-it.

Only its block parser runs. What stands inside lines is read by `text.inline`, which is faster and
knows offsets. Most notes are plain: headings, paragraphs and flat bullet lists. For these
`text.plainblocks` gives the same blocks in a tenth of the time, and markdown-it is not even loaded.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Protocol

from toolnexus.text.plainblocks import read_plain_blocks

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from markdown_it import MarkdownIt
    from markdown_it.token import Token

# Containers within containers; what is deeper comes without tokens, and `text.reader` picks it up.
MAX_NESTING = 100


class Block(Protocol):
    """What is asked of a block token: markdown-it's own, or that of a plain text."""

    @property
    def type(self) -> str:
        """Its name, as `paragraph_open`."""

    @property
    def map(self) -> Sequence[int] | None:
        """Its first line and the one behind its last, from 0."""

    @property
    def content(self) -> str:
        """Its text, marks of containers gone."""

    @property
    def tag(self) -> str:
        """The HTML tag it stands for."""

    @property
    def level(self) -> int:
        """How deep it is nested."""

    @property
    def meta(self) -> Mapping[str, object] | None:
        """What else is known of it."""


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    options = {"maxNesting": MAX_NESTING, "inline_definitions": True}
    return MarkdownIt("commonmark", options).enable("table")


def parse_blocks(body: str) -> Sequence[Block]:
    """Return the blocks of a text without front matter; `map` counts its lines from 0.

    Example:
        >>> [block.type for block in parse_blocks("---")]
        ['hr']
    """
    return read_plain_blocks(body) or parse_all_blocks(body)


def parse_all_blocks(body: str) -> list[Token]:
    """Return what `parse_blocks` does, by markdown-it whatever the text is.

    Example:
        >>> [block.type for block in parse_all_blocks("a")]
        ['paragraph_open', 'inline', 'paragraph_close']
    """
    tokens: list[Token] = []
    parser = _parser()
    source = body.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\ufffd")
    parser.block.parse(source, parser, {}, tokens)
    return tokens


@cache
def _commonmark_parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark")


def parse_commonmark(body: str) -> list[Token]:
    r"""Return the block tokens as any other reader of plain CommonMark sees them: no tables.

    Example:
        >>> [token.tag for token in parse_commonmark("|a|\n---") if token.nesting == 1]
        ['h2']
    """
    tokens: list[Token] = []
    parser = _commonmark_parser()
    parser.block.parse(body.replace("\0", "\ufffd"), parser, {}, tokens)
    return tokens


def read_definitions(text: str) -> Mapping[str, tuple[str, int, int]]:
    """Return a text's definitions of references: target, first line, the line behind, by label.

    Labels are folded as Markdown compares them; of several alike the first counts.
    """
    if "]:" not in text:
        return {}
    found: dict[str, dict[str, Any]] = {}
    _commonmark_parser().parse(text, {"references": found})
    return {label: (each["href"], *each["map"]) for label, each in found.items() if each["map"]}


def fold_label(label: str) -> str:
    """Fold a reference's label as Markdown compares labels.

    Example:
        >>> fold_label(" my  Tea ") == fold_label("MY TEA")
        True
    """
    from markdown_it.common.utils import normalizeReference

    return normalizeReference(label)
