"""Sections of the soul: a file's text, made so that it can never pass for another section.

Three things are done to a body: front matter and comments go, its headings sink below the level
that sections have, and what it leaves open (a code fence, an HTML block) is closed. The Markdown
parser itself is asked each time, so that no trick of the syntax gets past it.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from toolnexus.text.frontmatter import read_front_matter
from toolnexus.text.outline import read_outline

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from toolnexus.text.outline import OutlineBlock

SECTION_LEVEL = 2

_LOWEST_LEVEL = 6
_MAX_ROUNDS = 8
_PROBE_WORDS = "\ue000"  # private use: 'clean_body' takes it out of every text
_PROBE = f"\n\n## {_PROBE_WORDS}"
_NEWLINES = re.compile(r"\r\n?")
_BLANK_LINES_ABOVE = re.compile(r"\A(?:[ \t]*\n)+")
_CONTAINERS = r"(?:[ \t]|>|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t]))*"
_ATX = re.compile(rf"^({_CONTAINERS})(#{{1,6}})(?=[ \t]|$)")
_ATX_LINES = re.compile(_ATX.pattern, re.MULTILINE)
_HTML_HEADING = re.compile(r"<(/?)[hH]([1-6])(?=[\s/>])")
_MARK = re.compile(r"\\[`<]|(?P<ticks>`+)|(?P<comment><!--)")
_PARAGRAPH_END = re.compile(r"\n[ \t]*\n")


def clean_body(text: str) -> str:
    r"""Return a file's text as it can stand below a heading of level 2.

    Args:
        text: The file's text, front matter and all.

    Example:
        >>> clean_body("# Who I am\n<!-- private -->\nAva.\n")
        '### Who I am\n\nAva.'
    """
    body = text[read_front_matter(text)[0].end :].removeprefix("\ufeff")
    body = _NEWLINES.sub("\n", body).replace("\0", "\ufffd").replace(_PROBE_WORDS, "\ufffd")
    body = _BLANK_LINES_ABOVE.sub("", _without_comments(body).rstrip())
    if _HTML_HEADING.search(body):
        body = _in_running_text(body, _shift_html_headings)
    for _ in range(_MAX_ROUNDS):
        blocks = read_outline(body + _PROBE)
        if any(_is_too_high(block) for block in blocks):
            body = _shift_headings(body, blocks)
        elif _is_probe(blocks[-1]):
            return body
        else:
            body = _close_last(body, blocks[-1])
    return _quoted(body)


# Comments


def _without_comments(body: str) -> str:
    """Drop the HTML comments outside of code; one that never ends is shown and not obeyed."""
    if "<!--" not in body:
        return body
    for _ in range(_MAX_ROUNDS):
        shorter = _in_running_text(body, _drop_comments)
        if shorter == body:
            break
        body = shorter  # what stood around a comment may be one itself now
    return _in_running_text(body, _disarm_comments)


def _in_running_text(body: str, edit: Callable[[str], str]) -> str:
    """Apply an edit to everything between the code blocks."""
    lines = body.split("\n")
    parts: list[str] = []
    done = 0
    for block in read_outline(body):
        if block.kind == "code" and block.first >= done:
            if block.first > done:
                parts.append(edit("\n".join(lines[done : block.first])))
            parts.append("\n".join(lines[block.first : block.end]))
            done = block.end
    if done < len(lines):
        parts.append(edit("\n".join(lines[done:])))
    return "\n".join(parts)


def _drop_comments(text: str) -> str:
    parts: list[str] = []
    done = 0
    for start, end in _comments(text):
        if end > 0:
            parts.append(text[done:start])
            done = end
    return "".join([*parts, text[done:]])


def _disarm_comments(text: str) -> str:
    parts: list[str] = []
    done = 0
    for start, _ in _comments(text):
        parts += [text[done:start], "&lt;"]
        done = start + 1
    return "".join([*parts, text[done:]])


def _comments(text: str) -> Iterator[tuple[int, int]]:
    """Yield where comments begin and end, outside of code spans; -1 for one that never ends."""
    position = 0
    never_ends = False
    while mark := _MARK.search(text, position):
        position = mark.end()
        if ticks := mark["ticks"]:
            position = _code_span_end(text, position, ticks)
        elif mark["comment"]:
            # `<!-->` is a whole comment.
            end = -1 if never_ends else text.find("-->", mark.start() + 2)
            never_ends = end < 0
            position = position if never_ends else end + 3
            yield mark.start(), -1 if never_ends else end + 3


def _code_span_end(text: str, start: int, ticks: str) -> int:
    """Return where a code span ends; where it begins when nothing closes it in its paragraph."""
    closing = _ticks_pattern(ticks).search(text, start)
    if closing is None or _PARAGRAPH_END.search(text, start, closing.start()):
        return start
    return closing.end()


@lru_cache(maxsize=64)
def _ticks_pattern(ticks: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!`){ticks}(?!`)")


# Headings


def _is_too_high(block: OutlineBlock) -> bool:
    """Whether a block is a heading of a section's level or above, and not the probe."""
    return 0 < block.level <= SECTION_LEVEL and block.words != _PROBE_WORDS


def _shift_headings(body: str, blocks: Sequence[OutlineBlock]) -> str:
    """Sink all headings by two levels."""
    lines = body.split("\n")
    for block in reversed(blocks):
        if block.kind == "heading" and block.words != _PROBE_WORDS:
            _shift_heading(lines, block)
    return "\n".join(lines)


def _shift_heading(lines: list[str], heading: OutlineBlock) -> None:
    line = lines[heading.first]
    marks = "#" * _sunk(heading.level)
    if not heading.is_setext:
        lines[heading.first] = _ATX.sub(rf"\g<1>{marks}", line, count=1)
        return
    # An underline cannot say level 3, so it becomes a heading of one line.
    first_words = heading.words.partition("\n")[0]
    words = " ".join(part.strip() for part in heading.words.split("\n"))
    start = line.find(first_words)
    lines[heading.first : heading.end] = [f"{line[:start]}{marks} {words}"]


def _shift_html_headings(text: str) -> str:
    def sink(match: re.Match[str]) -> str:
        level = int(match[2])
        return f"<{match[1]}h{_sunk(level)}" if level <= SECTION_LEVEL else match[0]

    return _HTML_HEADING.sub(sink, text)


def _sunk(level: int) -> int:
    return min(level + SECTION_LEVEL, _LOWEST_LEVEL)


# What is left open


def _is_probe(last: OutlineBlock) -> bool:
    """Whether the last block is the probe, at the top level: nothing above it was left open."""
    return last.words == _PROBE_WORDS and not last.is_nested


def _close_last(body: str, last: OutlineBlock) -> str:
    """Close the block that swallowed the probe: a code fence, or an HTML block."""
    if last.kind == "code":
        return f"{body}\n{last.markup}"
    if last.kind == "html":
        lines = body.split("\n")
        lines[last.first] = lines[last.first].replace("<", "\\<", 1)
        return "\n".join(lines)
    return body


def _quoted(body: str) -> str:
    """Put a body that cannot be closed (lists nested too deep) into a quote."""
    sunk = _ATX_LINES.sub(lambda match: f"{match[1]}{'#' * _sunk(len(match[2]))}", body)
    return "\n".join(f"> {line}" for line in sunk.split("\n"))
