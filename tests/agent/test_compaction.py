"""Where a long conversation is parted."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from toolnexus.agent.compaction import plan_compaction, summary_request, with_summary
from toolnexus.models.estimate import estimate_messages
from toolnexus.models.message import AssistantMessage, ToolCall, ToolMessage, UserMessage


@st.composite
def conversations(draw):
    """Valid conversations: turns of a user, each with exchanges of calls and results."""
    messages = []
    serial = 0
    sizes = st.integers(0, 600)
    for _ in range(draw(st.integers(0, 6))):
        messages.append(UserMessage("u" * draw(sizes)))
        for _ in range(draw(st.integers(0, 4))):
            calls = []
            for _ in range(draw(st.integers(0, 3))):
                serial += 1
                calls.append(ToolCall(f"c{serial}", "t", "{}"))
            messages.append(AssistantMessage("a" * draw(sizes), tuple(calls)))
            messages += [ToolMessage(c.id, "t", "r" * draw(sizes)) for c in calls]
    return messages


@given(conversations(), st.integers(1, 2_000))
def test_no_result_is_parted_from_its_call(messages, window):
    """However it is parted: the tail begins at a user turn, is whole, and nothing falls between."""
    plan = plan_compaction(messages, window)
    if plan is None:
        return
    assert plan.older
    assert plan.older == tuple(messages[: len(plan.older)])
    assert isinstance(plan.tail[0], UserMessage)
    called = set()
    for message in plan.tail:
        if isinstance(message, AssistantMessage):
            called |= {call.id for call in message.calls}
        if isinstance(message, ToolMessage):
            assert message.call_id in called
    whole = tuple(messages[len(plan.older) :])
    assert plan.tail in (whole, (plan.tail[0], *whole))
    assert plan.tail[-1] == messages[-1]


@given(conversations(), st.integers(50, 2_000))
def test_repeated_compaction_ends(messages, window):
    """With short summaries a conversation becomes short enough, or can be parted no further."""
    for _ in range(200):
        if estimate_messages(messages) <= window:
            return
        plan = plan_compaction(messages, window)
        if plan is None:
            return
        before = estimate_messages(messages)
        messages = with_summary("short", plan.tail)
        if estimate_messages(messages) >= before:
            return
    raise AssertionError("it goes on for ever")


def test_a_summary_request_fits_the_window():
    """What is to be summarised is quoted as data and cut to what the model can take in."""
    request = summary_request([UserMessage("x" * 100_000)], 1_000)
    assert estimate_messages(request.messages) < 1_000
    assert "left out" in request.messages[1].text
    assert request.tools == ()
