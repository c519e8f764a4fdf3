"""``toolnexus run`` as a process of its own: its log, its signals, its health."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from pathlib import Path
from typing import Self

import pytest

from toolnexus.app import create_home
from toolnexus.cli.main import main

PAY = "## Tasks\n- [ ] Pay (at 2026-01-15)\n"
PATIENCE = 120.0
PROGRAM = [sys.executable, "-c", "from toolnexus.cli.main import run; run()"]


class Process:
    """A run in a process, whose log is read line by line."""

    def __init__(self, *words: str) -> None:
        kept = {name: value for name, value in os.environ.items() if "TOOLNEXUS" not in name}
        self.process = subprocess.Popen(
            [*PROGRAM, "run", *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**kept, "MY_API_KEY": "abcdefgh12345"},
        )
        self.lines: list[dict] = []
        self.patience = threading.Timer(PATIENCE, self.process.kill)
        self.patience.start()

    def until(self, **wanted: object) -> dict:
        """Read the log until a line says what is wanted, unless one has said it already."""
        for line in self.lines:
            if says(line, wanted):
                return line
        while True:
            text = self.process.stdout.readline()
            assert text, self.process.stderr.read()
            self.lines.append(json.loads(text))
            if says(self.lines[-1], wanted):
                return self.lines[-1]

    def end(self, number: int | None = None) -> int:
        """Send a signal and wait for the end; return the exit code."""
        if number is not None:
            self.process.send_signal(number)
        rest, self.errors = self.process.communicate(timeout=60)
        self.lines += [json.loads(line) for line in rest.splitlines()]
        return self.process.returncode

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_rest: object) -> None:
        self.patience.cancel()
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()
        self.process.stderr.close()


def says(line: dict, wanted: dict) -> bool:
    return all(line.get(name) == value for name, value in wanted.items())


@pytest.fixture
def homes(tmp_path, monkeypatch):
    """A folder with one fresh home, in which a task is due."""
    for name in ("TOOLNEXUS_MODEL", "TOOLNEXUS_STATE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    add("bo")
    return tmp_path / "homes"


def add(name: str, heartbeat: str = PAY, settings: str = "") -> Path:
    home = Path("homes") / name
    create_home(home)
    (home / "HEARTBEAT.md").write_text(heartbeat)
    if settings:
        (home / "persona.yaml").write_text(settings)
    return home


def test_a_run_tells_each_job_and_ends_on_sigterm(homes):
    """Each line is a document; the reply and its job are told, and the exit code is 0."""
    with Process("homes") as run:
        run.until(event="start")
        assert run.until(event="reply")["text"] == "Pay"
        run.until(event="job", job="beat")
        run.until(event="job", job="dream")
        assert run.end(signal.SIGTERM) == 0
    assert {line["schema"] for line in run.lines} == {"toolnexus/run/1"}
    [beat] = [line for line in run.lines if line.get("job") == "beat" and line["event"] == "job"]
    assert (beat["home"], beat["outcome"], beat["error"]) == ("homes/bo", "delivered", None)
    assert beat["seconds"] >= 0
    assert run.lines[-1]["event"] == "stop"
    assert run.errors == ""
    assert "[x] Pay" in (homes / "bo" / "HEARTBEAT.md").read_text()


@pytest.mark.slow
def test_homes_and_edits_are_met_while_it_runs(homes):
    """The system's hints bring in a new home, an edited task list and wrong settings at once."""
    with Process("homes", "--look-every", "1d") as run:
        run.until(event="job", job="dream")
        add("new")
        run.until(event="home", home="homes/new", outcome="added")
        run.until(event="job", home="homes/new", job="beat", outcome="delivered")
        heartbeat = homes / "bo" / "HEARTBEAT.md"
        heartbeat.write_text(heartbeat.read_text() + "- [ ] Call (at 2026-01-16)\n")
        run.until(event="reply", home="homes/bo", text="Call")
        (homes / "bo" / "persona.yaml").write_text("heartbeat: {evry: 30m}\n")
        wrong = run.until(event="home", outcome="wrong settings")
        assert wrong["error"]["exit_code"] == 78
        assert "evry" in wrong["error"]["message"]
        assert run.end(signal.SIGINT) == 0


