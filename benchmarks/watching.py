"""`watch`: how soon after a save its findings are told and the index is fresh."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import time
from contextlib import contextmanager
from statistics import median
from typing import TYPE_CHECKING

from benchmarks.generate import write_home
from benchmarks.measure import Cost, environment, median_of, toolnexus
from benchmarks.table import Row, format_seconds, within

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from benchmarks.generate import NoteFile
    from benchmarks.sizes import Sizes

FRESH_SECONDS = 0.100
_QUIET_SECONDS = 0.5
_PATIENCE_SECONDS = 600.0
_PATIENCE = 120


def measure_watch(folder: Path, sizes: Sizes) -> Iterator[Row]:
    """Measure a save in a large home, in this process and with the command line's own."""
    root = folder / "vault"
    notes = write_home(root, sizes.notes)
    what = f"`watch`, {sizes.notes:,} notes: from a save to"
    found, fresh = _in_process(root, folder / "state", notes[: 7 * sizes.saves : 7])
    yield within(f"{what} its findings, in process", found, FRESH_SECONDS)
    yield within(f"{what} a fresh index, in process", fresh, FRESH_SECONDS)
    found, fresh = _by_command(root, folder / "state", notes[1 : 7 * sizes.saves : 7])
    yield _told(f"{what} its findings, printed", found)
    yield _told(f"{what} a fresh index, told", fresh)


def _told(what: str, seconds: float) -> Row:
    target = f"≤ {format_seconds(FRESH_SECONDS)}"
    return Row(what, target, format_seconds(seconds), seconds <= FRESH_SECONDS)


def _in_process(root: Path, state: Path, notes: list[NoteFile]) -> tuple[Cost, Cost]:
    """Watch with a real observer; return the medians from a save to each."""
    from toolnexus.app.home import Home
    from toolnexus.app.watching import Watching
    from toolnexus.index.watch import Watch

    watching = Watching(lambda: Home.open(root, state_dir=state, model="none"))
    watching.reconcile()
    watching.index()
    told: list[Cost] = []
    indexed: list[Cost] = []
    with Watch([watching.root]) as watch:
        for number, note in enumerate(notes):
            while watch.wait(_QUIET_SECONDS):
                pass
            begun, cpu = time.perf_counter(), time.process_time()
            _save(root / note.path, number)
            seen = watching.look(watch.wait(_PATIENCE_SECONDS))
            while not seen.new:
                seen = watching.look(watch.wait(_PATIENCE_SECONDS))
            told.append(Cost(time.perf_counter() - begun, time.process_time() - cpu))
            watching.index()
            indexed.append(Cost(time.perf_counter() - begun, time.process_time() - cpu))
    return median_of(told), median_of(indexed)


def _by_command(root: Path, state: Path, notes: list[NoteFile]) -> tuple[float, float]:
    """Watch as a process of the command line; return the median seconds to each line."""
    told: list[float] = []
    indexed: list[float] = []
    with _watch(root, state) as lines:
        for number, note in enumerate(notes, len(notes)):
            _settle(lines)
            begun = time.perf_counter()
            _save(root / note.path, number)
            told.append(_heard(lines, "new") - begun)
            indexed.append(_heard(lines, "indexed") - begun)
    return median(told[1:]), median(indexed[1:])  # the first save brings imports in


def _settle(lines: Iterator[dict[str, object] | None]) -> None:
    """Wait until nothing more is said."""
    while next(lines) is not None:
        pass


def _heard(lines: Iterator[dict[str, object] | None], field: str) -> float:
    """Wait for a line with this field; return when it came."""
    for _ in range(_PATIENCE):
        line = next(lines)
        if line is not None and field in line:
            return time.perf_counter()
    raise RuntimeError("a save was not told of")


@contextmanager
def _watch(root: Path, state: Path) -> Iterator[Iterator[dict[str, object] | None]]:
    """Run the command; yield its lines, and None whenever none came for a while."""
    command = toolnexus("watch", str(root), "--state", str(state), "--json")
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment()) as process:
        try:
            yield _lines(process)
        finally:
            process.send_signal(signal.SIGTERM)
            process.communicate()


def _lines(process: subprocess.Popen[bytes]) -> Iterator[dict[str, object] | None]:
    assert process.stdout is not None
    handle = process.stdout.fileno()
    unread, patience = b"", _PATIENCE_SECONDS
    while True:
        while b"\n" not in unread:
            if not select.select([handle], [], [], patience)[0]:
                yield None
                continue
            read = os.read(handle, 65_536)
            if not read:
                raise RuntimeError("'toolnexus watch' ended by itself")
            unread, patience = unread + read, _QUIET_SECONDS
        line, _, unread = unread.partition(b"\n")
        yield json.loads(line)


def _save(place: Path, number: int) -> None:
    """Save a note as an editor does, by an atomic replace, with a link that leads nowhere."""
    text = place.read_text("utf-8")
    temporary = place.with_name(f".{place.name}.swp")
    temporary.write_text(f"{text}- The quizzaciously{number} lantern: [[nowhere-{number}]].\n")
    temporary.replace(place)
