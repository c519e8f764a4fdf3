from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest

from toolnexus.clock import parse_instant
from toolnexus.errors import UsageError
from toolnexus.transcripts.search_index import TranscriptIndex
from toolnexus.transcripts.store import FileConversationStore

if TYPE_CHECKING:
    from pathlib import Path

TALK = {
    "2026-11-20-move": [
        ("user", "We finally moved to Berlin, the flat is in Kreuzberg.", "2026-11-20T14:00:00Z"),
        ("assistant", "How do you like Berlin?", "2026-11-20T14:01:00Z"),
        ("tool", "Weather in Berlin: 4 degrees", "2026-11-20T14:02:00Z"),
    ],
    "2026-03-01-paris": [
        ("user", "Our flat in Paris is so small.", "2026-03-01T09:00:00Z"),
        ("user", "The parcel AB-1234 never came.", "2026-03-01T09:01:00Z"),
        ("user", "我住在柏林。", "2026-03-01T09:02:00Z"),
    ],
    "undated": [("user", "I always liked Berlin in the spring.", None)],
}


@pytest.fixture
def index(tmp_path: Path) -> TranscriptIndex:
    store = FileConversationStore(tmp_path / "transcripts")
    for conversation, turns in TALK.items():
        store.save(conversation, [{"role": r, "content": c, "ts": ts} for r, c, ts in turns])
    index = TranscriptIndex(tmp_path / "transcripts", tmp_path / "state" / "search.sqlite3")
    index.refresh()
    return index


def found(index: TranscriptIndex, query: str, **more) -> list[tuple[str, int]]:
    return [(hit.conversation, hit.number) for hit in index.search(query, **more)]


def test_a_hit_tells_everything(index: TranscriptIndex):
    """A hit carries address, role, instant and the match's place in its excerpt."""
    hit = index.search("where is the new Kreuzberg flat?")[0]
    assert (hit.conversation, hit.number, hit.role) == ("2026-11-20-move", 1, "user")
    assert hit.ts == parse_instant("2026-11-20T14:00:00Z")
    assert hit.excerpt == "We finally moved to Berlin, the flat is in Kreuzberg."
    match = hit.excerpt[hit.match_start : hit.match_start + hit.match_length]
    assert match in {"flat", "Kreuzberg"}
    assert 0 < hit.score <= 1


def test_turns_with_every_word_come_before_those_with_some(index: TranscriptIndex):
    """All words beat some, some still fill up, and scores fall."""
    hits = index.search("flat Berlin")
    assert (hits[0].conversation, hits[0].number) == ("2026-11-20-move", 1)
    assert ("2026-03-01-paris", 1) in found(index, "flat Berlin")
    assert hits[0].score > 0.5 > hits[-1].score
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


def test_words_are_found_in_other_forms(index: TranscriptIndex):
    """Endings and accents do not hide a turn."""
    assert found(index, "moving") == [("2026-11-20-move", 1)]
    assert found(index, "Bérlin")


def test_identifiers_and_scripts_without_spaces_are_found(index: TranscriptIndex):
    """A parcel number and a Chinese place name lead to their turns."""
    assert found(index, "AB-1234")[0] == ("2026-03-01-paris", 2)
    hits = index.search("柏林")
    assert [(hit.conversation, hit.number) for hit in hits] == [("2026-03-01-paris", 3)]
    start = hits[0].match_start
    assert hits[0].excerpt[start : start + hits[0].match_length] == "柏林"


def test_a_quoted_phrase_has_to_be_there(index: TranscriptIndex):
    """A phrase in quotation marks is found as it stands and in no other order."""
    assert found(index, '"moved to Berlin"') == [("2026-11-20-move", 1)]
    assert found(index, '"Berlin to moved"') == []
    assert found(index, '"flat in Paris" Berlin') == [("2026-03-01-paris", 1)]


def test_filters_narrow(index: TranscriptIndex):
    """Role, conversation and dates leave only what they say; undated turns come before all."""
    assert {hit.role for hit in index.search("Berlin", role="user")} == {"user"}
    assert found(index, "Berlin", role="tool") == [("2026-11-20-move", 3)]
    assert found(index, "Berlin", conversation="undated") == [("undated", 1)]
    assert found(index, "Berlin", conversation="nowhere") == []
    assert found(index, "flat", after=date(2026, 3, 2)) == [("2026-11-20-move", 1)]
    assert found(index, "flat", before=parse_instant("2026-03-01T09:00:01Z")) == [
        ("2026-03-01-paris", 1)
    ]
    assert found(index, "Berlin", before=date(2026, 1, 1)) == [("undated", 1)]


