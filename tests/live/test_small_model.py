"""A real model from end to end: what any model must do, however small, and no more than that.

docs/models.md tells what this one made of it.
"""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import pytest

from toolnexus.cli.main import main

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.live

KEY = "The spare key is under the blue pot."


@pytest.fixture
def ava(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    assert main(["new", "ava"]) == 0
    assert main(["remember", "ava", KEY]) == 0
    return tmp_path / "ava"


def turns(ava: Path, conversation: str) -> list[dict[str, object]]:
    text = (ava / "transcripts" / f"{conversation}.jsonl").read_text()
    return [json.loads(line) for line in text.splitlines()]


def document(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, object]:
    """Run a command; return the document that it prints, shown for whoever runs with ``-s``."""
    capsys.readouterr()
    code = main([*words, "--json"])
    found = json.loads(capsys.readouterr().out)
    with capsys.disabled():
        sys.stdout.write(f"\n{words[0]}: {found['reply']!r} {found['usage']}\n")
    assert code == (69 if found.get("outcome") == "failed" else 0)
    return found


def test_a_question_is_answered_from_memory(ava: Path, model: str, capsys):
    """`ask` streams a reply that names what memory holds, records both turns, counts the tokens."""
    words = ("ask", "ava", "Where is the spare key?", "--conversation", "keys", "--model", model)
    found = document(capsys, *words)
    assert "blue pot" in found["reply"]
    assert found["usage"]["tokens_in"] > 50
    assert [turn["role"] for turn in turns(ava, "keys")] == ["user", "assistant"]
    assert KEY in (ava / "MEMORY.md").read_text()


def test_a_conversation_goes_on(ava: Path, model: str, capsys):
    """A second question comes with the first one and its reply before it."""
    for prompt in ("My name is Maria.", "What is my name?"):
        found = document(capsys, "ask", "ava", prompt, "--conversation", "c", "--model", model)
    assert found["reply"].strip()
    assert len(turns(ava, "c")) == 4


@pytest.mark.parametrize("prose", ["", "Nothing burns today.\n"])
def test_a_beat_ends_as_it_says(ava: Path, model: str, capsys, monkeypatch, prose: str):
    """`beat` replies, is silent or fails, and its task is ticked unless it failed."""
    monkeypatch.setenv("TOOLNEXUS_MODEL", model)
    (ava / "HEARTBEAT.md").write_text(f"{prose}\n## Tasks\n- [ ] Water (at 2026-01-01)\n")
    found = document(capsys, "beat", "ava")
    assert found["tasks"] == ["Water"]
    failed = found["outcome"] == "failed"
    assert found["outcome"] in {"delivered", "silent", "failed"}
    assert bool(found["reason"]) == failed
    assert ("[x] Water" in (ava / "HEARTBEAT.md").read_text()) != failed
