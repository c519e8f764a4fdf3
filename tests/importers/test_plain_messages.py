"""Plain turns and lists of messages."""

from __future__ import annotations

import json

import pytest
from importing_desk import reasons

MESSAGES = [
    {"role": "developer", "content": "Be kind."},
    {
        "role": "user",
        "content": [{"type": "text", "text": "Hello."}, {"type": "image_url", "image_url": {}}],
    },
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": "t", "type": "function", "function": {"name": "map"}}],
    },
    {"role": "tool", "tool_call_id": "t", "content": "60.39 N"},
    {"role": "assistant", "content": "Hi."},
]
SAID = [
    ("system", "Be kind."),
    ("user", "Hello."),
    ("assistant", ""),
    ("tool", "60.39 N"),
    ("assistant", "Hi."),
]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("chat.json", json.dumps(MESSAGES)),
        ("chat.json", json.dumps({"model": "m", "messages": MESSAGES}, indent=2)),
        ("chat.jsonl", "\n".join(json.dumps(message) for message in MESSAGES)),
        ("chat.ndjson", "\ufeff" + "\r\n".join(json.dumps(message) for message in MESSAGES)),
        ("chat.jsonl", json.dumps(MESSAGES)),
        ("chat.json", "\n".join(json.dumps(message) for message in MESSAGES)),
    ],
)
def test_all_shapes_of_a_message_list_are_read(desk, name, text):
    """An array, an object around it, or lines: one conversation, named like the file."""
    done = desk.run("jsonl", desk.write(name, text))
    assert desk.talks() == {"chat": SAID}
    assert reasons(done) == {"an image or a file": 1}
    turns = desk.open().transcripts.get("chat").turns
    assert turns[2].record["tool_calls"] == MESSAGES[2]["tool_calls"]
    assert turns[3].record["tool_call_id"] == "t"


def test_a_line_that_holds_a_conversation_is_one(desk):
    """Training files have a conversation a line: each stays apart, though they begin alike."""
    system = {"role": "system", "content": "Be kind."}
    rows = [
        {"messages": [system, {"role": "user", "content": text}, 7]} for text in ("One.", "Two.")
    ]
    source = desk.write("tuning.jsonl", *rows)
    for _ in range(2):
        done = desk.run("jsonl", source)
        desk.append("tuning.jsonl", "")
    assert done.turns.total == 0
    assert desk.talks() == {
        "tuning.1": [("system", "Be kind."), ("user", "One.")],
        "tuning.2": [("system", "Be kind."), ("user", "Two.")],
    }


def test_turns_of_our_own_keep_their_ids_names_and_instants(desk):
    """A transcript from another home arrives as it was."""
    row = {
        "role": "user",
        "content": "Hello.",
        "ts": "2026-11-20T14:03:11Z",
        "id": "t1",
        "name": "Mara",
    }
    desk.run("jsonl", desk.write("2026-11-20-move.jsonl", row))
    assert json.loads(desk.files()["2026-11-20-move.jsonl"]) == row


def test_files_that_share_a_name_are_two_conversations_unless_they_say_the_same(desk):
    """Another talk of the same name gets a number; a copy, or the same file grown, does not."""
    system = {"role": "system", "content": "Be kind."}
    one = [system, {"role": "user", "content": "One.", "id": "1"}]
    two = [system, {"role": "user", "content": "Two.", "id": "1"}]
    desk.write("a/chat.jsonl", *one)
    desk.write("b/chat.jsonl", *two)
    desk.write("c/chat.jsonl", *one, {"role": "assistant", "content": "Yes."})
    for _ in range(2):
        desk.run("jsonl", *(desk.folder / name for name in "abc"))
    assert desk.talks() == {
        "chat": [("system", "Be kind."), ("user", "One."), ("assistant", "Yes.")],
        "chat-2": [("system", "Be kind."), ("user", "Two.")],
    }


def test_a_home_that_imports_its_own_transcripts_gains_nothing(desk):
    """What is there already is known, wherever it comes from."""
    desk.run("jsonl", desk.write("chat.json", json.dumps(MESSAGES)))
    before = desk.files()
    done = desk.run("jsonl", desk.home / "transcripts")
    assert (done.new, done.grown, done.turns.total) == (0, 0, 0)
    assert desk.files() == before


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ({"content": "x"}, "a message without a role"),
        ({"role": "poet", "content": "x"}, "a message of role 'poet'"),
        ({"role": ["user"], "content": "x"}, "a message of role 'list'"),
        ({"role": "user", "content": {"a": 1}}, "content is neither text nor blocks"),
        ({"role": "user", "content": "  "}, "a message without words"),
        ({"role": "user"}, "a message without words"),
        ({"role": "user", "content": [7]}, "a content block without a type"),
        ("[1", "not JSON"),
        ("7", "not a JSON object"),
        (b'{"role": "user", "content": "caf\xe9"}\n', "not UTF-8"),
        ("[" * 100_000, "nested too deeply"),
        ('{"role": "user", "content": "x", "n": ' + "9" * 5000 + "}", "not JSON"),
    ],
)
def test_lines_that_are_no_turns_are_counted_and_cost_only_themselves(desk, row, reason):
    """Wrong types, missing roles, broken JSON and odd bytes never stop the lines around them."""
    good = {"role": "user", "content": "Hello."}
    done = desk.run("jsonl", desk.write("chat.jsonl", good, row, {**good, "content": "Bye."}))
    assert desk.talk() == [("user", "Hello."), ("user", "Bye.")]
    assert reasons(done) == {reason: 1}
    assert done.skipped[0].line == 2


@pytest.mark.parametrize(
    "ts", [-1, 1e300, "yesterday", "9999-01-01T00:00:00Z", [], True, 1e11 * 99]
)
def test_absurd_timestamps_cost_the_timestamp_alone(desk, ts):
    """A turn whose instant is none is kept without it."""
    done = desk.run(
        "jsonl", desk.write("chat.jsonl", {"role": "user", "content": "Hello.", "ts": ts})
    )
    assert json.loads(desk.files()["chat.jsonl"]) == {"role": "user", "content": "Hello."}
    assert reasons(done) == {"a timestamp that is none; the turn is kept without it": 1}


def test_ids_that_are_used_twice(desk):
    """A row that stands there twice is one turn; two things that were said are two."""
    rows = [
        {"role": "user", "content": "One.", "id": "x"},
        {"role": "user", "content": "One.", "id": "x"},
        {"role": "user", "content": "Two.", "id": "x"},
    ]
    source = desk.write("chat.jsonl", *rows)
    done = desk.run("jsonl", source)
    assert desk.talk() == [("user", "One."), ("user", "Two.")]
    assert reasons(done) == {"the same turn twice": 1}
    assert desk.open().transcripts.get("chat").problems == ()
    desk.append("chat.jsonl", {"role": "user", "content": "Three."})
    assert desk.run("jsonl", source).turns.total == 1


def test_half_surrogates_and_numbers_that_are_none_are_replaced(desk):
    """What no file can hold becomes a replacement character, in words, ids and tool calls."""
    desk.write(
        "chat.jsonl",
        '{"role": "user", "content": "a\\ud83d", "id": "\\udc00"}',
        '{"role": "assistant", "content": "", "tool_calls": [{"n": NaN, "s": "\\ud800"}]}',
        '{"role": "assistant", "content": "", "tool_calls": [{"n": 1e999}]}',
    )
    done = desk.run("jsonl", desk.folder / "chat.jsonl")
    assert desk.talk()[0] == ("user", "a\ufffd")
    assert done.turns.total == 2
    assert reasons(done) == {"a message without words": 1}
