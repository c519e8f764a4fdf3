from __future__ import annotations

from datetime import timedelta
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolnexus.clock import parse_instant
from toolnexus.transcripts.hit import TurnHit
from toolnexus.transcripts.injected import MemoryText, mark_hits, mark_turns
from toolnexus.transcripts.turn import Turn

CLAIM = "- Maria lives in **[[berlin|Berlin]]** since 2026."
NOON = parse_instant("2026-11-20T12:00:00Z")
WORDS = st.sampled_from(["maria", "lives", "in", "Paris", "tea", "likes", "ﬁne", "Straße"])


def injected(text: str, *, ts=None, since=None) -> bool:
    (turn,) = mark_turns([Turn("assistant", text, ts)], MemoryText({CLAIM: since}))
    return turn.injected


@pytest.mark.parametrize(
    "text",
    [
        CLAIM,
        "MARIA lives in [[Berlin]], since 2026!",
        "* Maria lives in **[[berlin|Berlin]]** since 2026\n" * 3,
    ],
)
def test_repeating_memory_is_marked(text: str):
    """A claim as a prompt holds it, or as it reads folded, is marked, once or often."""
    assert injected(text)


@pytest.mark.parametrize("text", ["", "...", "Maria moved to Paris.", f"{CLAIM} And I like tea."])
def test_a_turn_with_words_of_its_own_is_not_marked(text: str):
    """One word that memory does not have makes the turn somebody's own."""
    assert not injected(text)


def test_a_turn_from_before_the_claim_is_its_source(tmp_path):
    """What was said before the claim stood in memory cannot be taken from there."""
    hour = timedelta(hours=1)
    assert not injected(CLAIM, ts=NOON - hour, since=NOON)
    assert injected(CLAIM, ts=NOON + hour, since=NOON)
    assert injected(CLAIM, ts=None, since=NOON)


def test_two_words_are_nobodys():
    """Claims of fewer than three words mark nothing."""
    assert not mark_turns([Turn("user", "Likes tea.")], MemoryText({"Likes tea.": None}))[
        0
    ].injected


def test_a_hit_is_marked_by_where_its_match_stands():
    """In one excerpt the injected passage is marked, the person's own words beside it are not."""
    excerpt = "Maria lives in Paris. I moved to Rome yesterday."
    memory = MemoryText({"Maria lives in Paris": None})

    def hit(word: str) -> TurnHit:
        return TurnHit("t", 1, "", "user", NOON, excerpt, excerpt.index(word), len(word), 0.6)

    assert [each.injected for each in mark_hits([hit("Paris"), hit("Rome")], memory)] == [
        True,
        False,
    ]


@pytest.mark.slow
@settings(max_examples=200, deadline=None)
@given(
    claims=st.lists(st.lists(WORDS, max_size=6).map(" ".join), max_size=4),
    said=st.lists(WORDS, max_size=14).map(", ".join),
)
def test_spans_are_in_order_apart_and_hold_claims(claims: list[str], said: str):
    """Spans never overlap; each begins with a claim; a text made of claims alone is all memory."""
    memory = MemoryText(dict.fromkeys(claims))
    spans = memory.spans(said)
    assert all(one.end < other.start for one, other in pairwise(spans))
    for start, end in spans:
        inside = said[start:end].replace(",", "").casefold()
        assert any(
            inside.startswith(claim.casefold()) for claim in claims if len(claim.split()) >= 3
        )
    long = [claim for claim in claims if len(claim.split()) >= 3]
    assert memory.is_all_of(". ".join(long)) is bool(long)
