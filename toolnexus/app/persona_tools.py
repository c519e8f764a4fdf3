"""The tools of a persona: its memory, the search in notes and turns, and what its host brings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolnexus.agent.memory_tool import memory_tool
from toolnexus.agent.search_tools import note_search_tool, transcript_search_tool
from toolnexus.app.memory_door import HomeMemory

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from toolnexus.agent.search_tools import Day
    from toolnexus.agent.tool import Tool
    from toolnexus.app.conversations import Conversations
    from toolnexus.app.host import ToolLike
    from toolnexus.app.memory import Memory
    from toolnexus.app.notes_met import NotesMet
    from toolnexus.app.view import View
    from toolnexus.index.hit import Hit
    from toolnexus.transcripts.hit import TurnHit


def persona_tools(
    home: View, more: Iterable[ToolLike] = (), met: NotesMet | None = None
) -> tuple[ToolLike, ...]:
    """Return all tools that a persona has.

    Args:
        home: Its home.
        more: The call's own, beside the home's and its host's.
        met: Is given the notes that they read or find.
    """
    own = [home_memory_tool(home, met)] if home.host.memory else []
    own += [home_search_tool(home, met)] if home.host.notes else []
    return (*own, home_transcript_tool(home), *home.host.tools, *more)


def home_memory_tool(home: Memory, met: NotesMet | None = None) -> Tool:
    """Return the tool by which a persona works on its memory."""
    return memory_tool(HomeMemory(home, met), notes=home.host.notes)


def home_search_tool(home: View, met: NotesMet | None = None) -> Tool:
    """Return the tool that searches a persona's notes."""

    def search(query: str, limit: int) -> Sequence[Hit]:
        hits: Sequence[Hit] = home.search(query, limit).hits  # type: ignore[assignment]
        if met is not None:
            for hit in hits:
                met.meet(hit.path)
        return hits

    return note_search_tool(search)


def home_transcript_tool(home: Conversations) -> Tool:
    """Return the tool that searches a persona's conversations."""

    def search(
        query: str,
        *,
        limit: int,
        after: Day | None,
        before: Day | None,
        role: str | None,
        conversation: str | None,
    ) -> Sequence[TurnHit]:
        return home.search_transcripts(query, limit, role, after, before, conversation)

    return transcript_search_tool(search)
