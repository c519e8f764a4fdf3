"""YAML without its traps: the one place that reads YAML, and it only ever yields plain values.

What differs from YAML 1.1, on purpose: keys are always text; only ``true`` and ``false`` are
booleans; ``on``, ``no``, ``12:30:00``, ``0123``, ``1_000`` and dates are text. Duplicate keys,
tags of one's own, a second document and alias bombs are refused.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

MAX_CHARS = 1_048_576
MAX_NODES = 10_000
MAX_DEPTH = 50

_TAG = "tag:yaml.org,2002:"
_INT = re.compile(r"-?(?:0|[1-9][0-9]{0,99})")
_FLOAT = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+(?:[eE][+-]?[0-9]+)?|[eE][+-]?[0-9]+)")
_NULLS = frozenset({"", "~", "null", "Null", "NULL"})
_BOOLS = {"true": True, "false": False}


class YamlProblem(ValueError):  # noqa: N818 - a problem in a file is data to us
    r"""YAML that is not read.

    Args:
        message: What is wrong, in one sentence.
        line: Where, in the given text, counted from 1.

    Example:
        >>> try:
        ...     load("a: 1\na: 2")
        ... except YamlProblem as problem:
        ...     print(problem.line, problem.message)
        2 the key 'a' is given twice
    """

    def __init__(self, message: str, line: int) -> None:
        super().__init__(message)
        self.message = message
        self.line = line


def load(text: str) -> object:
    r"""Read one YAML document into dicts with text keys, lists, str, int, float, bool and None.

    Raises:
        YamlProblem: when it is no YAML, or YAML that is refused.

    Example:
        >>> load("on: no\nwhen: 2026-03-01\nport: 0123\nshare: 0.3")
        {'on': 'no', 'when': '2026-03-01', 'port': '0123', 'share': 0.3}
    """
    return _read(text).value


def key_lines(text: str) -> dict[tuple[str, ...], int]:
    r"""Return the line, counted from 1, of every key path; a list's entries are "0", "1", ….

    Raises:
        YamlProblem: as `load` does.

    Example:
        >>> key_lines("a:\n  b: 1\nc: [x]")
        {('a',): 1, ('a', 'b'): 2, ('c',): 3, ('c', '0'): 3}
    """
    return _read(text).lines


@dataclass(frozen=True, slots=True)
class Span:
    """Where a value stands in its text.

    Attributes:
        key: Offset of its key, or of a list's entry; `key_end` is behind the key.
        start: Offset of the value; equal to `end` where it is left out.
        end: Offset behind the value, comments that follow it left out.
        style: How it is written: a scalar, ``[…]``/``{…}``, or lines of a block.
    """

    key: int
    key_end: int
    start: int
    end: int
    style: Literal["scalar", "flow", "block"]


def value_spans(text: str) -> dict[tuple[str, ...], Span]:
    """Return where each value stands, by key path; the path of the whole is ().

    Raises:
        YamlProblem: as `load` does.

    Example:
        >>> span = value_spans("a: [x]  # why")[("a",)]
        >>> span.start, span.end, span.style
        (3, 6, 'flow')
    """
    return _read(text).spans


def _read(text: str) -> _Builder:
    import yaml

    if len(text) > MAX_CHARS:
        raise YamlProblem(f"more than {MAX_CHARS:,} characters of YAML", 1)
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        builder = _Builder(iter(yaml.parse(text, Loader=loader)))
        builder.read()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        # At the text's end the mark points behind the last line.
        line = 1 if mark is None else min(mark.line, text.count("\n")) + 1
        raise YamlProblem(error.problem or error.context or "this is no YAML", line) from error
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, max(error.position, 0)) + 1
        raise YamlProblem(f"a character that YAML does not allow: {error.reason}", line) from error
    except UnicodeEncodeError as error:
        line = text.count("\n", 0, error.start) + 1
        raise YamlProblem("half a character (a lone surrogate)", line) from error
    return builder


@dataclass(slots=True)
class _Builder:
    """Builds values from parse events, so that depth and size are bounded before they cost."""

    events: Iterator[Any]
    value: object = None
    lines: dict[tuple[str, ...], int] = field(default_factory=dict)
    spans: dict[tuple[str, ...], Span] = field(default_factory=dict)
    nodes: int = 0
    anchors: dict[str, tuple[object, int]] = field(default_factory=dict)

    def read(self) -> None:
        """Read the stream's one document; `value` stays None when there is none."""
        documents = 0
        for event in self.events:
            if type(event).__name__ == "DocumentStartEvent":
                documents += 1
                if documents > 1:
                    raise YamlProblem("a second YAML document", _line(event))
                root = next(self.events)
                self.value = self._value(root, (), root)

    def _value(self, event: Any, path: tuple[str, ...], key: Any) -> object:
        self._count(1, event)
        if len(path) > MAX_DEPTH:
            raise YamlProblem(f"nested deeper than {MAX_DEPTH} levels", _line(event))
        before = self.nodes
        name = type(event).__name__
        value: object
        end = event.end_mark.index
        if name == "AliasEvent":
            value = self._alias(event)
        elif name == "ScalarEvent":
            value = _scalar(event)
        elif name == "SequenceStartEvent":
            value, end = self._sequence(event, path)
        else:
            value, end = self._mapping(event, path)
        style: Literal["scalar", "flow", "block"] = "scalar"
        if name not in {"AliasEvent", "ScalarEvent"}:
            style = "flow" if event.flow_style else "block"
        start = event.start_mark.index
        self.spans[path] = Span(key.start_mark.index, key.end_mark.index, start, end, style)
        if name != "AliasEvent" and event.anchor is not None:
            self.anchors[event.anchor] = (value, self.nodes - before + 1)
        return value

    def _alias(self, event: Any) -> object:
        if event.anchor not in self.anchors:
            raise YamlProblem(f"the alias *{event.anchor} leads nowhere", _line(event))
        value, size = self.anchors[event.anchor]
        self._count(size, event)
        return value

    def _sequence(self, event: Any, path: tuple[str, ...]) -> tuple[list[object], int]:
        _refuse_tag(event, "seq")
        values: list[object] = []
        end = event.end_mark.index
        while type(item := next(self.events)).__name__ != "SequenceEndEvent":
            here = (*path, str(len(values)))
            self.lines[here] = _line(item)
            values.append(self._value(item, here, item))
            end = self.spans[here].end
        return values, item.end_mark.index if event.flow_style else end

    def _mapping(self, event: Any, path: tuple[str, ...]) -> tuple[dict[str, object], int]:
        _refuse_tag(event, "map")
        values: dict[str, object] = {}
        end = event.end_mark.index
        while type(key := next(self.events)).__name__ != "MappingEndEvent":
            self._count(1, key)
            if type(key).__name__ != "ScalarEvent":
                raise YamlProblem("a key that is no plain text", _line(key))
            if key.value in values:
                raise YamlProblem(f"the key '{key.value}' is given twice", _line(key))
            here = (*path, key.value)
            self.lines[here] = _line(key)
            values[key.value] = self._value(next(self.events), here, key)
            end = self.spans[here].end
        return values, key.end_mark.index if event.flow_style else end

    def _count(self, nodes: int, event: Any) -> None:
        self.nodes += nodes
        if self.nodes > MAX_NODES:
            raise YamlProblem(f"more than {MAX_NODES:,} values, aliases expanded", _line(event))


