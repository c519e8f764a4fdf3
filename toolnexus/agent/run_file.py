"""Run files: every step of a run, written as it happens, so that a crash leaves a readable one."""

from __future__ import annotations

import contextlib
import json
import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from toolnexus.clock import format_instant
from toolnexus.errors import DiskError
from toolnexus.files import disk_errors
from toolnexus.models.redact import Redactor
from toolnexus.models.wire import parse_message

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from toolnexus.clock import Clock
    from toolnexus.models.message import Message

    OnTrouble = Callable[[DiskError], None]

SCHEMA = "toolnexus/run/1"
KEPT_RUNS = 50


class RunFile:
    """A run's file: one JSON object a line, keys masked.

    Args:
        path: The file; what is there is added to.
        clock: Tells the time of each entry.
        redactor: Masks keys; None makes one from the environment.
        on_trouble: Is given the first thing that keeps an entry from being written; nothing is
            written from there, and nothing raised: for runs that are worth more than their file.
    """

    def __init__(
        self,
        path: Path,
        clock: Clock,
        redactor: Redactor | None = None,
        on_trouble: OnTrouble | None = None,
    ) -> None:
        self.path = path
        self._clock = clock
        self._redactor = redactor or Redactor.from_environment()
        self._on_trouble = on_trouble
        self._is_given_up = False

    def append(self, kind: str, entry: Mapping[str, object]) -> None:
        """Write one entry and hand it to the operating system.

        Args:
            kind: ``start``, ``message``, ``reply``, ``refused`` or ``end``.
            entry: What it says, as JSON values.

        Raises:
            DiskError: when the disk is full or failing, and nobody else is told.
        """
        if self._is_given_up:
            return
        try:
            self._write(kind, entry)
        except DiskError as error:
            if self._on_trouble is None:
                raise
            self._is_given_up = True
            self._on_trouble(error)

    def _write(self, kind: str, entry: Mapping[str, object]) -> None:
        document = {"kind": kind, "at": format_instant(self._clock.now()), **entry}
        line = json.dumps(self._redactor.value(document), ensure_ascii=True) + "\n"
        with disk_errors(self.path):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("ab") as file:
                file.write(line.encode())


@dataclass(frozen=True, slots=True)
class RunRecord:
    """A run file, read.

    Attributes:
        messages: The conversation as far as it got; a compaction shows as its summary's message.
        outcome: How it ended; empty when it was cut short.
        entries: All entries in order.
        skipped: How many lines could not be read.
    """

    messages: tuple[Message, ...]
    outcome: str
    entries: tuple[Mapping[str, Any], ...]
    skipped: int


def new_run_file(
    folder: Path,
    clock: Clock,
    *,
    job: str = "run",
    keep: int = KEPT_RUNS,
    on_trouble: OnTrouble | None = None,
) -> RunFile:
    """Begin a run's file under a fresh name, and take away the oldest ones beyond a number.

    Args:
        folder: Where run files are: the state folder's ``runs``.
        clock: Tells the time.
        job: What it is a run of: ``ask``, ``beat``, ``dream``.
        keep: How many files to keep, the new one included.
        on_trouble: Is told of a disk that fails, in place of the error; see `RunFile`.

    Raises:
        DiskError: when the folder cannot be made, and nobody else is told.
    """
    try:
        _make_room(folder, keep - 1)
    except DiskError:
        if on_trouble is None:
            raise  # else the first entry tells, which is written into the same folder
    stamp = format_instant(clock.now()).replace("-", "").replace(":", "")
    path = folder / f"{stamp}-{job}-{secrets.token_hex(3)}.jsonl"
    return RunFile(path, clock, on_trouble=on_trouble)


def _make_room(folder: Path, most: int) -> None:
    """Make the folder, and take away the oldest files beyond a number."""
    with disk_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
        there = sorted(path for path in folder.glob("*.jsonl") if path.is_file())
        for path in there[: max(0, len(there) - most)]:
            path.unlink(missing_ok=True)


def read_run(path: Path) -> RunRecord:
    """Read a run file, also one that a crash cut short.

    Raises:
        OSError: when there is none.
    """
    entries: list[Mapping[str, Any]] = []
    messages: list[Message] = []
    skipped = 0
    for line in path.read_bytes().splitlines():
        try:
            entry = json.loads(line)
            kind = entry["kind"]
        except (ValueError, KeyError, TypeError, RecursionError):
            skipped += 1
            continue
        entries.append(entry)
        if kind in {"message", "reply"}:
            with contextlib.suppress(ValueError):
                messages.append(parse_message(entry.get("message")))
    ends = [str(entry.get("outcome", "")) for entry in entries if entry["kind"] == "end"]
    return RunRecord(tuple(messages), ends[-1] if ends else "", tuple(entries), skipped)
