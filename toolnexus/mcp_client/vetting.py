"""Vetting: which of a server's tools are offered to the persona, and which are not and why."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any

    from toolnexus.mcp_client.remote import RemoteTool

MOST_TOOLS = 100
"""How many tools of one server are offered: each stands in every prompt."""
LARGEST_SCHEMA_CHARS = 32_000


@dataclass(frozen=True, slots=True)
class Vetted:
    """The tools that are offered, and one line for each thing that is not as expected."""

    tools: tuple[RemoteTool, ...]
    notices: tuple[str, ...] = ()


def vet(
    offered: Sequence[RemoteTool],
    allow: Iterable[str] | None,
    problem_of_schema: Callable[[Mapping[str, Any]], str],
) -> Vetted:
    """Take the tools that are allowed and that a model can be offered.

    Args:
        offered: What the server has.
        allow: The names that are allowed; None allows all.
        problem_of_schema: Says why a schema is none.
    """
    notices: list[str] = []
    allowed = list(offered)
    if allow is not None:
        wanted = tuple(dict.fromkeys(allow))
        by_name = {tool.name: tool for tool in offered}
        allowed = [by_name[name] for name in wanted if name in by_name]
        has = ", ".join(by_name) or "none"
        notices += [
            f"it has no tool '{name}' (it has: {has})" for name in wanted if name not in by_name
        ]
    fit: dict[str, RemoteTool] = {}
    for tool in allowed:
        problem = _problem(tool, problem_of_schema)
        if problem:
            notices.append(f"its tool '{tool.name}' is left out: {problem}")
        else:
            fit.setdefault(tool.name, tool)
    if len(fit) > MOST_TOOLS:
        notices.append(f"it has {len(fit)} tools; the first {MOST_TOOLS} are offered: use 'allow'")
    return Vetted(tuple(fit.values())[:MOST_TOOLS], tuple(notices))


def _problem(tool: RemoteTool, problem_of_schema: Callable[[Mapping[str, Any]], str]) -> str:
    """Say why a tool cannot be offered; empty when it can."""
    if tool.parameters.get("type", "object") != "object":
        return "its arguments are no object"
    size = len(json.dumps(tool.parameters))
    if size > LARGEST_SCHEMA_CHARS:
        return f"its schema has {size:,} characters, and {LARGEST_SCHEMA_CHARS:,} are the most"
    return problem_of_schema(tool.parameters)
