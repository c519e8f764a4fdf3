"""Blocks of plain texts, read without markdown-it.

A text is plain when each of its lines is blank, a heading after ``#``, a bullet at the margin, a
line of words that can open no other block, or belongs to a comment that begins at the margin and
ends somewhere. All else is left to markdown-it. A property test holds that both read a plain text
alike.
"""

from __future__ import annotations

import re
from typing import NamedTuple

# A first word that opens no block: a letter, perhaps behind emphasis, quotation marks or `[[`.
_WORDS = r"(?:(?:[*_]{1,3}|!?\[\[|[\"'“„‘(@$€])?[^\W\d_]|`(?!`)|\d+(?!\d|[.)](?:\s|$)))"
_LINE = re.compile(
    rf"(?P<blank>[ \t]*)"
    rf"|(?P<marks>\#{{1,6}})[ ](?P<title>{_WORDS}(?:[^\#]*[^\#\s])?)"
    rf"|(?P<bullet>[-*+])[ ](?P<item>(?:\[[ xX]\] )?{_WORDS}.*)"
    rf"|(?P<indent>[ ]{{0,3}})(?P<words>{_WORDS}.*)"
)


_COMMENT, _COMMENT_END = "<!--", "-->"


class PlainBlock(NamedTuple):
    """A block as markdown-it names it; see its `Token`."""

    type: str
    map: list[int] | None = None
    content: str = ""
    tag: str = ""
    level: int = 0
    meta: dict[str, str] | None = None


_PARAGRAPH_END = PlainBlock("paragraph_close")
_ITEM_END = PlainBlock("list_item_close")
_LIST_END = PlainBlock("bullet_list_close")


def read_plain_blocks(body: str) -> list[PlainBlock] | None:
    r"""Return the blocks of a text, or None when it is not plain.

    Example:
        >>> [block.type for block in read_plain_blocks("a\nb")]
        ['paragraph_open', 'inline', 'paragraph_close']
        >>> read_plain_blocks("> a") is None
        True
    """
    if "\0" in body:  # markdown-it shows another character in its place
        return None
    reader = _PlainReader()
    lines = body.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    behind = 0  # the comment that was read last
    for number, line in enumerate(lines):
        if number < behind:
            continue
        if line.startswith(_COMMENT):
            behind = _behind_comment(lines, number)
            if not behind:
                return None
            reader.comment(lines[number:behind], number)
            continue
        match = _LINE.fullmatch(line)
        if match is None or not reader.take(match, number):
            return None
    reader.close()
    return reader.blocks


class _PlainReader:
    """Gathers lines into paragraphs, and paragraphs into items of one flat list."""

    __slots__ = ("_bullet", "_first", "_gap", "_words", "blocks")

    def __init__(self) -> None:
        self.blocks: list[PlainBlock] = []
        self._words: list[str] = []  # of the paragraph that is open
        self._first = 0
        self._bullet = ""  # of the list that is open
        self._gap = False  # a blank line came last

    def take(self, match: re.Match[str], number: int) -> bool:
        """Take one line; False when it belongs where only markdown-it knows."""
        if match["blank"] is not None:
            self._close_paragraph()
            self._gap = True
            return True
        if match["marks"]:
            self._heading(match, number)
        elif match["bullet"]:
            self._item(match, number)
        elif not self._words and self._bullet and match["indent"]:
            return False  # perhaps a further paragraph of the item
        elif self._words:
            self._words.append(match["words"])
        else:
            self._close_list()
            self._first, self._words = number, [match["words"]]
        self._gap = False
        return True

    def comment(self, lines: list[str], number: int) -> None:
        """Take a comment, whose first line has this number."""
        self.close()
        span = [number, number + len(lines)]
        self.blocks.append(PlainBlock("html_block", span, "\n".join([*lines, ""])))
        self._gap = False

    def close(self) -> None:
        """Close what is open at the text's end."""
        self._close_paragraph()
        self._close_list()

    def _heading(self, match: re.Match[str], number: int) -> None:
        self.close()
        tag = f"h{len(match['marks'])}"
        span = [number, number + 1]
        self.blocks += [
            PlainBlock("heading_open", span, tag=tag),
            PlainBlock("inline", span, match["title"]),
            PlainBlock("heading_close", tag=tag),
        ]

    def _item(self, match: re.Match[str], number: int) -> None:
        self._close_paragraph()
        if self._bullet != match["bullet"]:
            self._close_list()
            self._bullet = match["bullet"]
            self.blocks.append(PlainBlock("bullet_list_open"))
        self._first, self._words = number, [match["item"]]

    def _close_paragraph(self) -> None:
        if not self._words:
            return
        span = [self._first, self._first + len(self._words)]
        if self._bullet:
            self.blocks.append(PlainBlock("list_item_open", span))
        content = "\n".join(self._words).rstrip()
        self.blocks += [
            PlainBlock("paragraph_open", span),
            PlainBlock("inline", span, content),
            _PARAGRAPH_END,
        ]
        if self._bullet:
            self.blocks.append(_ITEM_END)
        self._words = []

    def _close_list(self) -> None:
        if self._bullet:
            self.blocks.append(_LIST_END)
            self._bullet = ""


def _behind_comment(lines: list[str], number: int) -> int:
    """Return the number of the line behind a comment that begins in one; 0 when it never ends."""
    ends = (n + 1 for n in range(number, len(lines)) if _COMMENT_END in lines[n])
    return next(ends, 0)
