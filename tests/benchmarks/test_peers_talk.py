from __future__ import annotations

import json
import os
import select
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.peers.talk import SERVE, DriverError, OverBudgetError, Talk

FAKE = """
import os, subprocess, sys, time

class Driver:
    def open(self, vault, state):
        self.vault = vault

    def twice(self, number):
        print("a contender that prints")
        return 2 * number

    def fail(self):
        raise ValueError("no milk")

    def leave(self):
        sys.stderr.write("last words")
        sys.stderr.flush()
        os._exit(3)

    def spawn(self):
        self.child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
        return self.child.pid

    def hang(self):
        time.sleep(600)
"""


@pytest.fixture
def talk(tmp_path):
    """A talk with a contender that does what its name says."""
    (tmp_path / "drive_fake.py").write_text(FAKE)
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    with Talk(Path(sys.executable), "drive_fake", environment) as opened:
        opened.ask("open", [[str(tmp_path / "child"), ""]], budget_seconds=60)
        yield opened


def test_each_call_is_answered_with_its_cost(talk):
    """What a contender prints does not get between the replies."""
    answer = talk.ask("twice", [[2], [3], [21]], budget_seconds=60)
    assert answer.value == 42
    assert len(answer.costs) == 3
    assert answer.median.wall >= 0
    assert answer.median.peak_bytes > 1_000_000


def test_what_a_contender_does_not_have_is_no_error(talk):
    """It is told apart from a failure, and the talk goes on."""
    assert talk.ask("fly", budget_seconds=60) is None
    assert talk.ask("twice", [[1]], budget_seconds=60).value == 2


def test_a_failure_is_told_with_its_reason(talk):
    """The contender is there for the next question all the same."""
    with pytest.raises(DriverError, match="'fail' failed: ValueError: no milk"):
        talk.ask("fail", budget_seconds=60)
    assert talk.ask("twice", [[1]], budget_seconds=60).value == 2


def test_a_contender_that_ends_is_told_with_its_last_words(talk):
    """A crash is a failure of the contender and no crash of ours."""
    with pytest.raises(DriverError, match="last words"):
        talk.ask("leave", budget_seconds=60)


@pytest.mark.slow
def test_the_budget_ends_a_contender_and_its_children(talk):
    """What it had cost by then is told, and nothing of it runs on."""
    child = talk.ask("spawn", budget_seconds=60).value
    with pytest.raises(OverBudgetError) as over:
        talk.ask("hang", budget_seconds=0.01)
    assert over.value.cost.wall >= 0.01
    assert has_ended(child)


def has_ended(pid: int) -> bool:
    """Whether a process that was killed is gone; the system may take a moment for it."""
    try:
        handle = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([handle], [], [], 60)[0])
    finally:
        os.close(handle)


def test_no_further_call_is_begun_after_enough(talk):
    """A slow contender gives fewer figures, at least one."""
    answer = talk.ask("twice", [[1]] * 50, budget_seconds=60, enough_seconds=0.0)
    assert len(answer.costs) == 1


def test_closing_tells_what_the_whole_process_cost(talk):
    """Once closed, closing it again is nothing."""
    cost = talk.close()
    assert cost.cpu > 0
    assert talk.close().cpu == 0


def test_the_server_needs_the_standard_library_alone(tmp_path):
    """It runs in a Python that knows nothing of this project."""
    (tmp_path / "drive_fake.py").write_text(FAKE)
    asked = json.dumps({"do": "twice", "calls": [[4]]})
    done = subprocess.run(
        [sys.executable, "-S", str(SERVE), "drive_fake"],
        input=asked,
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": str(tmp_path)},
    )
    assert json.loads(done.stdout)["value"] == 8
