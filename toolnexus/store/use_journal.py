"""The journal of uses and feedback: which notes served, and how well, one line each, in one file.

Many processes may write at once: each line is one write to the file's end, under a lock. A line
that a crash tore is skipped. What is read is a sum by note, and a journal that has grown is folded
into such sums; folding changes nothing that is ever read of it.
"""

from __future__ import annotations

import errno
import json
import math
import os
from typing import TYPE_CHECKING, Any

from toolnexus.clock import format_instant, parse_instant
from toolnexus.files import (
    REAL_DISK,
    Disk,
    disk_errors,
    hold_lock,
    read_regular,
    write_atomically,
)
from toolnexus.store.uses import LEAST_BOOST, MOST_BOOST, NONE, NoteUses, Reason, Use, Uses

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping
    from datetime import datetime
    from pathlib import Path

USES_FILE = "uses.jsonl"
LOCK_WAIT_SECONDS = 10.0
FOLD_BYTES = 256 * 1024
"""How long the journal grows before it is folded, beyond twice what the last folding left."""

_HEAD_BYTES = 64
_ADD = os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


class UseJournal:
    """The journal in a state folder, which must be there already.

    Args:
        state: The state folder.
        disk: What writes.

    Example:
        >>> journal = UseJournal(home / ".toolnexus")  # doctest: +SKIP
        >>> journal.append(Use("memory/tea.md", now))  # doctest: +SKIP
    """

    def __init__(self, state: Path, disk: Disk = REAL_DISK) -> None:
        self._path = state / USES_FILE
        self._lock = state / "locks" / "uses.lock"
        self._disk = disk
        self._seen: tuple[os.stat_result, Uses] | None = None

    def append(
        self, *uses: Use, durable: bool = False, timeout_seconds: float = LOCK_WAIT_SECONDS
    ) -> None:
        """Write down uses: all of these or none.

        Args:
            uses: What to write down.
            durable: Whether they must outlive a power loss; they outlive a crash in any case.
            timeout_seconds: How long to wait for others that write to it.

        Raises:
            LockedError: when it stays locked for longer than that.
            DiskError: when the disk is full or failing; the journal is as it was.
        """
        if not uses:
            return
        data = b"".join(_line(_fields_of(use)) for use in uses)
        with hold_lock(self._lock, timeout_seconds=timeout_seconds, what="a note of use"):
            with disk_errors(self._path):
                size = self._add(data, durable=durable)
            if size >= FOLD_BYTES and size >= 2 * self._folded_bytes():
                self._fold()

    def read(self) -> Uses:
        """Return what the journal comes to; what cannot be read of it is skipped."""
        try:
            seen = self._path.stat()
            if self._seen is None or _differs(self._seen[0], seen):
                self._seen = seen, parse_uses(read_regular(self._path))
        except OSError:
            return Uses()
        return self._seen[1]

    def read_of(self, paths: Collection[str]) -> Uses:
        """Return what the journal comes to for a few notes: quick, however long it is."""
        try:
            data = read_regular(self._path)
        except OSError:
            return Uses()
        marks = {path: b'"path":' + _text(path) for path in paths}
        lines = [line for mark in marks.values() for line in _lines_with(mark, data)]
        found = parse_uses(b"\n".join(lines)).by_path
        return Uses({path: found[path] for path in marks if path in found})

    def _add(self, data: bytes, *, durable: bool) -> int:
        """Write to the file's end, on a line of its own; return the file's size."""
        descriptor = os.open(self._path, _ADD, 0o644)
        try:
            size = os.fstat(descriptor).st_size
            if size and os.pread(descriptor, 1, size - 1) != b"\n":
                data = b"\n" + data
            try:
                self._write(descriptor, data)
                if durable:
                    self._disk.sync(descriptor)
            except OSError:
                os.ftruncate(descriptor, size)
                raise
            return size + len(data)
        finally:
            os.close(descriptor)

    def _write(self, descriptor: int, data: bytes) -> None:
        written = self._disk.append(descriptor, data)
        if written < len(data):
            raise OSError(errno.ENOSPC, f"only {written:,} of {len(data):,} bytes were written")

    def _folded_bytes(self) -> int:
        """Tell how long the journal was when it was last folded: its first line says it."""
        with disk_errors(self._path), self._path.open("rb") as file:
            head = _parsed(file.read(_HEAD_BYTES).partition(b"\n")[0])
        size = head.get("folded_bytes", 0)
        return size if isinstance(size, int) else 0

    def _fold(self) -> None:
        """Write the sums in the place of the lines."""
        with disk_errors(self._path):
            uses = parse_uses(self._path.read_bytes())
        body = b"".join(_line(_total_fields(path, each)) for path, each in uses.by_path.items())
        data = _line({"folded_bytes": len(body)}) + body
        write_atomically(self._path, data, disk=self._disk)


