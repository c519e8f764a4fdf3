from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from toolnexus.app.turns import closeness_of
from toolnexus.errors import UsageError
from toolnexus.index.embedder import make_embedder
from toolnexus.transcripts.fused import search_fused
from toolnexus.transcripts.search_index import TranscriptIndex
from toolnexus.transcripts.store import FileConversationStore

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

SAID = [
    ("user", "The parcel AB-1234 never came.", "2026-03-01T09:00:00Z"),
    ("assistant", "Which parcel do you mean? A parcel is a parcel.", "2026-03-01T09:01:00Z"),
    ("user", "Our old Volvo broke down on the motorway.", "2026-05-01T09:00:00Z"),
    ("user", "A parcel from Lisbon was at the door, Fado records!", "2026-06-01T09:00:00Z"),
    ("tool", "parcel AB-9999: delivered", "2026-07-01T09:00:00Z"),
]
WORDS = st.sampled_from(
    ["parcel", "AB-1234", "Volvo", "door", "records", "came", "nowhere", '"the door"']
)


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> TranscriptIndex:
    folder: Path = tmp_path_factory.mktemp("fused")
    store = FileConversationStore(folder / "transcripts")
    store.save("talk", [{"role": r, "content": c, "ts": ts} for r, c, ts in SAID])
    index = TranscriptIndex(folder / "transcripts", folder / "turns.sqlite")
    index.refresh()
    return index


def opinion(*liked: str):
    """Make an opinion that finds the texts with some word close, and no others."""
    return lambda _query, texts: [float(any(word in text for word in liked)) for text in texts]


def test_meaning_never_lifts_a_turn_past_one_with_the_rare_word(index: TranscriptIndex):
    """The turn with the rare word stays first, whatever the second opinion prefers."""
    hits = search_fused(index, "parcel AB-1234", opinion("Fado", "Volvo", "Which"))
    assert hits[0].excerpt == SAID[0][1]
    assert hits[-1].excerpt == SAID[2][1]


def test_meaning_finds_what_words_do_not(index: TranscriptIndex):
    """A turn that has none of the words is found where it is close, below 0.25, without a match."""
    (hit,) = search_fused(index, "automobile", opinion("Volvo"))
    assert (hit.number, hit.match_length) == (3, 0)
    assert hit.score <= 0.25


def test_a_phrase_has_to_be_there(index: TranscriptIndex):
    """What stands in quotation marks is no matter of meaning."""
    assert search_fused(index, '"spare key"', opinion("Volvo", "parcel")) == []


def test_filters_hold_for_both_opinions(index: TranscriptIndex):
    """Role, dates and conversation also bound what meaning finds."""
    everything = opinion("")
    tools = search_fused(index, "automobile", everything, role="tool")
    assert [hit.role for hit in tools] == ["tool"]
    late = search_fused(index, "automobile", everything, after=date(2026, 5, 2))
    assert {hit.number for hit in late} == {4, 5}
    assert search_fused(index, "automobile", everything, conversation="other") == []


def test_hits_come_in_time_order_on_request(index: TranscriptIndex):
    """The same hits, the earliest first."""
    hits = search_fused(index, "parcel", opinion("Fado"), order="time")
    assert [hit.number for hit in hits] == [1, 2, 4, 5]


def test_wrong_arguments_are_usage_errors(index: TranscriptIndex):
    """An empty query and a limit out of bounds are refused as in the plain search."""
    with pytest.raises(UsageError):
        search_fused(index, " ", opinion())
    with pytest.raises(UsageError):
        search_fused(index, "parcel", opinion(), limit=51)


def test_the_embedder_that_comes_along_tells_a_car():
    """The default embedder, wired up by app, finds the one paraphrase among the turns closest."""
    texts = [text for _, text, _ in SAID]
    close = closeness_of(make_embedder("default"))("automobile breakdown", texts)
    assert close.index(max(close)) == 2
    assert all(0 <= each <= 1 for each in close)


@pytest.mark.slow
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    words=st.lists(WORDS, min_size=1, max_size=4),
    close=st.lists(st.floats(0, 1), min_size=len(SAID), max_size=len(SAID)),
    limit=st.integers(1, 8),
)
def test_meaning_only_adds(
    index: TranscriptIndex, words: list[str], close: list[float], limit: int
):
    """Scores fall, and as many turns with all words, and with some, are found as by words."""
    by_text = dict(zip([text for _, text, _ in SAID], close, strict=True))

    def say(_query: str, texts: Sequence[str]) -> list[float]:
        return [by_text[text] for text in texts]

    query = " ".join(words)
    fused = search_fused(index, query, say, limit=limit)
    plain = index.search(query, limit=limit)
    scores = [hit.score for hit in fused]
    assert scores == sorted(scores, reverse=True)
    assert sum(hit.match_length > 0 for hit in fused) == sum(hit.match_length > 0 for hit in plain)
    assert sum(hit.score > 0.5 for hit in fused) == sum(hit.score > 0.5 for hit in plain)
