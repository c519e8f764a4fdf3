"""A file as numbered physical lines, read from any byte offset, each bounded in memory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    from collections.abc import Iterator

LINE_CAP_BYTES = 16 * 1024 * 1024
_CHUNK_BYTES = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Line:
    """A physical line.

    Attributes:
        number: Counted from 1.
        offset: Where it begins in the file, in bytes.
        data: Its bytes, newline included; of a line over the cap only its beginning.
        whole: Whether a newline ends it; only a file's last line can lack one.
        too_long: Whether it is over the cap.
        end: Offset behind it.
    """

    number: int
    offset: int
    data: bytes
    whole: bool
    too_long: bool
    end: int


def read_lines(
    file: BinaryIO, *, offset: int = 0, number: int = 1, cap_bytes: int = LINE_CAP_BYTES
) -> Iterator[Line]:
    r"""Read a file's lines one at a time.

    Args:
        file: A buffered binary file.
        offset: Where to begin, in bytes; the start of a line.
        number: The number of the line that begins there.
        cap_bytes: No more than this of any line is held in memory.

    Raises:
        OSError: when the file cannot be read.

    Example:
        >>> import io
        >>> [(line.number, line.data) for line in read_lines(io.BytesIO(b"a\nb"))]
        [(1, b'a\n'), (2, b'b')]
    """
    file.seek(offset)
    while data := file.readline(cap_bytes + 1):
        end = offset + len(data)
        whole = data.endswith(b"\n")
        too_long = len(data) > cap_bytes and not whole
        if too_long:
            rest, whole = _skip_rest(file)
            end += rest
        yield Line(number, offset, data, whole, too_long, end)
        offset = end
        number += 1


def _skip_rest(file: BinaryIO) -> tuple[int, bool]:
    """Read to the end of the line and keep nothing; return its bytes, and whether it ended."""
    skipped = 0
    while data := file.readline(_CHUNK_BYTES):
        skipped += len(data)
        if data.endswith(b"\n"):
            return skipped, True
    return skipped, False
