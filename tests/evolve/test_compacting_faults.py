"""Compacting on disks that fail and in processes that die: all of it or none, and never twice."""

from __future__ import annotations

import contextlib
import errno
from typing import TYPE_CHECKING

import pytest
from compacting_homes import BARE, FADED, NothingToLearn, files, lay_out

from toolnexus.clock import FixedClock, parse_instant
from toolnexus.errors import DiskError
from toolnexus.evolve.compacting.run import run_compaction
from toolnexus.evolve.compacting.types import CompactOptions
from toolnexus.evolve.compacting.work import Means
from toolnexus.settings.types import CompactSettings, EvolveSettings
from toolnexus.store.door import Store
from toolnexus.store.uses import Uses
from toolnexus.testing.disk import CrashError, FaultyDisk

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from toolnexus.evolve.compacting.memory import Looked
    from toolnexus.evolve.compacting.types import Compacted
    from toolnexus.home.snapshot import Snapshot

CLOCK = FixedClock(parse_instant("2026-11-30T08:00:00Z"))
TWICE = {
    "memory/tea.md": "# Tea\n\n- Green.\n",
    "memory/tea-2.md": "# Tea\n\n- Green.\n",
    "memory/cup.md": "# Cup\n\n- Red, as [[plans]].\n",
    "memory/mug.md": "# Mug\n\n- As [[plans]], red.\n",
}


def means(home: Snapshot, looked: Looked) -> Means:
    def near(groups: Sequence[Sequence[str]], least: float) -> list[tuple[str, str, float]]:
        return [("memory/cup.md", "memory/mug.md", 0.9)]

    return Means(CLOCK.now(), near, Uses(), CompactSettings(), EvolveSettings(), NothingToLearn())


def run(root: Path, disk: FaultyDisk | None = None) -> Compacted:
    store = Store(root, clock=CLOCK) if disk is None else Store(root, clock=CLOCK, disk=disk)
    return run_compaction(store, CLOCK, CompactOptions(), means)


@pytest.fixture(scope="module")
def calls(tmp_path_factory: pytest.TempPathFactory) -> tuple[int, dict[str, bytes]]:
    """How many disk calls a run makes, and the files that it leaves."""
    root = lay_out(tmp_path_factory.mktemp("whole"), TWICE, FADED)
    disk = FaultyDisk()
    done = run(root, disk)
    assert {change.kind for change in done.changes} == {"merged", "archived"}
    assert done.waiting
    return disk.count, _without_ids(files(root))


@pytest.mark.slow
@pytest.mark.parametrize("error", ["crash", errno.ENOSPC])
def test_all_or_nothing_at_every_call(
    tmp_path: Path, calls: tuple[int, dict[str, bytes]], error: int | str
) -> None:
    """A crash or a full disk at any call leaves all of it or none, and a next run ends it."""
    total, after = calls
    seen = set()
    for call in range(total):
        root = lay_out(tmp_path / str(call), TWICE, FADED)
        before = files(root)
        with contextlib.suppress(CrashError, DiskError):
            run(root, FaultyDisk(call, error))
        Store(root, clock=CLOCK)
        found = _without_ids(files(root))
        assert found in (before, after)
        seen.add(found == after)
        run(root)
        assert _without_ids(files(root)) == after
        assert run(root).outcome == "nothing"
        assert len(Store(root, clock=CLOCK).proposals.ids()) <= 2
    assert seen == {True, False}


def _without_ids(found: dict[str, bytes]) -> dict[str, bytes]:
    """Return files without the log, which names each run by an id of its own."""
    return {path: data for path, data in found.items() if path != "memory/log.md"}


def test_the_files_that_are_not_compacted_stay(calls: tuple[int, dict[str, bytes]]) -> None:
    """Soul and settings are as they were written."""
    _, after = calls
    assert {path: after[path].decode() for path in BARE} == BARE
