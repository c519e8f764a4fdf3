"""Changing claims in a text: only their own words or lines move, every other byte stays."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from typing import TYPE_CHECKING

from toolnexus.text.document import parse_document
from toolnexus.text.lines import detect_newline

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolnexus.text.types import Claim, Document

# A continuation line that begins so would open a block of its own.
_BLOCK_START = re.compile(
    r"[-+*](?:\s|$)|\d{1,9}[.)](?:\s|$)|#{1,6}(?:\s|$)|[>|<=`~]|-{2,}|_{3,}|\["
)
_BLOCK_ID = re.compile(r"\s\^[A-Za-z0-9-]+$")


def replace_body(text: str, claim: Claim, new_words: str) -> str:
    r"""Return the text with other words in a claim's body.

    Several lines become continuation lines with the claim's own indentation or quote marks, a table
    row stays on its line, and a ``^block-id`` that links may lead to is kept.

    Raises:
        ValueError: when there are no new words.

    Example:
        >>> text = "- Lives in Paris. <!-- checked -->\n"
        >>> replace_body(text, parse_document(text).claims[0], "Lives in Berlin.")
        '- Lives in Berlin. <!-- checked -->\n'
    """
    body = text[claim.body_start : claim.body_end]
    lines = _word_lines(new_words)
    if block_id := _BLOCK_ID.search(body):
        has_one = _BLOCK_ID.search(lines[-1])
        lines[-1] += "" if has_one else " " + block_id.group().strip()
    joint = " " if claim.kind == "row" else detect_newline(text) + _indent(text, claim)
    return text[: claim.body_start] + joint.join(lines) + text[claim.body_end :]


def remove_claim(
    text: str, document: Document, claim: Claim, *, with_children: bool = False
) -> str:
    r"""Return the text without a claim's own lines.

    A blank line takes their place where the lines around them would otherwise run together, and an
    empty comment where even that would not part them.

    Args:
        text: The text that `document` was parsed from.
        document: The parsed text.
        claim: One of its claims.
        with_children: Whether claims nested in it go as well.

    Raises:
        ValueError: when claims are nested in it and `with_children` is not set.

    Example:
        >>> text = "- a\n- b\n"
        >>> document = parse_document(text)
        >>> remove_claim(text, document, document.claims[0])
        '- b\n'
    """
    family = _family(document, document.claims.index(claim))
    if len(family) > 1 and not with_children:
        raise ValueError(f"{len(family) - 1} claims are nested in the one on line {claim.line}")
    gone = [document.claims[index] for index in family]
    kept = [each.text for index, each in enumerate(document.claims) if index not in family]
    headings = [each.text for each in document.headings]
    newline = detect_newline(text)
    line = text[claim.start : claim.body_start]
    indent = line[: len(line) - len(line.lstrip(" \t"))]
    for filler in ("", newline, f"{indent}<!-- -->{newline}"):
        result = _cut(text, gone, filler)
        after = parse_document(result)
        are_kept = [each.text for each in after.claims] == kept
        if are_kept and [each.text for each in after.headings] == headings:
            break
    return result


def append_item(text: str, words: str, newline: str | None = None) -> str:
    r"""Return the text with one more list item.

    It goes to the end of the last bullet list that no pin holds and copies its marker; without such
    a list, a new one begins at the text's end, after a blank line. A missing last newline stays
    missing.

    Args:
        text: The file's text; may be empty.
        words: The new claim; further lines become continuation lines.
        newline: The line ending to use; by default the one that the text uses.

    Raises:
        ValueError: when there are no words.

    Example:
        >>> append_item("# Ava\n* Likes tea\n", "Likes rain")
        '# Ava\n* Likes tea\n* Likes rain\n'
    """
    newline = newline or detect_newline(text)
    document = parse_document(text)
    before = Counter(claim.text for claim in document.claims)
    lines = _word_lines(words)
    places = list(_with_item(text, document, lines, newline))
    for result in places:
        after = parse_document(result)
        added = Counter(claim.text for claim in after.claims) - before
        is_one_more = len(after.claims) == len(document.claims) + 1 and added.total() == 1
        if is_one_more and _shape(after) == _shape(document):
            return result
    return places[0]


def _with_item(text: str, document: Document, lines: list[str], newline: str) -> Iterator[str]:
    """Yield the text with the item in the places where it may go, the best one first."""
    claims = document.claims
    growing = (at for at in reversed(range(len(claims))) if _can_grow(document, claims[at]))
    index = next(growing, -1)
    if index >= 0:
        last = claims[index]
        line_end = last.body_start
        line_start = max(text.rfind("\n", 0, line_end), text.rfind("\r", 0, line_end)) + 1
        prefix = text[max(line_start, last.start) : last.body_start]
        if prefix.strip() in {"-", "*", "+"}:
            item = prefix + (newline + _blank(prefix)).join(lines)
            yield _insert(text, _block_end(text, document, index), item, newline)
    item = "- " + (newline + "  ").join(lines)
    head = text[document.front.end :]
    gap = "" if not head.strip() or head.endswith(("\n\n", "\r\n\r\n", "\n\r\n")) else newline
    if text[document.front.start :] and not text.endswith(("\n", "\r")):
        yield text + newline + gap + item
    else:
        yield text + gap + item + newline
    # The text's end may lie in a block that was never closed: its beginning does not.
    at = document.front.end
    yield text[:at] + item + newline + newline + text[at:]


def _can_grow(document: Document, claim: Claim) -> bool:
    """Tell whether a claim is an item of a bullet list at the top, in a section without a pin."""
    if claim.kind != "item" or claim.parent >= 0 or claim.ordered:
        return False
    above = bisect_right(document.headings, claim.start, key=lambda heading: heading.end)
    return above == 0 or not document.headings[above - 1].pinned


def _insert(text: str, at: int, item: str, newline: str) -> str:
    if at and text[at - 1] not in "\r\n":  # the last line has no newline, and goes on having none
        return text[:at] + newline + item + text[at:]
    return text[:at] + item + newline + text[at:]


def _block_end(text: str, document: Document, index: int) -> int:
    """Return where an item ends with all that is nested in it."""
    family = _family(document, index)
    end = max(document.claims[each].end for each in family)
    for structure in document.structure:
        is_indented = text[structure.start : structure.start + 2] in {"  ", " \t"}
        is_next = structure.start >= end and not text[end : structure.start].strip()
        if is_next and (is_indented or text.startswith("\t", structure.start)):
            end = structure.end
    return end


def _family(document: Document, index: int) -> set[int]:
    """Return a claim and all that are nested in it; a parent stands before its children."""
    family = {index}
    for child in range(index + 1, len(document.claims)):
        if document.claims[child].parent in family:
            family.add(child)
    return family


def _shape(document: Document) -> tuple[list[str], list[str]]:
    return [each.text for each in document.headings], [each.kind for each in document.structure]


def _cut(text: str, gone: list[Claim], filler: str) -> str:
    parts: list[str] = []
    position = 0
    for claim in gone:
        parts += [text[position : claim.start], filler]
        position = claim.end
    parts.append(text[position:])
    return "".join(parts)


def _word_lines(words: str) -> list[str]:
    """Split words into lines; one that would open a block of its own joins the line before."""
    lines: list[str] = []
    for line in words.splitlines():
        stripped = line.strip()
        if lines and _BLOCK_START.match(stripped):
            lines[-1] += " " + stripped
        elif stripped:
            lines.append(stripped)
    if not lines:
        raise ValueError("a claim needs words")
    return lines


def _indent(text: str, claim: Claim) -> str:
    """Return what stands before a continuation line: the first line's start, its marker blank."""
    start = claim.body_start
    line_start = max(text.rfind("\n", 0, start), text.rfind("\r", 0, start)) + 1
    return _blank(text[max(line_start, claim.start) : start])


def _blank(prefix: str) -> str:
    return "".join(char if char in "> \t" else " " for char in prefix)
