"""Changing claims in a text: only their own words or lines move, every other byte stays."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from toolnexus.text.document import parse_document
from toolnexus.text.lines import detect_newline

if TYPE_CHECKING:
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
