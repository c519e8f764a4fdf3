"""Long runs with kills, crowds and full disks. TOOLNEXUS_SOAK=sample runs a few of each."""

from __future__ import annotations

import errno
import multiprocessing
import os
import shutil
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from toolnexus.app import Home
from toolnexus.clock import FixedClock, parse_instant
from toolnexus.dream.passes import PassOptions, run_pass
from toolnexus.errors import DiskError
from toolnexus.home.claims import all_claims
from toolnexus.store.door import Store
from toolnexus.testing.disk import FaultyDisk

pytestmark = pytest.mark.soak

IS_FULL = os.environ.get("TOOLNEXUS_SOAK", "sample") == "full"
KILLS = 200 if IS_FULL else 25
PROCESSES, ADDED = (8, 100) if IS_FULL else (4, 25)
AVA = Path(__file__).resolve().parents[2] / "personas" / "ava"
CLOCK = FixedClock(parse_instant("2026-11-29T03:00:12Z"))

LOG = "memory/log.md"

DREAMER = """
import os, signal, sys
from pathlib import Path
from toolnexus.clock import SystemClock
from toolnexus.dream.passes import PassOptions, run_pass
from toolnexus.store.door import Store
from toolnexus.testing.disk import FaultyDisk

class DeadlyDisk(FaultyDisk):
    def _raise(self):
        os.kill(os.getpid(), signal.SIGKILL)

disk = DeadlyDisk(int(sys.argv[2]) if sys.argv[2] else None)
run_pass(Store(Path(sys.argv[1]), disk=disk), SystemClock(), PassOptions(), lambda home: ())
print(disk.count)
"""


def files_of(root: Path) -> dict[str, bytes]:
    """Return every file of a home but the log, the state folder and left-over temporary ones."""
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file()
        and path != root / LOG
        and not any(part.startswith(".") for part in path.parts[len(root.parts) :])
    }


def copy_of(source: Path, target: Path) -> Path:
    """Copy a home, state folder included."""
    shutil.rmtree(target, ignore_errors=True)
    return Path(shutil.copytree(source, target))


def said_in(root: Path) -> Counter[str]:
    """Count the claims of a home by their words, links aside."""
    claims = all_claims(Home.open(root, clock=CLOCK).read())
    return Counter(c.claim.fold for c in claims if "[" not in c.claim.text)


@pytest.fixture(scope="module")
def ava(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home whose state is warm, so that the disk calls of a pass are the commit's own."""
    root = Path(shutil.copytree(AVA, tmp_path_factory.mktemp("ava") / "ava"))
    Home.open(root, clock=CLOCK).dream(dry_run=True)
    return root


def dream_and_die(root: Path, call: int | None) -> tuple[int, int]:
    """Dream in a process that is killed at a disk call; return its exit code and its calls."""
    words = [sys.executable, "-c", DREAMER, str(root), "" if call is None else str(call)]
    done = subprocess.run(words, check=False, capture_output=True, text=True)
    return done.returncode, int(done.stdout or 0)


def test_a_killed_pass_is_whole_or_none(ava, tmp_path):
    """A kill -9 at spread moments of a pass: next open, all of it or nothing, and every claim."""
    whole = copy_of(ava, tmp_path / "whole")
    code, calls = dream_and_die(whole, None)
    assert code == 0
    assert calls > 10
    before, after, claims = files_of(ava), files_of(whole), said_in(ava)
    assert before != after
    outcomes = set()
    for kill in range(KILLS):
        root = copy_of(ava, tmp_path / "killed")
        code, _ = dream_and_die(root, kill * calls // KILLS)
        assert code == -signal.SIGKILL
        left = said_in(root)  # opens it, and so recovers it
        assert set(claims) <= set(left)
        assert files_of(root) == (after if (root / LOG).exists() else before)
        outcomes.add((root / LOG).exists())
    assert outcomes == {True, False}


def remember_many(root: str, who: int) -> None:
    """Add claims as one of many processes."""
    for number in range(ADDED):
        Home.open(root).remember(f"Process {who} saw ship {number}.")


def dream_often(root: str) -> None:
    """Dream while others write."""
    for _ in range(5):
        Home.open(root).dream()


def run_together(*work: tuple[object, ...]) -> None:
    """Run functions in processes of their own, and wait for all."""
    context = multiprocessing.get_context("spawn")
    processes = [context.Process(target=job, args=arguments) for job, *arguments in work]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert [process.exitcode for process in processes] == [0] * len(processes)


def test_a_crowd_that_remembers_loses_nothing(tmp_path):
    """Many processes add to one file: all claims stand in it, each once, one a line."""
    (tmp_path / "MEMORY.md").write_text("# Memory\n")
    (tmp_path / "SOUL.md").write_text("You are Ava.\n")
    run_together(*((remember_many, str(tmp_path), who) for who in range(PROCESSES)))
    lines = (tmp_path / "MEMORY.md").read_text().splitlines()
    wanted = {f"- Process {w} saw ship {n}." for w in range(PROCESSES) for n in range(ADDED)}
    assert Counter(lines[2:]) == Counter(wanted)


def test_dreams_among_a_crowd_lose_nothing(ava, tmp_path):
    """Dreams while others remember: every claim, old or new, stands in the home."""
    root = copy_of(ava, tmp_path / "ava")
    claims = said_in(root)
    crowd = ((remember_many, str(root), who) for who in range(PROCESSES // 2))
    run_together(*crowd, (dream_often, str(root)))
    left = said_in(root)
    assert set(claims) <= set(left)
    wanted = {f"process {w} saw ship {n}" for w in range(PROCESSES // 2) for n in range(ADDED)}
    assert wanted <= set(left)


@pytest.mark.parametrize("lasting", [False, True])
def test_a_full_disk_at_every_call(ava, tmp_path, lasting):
    """A disk that fills up at any call of a pass ends it with exit 74 and leaves all or nothing."""
    whole = copy_of(ava, tmp_path / "whole")
    _, calls = dream_and_die(whole, None)
    before, after = files_of(ava), files_of(whole)
    for call in range(0, calls, 1 if IS_FULL else 9):
        root = copy_of(ava, tmp_path / "full")
        disk = FaultyDisk(call, errno.ENOSPC, lasting=lasting)
        try:
            store = Store(root, clock=CLOCK, disk=disk)
            wrote = run_pass(store, CLOCK, PassOptions(), lambda _home: ()).wrote
        except DiskError:
            wrote = False
        Home.open(root, clock=CLOCK)
        assert files_of(root) in ([after] if wrote else [before, after] if lasting else [before])


def test_a_full_disk_is_exit_74():
    """The error of a full disk carries the exit code that a shell sees."""
    assert DiskError("full").exit_code == 74