def _line(event: Any) -> int:
    line: int = event.start_mark.line
    return line + 1


def _refuse_tag(event: Any, kind: str) -> None:
    if event.tag not in {None, "!", _TAG + kind}:
        raise YamlProblem(f"the tag '{event.tag}' is not allowed", _line(event))


def _scalar(event: Any) -> object:
    text: str = event.value
    if event.tag in {None, "!"}:
        return _plain(text) if event.implicit[0] else text
    kind = event.tag.removeprefix(_TAG)
    if kind == event.tag or kind not in _READERS:
        raise YamlProblem(f"the tag '{event.tag}' is not allowed", _line(event))
    value = _READERS[kind](text)
    if value is _NOT_THAT:
        raise YamlProblem(f"'{text}' is no {kind}", _line(event))
    return value


_NOT_THAT = object()


def _null(text: str) -> object:
    return None if text in _NULLS else _NOT_THAT


def _bool(text: str) -> object:
    return _BOOLS.get(text.lower(), _NOT_THAT)


def _int(text: str) -> object:
    return int(text) if _INT.fullmatch(text) else _NOT_THAT


def _float(text: str) -> object:
    if not _FLOAT.fullmatch(text):
        return _NOT_THAT
    number = float(text)
    return number if math.isfinite(number) else _NOT_THAT


_READERS: dict[str, Callable[[str], object]] = {
    "null": _null,
    "bool": _bool,
    "int": _int,
    "float": _float,
    "str": str,
}


def _plain(text: str) -> object:
    """Return what an unquoted scalar means: the first reader that takes it, text in the end."""
    for reader in _READERS.values():
        value = reader(text)
        if value is not _NOT_THAT:
            return value
    return text
