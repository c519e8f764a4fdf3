"""Documents, in chunks: long texts as notes of a size that search and people can use."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from toolnexus.errors import UsageError
from toolnexus.evolve.plugging.event import PlugEvent, PlugSkip
from toolnexus.evolve.plugs.files import existing, files_below, named

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

_SUFFIXES = frozenset({".txt", ".md", ".markdown", ".rst", ".adoc", ".org", ".text"})
_LINE_CAP_CHARS = 100_000
_SENTENCE = re.compile(r"(?<=[.!?。！？])\s+|\s+")
CHUNK_CHARS = 2_000
FEWEST_CHARS = 100


class Documents:
    """Texts of any length, read as a stream and cut where paragraphs end.

    A chunk is known by its document and its number. One that changes changes its note; where a
    document grows at its beginning, all chunks behind that move on.

    Args:
        source: A file, or a folder of text files.
        chunk_chars: How long a chunk may be; a paragraph that is longer is cut between sentences.

    Raises:
        UsageError: when there is no such file or folder, or the size will not do.
    """

    name = "documents"

    def __init__(self, source: str | Path, chunk_chars: int = CHUNK_CHARS) -> None:
        if chunk_chars < FEWEST_CHARS:
            raise UsageError(f"a chunk has {FEWEST_CHARS} characters or more")
        self.source = existing(source)
        self._chunk_chars = chunk_chars

    def events(self) -> Iterator[PlugEvent | PlugSkip]:
        """Yield each document's chunks in order."""
        for path in files_below(self.source, _SUFFIXES):
            if isinstance(path, PlugSkip):
                yield path
            else:
                yield from self._read(path)

    def _read(self, path: Path) -> Iterator[PlugEvent | PlugSkip]:
        name = named(self.source, path)
        number = 0
        try:
            with path.open(encoding="utf-8-sig", newline=None) as file:
                for number, text in enumerate(chunks(_lines(file), self._chunk_chars), 1):
                    yield PlugEvent(
                        id=f"{name}#{number}",
                        text=text,
                        title=f"{path.stem}, part {number}",
                        source=name,
                        scope="",
                    )
        except UnicodeDecodeError:
            yield PlugSkip("it is not UTF-8 from some place on", f"{name}#{number}")
        except OSError as error:
            yield PlugSkip(f"it cannot be read: {error.strerror}", str(path))


def chunks(lines: Iterable[str], most: int) -> Iterator[str]:
    r"""Put lines together to chunks that end where a paragraph does; none is longer than `most`.

    Example:
        >>> list(chunks(["One.\n", "\n", "Two.\n"], 6))
        ['One.', 'Two.']
    """
    chunk = ""
    for paragraph in _paragraphs(lines, most):
        if chunk and len(chunk) + 2 + len(paragraph) > most:
            yield chunk
            chunk = ""
        chunk = f"{chunk}\n\n{paragraph}" if chunk else paragraph
    if chunk:
        yield chunk


def _paragraphs(lines: Iterable[str], most: int) -> Iterator[str]:
    """Yield the paragraphs, those that are too long in pieces."""
    held = ""
    for line in lines:
        if line.strip():
            held += line
            while len(held) > most:
                piece, held = _cut(held, most)
                if piece:
                    yield piece
        elif held.strip():
            yield held.strip("\n")
            held = ""
    if held.strip():
        yield held.strip("\n")


def _cut(text: str, most: int) -> tuple[str, str]:
    """Cut a long text after its last sentence that has room, else at a gap, else anywhere."""
    head = text[:most]
    gaps = [found for found in _SENTENCE.finditer(head) if found.start() > 0]
    ends = [found.end() for found in gaps if head[found.start() - 1] in ".!?。！？"]
    at = ends[-1] if ends else gaps[-1].end() if gaps else most
    return text[:at].strip(), text[at:].lstrip()


def _lines(file: Iterable[str]) -> Iterator[str]:
    """Yield lines; one without end is handed on in pieces."""
    readline = getattr(file, "readline", None)
    assert readline is not None
    while line := readline(_LINE_CAP_CHARS):
        yield line
