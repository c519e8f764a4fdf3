"""The library that brings faults about does to a process what it is told, and nothing else."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from interposer import KINDS, Fault
from power_loss import read_trace

WORKER = """
import json, os, sqlite3, sys
sys.path.insert(0, sys.argv[1])
from interposer import Fault, Interposer
interposer = Interposer()
interposer.arm(sys.argv[2], Fault(**json.loads(sys.argv[3])), sys.argv[4])
home = sys.argv[2]
try:
    with open(home + "/note", "w") as file:
        file.write("four")
    os.rename(home + "/note", home + "/other")
    with open(sys.argv[5], "w") as file:
        file.write("outside")
    sqlite3.connect(home + "/base").execute("CREATE TABLE t (x)")
    told = "done"
except (OSError, sqlite3.Error) as error:
    told = type(error).__name__
print(json.dumps([told, interposer.disarm()]))
"""


@pytest.fixture
def work(library, tmp_path):
    """Return what runs a process with a fault below a folder."""
    home = tmp_path.resolve() / "home"
    home.mkdir()

    def run(fault, trace=""):
        here = Path(__file__).parent
        words = [here, home, json.dumps(fault.to_json()), trace, home.parent / "outside"]
        environment = {**os.environ, "LD_PRELOAD": str(library)}
        done = subprocess.run(
            [sys.executable, "-c", WORKER, *map(str, words)],
            env=environment, capture_output=True, text=True, check=False,
        )  # fmt: skip
        return done.returncode, *(json.loads(done.stdout) if done.stdout else (done.stderr, {}))

    run.home = home
    return run


def test_calls_below_the_folder_are_counted_sqlites_too(work):
    """All pass when none is to fail; those of other folders do not count."""
    code, told, counted = work(Fault(kinds=KINDS["rename"]))
    assert (code, told, counted) == (0, "done", {"met": 1, "injected": 0, "kind": ""})
    (work.home / "base").unlink()
    _, _, counted = work(Fault())
    assert counted["met"] > 10
    assert (work.home.parent / "outside").read_text() == "outside"


def test_one_call_fails_and_leaves_nothing_behind(work):
    """A refused rename is an error, and the file has its old name."""
    code, told, counted = work(Fault("fail", 0, "EROFS", kinds=KINDS["rename"]))
    assert (code, told, counted["kind"], counted["injected"]) == (0, "OSError", "rename", 1)
    assert [path.name for path in work.home.iterdir()] == ["note"]


def test_a_short_write_writes_half(work):
    """Half of the bytes are written and counted; the caller writes the rest."""
    _, told, counted = work(Fault("short", 0, kinds=KINDS["write"]))
    assert (told, counted["injected"]) == ("done", 1)
    assert (work.home / "other").read_text() == "four"
    _, told, _ = work(Fault("short", 0, "ENOSPC", lasting=True, kinds=KINDS["write"]))
    assert told == "OSError"
    assert (work.home / "note").read_text() == "fo"


@pytest.mark.parametrize(("how", "left"), [("kill", ""), ("kill half-way", "fo")])
def test_a_kill_ends_the_process_there(work, how, left):
    """It dies at the call, or in the midst of what it writes."""
    code, _, _ = work(Fault(how, 0, kinds=KINDS["write"]))
    assert code == -signal.SIGKILL
    assert (work.home / "note").read_text() == left


def test_a_trace_tells_what_was_changed(work, tmp_path):
    """Names and contents, in their order, SQLite's among them."""
    trace = tmp_path / "trace"
    work(Fault(), str(trace))
    calls = read_trace(trace.read_bytes(), work.home)
    first = [(call.what, call.path, call.other, call.data) for call in calls[:3]]
    assert first == [
        ("create", "note", "", b""),
        ("write", "note", "", b"four"),
        ("rename", "note", "other", b""),
    ]
    assert ("create", "base") in {(call.what, call.path) for call in calls}
