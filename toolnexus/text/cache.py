"""A parsed document as plain lists, for a cache on disk that is read faster than text is parsed."""

from __future__ import annotations

from typing import Any

from toolnexus.text.types import (
    Claim,
    Document,
    FrontMatter,
    Heading,
    Link,
    Problem,
    Structure,
)

# Changes whenever the same text may be parsed to another document.
PARSER_VERSION = 3

_HEADINGS = 9  # where in a claim's row its heading path stands, as a place in the list of paths


def document_to_json(document: Document) -> list[Any]:
    """Return a document as lists that `json` can write.

    Example:
        >>> document_from_json(document_to_json(Document())) == Document()
        True
    """
    paths = list(dict.fromkeys(claim.headings for claim in document.claims))
    places = {path: place for place, path in enumerate(paths)}
    front = document.front
    return [
        [front.start, front.end, front.fields],
        [[h.level, h.text, h.line, h.start, h.end, h.pinned] for h in document.headings],
        [list(path) for path in paths],
        [_claim_row(claim, places[claim.headings]) for claim in document.claims],
        [[s.kind, s.start, s.end, s.line] for s in document.structure],
        [_link_row(link) for link in document.links],
        list(document.block_ids),
        [[p.rule, p.line, p.message, p.hint] for p in document.problems],
    ]


def document_from_json(rows: list[Any]) -> Document:
    """Return the document that `document_to_json` made the lists of.

    Raises:
        ValueError: when they are no such lists: the cache is of no use, and the text is parsed.

    Example:
        >>> try:
        ...     document_from_json([1])
        ... except ValueError as error:
        ...     print(error)
        these lists are no document
    """
    try:
        front, headings, paths, claims, structure, links, block_ids, problems = rows
        headings_of = [tuple(path) for path in paths]
        return Document(
            FrontMatter(*front),
            tuple([Heading(*row) for row in headings]),
            tuple([_claim(row, headings_of) for row in claims]),
            tuple([Structure(*row) for row in structure]),
            tuple([Link(*row) for row in links]),
            tuple(block_ids),
            tuple([Problem(*row) for row in problems]),
        )
    except (AttributeError, TypeError, ValueError, IndexError) as error:
        raise ValueError("these lists are no document") from error


def _claim(row: list[Any], headings_of: list[tuple[str, ...]]) -> Claim:
    fields = row.copy()
    fields[_HEADINGS] = headings_of[fields[_HEADINGS]]
    return Claim(*fields)


def _claim_row(claim: Claim, path: int) -> list[Any]:
    return [
        claim.kind,
        claim.start,
        claim.end,
        claim.body_start,
        claim.body_end,
        claim.line,
        claim.end_line,
        claim.text,
        claim.fold,
        path,
        claim.parent,
        claim.ordered,
        claim.pinned,
    ]


def _link_row(link: Link) -> list[Any]:
    return [
        link.kind,
        link.start,
        link.end,
        link.target,
        link.anchor,
        link.label,
        link.target_start,
        link.target_end,
        link.line,
        link.escaped_pipe,
    ]
