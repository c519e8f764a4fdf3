"""A call's arguments, checked before the call."""

from __future__ import annotations

import contextlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolnexus.agent.arguments import parse_arguments, problems_of
from toolnexus.errors import UsageError

SCHEMA = {
    "type": "object",
    "properties": {
        "query": {"type": "string"},
        "limit": {"type": ["integer", "null"], "minimum": 1, "maximum": 50},
        "role": {"type": "string", "enum": ["user", "assistant"]},
        "tags": {"type": "array", "items": {"type": "string"}, "maxItems": 2},
        "where": {"anyOf": [{"type": "string"}, {"type": "object", "required": ["path"]}]},
    },
    "required": ["query"],
}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{}", "'query' is missing"),
        ("", "'query' is missing"),
        ('{"query": ', "not valid JSON"),
        ("[1]", "must be a JSON object, not a list"),
        ('{"query": 3}', "'query' must be a text, not a number"),
        ('{"query": "x", "limit": "3"}', "'limit' must be a whole number or null, not a text"),
        ('{"query": "x", "limit": true}', "'limit' must be a whole number or null, not true"),
        ('{"query": "x", "limit": 1.5}', "'limit' must be a whole number"),
        ('{"query": "x", "limit": 0}', "at least 1"),
        ('{"query": "x", "limit": 51}', "at most 50"),
        ('{"query": "x", "role": "system"}', '\'role\' must be one of "user", "assistant"'),
        ('{"query": "x", "tags": ["a", 1]}', "'tags[1]' must be a text"),
        ('{"query": "x", "tags": ["a", "b", "c"]}', "2 items at most"),
        ('{"query": "x", "where": {}}', "'where' is of none of the kinds"),
        ('{"query": "x", "k": 3}', "'k' is unknown (there is: query, limit"),
        ("[" * 100_000, "nested too deeply"),
    ],
)
def test_what_is_wrong_is_said(text, said):
    """The error names the argument and what it should be, so that a model can mend its call."""
    with pytest.raises(UsageError) as caught:
        parse_arguments(text, SCHEMA)
    assert said in caught.value.message


def test_all_that_is_wrong_is_said_at_once():
    """A model that made two mistakes does not need two tries to learn of them."""
    with pytest.raises(UsageError) as caught:
        parse_arguments('{"limit": "x", "k": 1}', SCHEMA)
    assert all(word in caught.value.message for word in ("'query'", "'limit'", "'k'"))


def test_what_fits_is_returned():
    """Good arguments come through as they are; a whole float counts as whole."""
    text = '{"query": "x", "limit": 3.0, "tags": [], "where": {"path": "a"}}'
    assert parse_arguments(text, SCHEMA)["limit"] == 3
    assert parse_arguments('{"query": "x", "limit": null}', SCHEMA)["limit"] is None


def test_a_schema_without_properties_is_open():
    """A tool from elsewhere that describes no arguments may be given any."""
    assert parse_arguments('{"a": 1}', {"type": "object"}) == {"a": 1}
    with pytest.raises(UsageError, match="'a' is unknown"):
        parse_arguments('{"a": 1}', {"type": "object", "additionalProperties": False})


@pytest.mark.slow
@given(st.text())
def test_any_text_is_arguments_or_a_usage_error(text):
    """Whatever a model writes, it is read or refused, never a crash."""
    with contextlib.suppress(UsageError):
        assert isinstance(parse_arguments(text, {"type": "object"}), dict)


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@pytest.mark.slow
@given(values)
def test_any_value_can_be_checked(value):
    """No JSON value trips the checker, and arguments that pass fit the schema's required part."""
    problems = list(problems_of(value, SCHEMA))
    if not problems:
        assert isinstance(value, dict)
        assert isinstance(value["query"], str)
        assert parse_arguments(json.dumps(value), {"type": "object", **SCHEMA}) or True