def parse_uses(data: bytes) -> Uses:
    r"""Read a journal's bytes; there are none that it cannot read.

    Example:
        >>> line = b'{"path":"memory/tea.md","at":"2026-11-20T14:03:11Z","kind":"used"}\n'
        >>> parse_uses(line + b'{"path": torn').of("memory/tea.md").uses
        1
    """
    found: dict[str, NoteUses] = {}
    for fields in _all_parsed([line for line in data.split(b"\n") if line]):
        path = fields.get("path")
        if not isinstance(path, str):
            continue
        try:
            known = found.get(path, NONE)
            if fields.get("kind") == "total":
                total = _total_of(fields)
                found[path] = total if known is NONE else known.with_those(total)
            else:
                found[path] = known.after(_use_of(path, fields))
        except (ValueError, TypeError, KeyError, OverflowError, AttributeError):
            continue
    return Uses(found)


def _differs(before: os.stat_result, after: os.stat_result) -> bool:
    return (before.st_ino, before.st_size, before.st_mtime_ns) != (
        after.st_ino,
        after.st_size,
        after.st_mtime_ns,
    )


def _lines_with(mark: bytes, data: bytes) -> Iterator[bytes]:
    at = data.find(mark)
    while at >= 0:
        end = data.find(b"\n", at)
        end = len(data) if end < 0 else end
        yield data[data.rfind(b"\n", 0, at) + 1 : end]
        at = data.find(mark, end)


def _all_parsed(lines: list[bytes]) -> Iterable[dict[str, Any]]:
    """Parse lines: all at once where all are whole, which is quick; else one by one."""
    try:
        values = json.loads(b"[" + b",".join(lines) + b"]")
    except (ValueError, RecursionError):
        values = []
    if len(values) == len(lines) and all(isinstance(value, dict) for value in values):
        return values  # type: ignore[no-any-return]
    return map(_parsed, lines)


def _parsed(line: bytes) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _line(fields: Mapping[str, object]) -> bytes:
    return _text(fields) + b"\n"


def _text(value: object) -> bytes:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "surrogatepass")


def _fields_of(use: Use) -> dict[str, object]:
    fields: dict[str, object] = {
        "path": use.path,
        "at": format_instant(use.when),
        "kind": use.kind,
    }
    if use.kind == "feedback":
        fields |= {"score": use.score, "reason": use.reason}
    return fields


def _use_of(path: str, fields: Mapping[str, Any]) -> Use:
    when = parse_instant(fields["at"])
    if fields["kind"] == "used":
        return Use(path, when)
    if fields["kind"] != "feedback":
        raise ValueError(fields["kind"])
    return Use(path, when, "feedback", _number(fields["score"], -1, 1), str(fields["reason"]))


def _total_fields(path: str, uses: NoteUses) -> dict[str, object]:
    return {
        "path": path,
        "kind": "total",
        "uses": uses.uses,
        "last_used": _told(uses.last_used),
        "boost": uses.boost,
        "feedbacks": uses.feedbacks,
        "last_feedback": _told(uses.last_feedback),
        "last_score": uses.last_score,
        "last_praised": _told(uses.last_praised),
        "reasons": [[format_instant(r.when), r.score, r.text] for r in uses.reasons],
    }


def _total_of(fields: Mapping[str, Any]) -> NoteUses:
    return NoteUses(
        uses=int(_number(fields["uses"], 0)),
        last_used=_instant(fields["last_used"]),
        boost=_number(fields["boost"], LEAST_BOOST, MOST_BOOST),
        feedbacks=int(_number(fields["feedbacks"], 0)),
        last_feedback=_instant(fields["last_feedback"]),
        last_score=_number(fields["last_score"], -1, 1),
        last_praised=_instant(fields["last_praised"]),
        reasons=tuple(
            Reason(parse_instant(at), _number(score, -1, 1), str(text))
            for at, score, text in fields["reasons"]
        ),
    )


def _told(when: datetime | None) -> str | None:
    return None if when is None else format_instant(when)


def _instant(text: str | None) -> datetime | None:
    return None if text is None else parse_instant(text)


def _number(value: object, least: float, most: float = math.inf) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= most:
        raise ValueError(value)
    return float(value)
