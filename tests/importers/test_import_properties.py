"""What holds for every importer and any bytes."""

from __future__ import annotations

import contextlib
import json
import sqlite3
import tempfile
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from importing_desk import Desk

from toolnexus.transcripts.importers.identity import TurnKeys, content_key, is_same_talk
from toolnexus.transcripts.importers.importer import Skip
from toolnexus.transcripts.importers.injected import after_leading, without_tagged
from toolnexus.transcripts.importers.registry import OURS, load_importer
from toolnexus.transcripts.turn import ROLES, Turn
from toolnexus.transcripts.turn_parse import parse_line
from toolnexus.transcripts.turn_render import render_turn

FEW = settings(max_examples=10)
WORDS = st.sampled_from(
    ["user", "assistant", "tool", "toolResult", "message", "session", "response_item", "event_msg",
     "session_meta", "user_message", "text", "input_text", "tool_use", "tool_result", "thinking",
     "a", "b", "root", "all", "python", "function_call", "2026-11-20T10:00:00Z", "<skill>", ""]
)  # fmt: skip
KEYS = st.sampled_from(
    ["type", "role", "content", "message", "payload", "id", "uuid", "parentId", "parentUuid",
     "text", "sessionId", "timestamp", "ts", "isSidechain", "isMeta", "mapping", "parent",
     "author", "current_node", "parts", "recipient", "create_time", "conversation_id", "call_id",
     "name", "output", "tool_calls", "messages", "tool_use_id", "content_type", "metadata",
     "source", "agentId"]
)  # fmt: skip
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | WORDS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS | WORDS, inner, max_size=6),
    max_leaves=25,
)
ROWS = st.dictionaries(KEYS, VALUES, min_size=1, max_size=8)
FILES = {
    "claude-code": "s.jsonl",
    "codex": "rollout-1.jsonl",
    "chatgpt": "conversations.json",
    "openclaw": "s.jsonl",
    "jsonl": "s.json",
}

LINES = st.lists(ROWS, max_size=3).map(lambda rows: "\n".join(map(json.dumps, rows)).encode())
DATA = st.binary(max_size=300) | LINES | ROWS.map(lambda row: json.dumps([row, row]).encode())
SMALL = st.integers(-(2**63), 2**63 - 1)
NAMES = st.text(st.characters(exclude_categories=["Cs"])) | SMALL | st.none()
EVENTS = ROWS.map(json.dumps) | st.binary() | SMALL | st.none()
INSTANTS = st.datetimes(datetime(1970, 1, 2), datetime(2199, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001


@contextlib.contextmanager
def a_desk():
    with tempfile.TemporaryDirectory() as folder:
        yield Desk(Path(folder))


def check_twice(desk, tool, source):
    """Import twice, the second time without memory: nothing raises, nothing is added."""
    first = desk.run(tool, source)
    before = desk.files()
    for lost in (False, True):
        if lost:
            (desk.home / ".toolnexus/state/imports.json").unlink(missing_ok=True)
        again = desk.run(tool, source)
        assert (again.new, again.grown, again.turns.total) == (0, 0, 0)
    assert desk.files() == before
    store = desk.open().transcripts
    read = [store.get(record.id) for record in store.list()]
    assert [conversation.problems for conversation in read] == [()] * len(read)
    assert sum(len(conversation.turns) for conversation in read) == first.turns.total


@pytest.mark.slow
@pytest.mark.parametrize("tool", OURS)
@FEW
@given(rows=st.lists(ROWS, max_size=8))
def test_arbitrary_records_are_imported_once_or_skipped(tool, rows):
    """Any JSON becomes turns or counted skips, never an error; twice is once."""
    with a_desk() as desk:
        if tool == "chatgpt" or (tool == "jsonl" and len(rows) % 2):
            source = desk.write(FILES[tool], json.dumps(rows))
        else:
            source = desk.write(FILES[tool], *rows)
        check_twice(desk, tool, source)


@pytest.mark.slow
@pytest.mark.parametrize("tool", OURS)
@settings(max_examples=50)
@given(data=DATA, cut=st.integers(0, 300))
def test_no_reader_raises_on_any_bytes(tool, data, cut):
    """Any bytes, cut anywhere, are read to turns that can be written, and to skips."""
    importer = load_importer(tool)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / FILES[tool]
        path.write_bytes(data[:cut])
        for found in importer.sessions(path):
            for item in [] if isinstance(found, Skip) else found.read():
                assert isinstance(item, Skip) or item.turn.text is not None
                assert isinstance(item, Skip) or content_key(item.turn)


@FEW
@given(events=st.lists(st.tuples(NAMES, EVENTS), max_size=6))
def test_arbitrary_stores_are_imported_once_or_skipped(events):
    """Any rows in OpenClaw's table become turns or counted skips, never an error."""
    with a_desk() as desk:
        source = desk.folder / "openclaw-agent.sqlite"
        connection = sqlite3.connect(source)
        connection.execute("CREATE TABLE transcript_events (session_id, seq, event_json)")
        rows = [(name, number, event) for number, (name, event) in enumerate(events)]
        connection.executemany("INSERT INTO transcript_events VALUES (?, ?, ?)", rows)
        connection.commit()
        connection.close()
        check_twice(desk, "openclaw", source)


@FEW
@given(st.lists(st.text(max_size=6), max_size=6), st.integers(0, 6), st.booleans())
def test_a_source_read_in_two_halves_is_the_source_read_at_once(texts, cut, plain):
    """Growing in between makes no difference to what the home holds in the end."""
    tool = "jsonl" if plain else "claude-code"
    rows = [
        {"role": "user", "content": text}
        if plain
        else {"type": "user", "uuid": str(n), "sessionId": "s", "message": {"content": text}}
        for n, text in enumerate(texts)
    ]
    with a_desk() as once, a_desk() as grown:
        once.run(tool, once.write("s.jsonl", *rows))
        grown.run(tool, grown.write("s.jsonl", *rows[:cut]))
        grown.run(tool, grown.write("s.jsonl", *rows))
        assert grown.files() == once.files()


@given(st.sampled_from(ROLES), st.text(), st.text(max_size=3), INSTANTS | st.none())
def test_a_turn_is_known_again_from_its_line(role, text, turn_id, ts):
    """A turn has the same key before it is written and after it is read."""
    clean = text.encode("utf-8", "replace").decode()
    turn = Turn(role, clean, ts, turn_id.encode("utf-8", "replace").decode())
    read, problems = parse_line(render_turn(turn))
    assert problems == ()
    assert TurnKeys().key(read) == TurnKeys().key(turn)
    assert content_key(read) == content_key(turn)


@given(st.lists(st.text("<>/ab c\n", max_size=30)).map("".join))
def test_cutting_tags_only_takes_away(text):
    """What is left is a part of the text in its order, and nothing is left to cut at its start."""
    for left in (without_tagged(text, {"a"}), after_leading(text, {"a"})):
        letters = iter(text)
        assert all(letter in letters for letter in left)
    assert after_leading(after_leading(text, {"a"}), {"a"}) == after_leading(text, {"a"})
    assert without_tagged(text, {"x"}) == text


@given(st.sets(st.integers(0, 9).map(str)), st.sets(st.integers(0, 9).map(str)))
def test_being_the_same_talk_goes_both_ways(one, other):
    """Which of two files came first does not matter; a talk is the same as all that it grew to."""
    assert is_same_talk(one, other) == is_same_talk(other, one)
    assert is_same_talk(one, one | other)
