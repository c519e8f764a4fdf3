"""A hostile world's shell: commands in this process, and an alarm for what would never end."""

from __future__ import annotations

import signal
from typing import NamedTuple

import pytest

from toolnexus.cli.main import main

NEVER_SECONDS = 120
"""No test here takes seconds; what blocks on a pipe, or grows with the square, never ends."""


class Ran(NamedTuple):
    """How a command ended, and all that it said."""

    code: int
    out: str
    err: str


@pytest.fixture(autouse=True)
def _alarm(request):
    """End a test that would never end."""

    def give_up(*_):
        raise AssertionError("this did not end")

    before = signal.signal(signal.SIGALRM, give_up)
    is_soak = request.node.get_closest_marker("soak") is not None
    signal.alarm(60 * NEVER_SECONDS if is_soak else NEVER_SECONDS)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """Run a command in a folder of its own, with no model and no settings around."""
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    for name in ("TOOLNEXUS_MODEL", "TOOLNEXUS_STATE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("NO_COLOR", "1")

    def start(*words: str) -> Ran:
        capsys.readouterr()
        code = main(words)
        said = capsys.readouterr()
        return Ran(code, said.out, said.err)

    return start


@pytest.fixture
def home(tmp_path, run):
    """A small home in the current folder, of claims, a note and a conversation."""
    root = tmp_path / "work" / "ava"
    (root / "memory").mkdir(parents=True)
    (root / "transcripts").mkdir()
    (root / "SOUL.md").write_text("You are Ava.\n")
    (root / "MEMORY.md").write_text("# Memory\n\n- Drinks tea: [[tea]]\n")
    (root / "memory" / "tea.md").write_text("# Tea\n\n- Green, no sugar.\n")
    (root / "transcripts" / "talk.jsonl").write_text('{"role": "user", "content": "I like tea."}\n')
    return root
