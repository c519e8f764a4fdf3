"""Conversations, listed by what was said last, and imported from Python."""

from __future__ import annotations

import json
import os

import pytest
from talking_homes import open_ava

from toolnexus.clock import format_instant
from toolnexus.errors import UsageError


def turn(at: str = "", text: str = "hi") -> dict[str, str]:
    return {"role": "user", "content": text, **({"ts": at} if at else {})}


def test_conversations_are_listed_by_their_last_turn(tmp_path):
    """What was said last counts, not when a file was written; a file without times has its own."""
    home = open_ava(tmp_path / "ava")
    home.transcripts.append("new", turn("2026-11-20T10:00:00Z"))
    home.transcripts.append("old", turn("2026-01-01T10:00:00Z"))
    home.transcripts.append("old", turn(""))
    home.transcripts.append("tie", turn("2026-11-20T10:00:00Z"))
    home.transcripts.append("bare", turn())
    os.utime(tmp_path / "ava/transcripts/bare.jsonl", (1_780_000_000, 1_780_000_000))
    listed = [(info.id, format_instant(info.updated_at)) for info in home.conversations()]
    assert listed == [
        ("new", "2026-11-20T10:00:00Z"),
        ("tie", "2026-11-20T10:00:00Z"),
        ("bare", "2026-05-28T20:26:40Z"),
        ("old", "2026-01-01T10:00:00Z"),
    ]
    assert [info.turns for info in home.conversations()] == [1, 1, 1, 2]


def test_transcripts_are_imported(tmp_path):
    """What another tool wrote is added once, and by a dry run not at all."""
    home = open_ava(tmp_path / "ava")
    source = tmp_path / "talk.jsonl"
    source.write_text(json.dumps(turn("2026-11-20T10:00:00Z", "We moved to Berlin.")) + "\n")
    assert home.import_transcripts("jsonl", [source], dry_run=True).turns.user == 1
    assert home.conversations() == []
    assert home.import_transcripts("jsonl", [source]).turns.user == 1
    assert home.import_transcripts("jsonl", str(source)).turns.user == 0
    [info] = home.conversations()
    assert home.search_transcripts("Berlin")[0].conversation == info.id
    with pytest.raises(UsageError):
        home.import_transcripts("telegraph", [source])
