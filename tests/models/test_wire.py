"""Messages as JSON."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolnexus.models.completion import Completion, Usage
from toolnexus.models.message import (
    AssistantMessage,
    SystemMessage,
    ToolCall,
    ToolMessage,
    UserMessage,
)
from toolnexus.models.wire import (
    parse_completion,
    parse_message,
    render_completion,
    render_message,
)

calls = st.lists(st.builds(ToolCall, st.text(), st.text(), st.text()), max_size=3).map(tuple)
messages = st.one_of(
    st.builds(SystemMessage, st.text()),
    st.builds(UserMessage, st.text()),
    st.builds(AssistantMessage, st.text(), calls),
    st.builds(ToolMessage, st.text(), st.text(), st.text()),
)
usages = st.builds(
    Usage,
    st.integers(0, 10**9),
    st.integers(0, 10**9),
    st.none() | st.floats(0, 100),
    st.integers(0, 9),
)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: (
        st.lists(inner)
        | st.dictionaries(
            st.sampled_from(["role", "content", "tool_calls", "function", "usage", "message"]),
            inner,
        )
    ),
)


@given(messages)
def test_messages_come_back(message):
    """Any message survives JSON."""
    assert parse_message(json.loads(json.dumps(render_message(message)))) == message


@given(st.builds(Completion, st.text(), calls, st.sampled_from(["stop", "length"]), usages))
def test_completions_come_back(completion):
    """Any reply survives JSON, an unknown price included."""
    assert parse_completion(json.loads(json.dumps(render_completion(completion)))) == completion


@given(json_values)
def test_bad_json_is_a_value_error(value):
    """Whatever stands in a file is a message that can be written again, or a ValueError."""
    for parse, render in (
        (parse_message, render_message),
        (parse_completion, render_completion),
    ):
        try:
            read = parse(value)
        except ValueError:
            continue
        assert parse(json.loads(json.dumps(render(read)))) == read


def test_half_a_character_is_not_sent():
    """A lone surrogate, which no provider takes, is replaced before it is sent or recorded."""
    sent = render_message(UserMessage("half \ud83d, whole 🎈"))
    assert sent["content"] == "half ?, whole 🎈"


def test_an_unknown_role_is_named():
    """The error says which role nobody has."""
    with pytest.raises(ValueError, match="narrator"):
        parse_message({"role": "narrator", "content": "x"})
