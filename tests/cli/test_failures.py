"""How errors end a command."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from toolnexus.cli.failures import as_known, report_failure
from toolnexus.cli.main import main
from toolnexus.errors import ConfigError, HomeError

SCRIPT = "from toolnexus.cli.main import run; run()"


def toolnexus(*words: str, **options: object) -> subprocess.CompletedProcess[bytes]:
    """Run the command line as a process of its own."""
    return subprocess.run([sys.executable, "-c", SCRIPT, *words], check=False, **options)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["chek", "."], "did you mean 'check'?"),
        (["--wat"], "toolnexus --help"),
        (["--now", "2026-11-29"], "no command"),
        (["transcripts"], "transcripts list"),
        (["transcripts", "lst"], "did you mean 'transcripts list'?"),
        (["check", "--wat"], "toolnexus check --help"),
        (["check", "--format", "xml"], "xml"),
        (["dream", "--now", "yesterday"], "2026-11-29T03:00:00Z"),
        (["dream", "--json", "--format", "patch"], "exclude each other"),
        (["dream", "--propose", "--check"], "exclude each other"),
        (["remember"], "TEXT"),
        (["remember", "."], "TEXT"),
        (["run", "--once", "--now", "9999-12-31T23:00:00Z"], "1970 to 9000"),
        (["search", ".", " "], "plain words"),
        (["review", ".", "--apply", "x"], "whole number"),
        (["completion", "csh"], "csh"),
    ],
)
def test_wrong_usage_is_told_with_the_remedy(shell, words, said):
    """A command line that makes no sense ends with 2, one line and a hint."""
    ran = shell.run(*words)
    assert ran.code == 2
    assert said in ran.err
    assert "Traceback" not in ran.err
    assert len(ran.err.splitlines()) <= 2


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (["feedback", "ben", "balkony", "1"], "did you mean 'balcony'?"),
        (["rename", "ben", "Balcon", "terrace"], "did you mean 'balcony'?"),
        (["remember", "ben", "Basil.", "--to", "blacony"], "did you mean 'balcony'?"),
        (["why", "ben", "balkony"], "did you mean the note 'balcony'?"),
        (["search", "ben", "basil", "--scope", "garten"], "did you mean 'garden'?"),
        (["feedback", "ben", "bicycle", "1"], "its file's name without '.md'"),
        (["search", "ben", "basil", "--scope", "cellar"], "such as 'projects'"),
    ],
)
def test_a_name_that_is_nobodys_is_told_with_the_nearest(shell, words, meant):
    """Who mistypes a note or a folder is told what is most like it, where anything is."""
    shell.write("ben/SOUL.md", "You are Ben.\n")
    shell.write("ben/memory/garden/balcony.md", "- Basil.\n")
    ran = shell.run(*words)
    assert ran.code == 2
    assert meant in ran.err


def test_a_secret_that_is_remembered_is_told(shell):
    """It is written down as it was asked for, and on standard error stands what to do about it."""
    shell.write("ben/SOUL.md", "You are Ben.\n")
    ran = shell.run("remember", "ben", "The PIN of the bank card is 4821.")
    assert ran.code == 0
    assert "a PIN seems to stand here now; make it worthless" in ran.err
    assert "4821" not in ran.out + ran.err
    assert "password" not in shell.run("remember", "ben", "Likes tea with milk.").err


def test_an_error_is_a_document_too(shell):
    """With --json an error stands on standard output as well, whatever stage it came from."""
    ran = shell.run("check", "nowhere", "--json")
    assert ran.code == 65
    assert ran.document["schema"] == "toolnexus/check/1"
    error = ran.document["error"]
    assert set(error) == {"message", "hint", "path", "line", "exit_code"}
    assert error["exit_code"] == 65
    assert error["hint"]
    early = shell.run("dream", "--json", "--wat").document
    assert (early["schema"], early["error"]["exit_code"]) == ("toolnexus/dream/1", 2)
    assert shell.run("wat", "--json").document["schema"] == "toolnexus/error/1"


def test_what_stops_a_job_is_its_outcome_too(shell):
    """A document that tells an outcome tells ``failed`` beside the error of settings or a lock."""
    shell.run("new", "bo")
    shell.write("bo/persona.yaml", "nmae: bo\n")
    for job in ("dream", "beat", "compact", "imagine"):
        ran = shell.run(job, "bo", "--json")
        assert ran.code == 78
        assert (ran.document["outcome"], ran.document["reply"]) == ("failed", "")
        assert ran.document["error"]["line"] == 1
        assert ran.document.get("wrote", False) is False
    several = shell.run("dream", "bo", "nowhere", "--json").document["homes"]
    assert [home.get("outcome") for home in several] == ["failed", None]
    assert "outcome" not in shell.run("remember", "bo", "Hi.", "--json").document


def test_common_options_may_stand_before_the_command(shell):
    """Common options, with their values, are taken on both sides of the command."""
    before = shell.run("--json", "--now", "2026-11-29T03:00:00Z", "check", "nowhere")
    assert before.document["schema"] == "toolnexus/check/1"
    assert shell.run("--quiet", "transcripts", "list", "nowhere").code == 65


def test_an_error_of_ours_names_file_and_line(capsys):
    """An error prints as path:line: message with its hint, and gives its class's code."""
    error = ConfigError("unknown key 'a'", hint="write 'b'", path="ava/persona.yaml", line=3)
    assert report_failure(error, ["check"], None) == 78
    captured = capsys.readouterr()
    assert captured.err == "ava/persona.yaml:3: unknown key 'a'\n  hint: write 'b'\n"
    assert captured.out == ""


