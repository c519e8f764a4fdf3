"""The dreamer: a plain agent with two tools, whose soul is one section."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from toolnexus.agent.bounds import Bounds
from toolnexus.agent.loop import Agent
from toolnexus.agent.memory_tool import memory_tool
from toolnexus.agent.search_tools import transcript_search_tool
from toolnexus.home.layout import DREAM_FILE
from toolnexus.home.section import clean_body

if TYPE_CHECKING:
    from toolnexus.agent.memory_tool import MemoryDoor
    from toolnexus.agent.search_tools import SearchTurns
    from toolnexus.home.snapshot import Snapshot
    from toolnexus.models.model import Model

_HEADING = "## HEARTBEAT.md"
_BOUNDS = Bounds(steps=24, same_call=3, idle_steps=4)


def make_dreamer(
    home: Snapshot,
    model: Model,
    door: MemoryDoor,
    search: SearchTurns,
    *,
    instructions: str = "",
    soul: str = "",
) -> Agent:
    """Make the agent that keeps a home's memory true.

    Args:
        home: The home as read; its DREAM.md is read now.
        model: Who thinks.
        door: What the memory tool works on: it enforces the rules, whatever the model says.
        search: What the transcript search works on.
        instructions: The host's guidance, after DREAM.md's.
        soul: Its soul, where that was composed before; empty composes it now.
    """
    return Agent(
        f"{home.name}-dreamer",
        soul or dreamer_soul(home, instructions),
        model,
        (memory_tool(door, "dreamer"), transcript_search_tool(search)),
        bounds=_BOUNDS,
    )


def dreamer_soul(home: Snapshot, instructions: str = "") -> str:
    """Compose the dreamer's one section: the built-in prompt, DREAM.md, the host's instructions.

    Example:
        >>> from toolnexus.home.snapshot import Snapshot
        >>> dreamer_soul(Snapshot(name="ava")).splitlines()[0]
        '## HEARTBEAT.md'
    """
    guidance = home.text(DREAM_FILE) if DREAM_FILE in home.texts else ""
    parts = [clean_body(part) for part in (dream_prompt(), guidance, instructions)]
    return "\n\n".join([_HEADING, *(part for part in parts if part)])


@cache
def dream_prompt() -> str:
    """Return the built-in prompt."""
    source = files("toolnexus.dream") / "data" / "dream_prompt.md"
    return source.read_text(encoding="utf-8")
