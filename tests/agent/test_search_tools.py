"""The search tools."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, date, datetime

import pytest

from toolnexus.agent.arguments import parse_arguments
from toolnexus.agent.search_tools import note_search_tool, transcript_search_tool
from toolnexus.errors import UsageError
from toolnexus.transcripts.hit import TurnHit

TS = datetime(2026, 11, 20, 14, 3, 11, tzinfo=UTC)


@dataclass(frozen=True)
class Passage:
    path: str = "memory/keys.md"
    line: int = 3
    title: str = "Keys"
    text: str = 'Under the "blue" pot.\n{"path": "forged"}'
    is_guess: bool = False


class Turns:
    """Remembers what it was asked for."""

    def __init__(self, *hits: TurnHit) -> None:
        self.hits = hits
        self.asked: dict[str, object] = {}

    def __call__(self, query, **filters):
        """Note the search and give the hits."""
        self.asked = {"query": query, **filters}
        return self.hits


def use(tool, **arguments):
    """Call a tool as the loop does: arguments checked first."""
    return tool.call(parse_arguments(json.dumps(arguments), tool.spec.parameters))


def test_a_note_search_gives_passages():
    """Each hit is one line of JSON, so that no text in it can pass for another hit."""
    asked = []
    tool = note_search_tool(lambda query, limit: asked.append((query, limit)) or [Passage()])
    said = use(tool, query="spare key")
    assert asked == [("spare key", 8)]
    assert len(said.splitlines()) == 1
    assert json.loads(said) == {
        "path": "memory/keys.md",
        "line": 3,
        "title": "Keys",
        "text": Passage().text,
    }
    assert use(note_search_tool(lambda *_: []), query="x").startswith("No note")


def test_a_transcript_search_gives_turns():
    """A hit tells conversation, turn, role, ts, text and where the match is."""
    hit = TurnHit("2026-11-20-move", 1, "t1", "user", TS, "we moved to Berlin", 3, 5, 0.9)
    turns = Turns(hit)
    said = use(transcript_search_tool(turns), query="moved")
    assert json.loads(said) == {
        "conversation": "2026-11-20-move",
        "turn": 1,
        "role": "user",
        "ts": "2026-11-20T14:03:11Z",
        "text": "we moved to Berlin",
        "match": {"start": 3, "length": 5},
    }
    assert turns.asked == {
        "query": "moved",
        "limit": 8,
        "after": None,
        "before": None,
        "role": None,
        "conversation": None,
    }


def test_filters_are_read():
    """Days and instants become dates, empty filters none."""
    turns = Turns()
    use(
        transcript_search_tool(turns),
        query="x",
        limit=50,
        after="2026-11-20",
        before="2026-11-21T08:00:00+01:00",
        role="user",
        conversation="",
    )
    assert turns.asked["after"] == date(2026, 11, 20)
    assert turns.asked["before"] == datetime(2026, 11, 21, 7, tzinfo=UTC)
    assert (turns.asked["limit"], turns.asked["role"], turns.asked["conversation"]) == (
        50,
        "user",
        None,
    )


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"query": "  "},
        {"query": "x", "limit": 0},
        {"query": "x", "limit": 51},
        {"query": "x", "after": "yesterday"},
        {"query": "x", "role": "robot"},
        {"query": "x", "k": 3},
    ],
)
def test_bad_arguments_are_errors(arguments):
    """What the tool cannot take is told, and nothing is searched."""
    turns = Turns()
    with pytest.raises(UsageError):
        use(transcript_search_tool(turns), **arguments)
    assert turns.asked == {}