@pytest.mark.slow
def test_two_runs_on_one_folder_deliver_once(homes):
    """Each home's tasks are done by one of them."""
    for number in range(6):
        add(f"h{number}")
    runs = [Process("homes", "--once") for _ in range(3)]
    codes = []
    for run in runs:
        with run:
            codes.append(run.end())
    assert codes == [0, 0, 0]
    replies = [line["home"] for run in runs for line in run.lines if line["event"] == "reply"]
    assert sorted(replies) == sorted(["homes/bo", *(f"homes/h{number}" for number in range(6))])


@pytest.fixture
def stuck(homes, tmp_path):
    """A home whose reply goes to a command that does not end, and the command's process id."""
    pipe = tmp_path / "started"
    os.mkfifo(pipe)
    command = f'[sh, -c, "echo $$ > {pipe}; exec tail -f /dev/null"]'
    add("stuck", settings=f"heartbeat: {{deliver: [{{command: {command}}}]}}\n")
    return pipe


@pytest.mark.slow
def test_a_second_ctrl_c_ends_it_at_once(stuck, homes):
    """The first one waits for what runs, and health says so; what was cut short is made anew."""
    with Process("homes", "--listen", "0") as run:
        started = run.until(event="start")["reason"]
        child = int(stuck.read_text())
        try:
            run.process.send_signal(signal.SIGINT)
            url = started.rpartition(" ")[2]
            assert wait_for_status(url, 503)["status"] == "stopping"
            assert run.end(signal.SIGINT) == 130
        finally:
            os.kill(child, signal.SIGKILL)
    assert any("left unfinished" in line.get("reason", "") for line in run.lines)
    assert "[ ] Pay" in (homes / "stuck" / "HEARTBEAT.md").read_text()
    (homes / "stuck" / "persona.yaml").write_text("")
    with Process("homes", "--once") as again:
        assert again.end() == 0
    assert "Pay" in [line.get("text") for line in again.lines]


def wait_for_status(url: str, status: int) -> dict:
    """Ask until the answer has a status; return it."""
    for _ in range(10_000):
        try:
            with urllib.request.urlopen(url, timeout=10) as answer:
                code, body = answer.status, answer.read()
        except urllib.error.HTTPError as error:
            with error:
                code, body = error.code, error.read()
        if code == status:
            return json.loads(body)
    raise AssertionError(f"{url} never answered {status}")


@pytest.mark.slow
def test_no_secret_reaches_the_log(homes):
    """A key that stands in an error is masked."""
    add(
        "leaky",
        settings="heartbeat: {deliver: [{command: [sh, -c, 'echo $MY_API_KEY >&2; exit 3']}]}\n",
    )
    with Process("homes", "--once") as run:
        assert run.end() == 69
    [failed] = [line for line in run.lines if line.get("outcome") == "failed"]
    assert failed["error"]["exit_code"] == 69
    assert "ended with code 3" in failed["error"]["message"]
    assert "abcdefgh12345" not in json.dumps(run.lines) + run.errors


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (["nowhere"], 65, "there is no such folder"),
        (["homes", "--jobs", "0"], 2, "--jobs"),
        (["homes", "--jitter", "soon"], 2, "no length of time"),
        (["homes", "--listen", "here"], 2, "no address to listen on"),
    ],
)
def test_wrong_calls_end_before_anything_is_begun(homes, capsys, words, code, told):
    """One line on standard error, and the exit code that goes with it."""
    assert main(["run", *words, "--once"]) == code
    assert told in capsys.readouterr().err


def test_a_person_at_a_terminal_reads_lines(homes, capsys, monkeypatch):
    """Replies and what was done, without the beats that had nothing to do."""
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("NO_COLOR", "1")
    add("idle", "")
    assert main(["run", "homes", "--once", "--now", "2026-11-30T08:00:00Z"]) == 0
    shown = capsys.readouterr().out
    assert "homes/bo:\nPay\n" in shown
    assert "homes/bo beat delivered in " in shown
    assert "idle beat" not in shown
    assert main(["run", "homes", "--once", "--verbose"]) == 0


def test_state_can_lie_elsewhere(homes, tmp_path):
    """With --state each home has a folder of its own below it, and none in the home."""
    assert main(["run", "homes", "--once", "--state", "kept"]) == 0
    assert not (homes / "bo" / ".toolnexus").exists()
    [kept] = (tmp_path / "kept").iterdir()
    assert (kept / "state" / "beat-last.json").exists()
