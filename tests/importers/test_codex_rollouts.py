"""Codex's rollouts: each message once, and nothing that was injected."""

from __future__ import annotations

import pytest
from importing_desk import reasons

ID = "0199a1b2-0000-7000-8000-00000000c0de"
NAME = f"rollout-2026-11-20T10-00-00-{ID}.jsonl"
TALK = f"2026-11-20-codex-{ID}"


def row(kind, payload, second=0):
    return {"timestamp": f"2026-11-20T10:00:{second:02}.500Z", "type": kind, "payload": payload}


def meta(**more):
    return row("session_meta", {"id": ID, "timestamp": "2026-11-20T10:00:00Z", **more})


def message(role, *texts, second=1):
    kind = "output_text" if role == "assistant" else "input_text"
    content = [{"type": kind, "text": text} for text in texts]
    return row("response_item", {"type": "message", "role": role, "content": content}, second)


def event(kind, text, second=1):
    return row("event_msg", {"type": kind, "message": text}, second)


def test_each_message_counts_once_though_events_repeat_it(desk):
    """Events that repeat a message go, in whichever order; what was said twice stays twice."""
    source = desk.write(
        f"sessions/2026/11/20/{NAME}",
        meta(),
        message("user", "We moved to Bergen.", second=1),
        event("user_message", "We moved to Bergen.", second=2),
        event("agent_message", "Noted.", second=3),
        message("assistant", "Noted.", second=4),
        message("user", "ok", second=5),
        event("user_message", "ok", second=5),
        message("user", "ok", second=7),
        event("user_message", "ok", second=7),
    )
    done = desk.run("codex", source)
    assert desk.talks() == {
        TALK: [
            ("user", "We moved to Bergen."),
            ("assistant", "Noted."),
            ("user", "ok"),
            ("user", "ok"),
        ]
    }
    assert reasons(done)["an event that repeats a message"] == 4


def test_a_rollout_of_events_alone_is_read_too(desk):
    """Where no message stands beside its event, the event is the message."""
    desk.run(
        "codex",
        desk.write(NAME, meta(), event("user_message", "Hello."), event("agent_message", "Hi.")),
    )
    assert desk.talk() == [("user", "Hello."), ("assistant", "Hi.")]


def test_an_event_that_came_first_is_not_doubled_by_its_message(desk):
    """A rollout read between an event and its message gives the turn once."""
    source = desk.write(NAME, meta(), event("user_message", "Hello.", second=1))
    desk.run("codex", source)
    desk.append(NAME, message("user", "Hello.", second=2), message("assistant", "Hi.", second=3))
    desk.run("codex", source)
    assert desk.talk() == [("user", "Hello."), ("assistant", "Hi.")]


@pytest.mark.parametrize(
    ("text", "own"),
    [
        ("<environment_context>\n<cwd>/home/mara</cwd>\n</environment_context>", None),
        ("<user_instructions>\nBe kind.\n</user_instructions>", None),
        (
            "# AGENTS.md instructions for /home\n\n<INSTRUCTIONS>\nLive in Rome.\n</INSTRUCTIONS>",
            None,
        ),
        (
            "# AGENTS.md instructions for /x\n<INSTRUCTIONS>a</INSTRUCTIONS>forged</INSTRUCTIONS>",
            None,
        ),
        ("# AGENTS.md instructions for /x without tags", None),
        ("<permissions instructions>all</permissions instructions>", None),
        ("<environment_context>x</environment_context>\nFix the roof.", "Fix the roof."),
        ("<environment_context> never closed", None),
        (
            "# Context from my IDE setup:\n## Tabs\n- a\n\n## My request for Codex:\nFix it.\n",
            "Fix it.",
        ),
        ("<div>my page</div>", "<div>my page</div>"),
    ],
)
def test_injected_context_is_no_speech(desk, text, own):
    """Environment, instructions and editor context go; the person's own words stay."""
    done = desk.run("codex", desk.write(NAME, meta(), message("user", text)))
    assert desk.talks() == ({} if own is None else {TALK: [("user", own)]})
    assert own is not None or reasons(done)["injected context"] == 1


def test_tools_thoughts_and_the_rest(desk):
    """Calls and outputs are kept for what they are; reasoning and developers' text are not."""
    source = desk.write(
        NAME,
        meta(),
        row("turn_context", {"cwd": "/"}),
        message("developer", "Be brief."),
        row("response_item", {"type": "reasoning", "summary": []}),
        row(
            "response_item",
            {"type": "function_call", "name": "shell", "arguments": "{}", "call_id": "c1"},
        ),
        row(
            "response_item",
            {
                "type": "function_call_output",
                "call_id": "c1",
                "output": '{"output": "ok", "metadata": {}}',
            },
        ),
        row(
            "response_item",
            {
                "type": "custom_tool_call_output",
                "call_id": "c2",
                "output": [{"type": "input_text", "text": "done"}],
            },
        ),
        row("event_msg", {"type": "token_count", "info": None}),
        row("compacted", {"message": "lives in Rome"}),
        row("response_item", "odd"),
        row("event_msg", {"type": ["odd"]}),
    )
    done = desk.run("codex", source)
    assert desk.talk() == [("assistant", ""), ("tool", "ok"), ("tool", "done")]
    assert {"thinking", "a message of role 'developer'", "a record of type 'compacted'"} <= set(
        reasons(done)
    )


def test_the_words_that_a_sub_agent_is_given_are_not_the_persons(desk):
    """In a sub-agent's rollout nobody is the user."""
    source = desk.write(
        NAME, meta(source={"subagent": {"depth": 1}}), message("user", "Look for leaks.")
    )
    desk.run("codex", source)
    assert desk.talk() == [("system", "Look for leaks.")]


def test_day_folders_and_the_whole_folder_are_read(desk):
    """A day, all sessions or ``.codex`` itself: rollouts only, archived ones too."""
    desk.write(f".codex/sessions/2026/11/20/{NAME}", meta(), message("user", "Hello."))
    desk.write(f".codex/archived_sessions/{NAME.replace('0199', '0200')}", message("user", "Bye."))
    desk.write(".codex/history.jsonl", {"session_id": ID, "ts": 1, "text": "Hello."})
    assert desk.run("codex", desk.folder / ".codex/sessions/2026/11").new == 1
    done = desk.run("codex", desk.folder / ".codex")
    assert (done.new, done.known) == (1, 1)
    assert f"codex-{ID.replace('0199', '0200')}" in desk.talks()


def test_an_early_rollout_without_payloads_is_read(desk):
    """The first versions wrote the items themselves."""
    source = desk.write(
        NAME,
        {"id": ID, "timestamp": "2026-11-20T10:00:00Z", "instructions": None},
        {"record_type": "state"},
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Hello."}]},
    )
    desk.run("codex", source)
    assert desk.talks() == {TALK: [("user", "Hello.")]}
