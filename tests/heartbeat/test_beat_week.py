"""A week of virtual time, with everything going wrong now and then: nothing is lost or doubled."""

from __future__ import annotations

import random
from datetime import timedelta

import pytest

from toolnexus.errors import Unreachable
from toolnexus.heartbeat.agenda import read_agenda
from toolnexus.heartbeat.outlook import look
from toolnexus.heartbeat.state import interval_between, parse_state, render_state
from toolnexus.heartbeat.zone import home_zone
from toolnexus.models.completion import Usage
from toolnexus.testing.model import ScriptedModel, say
from toolnexus.text.document import parse_document

TASKS = """\
## Tasks
- [ ] Water (every 1d at 09:00)
- [ ] Meters (cron 0 18 * * *)
- [ ] Pay (at 2026-10-25 02:30)
- [ ] Queue (every 6h)
"""
STEP = timedelta(minutes=30)


@pytest.mark.parametrize("seed", range(25))
def test_no_task_is_lost_or_doubled_in_a_week(seed):
    """Failures, sleeping machines, the end of summer time: what is missed is done, and once."""
    chance = random.Random(seed)
    zone = home_zone(chance.choice(["Europe/Berlin", "America/New_York", "Asia/Tokyo"]))
    agenda = read_agenda(TASKS, parse_document(TASKS))
    state, now = parse_state(None), parse_at("2026-10-22T00:00:00Z")
    begun, earlier = now, (None, None)
    done: dict[str, list] = {entry.key: [] for entry in agenda.entries}
    while now < begun + timedelta(days=7):
        now += STEP * chance.choice([1] * 30 + [20])
        if state.backoff is not None and state.backoff.holds(now):
            earlier = (now, earlier[0])
            continue
        seen = look(agenda, parse_state(render_state(state)), now, zone, online=False)
        state = seen.state
        if seen.due and chance.random() < 0.2:
            state = state.failed(now, interval_between(now, *earlier), "injected")
        elif seen.due:
            state = state.did(seen.due_keys, seen.due_ticks(now, zone), now)
            for key in seen.due_keys:
                done[key].append(now)
        earlier = (now, earlier[0])
    assert len(done["pay"]) == 1
    for key, low in (("water", 3), ("meters", 3), ("queue", 10)):
        local = [instant.astimezone(zone) for instant in done[key]]
        assert low <= len(local)
        if key != "queue":
            hour = 9 if key == "water" else 18
            days = [(at - timedelta(hours=hour)).date() for at in local]
            assert len(set(days)) == len(days) <= 8
        else:
            assert len(local) <= 28


def parse_at(text):
    from toolnexus.clock import parse_instant

    return parse_instant(text)


@pytest.mark.slow
def test_a_day_of_beats_on_a_home(ava):
    """Real files, failures and a budget: replies come within hours and money, tasks once."""
    ava.write(
        "persona.yaml",
        "heartbeat: {timezone: Europe/Berlin, active_hours: 08:00-22:00,"
        " budget: {usd_per_day: 2.0}}\n",
    )
    ava.write("HEARTBEAT.md", TASKS)
    ava.at("2026-10-24T00:00:00Z")
    chance = random.Random(7)
    replies, spent = [], 0.0
    for _ in range(96):
        ava.later(minutes=30)
        fails = chance.random() < 0.3
        model = ScriptedModel(default=Unreachable("x") if fails else say("On it.", usage=COST))
        beat = ava.beat(model)
        spent += beat.usage.usd or 0.0
        if beat.outcome == "delivered":
            replies.append((ava.clock.now(), beat.tasks))
    hours = {at.astimezone(home_zone("Europe/Berlin")).hour for at, _ in replies}
    assert hours <= set(range(8, 22))
    assert sum("Pay" in tasks for _, tasks in replies) == 1
    assert 1 <= sum("Water" in tasks for _, tasks in replies) <= 2
    assert len(ava.said) == len(ava.turns()) == len(replies)
    assert spent <= 6.0
    assert "[x] Pay (at 2026-10-25 02:30)" in ava.read("HEARTBEAT.md")


COST = Usage(100, 100, 0.25, 1)
