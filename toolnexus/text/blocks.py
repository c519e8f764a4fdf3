"""The blocks of a Markdown text: the only place that knows markdown-it.

Only its block parser runs. What stands inside lines is read by `text.inline`, which is faster and
knows offsets.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

# Containers within containers; what is deeper comes without tokens, and `text.claims` picks it up.
MAX_NESTING = 100


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    options = {"maxNesting": MAX_NESTING, "inline_definitions": True}
    return MarkdownIt("commonmark", options).enable("table")


def parse_blocks(body: str) -> list[Token]:
    """Return the block tokens of a text without front matter; `map` counts its lines from 0.

    Example:
        >>> [token.type for token in parse_blocks("---")]
        ['hr']
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
