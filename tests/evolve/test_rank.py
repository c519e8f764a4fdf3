"""Rank: relevance, stage and feedback, and the law that bounds what feedback may do."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolnexus.evolve.rank import BAND, STAGE_WEIGHTS, feedback_factor, weight_of
from toolnexus.home.ripening import STAGES, Ripening, Stage
from toolnexus.home.snapshot import Snapshot
from toolnexus.store.uses import NoteUses, Use

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
NOTE = Snapshot(name="ava").with_texts({"memory/tea.md": "- Green.\n"}).notes["memory/tea.md"]
stages = st.sampled_from(STAGES)
relevance = st.floats(0.0001, 1)
scores = st.lists(st.floats(-1, 1), max_size=30)


def rank(relevant: float, stage: Stage, given_scores: list[float]) -> float:
    """Return what a hit of a note of this stage, with this feedback, is ranked by."""
    uses = NoteUses()
    for score in given_scores:
        uses = uses.after(Use("memory/tea.md", NOON, "feedback", score))
    return relevant * weight_of(NOTE, Ripening(stage=stage), uses).factor


def test_the_stages_weigh_as_they_should():
    """Skills weigh most, then knowledge, then what was extracted, then what is raw."""
    assert [STAGE_WEIGHTS[stage] for stage in STAGES] == [0.45, 0.7, 0.9, 1.0]


@given(relevance, relevance, stages, stages, scores, scores)
def test_feedback_never_lifts_the_irrelevant_above_the_relevant(
    one: float, other: float, stage: Stage, its: Stage, good: list[float], bad: list[float]
):
    """What is more than BAND² as relevant, its stage counted, stays before, whatever feedback."""
    base, other_base = one * STAGE_WEIGHTS[stage], other * STAGE_WEIGHTS[its]
    if base > other_base * BAND**2 * 1.001:
        assert rank(one, stage, bad) > rank(other, its, good)


@given(st.floats(0.1, 5), st.floats(0.1, 5))
def test_the_factor_is_bounded_and_grows_with_the_boost(one: float, other: float):
    """Feedback changes a rank by a quarter at most, and a better boost never by less."""
    low, high = sorted((one, other))
    assert 1 / BAND - 1e-9 <= feedback_factor(low) <= feedback_factor(high) <= BAND + 1e-9


@given(relevance, stages, scores)
def test_one_more_good_word_never_sinks_a_hit(
    relevant: float, stage: Stage, given_scores: list[float]
):
    """Praise lifts or leaves, blame sinks or leaves."""
    now = rank(relevant, stage, given_scores)
    assert rank(relevant, stage, [*given_scores, 0.5]) >= now
    assert rank(relevant, stage, [*given_scores, -0.5]) <= now


def test_without_feedback_nothing_is_lifted():
    """A note that nobody spoke of is ranked by relevance and stage alone."""
    assert feedback_factor(1) == 1
    assert rank(0.5, "knowledge", []) == pytest.approx(0.45)
