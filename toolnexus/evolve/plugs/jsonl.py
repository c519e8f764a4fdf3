"""JSON lines: each line is an object that becomes a note."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

from toolnexus.evolve.plugging.event import PlugEvent, PlugSkip, day_of
from toolnexus.evolve.plugs.files import existing, files_below, named

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_SUFFIXES = frozenset({".jsonl", ".ndjson"})
_LINE_CAP_BYTES = 4 * 1024 * 1024
_TEXTS = ("text", "content", "memory", "page_content")
_DATES = ("created", "created_at", "ts")


class JsonLines:
    """Records of other memories: ``{"id": …, "text": …, "title": …, "tags": […], …}``.

    The text may be called text, content, memory or page_content; the day created, created_at or
    ts, and what is no date there is passed over. Without an id a record is known by its text.
    Everything else that `PlugEvent` has may be there, and unknown keys are passed over.

    Args:
        source: A file, or a folder of files that end in ``.jsonl`` or ``.ndjson``.

    Raises:
        UsageError: when there is no such file or folder.
    """

    name = "jsonl"

    def __init__(self, source: str | Path) -> None:
        self.source = existing(source)

    def events(self) -> Iterator[PlugEvent | PlugSkip]:
        """Yield each record, line by line."""
        for path in files_below(self.source, _SUFFIXES):
            if isinstance(path, PlugSkip):
                yield path
            else:
                yield from self._lines(path)

    def _lines(self, path: Path) -> Iterator[PlugEvent | PlugSkip]:
        name = named(self.source, path)
        try:
            with path.open("rb") as file:
                number = 0
                while line := file.readline(_LINE_CAP_BYTES + 1):
                    number += 1
                    if len(line) > _LINE_CAP_BYTES:
                        yield PlugSkip("its line is too long", f"{name}:{number}")
                        while line and not line.endswith(b"\n"):
                            line = file.readline(_LINE_CAP_BYTES)
                    elif line.strip():
                        yield read_record(line, name, number)
        except OSError as error:
            yield PlugSkip(f"it cannot be read: {error.strerror}", str(path))


def read_record(line: bytes, name: str, number: int) -> PlugEvent | PlugSkip:
    """Read one line.

    Args:
        line: Its bytes.
        name: The file's name, for where it is from.
        number: The line's number, counted from 1.

    Example:
        >>> read_record(b'{"id": 7, "memory": "Likes tea."}', "m.jsonl", 1).id
        '7'
    """
    place = f"{name}:{number}"
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return PlugSkip("it is no JSON", place)
    if not isinstance(record, dict):
        return PlugSkip("it is no JSON object", place)
    text = _first(record, _TEXTS)
    if not text:
        return PlugSkip("it holds no text", place)
    given = record.get("id")
    known = isinstance(given, str | int) and not isinstance(given, bool) and str(given).strip()
    digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
    return PlugEvent(
        id=str(given) if known else f"text:{digest}",
        text=text,
        title=_text(record, "title"),
        stage=record.get("stage"),
        tags=_names(record.get("tags")),
        stability=record.get("stability"),
        scope=_text(record, "scope"),
        created=next(filter(None, (day_of(_text(record, key)) for key in _DATES)), ""),
        source=_text(record, "source") or name,  # its line would change with every line before it
        slug=_text(record, "slug"),
        aliases=_names(record.get("aliases")),
    )


def _first(record: dict[str, Any], keys: tuple[str, ...]) -> str:
    return next(filter(None, (_text(record, key) for key in keys)), "")


def _text(record: dict[str, Any], key: str) -> str:
    value = record.get(key)
    return value if isinstance(value, str) else ""


def _names(value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        return tuple(part.strip() for part in value.split(",") if part.strip())
    items = value if isinstance(value, list) else []
    return tuple(str(item) for item in items if isinstance(item, str | int))
