"""A JSON array split into its elements, in bounded memory, whatever the chunks."""

from __future__ import annotations

import io
import json
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolnexus.transcripts.importers import json_array
from toolnexus.transcripts.importers.json_array import read_elements

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
OBJECTS = st.dictionaries(st.text(), VALUES, max_size=4)


class Trickle(io.BytesIO):
    """A file that gives a few bytes at a time."""

    def __init__(self, data: bytes, step: int) -> None:
        super().__init__(data)
        self._step = step

    def read(self, _size: int | None = -1) -> bytes:
        """Give the next few bytes."""
        return super().read(self._step)


class Endless:
    """A file that repeats its middle, as large as is wanted, never in memory as a whole."""

    def __init__(self, head: bytes, middle: bytes, times: int, tail: bytes) -> None:
        self._parts = iter([head, *(middle for _ in range(times)), tail])

    def read(self, _size: int = -1) -> bytes:
        """Give the next part."""
        return next(self._parts, b"")


def split(data: bytes) -> list[tuple[bytes, str]]:
    return [(element.data, element.problem) for element in read_elements(io.BytesIO(data))]


@pytest.mark.slow
@given(st.lists(OBJECTS, max_size=5), st.integers(1, 40), st.booleans(), st.sampled_from([None, 2]))
def test_an_array_comes_apart_as_json_reads_it(objects, step, ascii_only, indent):
    """Every element is found whole, however the file is cut into chunks and laid out."""
    data = json.dumps(objects, ensure_ascii=ascii_only, indent=indent)
    trickle = Trickle(data.encode("utf-8", "replace"), step)
    elements = list(read_elements(trickle))
    assert [element.problem for element in elements] == [""] * len(objects)
    assert [element.number for element in elements] == list(range(1, len(objects) + 1))
    for element, value in zip(elements, objects, strict=True):
        assert json.loads(element.data) == json.loads(
            json.dumps(value, ensure_ascii=ascii_only).encode("utf-8", "replace")
        )


@given(st.binary(max_size=200), st.integers(1, 40))
def test_arbitrary_bytes_end_in_elements_or_problems(data, step):
    """No bytes make the splitter raise, or say nothing at all."""
    assert list(read_elements(Trickle(data, step))) or data.strip().startswith(b"[")


def test_what_ends_early_is_told_after_what_is_whole():
    """Of a truncated export all whole elements are given, then that it was cut short."""
    assert split(b'[{"a": 1}, {"b": "x') == [
        (b'{"a": 1}', ""),
        (b"", "the array ends in the middle: cut short"),
    ]


@pytest.mark.parametrize("data", [b"", b"  ", b'{"a": 1}', b"hello", b"1 [", b"]"])
def test_what_is_no_array_is_told(data):
    """Anything else than an array is one problem."""
    assert split(data) == [(b"", "not a JSON array")]


def test_scalars_between_objects_are_told():
    """Numbers, strings and names in the array are no elements of use, and are not passed over."""
    assert ("", "not a JSON object") in [
        (data.decode(), problem) for data, problem in split(b'[1, {"a": 2}]')
    ]
    assert split(b'[{"a": 2}, "x"]')[-1] == (b"", "not a JSON object")


def test_an_element_over_the_cap_is_passed_over_and_the_next_is_read():
    """A huge element costs no more memory than the cap, and only itself."""
    data = b'[{"a": "' + b"x" * 5000 + b'"}, {"b": 1}]'
    elements = list(read_elements(io.BytesIO(data), cap_bytes=1000))
    assert "over" in elements[0].problem
    assert elements[1].data == b'{"b": 1}'


@pytest.mark.slow
def test_a_large_export_is_split_in_bounded_memory():
    """Sixty megabytes of elements, and one string as long, need a few megabytes at most."""
    element = b'{"id": "a", "text": "' + b'hm \\" [{' * 5000 + b'"},'
    tracemalloc.start()
    many = sum(1 for _ in read_elements(Endless(b"[", element, 1500, b"{}]")))
    one = list(read_elements(Endless(b'[{"a": "', b"x" * 1_000_000, 60, b'"}]'), cap_bytes=10**6))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert many == 1501
    assert [bool(found.problem) for found in one] == [True]
    assert peak < 8_000_000
    assert json_array.ELEMENT_CAP_BYTES <= 64 * 1024 * 1024
