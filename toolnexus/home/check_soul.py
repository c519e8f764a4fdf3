"""Checks of the soul files: their sizes, their tasks, and headings that pose as sections."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from toolnexus.home.finding import Finding
from toolnexus.home.layout import (
    DREAM_FILE,
    HEARTBEAT_FILE,
    INDEX_FILE,
    SOUL_CAP_BYTES,
    SOUL_FILES,
)
from toolnexus.home.memory_index import over_cap
from toolnexus.home.soul import compose_soul
from toolnexus.home.tasks import tasks_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolnexus.home.snapshot import Snapshot

_SECTIONS = {name.casefold(): name for name in (*SOUL_FILES, DREAM_FILE)}
_AROUND_NAME = re.compile(r"^[#\s`*_]+|[#\s`*_:]+$")
# The finding has to come before the cap bites.
_NEARLY = 0.9


def check_index(snapshot: Snapshot) -> Iterator[Finding]:
    """Yield ``over-cap`` when MEMORY.md is longer than what rides in a prompt."""
    overrun = over_cap(snapshot)
    if overrun is not None:
        message = f"the index is over its cap: {overrun}"
        hint = "run 'toolnexus dream', which moves detail into notes"
        yield Finding(INDEX_FILE, 0, "over-cap", "error", message, hint)


def check_soul_size(snapshot: Snapshot) -> Iterator[Finding]:
    """Yield ``soul-too-large`` for files over 2 MiB, and when the whole soul nears its cap."""
    told = {found.path for found in snapshot.problems if found.rule == "soul-too-large"}
    for path, note in snapshot.notes.items():
        if note.size_bytes > SOUL_CAP_BYTES and path not in told:
            message = f"the file has {note.size_bytes:,} bytes; only 2 MiB of it are read"
            hint = "split it: until then nothing is written to it"
            yield Finding(path, 0, "soul-too-large", "warning", message, hint)
    cap = snapshot.soul_cap_bytes
    size = _soul_bytes(snapshot)
    if size > cap * _NEARLY:
        message = f"the whole soul has {size:,} of {cap:,} bytes"
        hint = "shorten the soul files, or raise memory.soul_bytes: over the cap it is cut"
        yield Finding("", 0, "soul-too-large", "warning", message, hint)


def _soul_bytes(snapshot: Snapshot) -> int:
    """Measure the composed soul; what is small enough as it lies on disk is not composed."""
    notes = [snapshot.notes[name] for name in SOUL_FILES if name in snapshot.notes]
    on_disk = sum(note.size_bytes for note in notes)
    if on_disk <= snapshot.soul_cap_bytes * _NEARLY / 2:
        return on_disk
    unbounded = replace(snapshot, soul_cap_bytes=len(notes) * SOUL_CAP_BYTES * 2)
    return len(compose_soul(unbounded).encode("utf-8", "surrogatepass"))


def check_tasks(snapshot: Snapshot) -> Iterator[Finding]:
    """Yield ``bad-task`` for tasks whose schedule cannot be read."""
    if HEARTBEAT_FILE in snapshot.notes:
        for problem in tasks_of(snapshot.notes[HEARTBEAT_FILE].document)[1]:
            yield Finding(
                HEARTBEAT_FILE, problem.line, problem.rule, "error", problem.message, problem.hint
            )


def check_headings(snapshot: Snapshot) -> Iterator[Finding]:
    """Yield ``forged-heading`` for a heading in a soul file that is another soul file's name."""
    for path, note in snapshot.notes.items():
        if note.kind != "soul":
            continue
        for heading in note.document.headings:
            name = _SECTIONS.get(_AROUND_NAME.sub("", heading.text).casefold())
            if name is not None and name != path:
                message = f"the heading '{heading.text}' poses as the section of {name}"
                hint = f"rename the heading, or move what stands below it to {name}"
                yield Finding(path, heading.line, "forged-heading", "warning", message, hint)
