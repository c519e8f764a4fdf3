"""Secrets in a home's files: no command shows one, and no command touches them."""

from __future__ import annotations

import json

import pytest
from pasted_secrets import PASTED, VALUES

from toolnexus.app import Home
from toolnexus.app.persona_tools import home_memory_tool, home_search_tool, home_transcript_tool
from toolnexus.change.log import render_entry
from toolnexus.change.plan import Change, Evidence, Plan
from toolnexus.cli.failures import report_failure
from toolnexus.clock import parse_instant
from toolnexus.errors import UsageError

KEPT = [kind for kind in PASTED if kind != "a private key"]
LINES = [line for value in VALUES.values() for line in value.splitlines() if len(line) > 3]


@pytest.fixture
def secretive(home):
    """A home with secrets of every kind: in MEMORY.md twice each, in a note, in a conversation."""
    claims = "".join(f"- Noted {n}: {PASTED[kind]}\n" for n, kind in enumerate(KEPT))
    links = f"- See [[keys]], [[{VALUES['an AWS key']}]].\n"
    (home / "MEMORY.md").write_text(f"# Memory\n\n{claims}{claims}{links}")
    key = PASTED["a private key"]
    (home / "memory" / "keys.md").write_text(f"# Keys\n\n```\n{key}\n```\n\n{claims}")
    turns = [json.dumps({"role": "user", "content": text}) + "\n" for text in PASTED.values()]
    (home / "transcripts" / "talk.jsonl").write_text("".join(turns))
    return home


def shown_in(said: str) -> list[str]:
    """Return the secrets that a command let slip."""
    return [line for line in LINES if line in said or json.dumps(line)[1:-1] in said]


COMMANDS = [
    ("check", "ava"),
    ("check", "ava", "--json"),
    ("check", "ava", "--format", "github"),
    ("check", "ava", "--format", "sarif"),
    ("overview", "ava", "--json"),
    ("search", "ava", "noted keys password", "-k", "50"),
    ("search", "ava", "noted keys password", "-k", "50", "--in", "all", "--json", "--explain"),
    ("search", "ava", "noted password", "--in", "transcripts", "--verbose"),
    ("transcripts", "show", "ava", "talk"),
    ("transcripts", "show", "ava", "talk", "--json"),
    ("transcripts", "search", "ava", "wifi password contraseña senha PIN", "-k", "50"),
    ("transcripts", "search", "ava", "wifi password contraseña senha PIN", "--json"),
    ("dream", "ava", "--dry-run"),
    ("dream", "ava", "--dry-run", "--json"),
    ("dream", "ava", "--dry-run", "--format", "github"),
    ("dream", "ava", "--dry-run", "--format", "patch"),
    ("dream", "ava", "--dry-run", "--format", "markdown"),
    ("watch", "ava", "--once"),
    ("watch", "ava", "--once", "--json"),
]


@pytest.mark.slow
def test_no_command_shows_a_secret(secretive, run):
    """Text, JSON, annotations, SARIF, patches and Markdown: all masked, the files as they were."""
    before = {path: path.read_bytes() for path in secretive.rglob("*.md")}
    for words in COMMANDS:
        ran = run(*words)
        assert ran.code in {0, 1}, (words, ran)
        assert shown_in(ran.out + ran.err) == [], words
        if "search" not in words or "transcripts" in words:
            continue
        assert "[redacted]" in ran.out, words
    assert before == {path: path.read_bytes() for path in secretive.rglob("*.md")}


def test_what_was_written_and_what_waits_is_shown_without_secrets(secretive, run):
    """Remembering, proposing, reviewing, the log and a revert: none repeats the value."""
    told = PASTED["a password said"]
    ran = [
        run("remember", "ava", told),
        run("remember", "ava", PASTED["an AWS key"], "--json"),
        run("dream", "ava", "--propose"),
        run("review", "ava"),
        run("review", "ava", "--json"),
        run("review", "ava", "--apply"),
        run("log", "ava"),
        run("log", "ava", "--json"),
        run("revert", "ava", "last", "--verbose"),
    ]
    assert [shown_in(each.out + each.err) for each in ran] == [[]] * len(ran)
    assert told in (secretive / "MEMORY.md").read_text()


def test_the_log_of_dreams_holds_none(secretive):
    """What a pass writes into its log quotes claims with their secrets masked."""
    assert Home.open(secretive).dream().wrote
    log = (secretive / "memory" / "log.md").read_text()
    assert "merged" in log
    assert shown_in(log) == []


@pytest.mark.parametrize("kind", KEPT)
def test_an_entry_masks_what_it_quotes(kind):
    """Claims, quotes and names of conversations lose their secrets in a log's entry."""
    text = PASTED[kind]
    change = Change("corrected", "MEMORY.md", 1, text, text, evidence=(Evidence(text, 1, text),))
    plan = Plan("dream", changes=(change,))
    entry = render_entry(plan, "id", parse_instant("2026-11-29T03:00:00Z"))
    assert VALUES[kind] not in entry


def test_the_tools_of_a_persona_show_none(secretive):
    """What a persona's memory tool and searches answer is masked, as its model is elsewhere."""
    home = Home.open(secretive)
    said = [
        home_memory_tool(home).call({"action": "read"}),
        home_memory_tool(home).call({"action": "read", "target": "keys"}),
        home_search_tool(home).call({"query": "noted keys password", "limit": 50}),
        home_transcript_tool(home).call({"query": "wifi password contraseña PIN", "limit": 50}),
    ]
    assert [shown_in(each) for each in said] == [[]] * len(said)
    assert all("[redacted]" in each for each in said)


def test_errors_and_tracebacks_hide_what_the_environment_knows(monkeypatch, capsys):
    """A key in an error, a bug or a traceback is masked: by its shape, or as a variable's value."""
    monkeypatch.setenv("MY_SERVICE_TOKEN", "plainwordsonly")
    for error in (
        UsageError(f"no such key {PASTED['an AWS key']}", hint="is it plainwordsonly?"),
        RuntimeError(f"plainwordsonly, and {PASTED['a GitHub token']}"),
    ):
        for flags in ([], ["--debug"], ["--debug", "--json"]):
            with pytest.raises(type(error)) as raised:
                raise error
            report_failure(raised.value, ["check", *flags], None)
            said = "".join(capsys.readouterr())
            assert "plainwordsonly" not in said
            assert shown_in(said) == []
            assert ("Traceback" in said) == ("--debug" in flags)
