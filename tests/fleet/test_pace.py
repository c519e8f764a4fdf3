"""Paces: slots by interval and by cron, across clock changes, and how jobs are spread."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolnexus.clock import parse_instant
from toolnexus.fleet.pace import beat_pace, dream_pace
from toolnexus.settings import parse_settings

START = datetime(2020, 1, 1, tzinfo=UTC)
INSTANTS = st.timedeltas(timedelta(0), timedelta(days=7300)).map(lambda passed: START + passed)
PACES = st.sampled_from(["every: 30m", "every: 45m", "every: 1s", "every: 90.5s", "every: 7h",
                         "every: 1d", "every: 2w", "cron: '*/20 8-20 * * 1-5'"])  # fmt: skip
ZONES = st.sampled_from(["UTC", "Europe/Berlin", "Asia/Kolkata", "Australia/Lord_Howe"])


def pace_of(heart: str, zone: str = "UTC"):
    return beat_pace(parse_settings(f"heartbeat: {{{heart}, timezone: {zone}}}\n"))


@settings(max_examples=100)
@given(PACES, ZONES, INSTANTS)
def test_slots_are_whole_seconds_and_do_not_depend_on_who_asks(heart, zone, instant):
    """The next slot is the same from any moment before it, and comes after each of them."""
    pace = pace_of(heart, zone)
    slot = pace.after(instant)
    assert slot > instant
    assert slot.microsecond == 0
    halfway = instant + (slot - instant) / 2
    assert halfway >= slot or pace.after(halfway) == slot
    assert pace.after(slot) > slot


@pytest.mark.parametrize(
    ("heart", "zone", "after", "slots"),
    [
        ("every: 30m", "UTC", "2026-11-30T08:10", ["2026-11-30T08:30", "2026-11-30T09:00"]),
        ("every: 1d", "Europe/Berlin", "2026-10-24T12:00",
         ["2026-10-25T02:00", "2026-10-26T02:00"]),
        ("every: 1d", "Europe/Berlin", "2026-03-28T12:00",
         ["2026-03-29T01:00", "2026-03-30T01:00"]),
        ("cron: '30 2 * * *'", "Europe/Berlin", "2026-10-25T00:00",
         ["2026-10-25T00:30", "2026-10-26T01:30"]),
    ],
)  # fmt: skip
def test_slots_keep_the_homes_own_clock(heart, zone, after, slots):
    """Whole days are nights of the home, also where clocks are put forward or back."""
    pace, instant, found = pace_of(heart, zone), parse_instant(after), []
    for _ in slots:
        instant = pace.after(instant)
        found.append(f"{instant:%Y-%m-%dT%H:%M}")
    assert found == slots


def test_settings_that_say_nothing_mean_half_hours_and_nights():
    """Beats come each half hour and dreams at three in the night, as `schedule` has it."""
    none = parse_settings("heartbeat: {timezone: UTC}\n")
    noon = datetime(2026, 11, 30, 12, tzinfo=UTC)
    assert beat_pace(none).after(noon) - noon == timedelta(minutes=30)
    assert dream_pace(none).after(noon).hour == 3


@settings(max_examples=60)
@given(PACES, INSTANTS, st.text(max_size=20), st.integers(0, 3600))
def test_jobs_are_put_off_within_bounds_and_the_same_each_time(heart, instant, key, most):
    """Never longer than asked for, nor than a tenth of the time to the next slot."""
    pace = pace_of(heart)
    slot = pace.after(instant)
    spread = pace.spread(key, slot, timedelta(seconds=most))
    assert spread == pace.spread(key, slot, timedelta(seconds=most))
    assert timedelta(0) <= spread <= timedelta(seconds=most)
    assert spread * 10 <= pace.after(slot) - slot
