"""Turns that hold a secret, as the index of the transcripts finds them."""

from __future__ import annotations

import json

import pytest
from pasted_secrets import INNOCENT, PASTED, VALUES

from toolnexus.app import Home

KINDS = sorted(PASTED)


@pytest.fixture
def home(tmp_path):
    """A home with one conversation of innocent turns."""
    (tmp_path / "SOUL.md").write_text("You are Ava.\n")
    (tmp_path / "transcripts").mkdir()
    say(tmp_path, *INNOCENT)
    return tmp_path


def say(root, *texts, role="user"):
    with (root / "transcripts" / "talk.jsonl").open("a") as file:
        for text in texts:
            file.write(json.dumps({"role": role, "content": text}) + "\n")


def secrets_of(root):
    return [each for each in Home.open(root).check() if each.rule == "secret"]


@pytest.mark.parametrize("role", ["user", "assistant", "tool", "system"])
def test_a_secret_in_a_turn_is_a_warning_with_its_line(home, role):
    """Every kind, in a turn of any role, is a `secret` warning at its line, without its value."""
    say(home, *(PASTED[kind] for kind in KINDS), role=role)
    found = secrets_of(home)
    first = len(INNOCENT) + 1
    assert [each.line for each in found] == list(range(first, first + len(KINDS)))
    assert {(each.path, each.severity) for each in found} == {("transcripts/talk.jsonl", "warning")}
    assert not any(value.splitlines()[0] in str(found) for value in VALUES.values())
    assert all("password manager" in each.hint for each in found)


def test_typed_blocks_and_tool_results_are_looked_at(home):
    """A secret in a text block or in a tool's result beside it is found as well."""
    block = [{"type": "text", "text": PASTED["a PIN"]}]
    result = [
        {"type": "text", "text": "Here."},
        {"type": "tool_result", "tool_use_id": "1", "content": PASTED["an AWS key"]},
    ]
    say(home, block, result)
    assert [each.line for each in secrets_of(home)] == [len(INNOCENT) + 1, len(INNOCENT) + 2]


def test_a_last_line_of_any_length_ends_the_reading(home):
    """A last line that is longer than a transaction takes is told, and not read for ever."""
    with (home / "transcripts" / "talk.jsonl").open("ab") as file:
        file.truncate(40 * 1024 * 1024)
    assert "torn-transcript" in {each.rule for each in Home.open(home).check()}


def test_a_secret_that_left_is_no_finding_any_more(home):
    """Once the line is mended, the finding is gone; innocent turns never were one."""
    say(home, PASTED["an AWS key"])
    assert len(secrets_of(home)) == 1
    file = home / "transcripts" / "talk.jsonl"
    file.write_text(file.read_text().replace(PASTED["an AWS key"], "(taken out)"))
    assert secrets_of(home) == []


def test_the_doctor_counts_no_secret_as_an_unreadable_line(home):
    """A turn with a secret is read like any other."""
    say(home, PASTED["an AWS key"])
    [transcripts] = [each for each in Home.open(home).doctor() if each.name == "transcripts"]
    assert transcripts.ok
