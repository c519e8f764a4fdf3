"""Homes and a shell for the command line's tests."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from toolnexus.cli.main import main

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True)
class Ran:
    """What a command printed and how it ended."""

    code: int
    out: str
    err: str

    @property
    def document(self) -> Any:
        """Standard output, read as JSON."""
        return json.loads(self.out)


class Shell:
    """Runs commands in this process, in a folder of its own."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder = folder
        self._capsys = capsys

    def run(self, *words: str) -> Ran:
        """Run one command."""
        self._capsys.readouterr()
        code = main(words)
        captured = self._capsys.readouterr()
        return Ran(code, captured.out, captured.err)

    def write(self, path: str, text: str) -> Path:
        """Write a file below the folder."""
        target = self.folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, newline="")
        return target

    def read(self, path: str) -> str:
        """Read a file below the folder."""
        return (self.folder / path).read_bytes().decode()


@pytest.fixture
def shell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Shell:
    """A shell in an empty folder, with no model and no settings in the environment."""
    monkeypatch.chdir(tmp_path)
    for name in ("TOOLNEXUS_MODEL", "TOOLNEXUS_STATE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("NO_COLOR", "1")
    return Shell(tmp_path, capsys)


@pytest.fixture
def home(shell: Shell) -> str:
    """A small home, `ben`, with a broken link that can be repaired and one that cannot."""
    shell.write("ben/SOUL.md", "# Soul\n\nI am Ben.\n")
    shell.write(
        "ben/MEMORY.md",
        "# Memory\n\n- Drinks green tea: [[gren-teas]]\n- Rows on Sundays: [[nowhere]]\n",
    )
    shell.write("ben/memory/green-teas.md", "# Green teas\n\n- Sencha at 70 degrees.\n")
    shell.write(
        "ben/transcripts/2026-11-20-move.jsonl",
        '{"role": "user", "content": "We moved to Bergen.", "ts": "2026-11-20T14:00:00Z"}\n'
        '{"role": "assistant", "content": "Noted.", "ts": "2026-11-20T14:00:05Z"}\n',
    )
    return "ben"
