"""Every command and every piece of Python in the documents is run, in the order of the page."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from documents import NAMES, read_blocks, read_page
from terminal import Terminal, missing_from

from toolnexus import create_home, safe_yaml
from toolnexus.testing.openai_server import OpenAiServer, ServerReply

if TYPE_CHECKING:
    from pathlib import Path

RUNNING = [name for name in NAMES if re.search(r"^```(sh|python)$", read_page(name), re.MULTILINE)]


@pytest.fixture
def terminal(tmp_path, monkeypatch):
    """A terminal in an empty folder, of a person with a vault, Claude Code, a model on loopback."""
    for name in ("TOOLNEXUS_MODEL", "TOOLNEXUS_STATE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("HOME", str(tmp_path / "person"))
    write(
        tmp_path / "person" / "Notes",
        {
            ".obsidian/app.json": "{}\n",
            "Garden.md": "# Garden\n\n- The beds face south: [[Compots]]\n- Wanted: [[Shed]]\n",
            "Ground/Compost.md": "# Compost\n\n- Turned every second week, see [[Garden]].\n",
        },
    )
    write(
        tmp_path / "person" / ".claude/projects/-home-maria-app/memory",
        {
            "MEMORY.md": "- [Releases](release-calender.md) — when they go out\n",
            "release-calendar.md": "---\nname: release-calendar\ndescription: when releases go "
            "out\ntype: project\n---\nReleases go out on Tuesdays.\n",
        },
    )
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    with OpenAiServer(ServerReply(text="Under the blue pot.")) as model:
        monkeypatch.setenv("OPENAI_API_BASE", model.base_url)
        monkeypatch.setenv("OPENAI_API_KEY", "sk-none")
        yield Terminal()


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


@pytest.mark.parametrize("name", RUNNING)
def test_a_document_runs(terminal, name):
    """Its ``sh`` and ``python`` blocks run in order; a ``text`` block behind shows the output."""
    out: str | None = None
    for block in read_blocks(read_page(name)):
        where = f"{name}:{block.line}"
        if block.language == "sh":
            out = "".join(terminal.run(line) for line in block.text.splitlines())
        elif block.language == "python":
            out = terminal.run_python(block.text)
        elif block.language == "text" and out is not None:
            lacking = missing_from(out, block.text)
            assert not lacking, f"{where} is not what is printed:\n{lacking}"


def test_the_workflow_of_the_ci_page_runs(terminal):
    """Each ``toolnexus`` step of the GitHub workflow runs on a home in the repository."""
    create_home("homes/bo")
    workflow, *_ = [b for b in read_blocks(read_page("docs/ci.md")) if b.language == "yaml"]
    jobs = safe_yaml.load(workflow.text)["jobs"]
    steps = [step["run"] for job in jobs.values() for step in job["steps"] if "run" in step]
    ours = [line for step in steps for line in step.splitlines() if line.startswith("toolnexus")]
    assert len(ours) > 1
    for line in ours:
        terminal.run(line)


@pytest.mark.parametrize(
    ("shown", "out", "lacking"),
    [
        ("one\n…\nfour\n", "one\ntwo\nthree\nfour\n", ""),
        ("one\n…\nfour\n", "one\ntwo\n", "four\n"),
        ("…\ntwo\n…\n", "one\ntwo\nthree\n", ""),
        ("…\nthree\n…\ntwo\n…\n", "one\ntwo\nthree\n", "two\n"),
        ("a … d\n", "a b c d\n", ""),
        ("done (pass 20261130T005259Z-34cb)\n", "done (pass 20270101T000000Z-0000)\n", ""),
        ("done\n", "done\nmore\n", "more"),
        ("done\n", "", "done\n"),
    ],
)
def test_shown_output_is_held_against_the_real_one(shown, out, lacking):
    """What a page shows may be shortened where it says so, and nowhere else."""
    assert missing_from(out, shown) == lacking


def test_an_unknown_command_is_not_passed_over(terminal):
    """A line that this terminal cannot run fails, so that no page holds an unproved command."""
    with pytest.raises(AssertionError, match="no reader of ours"):
        terminal.run("curl example.org")
    with pytest.raises(AssertionError, match="ended with 65"):
        terminal.run("toolnexus check .")
