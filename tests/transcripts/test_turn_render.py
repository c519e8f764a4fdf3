from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolnexus.clock import parse_instant
from toolnexus.errors import UsageError
from toolnexus.transcripts.turn import ROLES, Turn
from toolnexus.transcripts.turn_parse import parse_line
from toolnexus.transcripts.turn_render import render_turn

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
TURNS = st.builds(
    Turn,
    st.sampled_from(ROLES),
    TEXT,
    st.none() | st.just(parse_instant("2026-11-20T14:03:11.000250Z")),
    TEXT,
    TEXT,
)


@settings(max_examples=100)
@given(TURNS)
def test_a_turn_comes_back_from_its_line(turn: Turn):
    """Rendering and parsing a turn gives the same turn, on one line."""
    line = render_turn(turn)
    assert line.count(b"\n") == 1
    back, problems = parse_line(line)
    assert problems == ()
    assert back is not None
    assert replace(back, number=0, record={}) == turn


def test_a_turn_that_was_read_is_written_as_it_was():
    """Unknown keys, block content and an odd ts of a read turn survive a save byte for byte."""
    record = {
        "role": "user",
        "content": [
            {"type": "text", "text": "Look", "cache": 1},
            {"type": "tool_result", "content": "12"},
        ],
        "ts": 1763647391000,
        "mood": {"a": [1]},
    }
    line = json.dumps(record).encode() + b"\n"
    turn, _ = parse_line(line, conversation="c", number=3)
    assert turn is not None
    assert render_turn(turn) == line


def test_a_turn_with_an_inherited_ts_is_written_without_one():
    """What a turn took from its predecessor is not made its own by a save."""
    line = b'{"role": "user", "content": "x"}\n'
    turn, _ = parse_line(line, previous_ts=parse_instant("2026-01-01"))
    assert turn is not None
    assert render_turn(turn) == line


def test_a_changed_turn_is_written_as_changed_and_keeps_unknown_keys():
    """A redacted text replaces the old one on disk; the tool's output and unknown keys stay."""
    blocks = [{"type": "text", "text": "secret"}, {"type": "tool_result", "content": "12"}]
    line = json.dumps({"role": "user", "content": blocks, "mood": 3}).encode()
    turn, _ = parse_line(line)
    assert turn is not None
    written = render_turn(replace(turn, text="redacted"))
    assert b"secret" not in written
    back, _ = parse_line(written)
    assert back is not None
    assert (back.text, back.tool_text, back.record["mood"]) == ("redacted", "12", 3)


@pytest.mark.parametrize(
    "turn",
    [
        {"role": "user", "content": "half \ud83d"},
        {"role": "user", "content": "x", "extra": ["\ud83d"]},
        {"role": "user", "content": "x", "extra": float("nan")},
        {"role": "user", "content": "x", "extra": {1, 2}},
        {"role": "poet", "content": "x"},
        {"role": "user"},
        {"role": "user", "content": "x", "ts": "soon"},
        "hello",
        Turn("user", "half \ud83d"),
        Turn("poet", "x"),  # type: ignore[arg-type]
    ],
)
def test_what_cannot_be_written_is_a_usage_error(turn: object):
    """No turn that a file could not give back is accepted."""
    with pytest.raises(UsageError):
        render_turn(turn)  # type: ignore[arg-type]
