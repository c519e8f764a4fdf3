"""A JSON array of any length, one element at a time: an export need not fit the memory."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    from collections.abc import Iterator

ELEMENT_CAP_BYTES = 64 * 1024 * 1024
_CHUNK_BYTES = 1024 * 1024
_OPENING = b"[{"
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
# What lies between two brackets: other characters, and whole strings.
_PLAIN = re.compile(rb'(?:[^"{}\[\]]++|"[^"\\]*+(?:\\.[^"\\]*+)*+")*+', re.DOTALL)
_IN_STRING = re.compile(rb'[^"\\]*+(?:\\.[^"\\]*+)*+', re.DOTALL)


@dataclass(frozen=True, slots=True)
class Element:
    """An element of an array: its number, counted from 1, and its text or what is wrong."""

    number: int
    data: bytes = b""
    problem: str = ""


def read_elements(file: BinaryIO, *, cap_bytes: int = ELEMENT_CAP_BYTES) -> Iterator[Element]:
    """Split a JSON array of objects (or arrays) into its elements, unparsed.

    Args:
        file: A binary file, read from where it stands, once.
        cap_bytes: An element over this is passed over and told as a problem; no more than this and
            one chunk is held in memory.

    Raises:
        OSError: when the file cannot be read.

    Example:
        >>> import io
        >>> [element.data for element in read_elements(io.BytesIO(b'[{"a": 1}, {"b": [2]}]'))]
        [b'{"a": 1}', b'{"b": [2]}']
    """
    splitter = _Splitter(cap_bytes)
    first = True
    while not splitter.done and (chunk := file.read(_CHUNK_BYTES)):
        if first:
            first = False
            chunk = chunk.removeprefix(_BYTE_ORDER_MARK)
        yield from splitter.feed(chunk)
    yield from splitter.finish()


class _Splitter:
    """Finds where elements begin and end; each byte is looked at once."""

    def __init__(self, cap_bytes: int) -> None:
        self.done = False
        self._cap_bytes = cap_bytes
        self._depth = 0
        self._number = 0
        self._in_string = False
        self._escaped = False
        self._kept: bytearray | None = None  # the element so far; None outside or over the cap
        self._junk = False  # between elements stands what is neither object nor array

    def feed(self, chunk: bytes) -> Iterator[Element]:
        """Look at the next chunk; give the elements that end in it."""
        at = begin = 0
        while at < len(chunk) and not self.done:
            if self._in_string:
                at = self._skip_string(chunk, at)
                continue
            at = self._skip_plain(chunk, at)
            if at == len(chunk) or self._in_string:
                continue
            before = self._depth
            self._depth += 1 if chunk[at] in _OPENING else -1
            at += 1
            if before > 1 and self._depth > 1:
                continue
            if before > 1:
                self._keep(chunk[begin:at])
                yield self._element()
                begin = at
                continue
            self._look_between(chunk[begin : at - 1])
            yield from self._outer(chunk[at - 1 : at])
            begin = at - 1 if self._depth == 2 else at  # an element begins with its bracket
        if self._depth > 1:
            self._keep(chunk[begin:])
        else:
            self._look_between(chunk[begin:])

    def finish(self) -> Iterator[Element]:
        """Tell what is wrong when the array did not end."""
        if self._depth == 0 and not self.done:
            yield Element(0, problem="not a JSON array")
        elif not self.done:
            yield from self._end_junk()
            yield Element(self._number, problem="the array ends in the middle: cut short")

    def _skip_string(self, chunk: bytes, at: int) -> int:
        if self._escaped:
            self._escaped = False
            return at + 1
        found = _IN_STRING.match(chunk, at)
        end = found.end() if found else at
        if end == len(chunk):
            return end
        if chunk[end : end + 1] == b"\\":  # the chunk ends between a backslash and what it escapes
            self._escaped = True
        else:
            self._in_string = False
        return end + 1

    def _skip_plain(self, chunk: bytes, at: int) -> int:
        found = _PLAIN.match(chunk, at)
        end = found.end() if found else at
        if chunk[end : end + 1] == b'"':  # a string that goes on in the next chunk
            self._in_string = True
            return end + 1
        return end

    def _keep(self, data: bytes) -> None:
        if self._kept is not None:
            self._kept += data
            if len(self._kept) > self._cap_bytes:
                self._kept = None

    def _look_between(self, data: bytes) -> None:
        self._junk = self._junk or bool(data.strip(b", \t\r\n"))

    def _outer(self, bracket: bytes) -> Iterator[Element]:
        """Follow a bracket that opens an element, or that opens or ends the array itself."""
        if self._depth < 0 or (self._depth == 1 and (bracket != b"[" or self._junk)):
            self.done = True
            yield Element(0, problem="not a JSON array")
            return
        yield from self._end_junk()
        if self._depth == 2:
            self._number += 1
            self._kept = bytearray()
        self.done = self._depth == 0

    def _element(self) -> Element:
        kept, self._kept = self._kept, None
        if kept is None:
            return Element(self._number, problem=f"over {self._cap_bytes >> 20} MiB as one piece")
        return Element(self._number, bytes(kept))

    def _end_junk(self) -> Iterator[Element]:
        if self._junk:
            self._junk = False
            yield Element(self._number, problem="not a JSON object")
