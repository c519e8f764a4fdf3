"""Which tools of a server are offered."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from toolnexus.agent.arguments import problems_of
from toolnexus.mcp_client.remote import RemoteTool
from toolnexus.mcp_client.vendor import problem_of_arguments, problem_of_schema
from toolnexus.mcp_client.vetting import MOST_TOOLS, vet


def tools(*names: str) -> list[RemoteTool]:
    return [RemoteTool(name, "", {"type": "object"}) for name in names]


def fits(_schema: object) -> str:
    return ""


def test_the_list_of_allowed_tools_gives_the_order():
    """Allowed tools come as they are listed, each once."""
    vetted = vet(tools("a", "b", "c"), ("c", "a", "c"), fits)
    assert [tool.name for tool in vetted.tools] == ["c", "a"]
    assert vetted.notices == ()


def test_an_empty_list_allows_nothing():
    """With an empty list no tool is offered, which is not the same as with none."""
    assert vet(tools("a"), (), fits).tools == ()
    assert len(vet(tools("a"), None, fits).tools) == 1


def test_a_tool_that_is_offered_twice_counts_once():
    """The first of two tools with one name is taken."""
    assert len(vet(tools("a", "a"), None, fits).tools) == 1


def test_too_many_tools_are_cut_and_told():
    """Of a great many tools the first are offered, and a notice says what to do."""
    vetted = vet(tools(*map(str, range(MOST_TOOLS + 5))), None, fits)
    assert len(vetted.tools) == MOST_TOOLS
    assert "use 'allow'" in vetted.notices[0]


_names = st.sampled_from(["type", "properties", "required", "items", "enum", "anyOf", "a", "$ref"])
_leaves = st.sampled_from([True, False, None, 1, "object", "array", "string", "a", "#/a", ["a"]])
_schemas = st.recursive(
    _leaves,
    lambda inner: st.dictionaries(_names, inner, max_size=4) | st.lists(inner, max_size=2),
    max_leaves=12,
)
_values = st.recursive(
    st.sampled_from([None, True, 1, 1.5, "a"]),
    lambda inner: st.dictionaries(st.sampled_from(["a", "b"]), inner) | st.lists(inner, max_size=2),
    max_leaves=6,
)


@given(st.dictionaries(_names, _schemas, max_size=5), st.dictionaries(st.just("a"), _values))
def test_no_schema_that_passes_can_break_the_check(schema: dict, arguments: dict):
    """Whatever schema is let through, arguments can be held against it without an exception."""
    if not problem_of_schema(schema):
        assert all(isinstance(problem, str) for problem in problems_of(arguments, schema))
        assert isinstance(problem_of_arguments(arguments, schema), str)
