# ruff: noqa: DTZ001 - what a clock on the wall shows has no zone
from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolnexus.heartbeat.due import Record
from toolnexus.heartbeat.state import (
    Backoff,
    BeatState,
    interval_between,
    parse_state,
    render_state,
)

NOW = datetime(2026, 11, 30, 9, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
INSTANTS = st.datetimes(datetime(1990, 1, 1), datetime(2100, 1, 1)).map(
    lambda instant: instant.replace(microsecond=0, tzinfo=UTC)
)
STATES = st.builds(
    BeatState,
    tasks=st.dictionaries(st.text(max_size=9), st.builds(Record, INSTANTS, st.none() | INSTANTS)),
    ticks=st.frozensets(st.tuples(st.text(max_size=9), st.datetimes()), max_size=3),
    backoff=st.none()
    | st.builds(
        Backoff,
        st.integers(1, 99),
        INSTANTS,
        st.integers(0, 86400).map(lambda seconds: timedelta(seconds=seconds)),
        st.text(max_size=9),
    ),
    spent_usd=st.dictionaries(st.dates().map(str), st.floats(0, 100), max_size=3),
    told=st.lists(st.text(max_size=9), max_size=2).map(tuple),
)
JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner),
    max_leaves=8,
)


@pytest.mark.slow
@given(STATES)
def test_a_state_comes_back_as_it_was(state):
    """What is written as JSON reads the same again."""
    assert parse_state(json.loads(json.dumps(render_state(state)))) == state


@given(JSON, st.sampled_from(["tasks", "ticks", "backoff", "spent_usd", "told", "other"]), JSON)
def test_damage_is_left_out(anything, key, value):
    """Whatever stands in the file, a state is read from it that can be worked with."""
    for document in (anything, {key: value}, {key: {"x": value}, "backoff": {key: value}}):
        state = parse_state(document)
        used = state.failed(NOW, MINUTE, "down").spending("2026-11-30", 0.5)
        assert parse_state(json.loads(json.dumps(render_state(used)))) == used
        assert used.backoff is not None
        assert used.backoff.delay > 0 * MINUTE


def test_failures_back_off_by_doubling():
    """The waits are 1, 2, 4 … times the time between beats, and at most a day."""
    state, waits = BeatState(), []
    for _ in range(12):
        state = state.failed(NOW, 30 * MINUTE, "down")
        waits.append(state.backoff.delay / (30 * MINUTE))
    assert waits[:6] == [1, 2, 4, 8, 16, 32]
    assert waits[-1] == 48
    assert state.did((), (), NOW).backoff is None


@pytest.mark.parametrize(
    ("last", "before", "minutes"),
    [
        (None, None, 0),
        (NOW - 30 * MINUTE, None, 30),
        (NOW - 30 * MINUTE, NOW - 90 * MINUTE, 30),
        (NOW - 9999 * MINUTE, NOW - 10_029 * MINUTE, 30),
        (NOW + MINUTE, NOW - 30 * MINUTE, 0),
    ],
)
def test_beats_are_as_far_apart_as_the_last_ones(last, before, minutes):
    """A machine that slept, a first beat or a clock set back does not make the wait long."""
    assert interval_between(NOW, last, before) == minutes * MINUTE


@pytest.mark.parametrize(
    ("minutes", "holds"), [(-1, False), (0, True), (58, True), (59, False), (60, False)]
)
def test_a_backoff_holds_until_its_end(minutes, holds):
    """It holds up to a minute before its end, for schedulers drift, and never before its start."""
    backoff = Backoff(2, NOW, 60 * MINUTE)
    assert backoff.holds(NOW + minutes * MINUTE) is holds


def test_tasks_are_remembered_while_they_stand_there():
    """A new task is seen now, a known one keeps its past, one that is gone is forgotten."""
    before = Record(NOW - MINUTE, NOW)
    state = BeatState({"a": before, "b": before}).seeing(["a", "c"], [], NOW)
    assert state.tasks == {"a": before, "c": Record(NOW)}


def test_a_clock_that_ran_ahead_loses_no_task():
    """What it noted days ahead is brought back to now; an hour ahead is left to pass."""
    week, hour = NOW + timedelta(days=7), NOW + timedelta(hours=1)
    seen = BeatState({"a": Record(week, week), "b": Record(NOW, hour)}).seeing("ab", [], NOW)
    assert seen.tasks == {"a": Record(NOW, NOW), "b": Record(NOW, hour)}


def test_money_is_counted_by_the_day():
    """Days add up apart, and only the last ones are kept."""
    state = BeatState()
    for day in range(10, 22):
        state = state.spending(f"2026-11-{day}", 0.25).spending(f"2026-11-{day}", 0.25)
    assert state.spent_usd == {f"2026-11-{day}": 0.5 for day in range(15, 22)}


def test_days_of_a_clock_that_ran_ahead_do_not_push_today_out():
    """However many later days were noted, what is spent today still counts."""
    state = BeatState()
    for year in range(2100, 2120):
        state = state.spending(f"{year}-01-01", 0.25)
    for _ in range(4):
        state = state.spending("2026-11-30", 0.25)
    assert state.spent_usd["2026-11-30"] == 1.0
    assert len(state.spent_usd) == 7
