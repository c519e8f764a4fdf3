"""Claude Code's sessions, every oddity of theirs."""

from __future__ import annotations

import pytest
from importing_desk import reasons

S = "6f2c8a10-0000-4000-8000-000000000001"


def row(kind, uuid, content, **more):
    """A row of a session, `minute` telling when."""
    minute = more.pop("minute", int(uuid) if uuid.isdigit() else 0)
    return {
        "type": kind,
        "uuid": uuid,
        "parentUuid": more.pop("parent", None),
        "sessionId": more.pop("session", S),
        "timestamp": f"2026-11-20T10:{minute:02}:00.123Z",
        "isSidechain": more.pop("side", False),
        "message": {"role": kind, "content": content},
        **more,
    }


def test_a_session_becomes_a_conversation_that_tells_day_tool_and_session(desk):
    """Words, ids and instants arrive; the name is the session's, after the day it began."""
    source = desk.write(
        f"projects/-home-mara/{S}.jsonl",
        row("user", "1", "We moved to Bergen."),
        row("assistant", "2", [{"type": "text", "text": "Noted."}]),
    )
    desk.run("claude-code", source)
    assert desk.talks() == {
        f"2026-11-20-claude-code-{S}": [("user", "We moved to Bergen."), ("assistant", "Noted.")]
    }
    turn = desk.open().transcripts.get(f"2026-11-20-claude-code-{S}").turns[0]
    assert turn.id == "1"
    assert turn.ts.isoformat() == "2026-11-20T10:01:00.123000+00:00"


def test_tool_results_in_user_rows_are_the_tools(desk):
    """A result is a turn of role tool, and what the person says beside it stays the person's."""
    source = desk.write(
        "s.jsonl",
        row(
            "assistant", "1", [{"type": "tool_use", "id": "t1", "name": "Read", "input": {"f": 1}}]
        ),
        row(
            "user",
            "2",
            [
                {
                    "type": "tool_result",
                    "tool_use_id": "t1",
                    "content": [{"type": "text", "text": "Oslo"}],
                },
                {"type": "text", "text": "I live in Bergen."},
            ],
        ),
    )
    desk.run("claude-code", source)
    assert desk.talk() == [("assistant", ""), ("tool", "Oslo"), ("user", "I live in Bergen.")]
    (conversation,) = desk.open().transcripts.list()
    call, result, _ = desk.open().transcripts.get(conversation.id).turns
    assert call.record["tool_calls"] == [{"id": "t1", "name": "Read", "arguments": {"f": 1}}]
    assert result.record["tool_call_id"] == "t1"


def test_what_is_no_speech_is_left_out_and_counted(desk):
    """Recaps, meta rows, thoughts, snapshots, images, errors and unknown records are skipped."""
    source = desk.write(
        "s.jsonl",
        {"type": "summary", "summary": "lives in Rome", "leafUuid": "9"},
        row("user", "1", "lives in Madrid", isCompactSummary=True),
        row("user", "2", "Caveat: lives in Turin", isMeta=True),
        row("assistant", "3", [{"type": "thinking", "thinking": "lives in Lima"}]),
        row("assistant", "4", "API Error: Quito", isApiErrorMessage=True),
        {
            **row("assistant", "5", "No response"),
            "message": {"model": "<synthetic>", "content": "x"},
        },
        row(
            "user",
            "6",
            [{"type": "image", "source": {"data": "AAAA"}}, {"type": "text", "text": "See."}],
        ),
        {"type": "file-history-snapshot", "snapshot": {}},
        {"type": "queue-operation", "content": "lives in Bern"},
        {"type": "system", "content": "lives in Kyiv"},
        {"type": ["odd"]},
    )
    done = desk.run("claude-code", source)
    assert desk.talk() == [("user", "See.")]
    assert reasons(done) == {
        "a record of type 'summary'": 1,
        "a compact summary": 1,
        "a meta row": 1,
        "thinking": 1,
        "an API error": 1,
        "a message of the program's own": 1,
        "an image or a file": 1,
        "a record of type 'file-history-snapshot'": 1,
        "a record of type 'queue-operation'": 1,
        "a record of type 'system'": 1,
        "a record of type 'list'": 1,
    }


