"""Where a claim's words lie within its lines: pure questions about spans of a text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from toolnexus.text.lines import Lines

Span = tuple[int, int]

_KEEP = re.compile(r"<!--\s*keep\s*-->", re.IGNORECASE)
_QUOTE_MARKS = re.compile(r"[ \t]*(?:>[ \t]*)*")
_QUOTE_BLANKS = re.compile(r"[ \t\r\n>]*")
_LIST_MARKS = re.compile(r"[ \t]*(?:(?:[-+*]|\d{1,9}[.)])(?:[ \t]+|$)|>[ \t]*)*")
_PIPE = re.compile(r"(?<!\\)\|")


@dataclass(frozen=True, slots=True)
class Body:
    """A claim's words: from `start` to `end`, as `words` in which marks of the block are gone."""

    start: int
    end: int
    words: str
    pinned: bool = False


def plain_body(text: str, start: int, end: int, comments: list[Span]) -> Body:
    """Return the words of a paragraph or an item, comments at their end left out."""
    end = trim_end(text, start, end, comments)
    return Body(start, end, text[start:end], holds_keep(text, comments))


def row_body(text: str, cells: list[Span], comments: list[Span]) -> Body:
    """Return the words of a table row: its cells, parted by `` | ``; cells of comments are none."""
    ends = [trim_end(text, start, end, comments) for start, end in cells]
    last = len(cells)
    while last > 1 and ends[last - 1] == cells[last - 1][0] != cells[last - 1][1]:
        last -= 1
    kept = [text[cells[at][0] : ends[at]].replace("\\|", "|") for at in range(last)]
    words = " | ".join(kept) if any(kept) else ""
    return Body(cells[0][0], ends[last - 1], words, holds_keep(text, comments))


def quote_body(lines: Lines, start: int, end: int, comments: list[Span]) -> Body:
    """Return the words of a block quote.

    Args:
        lines: The lines of the text.
        start: Offset of the quote's first mark.
        end: Where its last line ends.
        comments: The comments in it.
    """
    text = lines.text
    ends = {behind: begin for begin, behind in comments}
    while end > start:
        # Blanks, comments and lines that hold marks alone go from the end.
        while end > start and text[end - 1] in " \t\r\n":
            end -= 1
        line_start = max(lines.start(lines.number_at(max(end - 1, 0)) - 1), start)
        if end in ends:
            end = max(ends[end], start)
        elif _QUOTE_MARKS.fullmatch(text, line_start, end):
            end = line_start
        else:
            break
    source = text[start:end].replace("\r", "\n")
    words = "\n".join(_QUOTE_MARKS.sub("", line, count=1) for line in source.split("\n"))
    blanks = _QUOTE_BLANKS.match(text, start, max(start, end))
    begin = start if blanks is None else blanks.end()
    return Body(begin, max(begin, end), words, holds_keep(text, comments))


def words_start(lines: Lines, first: int, last: int, content: str) -> int:
    """Return where a paragraph's words begin.

    The parser knows no columns, but it kept the end of the line in which they begin.

    Args:
        lines: The lines of the text.
        first: The paragraph's first line.
        last: The line behind it.
        content: The paragraph's text as the parser gives it.
    """
    head = content.partition("\n")[0].strip()
    for index in range(first, last):
        source = lines.content(index).rstrip()
        if source.replace("\0", "\ufffd").endswith(head):
            return lines.start(index) + len(source) - len(head)
    return lines.start(first)


def skip_marks(text: str, start: int, end: int) -> int:
    """Return where a line goes on behind its list and quote marks."""
    marks = _LIST_MARKS.match(text, start, end)
    return start if marks is None else marks.end()


def trim_end(text: str, start: int, end: int, comments: list[Span]) -> int:
    """Return where words end, blanks and comments behind them left out."""
    ends = {behind: begin for begin, behind in comments}
    while end > start:
        while end > start and text[end - 1].isspace():
            end -= 1
        if end not in ends:
            return end
        end = ends[end]
    return start


def split_cells(text: str, start: int, end: int) -> list[Span]:
    """Split a table's line at its pipes; what is empty outside the outer pipes is no cell."""
    bounds = [start - 1, *(pipe.start() for pipe in _PIPE.finditer(text, start, end)), end]
    cells: list[Span] = []
    for left, right in pairwise(bounds):
        inner = text[left + 1 : right]
        begin = left + 1 + len(inner) - len(inner.lstrip())
        cells.append((begin, max(begin, left + 1 + len(inner.rstrip()))))
    if len(cells) > 1 and cells[0][0] == cells[0][1]:
        cells.pop(0)
    if len(cells) > 1 and cells[-1][0] == cells[-1][1]:
        cells.pop()
    return cells


def is_comment(text: str, start: int, end: int, comments: list[Span]) -> bool:
    """Tell whether an HTML block holds comments alone; one that never ends is a comment too."""
    position = skip_marks(text, start, end)
    for begin, behind in comments:
        if text[position:begin].strip():
            return False
        position = behind
    rest = text[position:end].strip()
    return not rest or (rest.startswith("<!--") and "-->" not in rest)


def holds_keep(text: str, comments: list[Span]) -> bool:
    """Tell whether one of the comments is ``<!-- keep -->``."""
    return any(_KEEP.fullmatch(text, begin, behind) for begin, behind in comments)
