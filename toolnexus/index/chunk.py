"""Chunks: the passages of a file that are found as one, claims in a row under one heading."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from toolnexus.index.words import keys, squash
from toolnexus.text.types import Claim

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from toolnexus.text.types import Document, Heading, Structure

CHUNK_WORDS = 120
PIECE_CHARACTERS = 2_000
_FENCE = re.compile(r"^\s*(?:`{3,}|~{3,}).*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Chunk:
    """A passage of a file.

    Attributes:
        id: Stable for the same words under the same title and heading of the same file, wherever
            in the file they stand.
        path: The file, as the caller names it.
        line: Its first line, counted from 1; `end_line` its last.
        title: The file's title.
        heading: The headings above it, outermost first, parted by " > "; one that only repeats
            the title is left out.
        text: Its claims, one a line.
        lines: The file's line of each of these lines.
        keys: The keys of the identifiers, numbers and dates in all of it, the file's name included.
    """

    id: str
    path: str
    line: int
    end_line: int
    title: str
    heading: str
    text: str
    lines: tuple[int, ...]
    keys: tuple[str, ...] = ()

    def embedding_text(self) -> str:
        """Return what is embedded: the words behind their context."""
        context = " > ".join(part for part in (self.title, self.heading) if part)
        return f"{context}\n{self.text}" if context else self.text


@dataclass(frozen=True, slots=True)
class _Piece:
    """A claim, or the part of a long one, that goes into a chunk whole."""

    heading: str
    text: str
    line: int
    end_line: int
    words: int


@dataclass(slots=True)
class _Group:
    pieces: list[_Piece] = field(default_factory=list)
    words: int = 0


def chunk_document(path: str, title: str, document: Document, text: str) -> tuple[Chunk, ...]:
    """Cut a file into chunks: claims in a row under one heading, up to about 120 words.

    Code blocks are found too; a file without any words is found by its title.

    Args:
        path: The file, as the caller names it.
        title: Its title.
        document: Its text, read.
        text: The text itself; the document's offsets lead into it.

    Returns:
        Its chunks in order; empty for a file without words and without a title.

    Example:
        >>> from toolnexus.text.types import Document
        >>> [chunk.text for chunk in chunk_document("a.md", "Ava", Document(), "")]
        ['Ava']
    """
    groups = _group(_pieces(title, document, text))
    if not groups and title:
        groups = [[_Piece("", title, 1, 1, 1)]]
    seen: Counter[str] = Counter()
    chunks = []
    for group in groups:
        words = "\n".join(piece.text for piece in group)
        digest = _digest(title, group[0].heading, words)
        chunks.append(_chunk(path, title, group, words, f"{digest}-{seen[digest]}"))
        seen[digest] += 1
    return tuple(chunks)


def _chunk(path: str, title: str, group: list[_Piece], words: str, name: str) -> Chunk:
    stem = squash(PurePosixPath(path).stem)
    return Chunk(
        id=f"{_digest(path)[:16]}-{name}",
        path=path,
        line=group[0].line,
        end_line=max(piece.end_line for piece in group),
        title=title,
        heading=group[0].heading,
        text=words,
        lines=tuple(piece.line for piece in group),
        keys=tuple(dict.fromkeys([*keys(f"{title}\n{group[0].heading}\n{words}"), stem])),
    )


def _digest(*parts: str) -> str:
    return hashlib.blake2b("\0".join(parts).encode(), digest_size=16).hexdigest()


def _group(pieces: Iterable[_Piece]) -> list[list[_Piece]]:
    groups: list[_Group] = []
    for piece in pieces:
        last = groups[-1] if groups else None
        if (
            last is None
            or last.pieces[0].heading != piece.heading
            or last.words + piece.words > CHUNK_WORDS
        ):
            last = _Group()
            groups.append(last)
        last.pieces.append(piece)
        last.words += piece.words
    return [group.pieces for group in groups]


def _pieces(title: str, document: Document, text: str) -> Iterator[_Piece]:
    parts: list[Claim | Structure] = [
        *document.claims,
        *(part for part in document.structure if part.kind == "code"),
    ]
    for part in sorted(parts, key=lambda part: part.start):
        if isinstance(part, Claim):
            headings, words, end_line = part.headings, part.text, part.end_line
        else:
            source = text[part.start : part.end]
            headings = _headings_above(document.headings, part.start)
            words = " ".join(_FENCE.sub("", source).split())
            end_line = part.line + source.rstrip("\r\n").count("\n")
        heading = " > ".join(headings[1:] if headings[:1] == (title,) else headings)
        for piece in _split(words):
            yield _Piece(heading, piece, part.line, end_line, piece.count(" ") + 1)


def _split(text: str) -> Iterator[str]:
    """Cut a long text at sentence ends where it can, at blanks or anywhere where it must."""
    while text:
        if text.count(" ") < CHUNK_WORDS and len(text) <= PIECE_CHARACTERS:
            yield text
            return
        head = " ".join(text.split(" ", CHUNK_WORDS)[:CHUNK_WORDS])
        cut = _cut(head[:PIECE_CHARACTERS])
        yield text[:cut].strip()
        text = text[cut:].strip()


def _cut(head: str) -> int:
    """Return where to cut: behind the last sentence in the second half, else the last blank."""
    ends = [
        match.end() for match in re.finditer(r"[.!?;](?=\s)", head) if match.end() * 2 > len(head)
    ]
    if ends:
        return ends[-1]
    blank = head.rfind(" ")
    return blank if blank * 2 > len(head) and len(head) == PIECE_CHARACTERS else len(head)


def _headings_above(headings: tuple[Heading, ...], offset: int) -> tuple[str, ...]:
    path: list[Heading] = []
    for heading in headings:
        if heading.start > offset:
            break
        path = [above for above in path if above.level < heading.level] + [heading]
    return tuple(heading.text for heading in path)
