"""Names of servers' tools: fit for every provider, and each its own."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from toolnexus.mcp_client.naming import tool_name


@given(st.lists(st.text(max_size=80), max_size=8), st.from_regex(r"\A[a-z]{1,32}\Z"))
def test_every_tool_gets_a_name_of_its_own(tools: list[str], server: str):
    """Whatever tools are called, each gets a name that providers take and no other tool has."""
    taken: set[str] = set()
    for tool in tools:
        name = tool_name(server, tool, taken)
        assert name not in taken
        assert re.fullmatch(r"[A-Za-z0-9_-]{1,64}", name)
        assert name.startswith(f"{server}__")
        taken.add(name)
