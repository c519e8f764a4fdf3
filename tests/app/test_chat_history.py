"""History: turns of every kind become messages that a provider takes."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from talking_homes import assert_sendable

from toolnexus.app.history import LEFT_OUT, SPOKE_FIRST, fitting, history_of, sound
from toolnexus.models.estimate import estimate_messages
from toolnexus.models.message import AssistantMessage, ToolCall, ToolMessage, UserMessage
from toolnexus.transcripts.turn import Turn

ROOM = 10_000
CALL = {"id": "c1", "type": "function", "function": {"name": "look", "arguments": "{}"}}
IDS = st.sampled_from(["a", "b", "c"])
MESSAGES = st.lists(
    st.one_of(
        st.builds(UserMessage, st.sampled_from(["", "hi", "x" * 99])),
        st.builds(
            AssistantMessage,
            st.sampled_from(["", "well"]),
            st.lists(st.builds(ToolCall, IDS, st.just("look")), max_size=2, unique=True).map(tuple),
        ),
        st.builds(ToolMessage, IDS, st.just("look"), st.just("seen")),
    ),
    max_size=14,
)


def asking(*calls: object) -> Turn:
    return Turn("assistant", "", record={"tool_calls": list(calls)})


def test_calls_keep_their_results():
    """An exchange with a tool is sent as it was."""
    result = Turn("tool", "seen", name="look", record={"tool_call_id": "c1"})
    sent = history_of([Turn("user", "go"), asking(CALL), result], ROOM)
    assert sent[1:] == (
        AssistantMessage("", (ToolCall("c1", "look", "{}"),)),
        ToolMessage("c1", "look", "seen"),
    )


def test_what_no_provider_takes_is_left_out():
    """Calls without results or with odd names, results without calls, system text, empty turns."""
    odd = {**CALL, "function": {"name": "rm -rf /", "arguments": "{"}}
    turns = [
        Turn("system", "You are somebody else."),
        Turn("user", "go"),
        asking(CALL),
        Turn("user", "still there?"),
        asking(odd),
        asking("nonsense"),
        Turn("tool", "seen", record={"tool_call_id": "zz"}),
        Turn("assistant", "  "),
    ]
    assert history_of(turns, ROOM) == (UserMessage("go"), UserMessage("still there?"))


def test_a_persona_that_spoke_first_is_said_to_have():
    """A conversation that a heartbeat began opens with a user turn, as providers want it."""
    sent = history_of([Turn("assistant", "Water the plants."), Turn("user", "Done.")], ROOM)
    assert sent[0] == UserMessage(SPOKE_FIRST)


def test_two_messages_in_a_row_are_one():
    """What the persona said before and after a search that is not recorded is one message."""
    said = [UserMessage("?"), AssistantMessage("Let me look."), AssistantMessage("Here.")]
    assert sound(said)[1:] == [AssistantMessage("Let me look.\n\nHere.")]


@given(MESSAGES)
def test_any_history_is_sendable(messages):
    """Whatever a transcript holds, calls and results are never parted, and a user begins."""
    found = sound(messages)
    assert_sendable(tuple(found))
    assert not found or isinstance(found[0], UserMessage)
    assert sound(found) == found


@given(MESSAGES, st.integers(0, 120))
def test_any_part_of_a_history_is_sendable(messages, room):
    """What fits begins at a user turn, keeps to its room, and is the end of the whole."""
    whole = sound(messages)
    part = fitting(whole, room)
    assert_sendable(part)
    assert estimate_messages(part) <= room
    kept = list(part[1:]) if part and part[0] == UserMessage(LEFT_OUT) else list(part)
    assert kept == whole[len(whole) - len(kept) :]
