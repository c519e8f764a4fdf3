"""Help, its examples, and the page of commands, kept in step."""

from __future__ import annotations

import io
import re
import shlex
from pathlib import Path
from shutil import copytree

import pytest

from toolnexus.cli.commands import GROUPS, SUMMARIES, load_command
from toolnexus.cli.main import main
from toolnexus.cli.parser import SET_UP, command_parser
from toolnexus.testing.openai_server import OpenAiServer, ServerReply

DOCS = Path(__file__).parents[2] / "docs" / "commands.md"
COMMON = {"-h", "--help", "--json", "--quiet", "--verbose", "--debug", "--now", "--state"}


@pytest.fixture(scope="module")
def sample(tmp_path_factory):
    """What the first line of each example makes: the sample persona, dreamt."""
    folder = tmp_path_factory.mktemp("examples")
    words = shlex.split(SET_UP.replace(" ava ", f" {folder / 'ava'} "))
    assert main(words[1:]) == 0
    return folder / "ava"


def options_of(name: str) -> set[str]:
    parser = command_parser(load_command(name))
    return {flag for action in parser._actions for flag in action.option_strings}


def documented() -> dict[str, str]:
    sections = re.split(r"^## ", DOCS.read_text(), flags=re.MULTILINE)[1:]
    return {section.partition("\n")[0]: section for section in sections}


def options_in(section: str) -> set[str]:
    cells = re.findall(r"^\| (`.+?`) \|", section, flags=re.MULTILINE)
    return {flag for cell in cells for flag in re.findall(r"(?<![\w-])--?[a-z][a-z-]*", cell)}


@pytest.mark.parametrize("name", SUMMARIES)
def test_help_describes_a_command(shell, name):
    """Each command's help has its summary, every option and an example."""
    shown = shell.run(*name.split(), "--help")
    assert shown.code == 0
    assert "example:\n" in shown.out
    assert all(flag in shown.out for flag in options_of(name))
    assert options_of(name) >= COMMON


@pytest.fixture
def model(monkeypatch):
    """A model that answers on loopback, and a person who says one thing."""
    with OpenAiServer(ServerReply(text="In March.")) as server:
        monkeypatch.setenv("OPENAI_API_BASE", server.base_url)
        monkeypatch.setenv("OPENAI_API_KEY", "sk-none")
        monkeypatch.setattr("sys.stdin", io.StringIO("When does my passport run out?\n"))
        yield server


@pytest.mark.parametrize("name", SUMMARIES)
def test_the_example_in_the_help_runs(shell, sample, model, name):
    """The lines under 'example:' run one after the other, and end with a code that is no error."""
    lines = shell.run(*name.split(), "--help").out.partition("example:\n")[2].splitlines()
    assert lines[0].strip() == SET_UP
    assert lines[1].strip() == load_command(name).example
    copytree(sample, "ava")  # what the first line makes, made once
    words = shlex.split(lines[1])
    assert words[0] == "toolnexus"
    ran = shell.run(*words[1:])
    assert ran.code in {0, 1}, ran.err
    assert ran.out


def test_the_overall_help_lists_every_command(shell):
    """Help without a command names them all, and a group lists its own."""
    shown = shell.run("--help").out
    assert all(name in shown for name in SUMMARIES)
    assert shell.run().out == shown
    assert shell.run("help", "check").out == shell.run("check", "--help").out
    for group in GROUPS:
        assert f"{group} list" in shell.run(group, "--help").out


def test_the_page_of_commands_has_every_option_and_no_other():
    """Each command has a section with its example and exactly its own options."""
    sections = documented()
    common = options_in(sections["Common options"])
    assert common == COMMON
    for name in SUMMARIES:
        assert f"$ {load_command(name).example}\n" in sections[name]
        assert options_in(sections[name]) == options_of(name) - COMMON, name
    assert set(sections) == {*SUMMARIES, "Common options", "Exit codes"}
