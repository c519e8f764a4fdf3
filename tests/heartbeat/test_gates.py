# ruff: noqa: DTZ001 - what a clock on the wall shows has no zone
from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolnexus.clock import parse_instant
from toolnexus.heartbeat.agenda import read_agenda
from toolnexus.heartbeat.gates import Situation, closed_gate, is_awake
from toolnexus.heartbeat.outlook import look, next_due
from toolnexus.heartbeat.state import Backoff, BeatState
from toolnexus.settings import ActiveHours, HeartbeatSettings
from toolnexus.text.document import parse_document

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
BERLIN = ZoneInfo("Europe/Berlin")
DAY = ActiveHours(time(8), time(22))


def situation(text: str = "Look around.\n", **fields: object) -> Situation:
    """Make a situation in which every gate is open, but for what is given."""
    made = Situation(NOW, UTC, HeartbeatSettings(), BeatState(), lambda: outlook, online=True)
    made = replace(made, **fields)
    agenda = read_agenda(text, parse_document(text))
    outlook = look(agenda, made.state, made.now, made.zone, online=made.online)
    return made


FAILED = BeatState(backoff=Backoff(3, NOW - timedelta(minutes=5), timedelta(hours=2), "no route"))
SPENT = BeatState(spent_usd={"2026-11-30": 0.5})
FUTURE = "## Tasks\n- [ ] Plan the jubilee (at 2999-01-01)\n"


@pytest.mark.parametrize(
    ("because", "words", "closed"),
    [
        ("busy", "another beat", {"is_busy": True}),
        (
            "outside active hours",
            "08:00-22:00): it is 23:30",
            {
                "settings": HeartbeatSettings(active_hours=DAY),
                "now": NOW.replace(hour=23, minute=30),
            },
        ),
        ("empty", "asks for nothing", {"text": "# Heartbeat\n- [ ]\n"}),
        ("nothing due", "nothing due", {"text": FUTURE}),
        ("nothing due", "no model is set", {"online": False}),
        ("nothing due", "no model is set", {"online": False, "text": "## Tasks\n- [ ] Look\n"}),
        (
            "budget spent",
            "0.5000 of 0.5000",
            {"settings": HeartbeatSettings(usd_per_day=0.5), "state": SPENT},
        ),
        ("budget spent", "tokens_per_beat", {"settings": HeartbeatSettings(tokens_per_beat=0)}),
        (
            "backing off",
            "until 2026-11-30 13:55: failed 3 times in a row: no route",
            {"state": FAILED},
        ),
    ],
)
def test_a_closed_gate_says_why(because, words, closed):
    """Each gate closes on its own and names itself in its reason; force opens all but busy."""
    judged = situation(**closed)
    skip = closed_gate(judged)
    assert skip is not None
    assert skip.because == because
    assert skip.reason.startswith(because)
    assert words in skip.reason
    assert (closed_gate(judged, force=True) is not None) is (because == "busy")


@pytest.mark.parametrize(
    "opened",
    [
        {},
        {"settings": HeartbeatSettings(active_hours=DAY)},
        {"text": "## Tasks\n- [ ] Pay (at 2026-11-30 12:00)\n", "online": False},
        {"text": "## Tasks\n- [ ] Keep an eye on it\n"},
        {
            "settings": HeartbeatSettings(usd_per_day=0.5),
            "state": BeatState(spent_usd={"2026-11-29": 9}),
        },
        {
            "settings": HeartbeatSettings(usd_per_day=0.0),
            "text": "## Tasks\n- [ ] Pay (at 2026-11-30)\n",
            "online": False,
        },
        {"state": FAILED, "now": NOW + timedelta(hours=2)},
    ],
)
def test_open_gates_let_a_beat_through(opened):
    """What is due within hours and budget runs; without a model money is no matter."""
    assert closed_gate(situation(**opened)) is None


def test_the_cheapest_gate_answers():
    """HEARTBEAT.md is not even read where the clock settles it."""

    def unread():
        raise AssertionError("HEARTBEAT.md was read")

    judged = replace(
        situation(settings=HeartbeatSettings(active_hours=DAY), now=NOW.replace(hour=3)),
        outlook=unread,
    )
    assert closed_gate(judged).because == "outside active hours"
    assert closed_gate(replace(judged, is_busy=True)).because == "busy"


def test_lasting_reasons_tell_when_they_end():
    """Night ends in the morning, nothing due with the next task, emptiness never by itself."""
    night = situation(settings=HeartbeatSettings(active_hours=DAY), now=NOW.replace(hour=23))
    assert closed_gate(night).until == parse_instant("2026-12-01T08:00:00Z")
    early = situation(settings=HeartbeatSettings(active_hours=DAY), now=NOW.replace(hour=3))
    assert closed_gate(early).until == parse_instant("2026-11-30T08:00:00Z")
    waits = closed_gate(situation(text="## Tasks\n- [ ] Pay (at 2026-12-24)\n"))
    assert (waits.lasting, waits.until) == (True, parse_instant("2026-12-24T00:00:00Z"))
    assert closed_gate(situation(text="")).until is None
    assert not closed_gate(situation(state=FAILED)).lasting


@given(st.times(), st.times(), st.datetimes(datetime(2026, 1, 1), datetime(2028, 1, 1)))
def test_hours_hold_on_the_homes_own_clock(start, end, utc):
    """Hours that wrap midnight are the others turned round, and the gate opens when it says."""
    now = utc.replace(tzinfo=UTC, microsecond=0)
    hours = ActiveHours(
        start.replace(second=0, microsecond=0), end.replace(second=0, microsecond=0)
    )
    local = now.astimezone(BERLIN).time()
    if hours.start != hours.end:
        assert is_awake(hours, local) is not is_awake(ActiveHours(hours.end, hours.start), local)
    skip = closed_gate(
        situation(settings=HeartbeatSettings(active_hours=hours), now=now, zone=BERLIN)
    )
    if skip is not None:
        assert now < skip.until <= now + timedelta(hours=25)
        later = situation(
            settings=HeartbeatSettings(active_hours=hours), now=skip.until, zone=BERLIN
        )
        gap = skip.until.astimezone(BERLIN).time() >= hours.end > hours.start
        assert gap or closed_gate(later) is None


def test_the_outlook_counts_equal_texts_once():
    """Two tasks with one text are one task, due when either is."""
    text = "## Tasks\n- [ ] Pay (at 2026-11-30)\n- [ ] pay (at 2026-11-29)\n- [ ] Pay (every 1d)\n"
    agenda = read_agenda(text, parse_document(text))
    seen = look(agenda, BeatState(), NOW, UTC, online=False)
    assert [entry.task.text for entry in seen.due] == ["Pay"]
    done = seen.state.did(seen.due_keys, seen.due_ticks(NOW, UTC), NOW)
    assert look(agenda, done, NOW, UTC, online=False).due == ()
    assert next_due(agenda, done, UTC) == NOW + timedelta(days=1)
