"""The part of a turn's text that a hit shows."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING

from toolnexus.transcripts.words import SEPARATOR, searchable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

EXCERPT_CHARS = 320
_BLANK_NEAR_CHARS = 24
# How far into a text a match is looked for; megabytes of tool output are not cut up for a glance.
_TEXT_CAP_CHARS = 400_000
_PIECE = re.compile(r"(?s).{1,240}(?=\s|$)|.{1,240}")
_OPEN, _CLOSE = "\x02", "\x03"
_CONTROL = re.compile(f"[{_OPEN}{_CLOSE}{SEPARATOR}]")


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A stretch of text with its match; positions are code points within `text`."""

    text: str
    match_start: int = 0
    match_length: int = 0


def find_excerpts(texts: list[str], match: str) -> list[Excerpt]:
    """Cut from each text what stands around its best match.

    The full-text engine itself finds the match, so that what it took for one is what is marked.

    Args:
        texts: The hits' whole texts.
        match: The full-text expression that found them.

    Example:
        >>> find_excerpts(["We finally moved to Berlin."], '"berlin"')
        [Excerpt(text='We finally moved to Berlin.', match_start=20, match_length=6)]
    """
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        connection.execute(
            "CREATE VIRTUAL TABLE pieces USING fts5 (text, position UNINDEXED, start UNINDEXED,"
            " tokenize='porter unicode61 remove_diacritics 2')"
        )
        spans = _find(connection, _pieces(texts), match)
        # A phrase may stand across two pieces.
        missed = [
            (at, 0, text[:_TEXT_CAP_CHARS]) for at, text in enumerate(texts) if at not in spans
        ]
        if missed:
            spans |= _find(connection, missed, match)
    return [_cut(text, *spans.get(position, (0, 0))) for position, text in enumerate(texts)]


def _pieces(texts: list[str]) -> Iterator[tuple[int, int, str]]:
    for position, text in enumerate(texts):
        for piece in _PIECE.finditer(text, 0, _TEXT_CAP_CHARS):
            yield position, piece.start(), piece[0]


def _find(
    connection: sqlite3.Connection, pieces: Iterable[tuple[int, int, str]], match: str
) -> dict[int, tuple[int, int]]:
    """Return where the best match of each text is, and how long, for those that have one."""
    connection.execute("BEGIN")
    connection.execute("DELETE FROM pieces")
    connection.executemany(
        "INSERT INTO pieces VALUES (?, ?, ?)",
        (
            (searchable(_CONTROL.sub(" ", piece)), position, start)
            for position, start, piece in pieces
        ),
    )
    connection.execute("COMMIT")
    rows = connection.execute(
        "SELECT position, start, highlight(pieces, 0, ?, ?) FROM pieces"
        " WHERE pieces MATCH ? ORDER BY rank, rowid",
        (_OPEN, _CLOSE, match),
    )
    spans: dict[int, tuple[int, int]] = {}
    for position, start, marked in rows:
        if position not in spans:
            spans[position] = _first_span(marked.replace(SEPARATOR, ""), start)
    return spans


def _first_span(marked: str, start: int) -> tuple[int, int]:
    opened = marked.index(_OPEN)
    return start + opened, marked.index(_CLOSE) - opened - 1


def _cut(text: str, start: int, length: int) -> Excerpt:
    """Cut a stretch that holds the match out of a text, at blanks where there are some near."""
    if len(text) <= EXCERPT_CHARS:
        return Excerpt(text, start, length)
    room = max(0, EXCERPT_CHARS - length)
    begin = max(0, min(start - room // 2, len(text) - EXCERPT_CHARS))
    end = min(len(text), max(begin + EXCERPT_CHARS, start + length))
    if begin > 0:
        begin = _after_blank(text, begin, min(start, begin + _BLANK_NEAR_CHARS))
    if end < len(text):
        blank = text.rfind(" ", max(start + length, end - _BLANK_NEAR_CHARS), end)
        end = end if blank < 0 else blank
    return Excerpt(text[begin:end], start - begin, length)


def _after_blank(text: str, begin: int, latest: int) -> int:
    blank = text.find(" ", begin - 1, latest)
    return begin if blank < 0 else blank + 1
