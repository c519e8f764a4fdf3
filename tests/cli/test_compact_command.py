"""``compact`` from the shell: its diff, its document, its exit codes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from toolnexus.cli.main import main

if TYPE_CHECKING:
    from pathlib import Path

NOW = "2026-11-30T08:00:00Z"
FADED = "---\ncreated: 2024-01-01\n---\n# Bike\n\n- It was blue.\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "memory").mkdir()
    (tmp_path / "SOUL.md").write_text("You are Ava.\n")
    (tmp_path / "MEMORY.md").write_text("# Memory\n\n- Plans: [[plans]]\n")
    (tmp_path / "memory/plans.md").write_text("# Plans\n\n- A walk.\n")
    (tmp_path / "memory/bike.md").write_text(FADED)
    return tmp_path


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str]:
    code = main([*map(str, arguments), "--now", NOW])
    return code, capsys.readouterr().out


def test_a_dry_run_shows_a_diff(
    root: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """What it prints is a diff of what it would do, and nothing was done."""
    code, shown = run(capsys, "compact", root, "--dry-run")
    assert code == 0
    assert "+++ " in shown
    assert (root / "memory/bike.md").read_text() == FADED
    assert "1 archived" in shown


def test_the_document_tells_all_of_it(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Its fields and their schema are stable, and the id reverts it."""
    code, shown = run(capsys, "compact", root, "--json")
    told = json.loads(shown)
    assert (code, told["schema"], told["outcome"]) == (0, "toolnexus/compact/1", "done")
    assert set(told) == {
        "schema", "id", "outcome", "wrote", "reply", "changes", "waiting", "due", "refused",
        "notices", "stats",
    }  # fmt: skip
    assert [(each["kind"], each["to"]) for each in told["changes"]] == [
        ("archived", "memory/archive/bike.md")
    ]
    assert run(capsys, "revert", root, told["id"])[0] == 0
    assert (root / "memory/bike.md").read_text() == FADED


def test_a_scope_that_is_not_there_is_wrong_usage(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A folder without notes, or one outside of the home, is an error and changes nothing."""
    for scope in ("nowhere", "../elsewhere", "/etc"):
        assert run(capsys, "compact", root, "--scope", scope)[0] == 2
    assert (root / "memory/bike.md").is_file()


def test_a_second_run_says_that_there_is_nothing(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Twice is once, from the shell as well."""
    run(capsys, "compact", root)
    assert "nothing to compact" in run(capsys, "compact", root)[1]