@pytest.mark.parametrize(
    ("text", "own"),
    [
        ("Hi.<system-reminder>lives in Rome</system-reminder>", "Hi."),
        (
            "<command-name>/plan</command-name><command-args>a trip to Voss</command-args>",
            "a trip to Voss",
        ),
        ("<local-command-stdout>Rome</local-command-stdout>", None),
        ("[Request interrupted by user for tool use]", None),
        ("<b>bold</b> and 1 < 2", "<b>bold</b> and 1 < 2"),
        ("<system-reminder> never closed", "<system-reminder> never closed"),
    ],
)
def test_only_the_persons_own_words_are_theirs(desk, text, own):
    """Reminders, command names and outputs in a user's row go; a command's arguments stay."""
    desk.run("claude-code", desk.write("s.jsonl", row("user", "1", text)))
    assert desk.talks() == ({} if own is None else {f"2026-11-20-claude-code-{S}": [("user", own)]})


def test_sub_agents_talk_apart_and_their_orders_are_not_the_persons(desk):
    """A sub-agent's file is a conversation of its own, in which nobody is the user."""
    desk.write(f"p/{S}.jsonl", row("user", "1", "Plan a trip."))
    desk.write(
        f"p/{S}/subagents/agent-a7.jsonl",
        row("user", "2", "Find trains to Voss.", side=True, agentId="a7"),
        row("assistant", "3", "Three trains.", side=True, agentId="a7"),
    )
    desk.run("claude-code", desk.folder / "p")
    assert desk.talks() == {
        f"2026-11-20-claude-code-{S}": [("user", "Plan a trip.")],
        f"2026-11-20-claude-code-{S}.agent-a7": [
            ("system", "Find trains to Voss."),
            ("assistant", "Three trains."),
        ],
    }


def test_sidechains_within_a_session_are_kept_apart(desk):
    """Rows of a side talk follow their parents into one conversation beside the main one."""
    source = desk.write(
        "s.jsonl",
        row("user", "1", "Plan a trip."),
        row("user", "2", "Find trains.", side=True),
        row("assistant", "3", "Three.", side=True, parent="2"),
        row("user", "4", "Find hotels.", side=True),
        row("assistant", "5", "Done.", parent="1"),
    )
    desk.run("claude-code", source)
    main = f"2026-11-20-claude-code-{S}"
    assert desk.talks() == {
        main: [("user", "Plan a trip."), ("assistant", "Done.")],
        f"{main}.sidechain-2": [("system", "Find trains."), ("assistant", "Three.")],
        f"{main}.sidechain-4": [("system", "Find hotels.")],
    }


def test_a_resumed_session_that_repeats_the_old_one_adds_only_its_own(desk):
    """Rows that were copied into a second file of the session are known by their ids."""
    desk.write("p/a.jsonl", row("user", "1", "We moved."), row("assistant", "2", "Noted."))
    desk.write("p/b.jsonl", row("user", "1", "We moved."), row("user", "3", "To Bergen."))
    done = desk.run("claude-code", desk.folder / "p")
    assert desk.talk() == [("user", "We moved."), ("assistant", "Noted."), ("user", "To Bergen.")]
    assert (done.new, done.turns.total, done.turns_known) == (1, 3, 1)


def test_the_whole_folder_is_read_by_its_projects(desk):
    """Of ``.claude`` only sessions are looked at: no histories, no settings."""
    desk.write(".claude/history.jsonl", {"display": "secret"})
    desk.write(f".claude/projects/-home-mara/{S}.jsonl", row("user", "1", "Hello."))
    desk.write(".claude/projects/-home-mara/memory/MEMORY.md", "- a note")
    done = desk.run("claude-code", desk.folder / ".claude")
    assert (done.new, done.skipped) == (1, ())


def test_a_session_without_an_id_is_named_like_its_file(desk):
    """Where no row tells the session, or tells nonsense, the file's name does."""
    source = desk.write("old chat.jsonl", {**row("user", "1", "Hello."), "sessionId": 7.5})
    desk.run("claude-code", source)
    assert list(desk.talks()) == ["2026-11-20-claude-code-old chat"]
