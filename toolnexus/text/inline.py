"""What stands inside a line of Markdown: links, comments and code spans, at exact offsets.

The scanner walks the source itself, because tokens know no columns. It runs in time that is linear
in the text, whatever the text is: every pattern stops at the character that opens it again.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass, field
from html import unescape
from typing import TYPE_CHECKING
from urllib.parse import unquote

from toolnexus.text.types import Link, LinkKind

if TYPE_CHECKING:
    from collections.abc import Callable

    from toolnexus.text.lines import Lines

_ATTRIBUTE = r"""(?:\s+[A-Za-z_:][\w.:-]*(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+))?)"""
# Each alternative begins with a character of its own, which lets the search skip all others.
_TOKEN = re.compile(
    r"""(?P<escape>\\[!-/:-@\[-`{-~])
      | (?P<code>`+)
      | (?P<comment><!--)
      | (?P<tag><(?:[A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]*|/?[A-Za-z][A-Za-z0-9-]*"""
    + _ATTRIBUTE
    + r"""*\s*/?)>)
      | (?P<wiki>\[\[(?P<inner>[^\[\]\r\n]+)\]\])
      | (?P<open>\[)
      | (?P<close>\])""",
    re.VERBOSE,
)
_BACKTICKS = re.compile("`+")
_TITLE = re.compile(
    r"""\s+(?:"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\((?:\\.|[^()\\])*\))\s*\)|\s*\)""", re.DOTALL
)
_ANGLED = re.compile(r"<((?:\\.|[^<>\\\r\n])*)>")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_ABSOLUTE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|/|\\")
_DEFINITION = re.compile(r"\[((?:\\.|[^\]\\])*)\]:\s*", re.DOTALL)
_MAX_PARENS = 32


@dataclass(slots=True)
class Inline:
    """What a stretch of text holds, at offsets into the whole text."""

    links: list[Link] = field(default_factory=list)
    comments: list[tuple[int, int]] = field(default_factory=list)
    code: list[tuple[int, int]] = field(default_factory=list)


def scan_inline(
    text: str, start: int, end: int, line_of: Callable[[int], int] | None = None
) -> Inline:
    """Find the links, comments and code spans between two offsets.

    Args:
        text: The whole text.
        start: Where to begin.
        end: Where to stop.
        line_of: Gives the line of an offset; without it, links lie on line 1.

    Example:
        >>> text = "See [[a|b]], `[[c]]` and [d](e.md#f)."
        >>> [(link.target, link.anchor, link.label) for link in scan_inline(text, 0, 37).links]
        [('a', '', 'b'), ('e.md', 'f', 'd')]
    """
    return _Scanner(text, end, line_of or _first_line).scan(start)


def _first_line(_offset: int) -> int:
    return 1


def scan_definition(lines: Lines, start: int, end: int) -> list[Link]:
    """Find the link that a reference definition ``[label]: note.md`` makes, if it is one.

    The definition counts in place of its uses, because it is what an edit has to change.

    Example:
        >>> from toolnexus.text.lines import Lines
        >>> [link.target for link in scan_definition(Lines("[t]: a%20b.md"), 0, 13)]
        ['a b.md']
    """
    match = _DEFINITION.search(lines.text, start, end)
    found = match and _destination(lines.text, match.end(), end)
    if match is None or not found:
        return []
    spot, destination, behind = found
    label = " ".join(match.group(1).split())
    span = (match.start(), behind)
    line = lines.number_at(match.start())
    link = _markdown_link("markdown", span, line, label, spot, destination)
    return [] if link is None else [link]


class _Scanner:
    __slots__ = (
        "_dead_before",
        "_end",
        "_found",
        "_line_of",
        "_openers",
        "_runs",
        "_text",
        "_unclosed",
    )

    def __init__(self, text: str, end: int, line_of: Callable[[int], int]) -> None:
        self._line_of = line_of
        self._text = text
        self._end = end
        self._found = Inline()
        self._openers: list[tuple[int, int]] = []  # where `[` or `![` begins and ends
        self._dead_before = 0  # a link holds no other link: `[` before this opens none
        self._runs: dict[int, list[int]] | None = None  # backtick runs by length, once needed
        self._unclosed = False  # no `-->` ahead

    def scan(self, start: int) -> Inline:
        position = start
        while match := _TOKEN.search(self._text, position, self._end):
            start, kind = match.start(), match.lastgroup
            if self._text[start] == "[" and start > position and self._text[start - 1] == "!":
                start -= 1
            position = match.end()
            if kind == "code":
                position = self._code(start, position)
            elif kind == "comment":
                position = self._comment(start, position)
            elif kind == "wiki":
                self._wiki(match, start)
            elif kind == "open":
                self._openers.append((start, position))
            elif kind == "close":
                position = self._close(start, position)
        self._found.links.sort(key=lambda link: link.start)
        return self._found

    def _code(self, start: int, behind: int) -> int:
        if self._runs is None:
            self._runs = {}
            for run in _BACKTICKS.finditer(self._text, start, self._end):
                self._runs.setdefault(len(run.group()), []).append(run.start())
        size = behind - start
        starts = self._runs.get(size, [])
        index = bisect_left(starts, behind)
        if index == len(starts):
            return behind
        closed = starts[index] + size
        self._found.code.append((start, closed))
        return closed

    def _comment(self, start: int, behind: int) -> int:
        if self._unclosed:
            return behind
        closing = self._text.find("-->", start + 2, self._end)  # `<!-->` is a whole comment
        if closing < 0:
            self._unclosed = True
            return behind
        self._found.comments.append((start, closing + 3))
        return closing + 3

    def _wiki(self, match: re.Match[str], start: int) -> None:
        link = _wikilink(match, start, self._line_of(start))
        if link is not None:
            self._found.links.append(link)

    def _close(self, closing: int, behind: int) -> int:
        if not self._openers:
            return behind
        start, label_start = self._openers.pop()
        is_image = self._text[start] == "!"
        is_dead = start < self._dead_before and not is_image
        if is_dead or not self._text.startswith("(", behind, self._end):
            return behind
        tail = _link_tail(self._text, behind + 1, self._end)
        if tail is None:
            return behind
        spot, destination, end = tail
        label = " ".join(self._text[label_start:closing].split())
        kind: LinkKind = "embed" if is_image else "markdown"
        link = _markdown_link(kind, (start, end), self._line_of(start), label, spot, destination)
        if link is not None:
            self._found.links.append(link)
        if not is_image:
            self._dead_before = start
        return end


def _wikilink(match: re.Match[str], start: int, line: int) -> Link | None:
    inner = match.group("inner")
    offset = match.start("inner")
    head, pipe, label = inner.partition("|")
    escaped = bool(pipe) and head.endswith("\\")
    if escaped:
        head = head[:-1]
    target, _, anchor = head.partition("#")
    stripped = target.strip()
    if not stripped and not anchor.strip():
        return None
    target_start = offset + len(target) - len(target.lstrip()) if stripped else offset
    return Link(
        kind="wiki" if start == match.start() else "embed",
        start=start,
        end=match.end(),
        target=stripped,
        anchor=anchor.strip(),
        label=label.strip(),
        target_start=target_start,
        target_end=target_start + len(stripped),
        line=line,
        escaped_pipe=escaped,
    )


def _markdown_link(
    kind: LinkKind, span: tuple[int, int], line: int, label: str, spot: int, destination: str
) -> Link | None:
    """Make a link of a Markdown destination; None when it leads out of the home's files.

    Args:
        kind: ``markdown``, or ``embed`` for an image.
        span: Where the whole link stands.
        line: On which line it begins.
        label: What is shown in its place.
        spot: Where the destination stands.
        destination: As written, percent-encoded, anchor included.
    """
    path, _, anchor = destination.partition("#")
    if not destination or _ABSOLUTE.match(destination):
        return None
    target = _decode(path).strip()
    if not target and not anchor:
        return None
    return Link(
        kind=kind,
        start=span[0],
        end=span[1],
        target=target,
        anchor=_decode(anchor).strip(),
        label=label,
        target_start=spot,
        target_end=spot + len(path),
        line=line,
    )


def _decode(destination: str) -> str:
    return unquote(unescape(_ESCAPED.sub(r"\1", destination)), errors="replace")


def _link_tail(text: str, position: int, end: int) -> tuple[int, str, int] | None:
    """Read ``destination "title")``: where the destination stands, it, and where all of it ends."""
    while position < end and text[position] in " \t\r\n":
        position += 1
    found = _destination(text, position, end)
    if found is None:
        return None
    spot, destination, position = found
    tail = _TITLE.match(text, position, end)
    return None if tail is None else (spot, destination, tail.end())


def _destination(text: str, position: int, end: int) -> tuple[int, str, int] | None:
    """Read a destination, plain or in ``<>``: where it stands, it, and where reading goes on."""
    if angled := _ANGLED.match(text, position, end):
        return angled.start(1), angled.group(1), angled.end()
    behind, depth = position, 0
    while behind < end:
        char = text[behind]
        if char <= " " or char == "\x7f":
            break
        if char == "\\" and behind + 1 < end and text[behind + 1] > " ":
            behind += 2
            continue
        if char == "(":
            depth += 1
            if depth > _MAX_PARENS:
                return None
        elif char == ")":
            if depth == 0:
                break
            depth -= 1
        behind += 1
    if depth:
        return None
    return position, text[position:behind], behind
