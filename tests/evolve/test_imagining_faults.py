"""Imagining on disks that fail and in processes that die: all of a run or none, and never twice."""

from __future__ import annotations

import contextlib
import errno
from datetime import timedelta

import pytest
from imagining_homes import FILES, NOW, files_of, imagined_in, note, write

from toolnexus.clock import FixedClock
from toolnexus.errors import DiskError
from toolnexus.evolve.imagining.run import run_imagining
from toolnexus.evolve.imagining.types import ImagineOptions
from toolnexus.store.door import Store
from toolnexus.testing.disk import CrashError, FaultyDisk

CLOCK = FixedClock(NOW)
OPTIONS = ImagineOptions(timedelta(hours=6))


def run(root, disk=None, clock=CLOCK):
    store = Store(root, clock=clock) if disk is None else Store(root, clock=clock, disk=disk)
    return run_imagining(store, clock, OPTIONS)


def contents(root):
    return {path: data for path, (data, _) in files_of(root).items()}


@pytest.fixture(scope="module")
def calls(tmp_path_factory):
    """How many disk calls a run makes, and the files that it leaves."""
    root = write(tmp_path_factory.mktemp("whole"), FILES)
    disk = FaultyDisk()
    assert run(root, disk).wrote
    return disk.count, contents(root)


@pytest.mark.slow
@pytest.mark.parametrize("error", ["crash", errno.ENOSPC])
def test_all_or_nothing_at_every_call(tmp_path, calls, error):
    """A crash or a full disk at any call of a run leaves all guesses or none, and other files."""
    total, after = calls
    before = {path: text.encode() for path, text in FILES.items()}
    seen = set()
    for call in range(total):
        root = write(tmp_path / str(call), FILES)
        with contextlib.suppress(CrashError, DiskError):
            run(root, FaultyDisk(call, error))
        Store(root, clock=CLOCK)
        found = contents(root)
        assert found in (before, after)
        seen.add(found == after)
    assert seen == {True, False}


@pytest.mark.slow
def test_what_a_dead_run_wrote_is_not_imagined_again(tmp_path, calls):
    """Where a run died between its notes and its memory of them, the notes themselves tell."""
    total, after = calls
    for call in range(total):
        root = write(tmp_path / str(call), FILES)
        with contextlib.suppress(CrashError):
            run(root, FaultyDisk(call, "crash"))
        Store(root, clock=CLOCK)
        first = imagined_in(root)
        write(root, {"memory/oslo.md": note("travel", "Slept badly, Oslo, by the harbour.")})
        run(root, clock=FixedClock(NOW + timedelta(days=1)))
        named = [_sources(text) for text in imagined_in(root).values()]
        assert len(named) == len(set(named))
        assert first.items() <= imagined_in(root).items()
        if first:
            assert contents(root).items() >= after.items()


def _sources(text):
    (line,) = [line for line in text.splitlines() if line.startswith("derived_from: ")]
    return tuple(sorted(line.partition("[")[2].rstrip("]").split(", ")))
