from __future__ import annotations

import io
from zlib import crc32

from hypothesis import given, settings
from hypothesis import strategies as st

from toolnexus.transcripts.lines import checksum_of, read_lines

DATA = st.binary(max_size=60) | st.text("ab\n", max_size=60).map(str.encode)


@settings(max_examples=150)
@given(DATA, st.integers(1, 12))
def test_lines_cover_a_file_and_each_is_bounded(data: bytes, cap: int):
    """Lines follow on each other to the file's end, hold at most the cap, and sum up right."""
    end = 0
    for number, line in enumerate(read_lines(io.BytesIO(data), cap_bytes=cap), 1):
        assert (line.number, line.offset) == (number, end)
        assert len(line.data) <= cap + 1
        whole = data[line.offset : line.end]
        assert line.whole == whole.endswith(b"\n")
        assert line.too_long == (len(whole.removesuffix(b"\n")) > cap)
        assert line.checksum == crc32(data[: line.end - line.whole])
        end = line.end
    assert end == len(data)


@settings(max_examples=100)
@given(DATA, st.data())
def test_reading_on_from_a_line_is_like_reading_all(data: bytes, draw: st.DataObject):
    """From any line's end, with its number and checksum, the same lines follow."""
    lines = list(read_lines(io.BytesIO(data)))
    at = draw.draw(st.integers(0, len(lines)))
    offset = lines[at - 1].end if at else 0
    file = io.BytesIO(data)
    rest = read_lines(
        file, offset=offset, number=at + 1, checksum=checksum_of(io.BytesIO(data), offset)
    )
    assert list(rest) == lines[at:]