def test_a_bug_is_one_line_and_a_traceback_only_when_asked_for(capsys):
    """An exception nobody foresaw ends with 70; --debug shows where it came from."""
    with pytest.raises(KeyError) as caught:
        {}["x"]
    bug = caught.value
    assert report_failure(bug, ["check"], None) == 70
    plain = capsys.readouterr().err
    assert "this is a bug in toolnexus: KeyError" in plain
    assert "Traceback" not in plain
    assert report_failure(bug, ["check", "--debug"], None) == 70
    assert "Traceback" in capsys.readouterr().err


def test_an_error_of_the_system_is_the_disks():
    """An operating-system error that nobody mapped names its file and is no bug."""
    known = as_known(PermissionError(errno.EACCES, "Permission denied", "/x/y"))
    assert (known.exit_code, str(known)) == (74, "/x/y: Permission denied")
    assert as_known(HomeError("no home")).exit_code == 65


def test_a_closed_pipe_ends_quietly(shell, home):
    """A reader that goes away early causes no message."""
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "wb") as closed:
        done = toolnexus("check", home, stdout=closed, stderr=subprocess.PIPE)
    assert done.stderr == b""
    assert done.returncode == 141


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_under_the_output_is_told(shell, home):
    """A result that cannot be written ends with 74 and says so."""
    with Path("/dev/full").open("wb") as full:
        done = toolnexus("check", home, "--json", stdout=full, stderr=subprocess.PIPE)
    assert done.returncode == 74
    assert b"Traceback" not in done.stderr
    assert done.stderr


def test_a_narrow_encoding_stops_nothing(shell):
    """Where standard output knows ASCII alone, odd characters are escaped."""
    shell.write("ümlaut/SOUL.md", "# Soul\n")
    shell.write("ümlaut/MEMORY.md", "- Tee → [[käse]]\n")
    env = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    done = toolnexus("check", "ümlaut", env=env, capture_output=True)
    assert done.returncode == 1
    assert b"k\\xe4se" in done.stdout
    assert b"Traceback" not in done.stderr


def test_an_interrupt_ends_with_130(monkeypatch):
    """Control-C is no error and no traceback."""
    # A process that was started in the background ignores the signal unless told otherwise.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)

    def interrupted(argv: list[str]) -> int:
        signal.raise_signal(signal.SIGINT)
        return 0

    monkeypatch.setattr("toolnexus.cli.main._dispatch", interrupted)
    try:
        assert main(["check"]) == 130
    finally:
        signal.signal(signal.SIGINT, before)
