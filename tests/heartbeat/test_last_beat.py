"""The last beat, read from the state folder, and the slots that it stands for."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolnexus.app.scheduled import Place, beat_for, dream_for, last_beat, last_dream
from toolnexus.clock import parse_instant
from toolnexus.heartbeat.last import LastBeat, parse_last
from toolnexus.testing.model import ScriptedModel

NINE = parse_instant("2026-11-30T09:00:00Z")
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20) | st.just("2026-11-30T09:00Z"),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["at", "before", "next_due", "outcome", "quiet", "until", "rests_on"]),
            inner,
        )
    ),
    max_leaves=12,
)


@settings(max_examples=100)
@given(JSON)
def test_whatever_stands_there_is_read(value):
    """Damage costs what is damaged, and nothing is raised."""
    last = parse_last(value)
    assert isinstance(last, LastBeat)
    last.stands_for(NINE, NINE)


@pytest.mark.parametrize(
    ("at", "cut", "stands"),
    [
        (None, False, False),
        (-timedelta(seconds=1), False, False),
        (timedelta(0), False, True),
        (timedelta(0), True, False),
        (timedelta(minutes=20), False, True),
        (timedelta(hours=2), False, False),
    ],
)
def test_a_beat_stands_for_the_slots_before_it(at, cut, stands):
    """At or after the slot, come to its end, and by a clock that was right."""
    last = LastBeat(at=None if at is None else NINE + at, is_cut=cut)
    assert last.stands_for(NINE, NINE + timedelta(minutes=30)) is stands


def test_a_slot_has_one_beat(ava):
    """A second one coalesces, leaves the state and asks no model; the next slot has its own."""
    ava.write("HEARTBEAT.md", "Look.\n")
    place, model = Place(ava.root), ScriptedModel(default="Hello.")
    first = beat_for(place, NINE, ava.at("2026-11-30T09:00:10Z").clock, model=model)
    state = ava.state()
    second = beat_for(place, NINE, ava.at("2026-11-30T09:00:40Z").clock, model=model)
    assert (first.outcome, second.outcome, second.exit_code) == ("delivered", "skipped", 0)
    assert second.reason == "busy: another scheduler has made this beat"
    assert (ava.state(), len(model.requests)) == (state, 1)
    assert last_beat(place).at == parse_instant("2026-11-30T09:00:10Z")
    half = NINE + timedelta(minutes=30)
    assert beat_for(place, half, ava.at("2026-11-30T09:30:00Z").clock, model=model).reply


def test_a_slot_has_one_dream(ava):
    """A second one for it is not made, nor is one while another holds the lock."""
    place, clock = Place(ava.root), ava.at("2026-11-30T09:00:10Z").clock
    home = ava.open()
    with home.store.hold("dream"):
        assert dream_for(place, NINE, clock) is None
    assert ava.state("dream-last")["outcome"] == "skipped"
    tomorrow = NINE + timedelta(days=1)
    assert dream_for(place, tomorrow, ava.later(days=1).clock).outcome == "nothing"
    assert dream_for(place, tomorrow, ava.later(minutes=1).clock) is None
    assert last_dream(place).at == clock.now() - timedelta(minutes=1)
