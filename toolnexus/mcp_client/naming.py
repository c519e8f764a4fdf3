"""Names of tools: the server's, two underscores, the tool's; fit for every provider."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Container

SEPARATOR = "__"
LONGEST = 64


def tool_name(server: str, tool: str, taken: Container[str] = ()) -> str:
    """Return what a model calls a server's tool; no other one is called that.

    Args:
        server: What the home calls the server.
        tool: The tool's name there, which may have any characters.
        taken: Names that are taken.

    Example:
        >>> tool_name("files", "read.text"), tool_name("files", "read/text", {"files__read_text"})
        ('files__read_text', 'files__read_text_2')
    """
    whole = f"{server}{SEPARATOR}{re.sub(r'[^A-Za-z0-9_-]', '_', tool) or '_'}"
    name, number = whole[:LONGEST], 1
    while name in taken:
        number += 1
        ending = f"_{number}"
        name = whole[: LONGEST - len(ending)] + ending
    return name
