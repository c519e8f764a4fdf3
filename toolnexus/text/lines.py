"""Lines of a text as Markdown counts them: they end with LF, CRLF or a lone CR."""

from __future__ import annotations

import re
from bisect import bisect_right

_NEWLINE = re.compile(r"\r\n|\n|\r")


class Lines:
    r"""Where the lines of a text lie.

    Args:
        text: The text; a lone carriage return ends a line, as in Markdown.

    Example:
        >>> lines = Lines("a\r\nb")
        >>> len(lines), lines.start(1), lines.end(0), lines.number_at(3)
        (2, 3, 1, 2)
    """

    __slots__ = ("_ends", "_starts", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self._starts = [0]
        self._ends: list[int] = []
        for newline in _NEWLINE.finditer(text):
            self._ends.append(newline.start())
            self._starts.append(newline.end())
        self._ends.append(len(text))
        if self._starts[-1] == len(text) and len(self._starts) > 1:
            self._starts.pop()
            self._ends.pop()

    def __len__(self) -> int:
        """Return the number of lines; a newline at the text's end opens no further one."""
        return len(self._starts)

    def start(self, index: int) -> int:
        """Return the offset of line `index` (from 0); behind the last line, the text's end."""
        return self._starts[index] if index < len(self._starts) else len(self.text)

    def end(self, index: int) -> int:
        """Return the offset of the newline of line `index`, or the text's end."""
        return self._ends[index]

    def content(self, index: int) -> str:
        """Return line `index` without its newline."""
        return self.text[self._starts[index] : self._ends[index]]

    def is_blank(self, index: int) -> bool:
        """Tell whether line `index` holds nothing but white space."""
        return not self.content(index).strip()

    def number_at(self, offset: int) -> int:
        """Return the number, counted from 1, of the line that holds `offset`."""
        return bisect_right(self._starts, offset)


def detect_newline(text: str) -> str:
    r"""Return the line ending that a text uses most, ``\n`` where it has none.

    Example:
        >>> detect_newline("a\r\nb\r\nc\n")
        '\r\n'
    """
    crlf = text.count("\r\n")
    return "\r\n" if crlf > text.count("\n") - crlf else "\n"
