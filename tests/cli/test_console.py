"""What reaches the terminal, and what does not."""

from __future__ import annotations

import io
import json
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolnexus.cli.console import Console, Styled, inert, one_line, uses_colour, visible
from toolnexus.cli.progress import Progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        """Say that this is a terminal."""
        return True


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("tea\u202ecup", "tea\\u202ecup"),
        ("\x1b[31mred", "\\x1b[31mred"),
        ("a\rb", "a\\rb"),
        ("\u2066x\u2069", "\\u2066x\\u2069"),
        ("half \ud83d", "half \\ud83d"),
        ("a\tb\nc", "a\tb\nc"),
        ("👩‍🚀 naïve نامه‌ای", "👩‍🚀 naïve نامه‌ای"),
    ],
)
def test_what_acts_on_a_terminal_is_made_visible(text: str, shown: str) -> None:
    """Control and direction marks are escaped, ordinary text of any script is not."""
    assert visible(text) == shown


@settings(max_examples=100)
@given(st.text(st.characters(codec=None)))
def test_visible_text_can_be_written(text: str) -> None:
    """Whatever the text is, what is shown has no escape character and can be encoded."""
    assert "\x1b" not in visible(text)
    visible(text).encode()
    assert "\n" not in one_line(text, 20)
    assert len(one_line(text, 20)) <= 20


def test_colours_are_for_terminals(monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal gets colours, unless NO_COLOR or a dumb terminal says no; a file gets none."""
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    terminal = Terminal()
    assert uses_colour(terminal)
    assert not uses_colour(io.StringIO())
    monkeypatch.setattr(sys, "stdout", terminal)
    Console().result(Styled("a\x1bb", "red"), " c")
    assert terminal.getvalue() == "\x1b[31ma\\x1bb\x1b[0m c\n"
    monkeypatch.setenv("NO_COLOR", "1")
    assert not uses_colour(terminal)
    monkeypatch.delenv("NO_COLOR")
    monkeypatch.setenv("TERM", "dumb")
    assert not uses_colour(terminal)


def test_quiet_and_verbose(capsys: pytest.CaptureFixture[str]) -> None:
    """Progress goes to standard error, details only when asked for, nothing when quiet."""
    for console in (Console(), Console(verbose=True), Console(quiet=True, verbose=True)):
        console.progress("working")
        console.detail("closely")
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err == "working\nworking\nclosely\n"


@pytest.mark.parametrize("encoding", ["utf-8", "ascii", "latin-1", "cp1252"])
def test_json_survives_any_encoding(encoding: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A document printed in a narrow encoding, even half an emoji in it, reads back the same."""
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding=encoding, errors="backslashreplace")
    monkeypatch.setattr(sys, "stdout", stream)
    Console(as_json=True).document("transcripts list", {"x": "é → \u202e 👩‍🚀 \ud83d"})
    stream.flush()
    document = json.loads(raw.getvalue().decode(encoding))
    assert document == {"schema": "toolnexus/transcripts-list/1", "x": "é → \u202e 👩‍🚀 \ud83d"}


def test_progress_is_a_bar_on_a_terminal_and_lines_elsewhere(monkeypatch, capsys):
    """Each step is a line on standard error; a terminal gets a bar that is taken away again."""
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    for console in (Console(), Console(quiet=True)):
        progress = Progress(console, 2)
        progress.step("check ava")
        progress.clear()
    assert capsys.readouterr().err == "1/2 check ava\n"
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    progress = Progress(Console(), 2)
    progress.step("check ava")
    progress.step("check otto")
    progress.clear()
    assert "\n" not in terminal.getvalue()
    assert "████████████░░░░░░░░░░░░ 2/2 check otto" in terminal.getvalue()
    assert terminal.getvalue().endswith("\r\x1b[2K")


LINES = st.lists(
    st.sampled_from(["::error file=x::y", " ", "\t", "tea", ":", "\n", "\r"]), max_size=8
)


@settings(max_examples=100)
@given(LINES.map("".join))
def test_no_line_is_a_workflow_command(text: str) -> None:
    """Whatever a home holds, no line of it is one that a workflow's runner obeys."""
    lines = inert(visible(text)).splitlines()
    assert not [line for line in lines if line.lstrip().startswith("::")]


def test_a_result_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    """A line end within a result's line is shown as such; a block keeps its own."""
    console = Console()
    console.result("memory/n\n::error::x.md", Styled(" \n", "red"))
    console.result("::error::x")
    console.block("one\n  ::error::two")
    shown = "memory/n\\n::error::x.md \\n\n\\x3a:error::x\none\n  \\x3a:error::two\n"
    assert capsys.readouterr().out == shown
