from __future__ import annotations

import json

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from toolnexus.transcripts.plain_turn import parse_plain
from toolnexus.transcripts.timestamp import to_microseconds
from toolnexus.transcripts.turn import ROLES
from toolnexus.transcripts.turn_parse import parse_line

VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**14), 10**14),
    st.text(max_size=6),
    st.sampled_from([*ROLES, "2026-11-20T14:03:11Z", "1763647391", float("nan"), [], {}]),
    st.lists(
        st.fixed_dictionaries({"type": st.just("text"), "text": st.text(max_size=5)}), max_size=2
    ),
)
RECORDS = st.dictionaries(
    st.sampled_from(["role", "content", "ts", "id", "name", "x"]), VALUES, max_size=6
)
TURNS = st.fixed_dictionaries(
    {"role": st.sampled_from(ROLES), "content": st.text(max_size=20)},
    optional={"ts": VALUES, "id": VALUES},
)
LINES = st.one_of(
    st.builds(
        lambda r, tail: json.dumps(r).encode() + tail,
        RECORDS | TURNS,
        st.sampled_from([b"", b"\n", b"\r\n", b" \n", b"x\n"]),
    ),
    st.binary(max_size=40),
)


@pytest.mark.slow
@settings(max_examples=400, deadline=None)
@given(line=LINES)
@example(line=b'{"role": "user", "content": "\\ud800"}\n')
@example(line=b'\xef\xbb\xbf{"role": "user", "content": "a"}\n')
@example(line=b'{"role": "user", "content": "a", "ts": NaN}\n')
@example(line=b'{"role": "user", "content": "a", "id": 0}\n')
@example(line=b"[" * 100_000)
def test_the_quick_way_says_what_the_long_way_says(line: bytes):
    """Whatever line is read the quick way, the long way reads the same from it, problems none."""
    plain = parse_plain(line)
    if plain is None:
        return
    turn, problems = parse_line(line)
    assert turn is not None
    assert problems == ()
    ts = None if turn.ts is None else to_microseconds(turn.ts)
    assert (ROLES[plain.role], plain.text, plain.ts, plain.id) == (
        turn.role,
        turn.text,
        ts,
        turn.id,
    )
    assert turn.speeches()[1:] == ()


@given(
    turn=st.fixed_dictionaries(
        {"role": st.sampled_from(ROLES), "content": st.text(alphabet=st.characters(codec="utf-8"))}
    )
)
@settings(max_examples=50, deadline=None)
def test_most_turns_go_the_quick_way(turn: dict[str, str]):
    """A role and a text are read the quick way, however the JSON is written."""
    for ascii_only in (True, False):
        line = json.dumps(turn, ensure_ascii=ascii_only).encode()
        assert parse_plain(line) is not None or b"\\ud" in line
