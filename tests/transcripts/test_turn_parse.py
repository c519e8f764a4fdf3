from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolnexus.clock import parse_instant
from toolnexus.transcripts.timestamp import from_microseconds, parse_timestamp, to_microseconds
from toolnexus.transcripts.turn import ROLES, Speech
from toolnexus.transcripts.turn_parse import parse_line

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


def line_of(**record: object) -> bytes:
    return json.dumps(record).encode() + b"\n"


def test_a_plain_turn_is_read_with_all_its_keys():
    """Every documented key reaches its field, and unknown keys stay in the record."""
    line = line_of(
        role="user", content="hi", ts="2026-11-20T14:03:11Z", id="a1", name="Ines", mood=3
    )
    turn, problems = parse_line(line, conversation="c", number=7)
    assert turn is not None
    assert (turn.role, turn.text, turn.id, turn.name, turn.address) == (
        "user",
        "hi",
        "a1",
        "Ines",
        "c#7",
    )
    assert turn.ts == parse_instant("2026-11-20T14:03:11Z")
    assert turn.record["mood"] == 3
    assert problems == ()


def test_tool_output_in_a_user_turn_is_never_the_users_words():
    """A line with words and a tool result holds two speeches, each by its own role."""
    blocks = [
        {"type": "text", "text": "Look:"},
        {"type": "tool_result", "content": [{"type": "text", "text": "12 degrees"}]},
        {"type": "image", "source": "x"},
    ]
    turn, _ = parse_line(line_of(role="user", content=blocks))
    assert turn is not None
    assert turn.speeches() == (Speech("user", "Look:"), Speech("tool", "12 degrees"))


def test_a_user_turn_of_tool_results_alone_is_of_role_tool():
    """A user's line that only carries tool output is the tool's turn."""
    turn, _ = parse_line(
        line_of(role="user", content=[{"type": "tool_result", "content": "12 degrees"}])
    )
    assert turn is not None
    assert turn.speeches() == (Speech("tool", "12 degrees"),)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (b'{"role": "us', "not a whole line of JSON"),
        (b"[1, 2]", "not a JSON object"),
        (b'{"role": "user", "content": "\xff"}', "not UTF-8"),
        (b'{"content": "hi"}', "no role"),
        (b'{"role": "poet", "content": "hi"}', "poet"),
        (b'{"role": "user"}', "no content"),
        (b'{"role": "user", "content": 7}', "neither text nor a list"),
        (b'{"role": "user", "content": NaN}', "not a whole line"),
        (b"[" * 200_000, "nested"),
    ],
)
def test_a_line_that_is_no_turn_is_a_problem_with_its_line(line: bytes, said: str):
    """Each kind of broken line is told apart, skipped, and raises nothing."""
    turn, (problem,) = parse_line(line, number=4)
    assert turn is None
    assert (problem.line, problem.rule, problem.skipped) == (4, "torn-transcript", True)
    assert said in problem.message


def test_blank_lines_are_neither_turns_nor_problems():
    """White space between turns is passed over."""
    assert parse_line(b"  \r\n") == (None, ())


def test_a_byte_order_mark_and_crlf_are_accepted():
    """What editors on other systems add does not cost a turn."""
    turn, problems = parse_line(b'\xef\xbb\xbf{"role": "user", "content": "hi"}\r\n')
    assert turn is not None
    assert turn.text == "hi"
    assert problems == ()


def test_half_a_surrogate_pair_in_a_file_is_mended():
    """A half emoji that another tool escaped becomes a replacement character, record included."""
    turn, _ = parse_line(b'{"role": "user", "content": "a\\ud83d b", "x": ["\\ud83d"]}')
    assert turn is not None
    assert turn.text == "a\ufffd b"
    assert turn.record["x"] == ["\ufffd"]


def test_a_whole_escaped_emoji_stays():
    """An escaped pair is one character and is not touched."""
    turn, _ = parse_line(b'{"role": "user", "content": "\\ud83d\\ude00"}')
    assert turn is not None
    assert turn.text == "😀"


def test_a_turn_without_ts_takes_its_predecessors():
    """The predecessor's instant is taken over, and marked as not the turn's own."""
    before = parse_instant("2026-01-01")
    turn, _ = parse_line(line_of(role="user", content="x"), previous_ts=before)
    assert turn is not None
    assert (turn.ts, turn.inherited) == (before, True)


@pytest.mark.parametrize(
    "ts", [-5, 1e300, "yesterday", "9999-01-01", True, [1], 1e18, "0001-01-01"]
)
def test_an_absurd_ts_is_a_problem_and_the_turn_is_kept(ts: object):
    """A ts that is no plausible instant counts as absent and is reported."""
    turn, (problem,) = parse_line(line_of(role="user", content="x", ts=ts))
    assert turn is not None
    assert turn.ts is None
    assert not problem.skipped


@pytest.mark.parametrize(
    "ts",
    [
        "2025-11-20T14:03:11Z",
        "2025-11-20T15:03:11+01:00",
        "2025-11-20T14:03:11",
        "2025-11-20 14:03:11",
        1763647391,
        1763647391000,
        1763647391.0,
        "1763647391",
    ],
)
def test_one_instant_in_all_its_spellings(ts: object):
    """Text with and without zone, seconds and milliseconds all name the same instant."""
    assert parse_timestamp(ts) == parse_instant("2025-11-20T14:03:11Z")


@settings(max_examples=60)
@given(st.integers(0, 7_258_118_399_999_999))
def test_microseconds_keep_an_instant(microseconds: int):
    """An instant survives its number, and its RFC 3339 text, without loss."""
    instant = from_microseconds(microseconds)
    assert to_microseconds(instant) == microseconds
    assert parse_timestamp(instant.isoformat()) == instant


@settings(max_examples=150)
@given(
    st.binary(max_size=80)
    | st.dictionaries(
        st.sampled_from(["role", "content", "ts", "id", "name", "x"]),
        st.sampled_from([*ROLES]) | JSON,
    ).map(lambda record: json.dumps(record).encode())
)
def test_any_line_is_a_turn_or_a_problem_or_blank(line: bytes):
    """Nothing that can stand in a line raises, and no line vanishes without a word."""
    line = line.replace(b"\n", b" ")
    turn, problems = parse_line(line)
    assert turn is not None or problems or not line.removeprefix(b"\xef\xbb\xbf").strip()
    if turn is not None:
        turn.text.encode()
        turn.id.encode()
