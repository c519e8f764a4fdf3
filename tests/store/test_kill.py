"""Processes that are killed in earnest: what no failing double can prove."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

from toolnexus.store.door import Store

WRITER = """
import os, signal, sys
from pathlib import Path
from toolnexus.change.plan import FileWrite, Plan
from toolnexus.store.door import Store
from toolnexus.testing.disk import WRITING_CALLS, FaultyDisk

class DeadlyDisk(FaultyDisk):
    def _raise(self):
        os.kill(os.getpid(), signal.SIGKILL)

root, call = Path(sys.argv[1]), int(sys.argv[2])
paths = ["MEMORY.md", "memory/a.md", "memory/b.md"]
old = {path: (root / path).read_bytes() for path in paths}
writes = [FileWrite(path, data, data + b"- more\\n") for path, data in old.items()]
Store(root, disk=DeadlyDisk(call)).commit(Plan("dream", tuple(writes)))
"""


def make_home(root):
    (root / "memory").mkdir(parents=True)
    for path in ("SOUL.md", "MEMORY.md", "memory/a.md", "memory/b.md"):
        (root / path).write_text(f"- {path}\n" * 50)
    return root


def sizes(root):
    return [
        (root / path).read_text().count("more")
        for path in ("MEMORY.md", "memory/a.md", "memory/b.md")
    ]


def kill_at(root, call):
    """Commit in a process that is killed with SIGKILL at a call; return whether it was."""
    done = subprocess.run([sys.executable, "-c", WRITER, root, str(call)], check=False)
    assert done.returncode in {0, -signal.SIGKILL}
    return done.returncode != 0


@pytest.mark.parametrize("call", [2, 9, 17, 21, 24, 30])
def test_a_killed_commit_is_whole_or_none(tmp_path, call):
    """A kill -9 in the midst of a commit leaves, at the next open, all files changed or none."""
    root = make_home(tmp_path / "home")
    assert kill_at(root, call)
    store = Store(root)
    assert sizes(root) in ([0, 0, 0], [1, 1, 1])
    assert bool(store.history()) == (sizes(root) == [1, 1, 1])
    with store.hold("dream"):
        pass


@pytest.mark.soak
def test_two_hundred_kills(tmp_path):
    """A home that is killed at two hundred moments, one after the other, is always whole."""
    root = make_home(tmp_path / "home")
    for call in range(200):
        kill_at(root, call % 45)
        Store(root)
        assert len(set(sizes(root))) == 1


@pytest.mark.soak
def test_kills_from_outside(tmp_path):
    """Kills at moments that nobody chose leave the home whole as well."""
    root = make_home(tmp_path / "home")
    for attempt in range(40):
        writer = subprocess.Popen([sys.executable, "-c", WRITER, root, "1000"])
        try:
            writer.wait(0.12 + 0.01 * attempt)
        except subprocess.TimeoutExpired:
            os.kill(writer.pid, signal.SIGKILL)
            writer.wait()
        Store(root)
        assert len(set(sizes(root))) == 1
