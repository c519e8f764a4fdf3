"""Every argument that becomes a path: no trick leaves the home, and none is a bug of ours."""

from __future__ import annotations

import contextlib

import pytest

from toolnexus.app import Home, Homes
from toolnexus.errors import ToolnexusError
from toolnexus.transcripts.importers.registry import load_importer

TRICKS = [
    "..",
    "../out",
    "../../out/x",
    "memory/../../out",
    "/out",
    "//out",
    "~/out",
    "a\0b",
    "..\\..\\out",
    "C:\\out",
    "%2e%2e%2fout",
    "..%2Fout",
    "%00",
    "\u2024\u2024/out",
    ".",
    "./x",
    "",
    " ",
    "a//b",
    "a/",
    "x" * 300,
    "x/" * 2000,
    "é" * 200,
    "\ud800",
    "CON",
    "nul.md",
    "log",
    "self",
    ".git/config",
    ".toolnexus/state/x",
    ".toolnexus-tmp-x",
    "-rf",
    "--state",
    "a\nb",
    "a\u202eb",
    "[[x]]",
    "$(id)",
    "`id`",
    "*",
    "?",
]
KNOWN_CODES = {0, 1, 2, 3, 65, 66, 69, 74, 75, 78}
"""All of the documented exit codes, save the one that says: a bug of ours."""


@pytest.fixture
def outside(tmp_path, home):
    """What lies around the home: it must stay as it is."""
    (tmp_path / "work" / "out").mkdir()
    (tmp_path / "work" / "out" / "x.md").write_text("- Not yours.\n")
    (home / "memory" / "door").symlink_to(tmp_path / "work" / "out")
    (home / "transcripts" / "door.jsonl").symlink_to(tmp_path / "work" / "out" / "x.md")
    return tmp_path


def around(outside, home):
    """Return every file outside of the home with what stands in it."""
    return {
        path: path.read_bytes()
        for path in outside.rglob("*")
        if path.is_file() and not path.is_relative_to(home)
    }


@pytest.mark.slow
def test_no_argument_of_a_command_leads_out(run, home, outside):
    """Slugs, ids and names of files end with a documented code, and write nothing outside."""
    before = around(outside, home)
    for trick in TRICKS:
        for words in (
            ("remember", "ava", "Likes rain.", "--to", trick),
            ("rename", "ava", "tea", trick),
            ("rename", "ava", trick, "tea"),
            ("transcripts", "show", "ava", trick),
            ("review", "ava", trick),
            ("revert", "ava", trick),
            ("import", "jsonl", trick, "--into", "ava", "--dry-run"),
            ("schedule", trick, "cron"),
        ):
            ran = run(*words)
            assert ran.code in KNOWN_CODES, (words, ran)
            assert "Traceback" not in ran.err
        assert around(outside, home) == before, trick


@pytest.mark.slow
def test_no_argument_of_the_api_leads_out(home, outside):
    """The memory tool's targets, conversations, states and users' ids lead no further."""
    before = around(outside, home)
    opened = Home.open(home)
    users = Homes(outside / "users")
    for trick in TRICKS:
        for attempt in _attempts(opened, users, outside, trick):
            with contextlib.suppress(ToolnexusError):
                attempt()
        assert around(outside, home) == before, trick
    parents = {path.parent for path in home.rglob("*.md")}
    assert all(parent.resolve().is_relative_to(home.resolve()) for parent in parents)


def _attempts(opened, users, outside, trick):
    """Return what an argument of the API could be misused in."""
    return (
        lambda: opened.remember("Likes rain.", trick),
        lambda: opened.rename("tea", trick),
        lambda: opened.conversation(trick),
        lambda: opened.transcripts.append(trick, {"role": "user", "content": "hello"}),
        lambda: opened.store.write_state(trick, 1),
        lambda: opened.store.read_state(trick),
        lambda: opened.store.record(trick),
        lambda: load_importer(trick),
        lambda: users.path_of(trick).relative_to(outside / "users"),
    )


def test_a_conversations_id_is_a_name_and_no_path(home):
    """Whatever an id is made of, its transcript lies in the folder of transcripts."""
    opened = Home.open(home)
    for trick in TRICKS:
        with contextlib.suppress(ToolnexusError):
            opened.transcripts.append(trick, {"role": "user", "content": "hello"})
    files = [path for path in home.rglob("*.jsonl") if ".toolnexus" not in path.parts]
    assert {path.parent for path in files} == {home / "transcripts"}


def test_settings_lead_nowhere_else(run, home, outside):
    """A folder of transcripts outside of the home is refused in persona.yaml."""
    before = around(outside, home)
    for trick in ("../out", "/out", "a/../../out", "memory/door", "~/x"):
        (home / "persona.yaml").write_text(f"transcripts: {{path: '{trick}'}}\n")
        ran = run("check", "ava")
        assert ran.code in KNOWN_CODES
        run("dream", "ava")
    assert around(outside, home) == before
