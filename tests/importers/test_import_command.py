"""The command, and its page: every command there is run on a made-up home of each tool."""

from __future__ import annotations

import json
import re
import shlex
import zipfile
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
from importing_desk import Desk
from openclaw_samples import ENTRIES, HEADER, ID, entry, fill, make_store

from toolnexus.cli.main import main
from toolnexus.transcripts.importers import registry

PAGE = (Path(__file__).parents[2] / "docs" / "importing.md").read_text()
COMMANDS = [line[2:] for line in PAGE.splitlines() if line.startswith("$ toolnexus ")]
DAY = "2026-11-20T10:00:00Z"
CLAUDE = "1c9e0000-0000-4000-8000-000000000001"
CODEX = "0199a1b2-0000-7000-8000-00000000c0de"


@pytest.fixture
def at_home(tmp_path, monkeypatch):
    """A person's home directory with the folders of every tool, and the persona `ava`."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("TOOLNEXUS_STATE", raising=False)
    desk = Desk(tmp_path)
    make_claude_code(desk)
    make_codex(desk)
    make_chatgpt(desk)
    make_openclaw(desk)
    desk.write("chats/boat.json", json.dumps([{"role": "user", "content": "The boat is blue."}]))
    return desk


def make_claude_code(desk):
    row = {"sessionId": CLAUDE, "timestamp": DAY, "uuid": "u1", "type": "user"}
    message = {"role": "user", "content": "The beans are in the north bed."}
    project = ".claude/projects/-home-mara-garden"
    desk.write(f"{project}/{CLAUDE}.jsonl", {"type": "summary"}, {**row, "message": message})
    desk.write(f"{project}/memory/MEMORY.md", "- beans")


def make_codex(desk):
    item = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Hi."}]}
    desk.write(
        f".codex/sessions/2026/11/20/rollout-2026-11-20T10-00-00-{CODEX}.jsonl",
        {"timestamp": DAY, "type": "session_meta", "payload": {"id": CODEX, "timestamp": DAY}},
        {"timestamp": DAY, "type": "response_item", "payload": item},
    )


def make_chatgpt(desk):
    message = {"author": {"role": "user"}, "content": {"parts": ["Rye bread."]}, "recipient": "all"}
    mapping = {"n": {"id": "n", "parent": None, "message": message}}
    export = [{"id": "c", "current_node": "n", "create_time": 1_763_632_800, "mapping": mapping}]
    path = desk.write("Downloads/chatgpt-export/conversations.json", json.dumps(export))
    with zipfile.ZipFile(desk.folder / "Downloads/chatgpt-export.zip", "w") as archive:
        archive.write(path, "conversations.json")


def make_openclaw(desk):
    agent = desk.folder / ".openclaw/agents/main"
    store = make_store(agent / "agent/openclaw-agent.sqlite")
    fill(store, ID, ENTRIES)
    store.close()
    desk.write(
        ".openclaw/agents/main/sessions/old.jsonl",
        {**HEADER, "id": "old"},
        entry("a", None, text="Long ago."),
    )


def words_of(line):
    return [word.replace("~", str(Path.home()), 1) for word in shlex.split(line)[1:]]


@pytest.mark.parametrize("line", COMMANDS)
def test_each_command_of_the_page_imports_and_again_adds_nothing(at_home, capsys, line):
    """A new user who types it gets turns, and typing it twice changes nothing."""
    words = [word for word in words_of(line) if word != "--dry-run"]
    for number in range(2):
        assert main([*words, "--json"]) == 0
        document = json.loads(capsys.readouterr().out)
        assert (document["sessions"]["new"] > 0) == (number == 0)
        assert (document["turns"]["new"]["user"] > 0) == (number == 0)
        assert document["sessions"]["known"] * number == document["sessions"]["known"]


def test_the_page_covers_every_importer():
    """Each importer of ours has commands on the page."""
    assert {shlex.split(line)[2] for line in COMMANDS} == set(registry.OURS)


def test_a_summary_for_people(at_home, capsys):
    """It tells sessions, turns by role, what was skipped, where and why, and what is new."""
    assert main([*words_of("toolnexus import claude-code ~/.claude --into ava"), "--verbose"]) == 0
    out = capsys.readouterr().out
    assert "imported 1 session: 1 new, 0 grown; 0 known before" in out
    assert "turns: 1 new (1 user, 0 assistant, 0 tool, 0 system); 0 known before" in out
    assert f"new         1 turns  2026-11-20-claude-code-{CLAUDE}" in out
    assert re.search(r"1  a record of type 'summary', at .*\.jsonl:1", out)


def test_a_dry_run_says_so_and_leaves_no_trace(at_home, capsys):
    """``--dry-run`` writes nothing at all, not even state."""
    before = sorted(at_home.folder.rglob("*"))
    assert main(words_of("toolnexus import codex ~/.codex --into ava --dry-run")) == 0
    assert "would import 1 session: 1 new" in capsys.readouterr().out
    assert sorted(at_home.folder.rglob("*")) == before


@pytest.mark.parametrize(
    ("line", "code", "said"),
    [
        ("toolnexus import codexx ~/.codex --into ava", 2, "one of: claude-code, codex"),
        ("toolnexus import codex ~/typo --into ava", 2, "typo: there is no such file or folder"),
        ("toolnexus import codex --into ava", 2, "SOURCE"),
        ("toolnexus import codex ~/.codex --into ~/chats", 65, "chats"),
        ("toolnexus import codex ~/chats --into ava", 0, "no sessions of codex were found there"),
    ],
)
def test_what_cannot_be_done_is_said(at_home, capsys, line, code, said):
    """Wrong tools, sources and homes end with a code and a sentence that helps."""
    assert main(words_of(line)) == code
    assert said in capsys.readouterr().err


def test_long_imports_tell_how_far_they_are(at_home, capsys):
    """Progress goes to standard error, unless it is to be quiet."""
    for number in range(201):
        at_home.write(f"many/{number}.jsonl", {"role": "user", "content": f"Talk {number}."})
    assert main(["import", "jsonl", "many", "--into", "ava"]) == 0
    assert "200 sessions read, 200 new turns so far" in capsys.readouterr().err
    assert main(["import", "jsonl", "many", "--into", "ava", "--quiet"]) == 0
    assert capsys.readouterr().err == ""


def test_a_package_can_bring_an_importer(at_home, capsys, monkeypatch):
    """The page's own example, found by its entry point, imports like ours; twice is once."""
    module = re.search(r"```python\n(.*?)```", PAGE, re.DOTALL)[1]
    at_home.write("my_package.py", module)
    monkeypatch.syspath_prepend(at_home.folder)
    points = [
        EntryPoint("diary", "my_package:Diary", registry.GROUP),
        EntryPoint("broken", "my_package:Nothing", registry.GROUP),
        EntryPoint("codex", "my_package:Diary", registry.GROUP),
    ]
    monkeypatch.setattr("importlib.metadata.entry_points", lambda **_group: points)
    at_home.write("diary/monday.txt", "Sowed beans.", "Rain.")
    for _ in range(2):
        assert main(["import", "diary", "diary", "--into", "ava"]) == 0
    assert at_home.talks() == {"diary-monday": [("user", "Sowed beans."), ("user", "Rain.")]}
    assert main(["import", "broken", "diary", "--into", "ava"]) == 2
    assert "cannot be loaded" in capsys.readouterr().err
    assert registry.importer_names() == (*registry.OURS, "broken", "diary")
    assert type(registry.load_importer("codex")).__module__.startswith("toolnexus.")