def test_time_order_is_the_same_hits_earliest_first(index: TranscriptIndex):
    """Ordered by time the undated turn is first, then by instant."""
    assert found(index, "Berlin", order="time") == [
        ("undated", 1),
        ("2026-11-20-move", 1),
        ("2026-11-20-move", 2),
        ("2026-11-20-move", 3),
    ]


def test_the_limit_holds(index: TranscriptIndex):
    """No more hits than asked for."""
    assert len(index.search("Berlin", limit=2)) == 2


@pytest.mark.parametrize(
    "arguments",
    [
        {"query": " "},
        {"query": "x", "limit": 0},
        {"query": "x", "limit": 51},
        {"query": "x", "role": "poet"},
        {"query": "x", "order": "odd"},
        {"query": "x", "conversation": "half \ud83d"},
    ],
)
def test_arguments_without_sense_are_usage_errors(index: TranscriptIndex, arguments):
    """A blank query, a limit out of bounds, an unknown role or order are refused."""
    with pytest.raises(UsageError):
        index.search(**arguments)


def test_half_a_surrogate_pair_is_refused_or_passed_over(index: TranscriptIndex):
    """Half an emoji in a query hides nothing; in an id it is an error and no traceback."""
    assert found(index, "Kreuzberg \ud83d") == [("2026-11-20-move", 1)]
    for conversation, ref in (("half \ud83d", 1), ("undated", "half \ud83d")):
        with pytest.raises(UsageError):
            index.find_turn(conversation, ref)


def test_stop_words_do_not_decide(tmp_path: Path):
    """A turn full of the query's small words does not beat the one with its telling word."""
    store = FileConversationStore(tmp_path)
    for number in range(20):
        store.append("a", {"role": "user", "content": f"what is it that is in the {number}"})
    store.append("a", {"role": "user", "content": "The passport expired."})
    index = TranscriptIndex(tmp_path, tmp_path / "s.db")
    index.refresh()
    assert found(index, "what is it with the passport?") == [("a", 21)]


def test_tool_output_in_a_users_turn_is_found_as_the_tools(tmp_path: Path):
    """What a tool said in a user's line is a hit of role tool, never of role user."""
    blocks = [{"type": "text", "text": "Look"}, {"type": "tool_result", "content": "zebra"}]
    FileConversationStore(tmp_path).append("a", {"role": "user", "content": blocks})
    index = TranscriptIndex(tmp_path, tmp_path / "s.db")
    index.refresh()
    (hit,) = index.search("zebra")
    assert (hit.role, hit.excerpt) == ("tool", "zebra")
    assert index.search("zebra", role="user") == []
    assert index.turn_text("a", 1) == "Look"


def test_common_words_find_the_newest(tmp_path: Path):
    """Where every word is common the search stays bounded and still answers."""
    store = FileConversationStore(tmp_path)
    store.save("a", [{"role": "user", "content": f"green tea {n % 7}"} for n in range(9_000)])
    index = TranscriptIndex(tmp_path, tmp_path / "s.db")
    index.refresh()
    assert len(index.search("green tea", limit=10)) == 10
    assert len(index.search("green zebra", limit=10)) == 10
    store.append("b", {"role": "user", "content": "a zebra"})
    index.refresh()
    hits = index.search("green zebra", limit=10)
    assert len(hits) == 10
    assert hits[0].conversation == "b"
    assert found(index, "green tea", conversation="a", limit=1)[0][0] == "a"


def test_before_the_first_refresh_there_is_nothing(tmp_path: Path):
    """A search that was never filled finds nothing and makes no file."""
    index = TranscriptIndex(tmp_path / "none", tmp_path / "state" / "s.db")
    assert index.search("x") == []
    assert index.refresh().conversations == 0
    assert index.stats().conversations == 0
    assert index.problems() == []
    assert list(tmp_path.iterdir()) == []
