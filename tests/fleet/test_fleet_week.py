"""A week of many homes in virtual time, with everything going wrong now and then."""

from __future__ import annotations

import asyncio
import os
import random
from collections import Counter, defaultdict
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise

import pytest
from fleet_homes import Fleet

from toolnexus.errors import Unreachable
from toolnexus.fleet.job import Done, Job
from toolnexus.fleet.pace import beat_pace
from toolnexus.heartbeat.gates import is_awake
from toolnexus.heartbeat.zone import home_zone
from toolnexus.models.completion import Usage
from toolnexus.settings import parse_settings
from toolnexus.testing.model import ScriptedModel, say

IS_FULL = os.environ.get("TOOLNEXUS_SOAK", "sample") == "full"
HOMES, DAYS = (50, 7) if IS_FULL else (8, 7)
ZONES = ("Europe/Berlin", "America/New_York", "Asia/Tokyo", "Australia/Lord_Howe", "UTC")
HOURS = ("08:00-22:00", "07:30-21:30", "20:00-06:00")
TASKS = "## Tasks\n- [ ] Water (every 1d at 09:10)\n- [ ] Pay (at 2026-10-25 02:30)\n"
USD, USD_A_DAY = 0.01, 0.15
SLOWEST = timedelta(minutes=100)
SPREAD = timedelta(minutes=1)
HOUR = timedelta(hours=1)


@dataclass
class Made:
    """A job that was done: when it began, how often the clock had been set by then."""

    job: Job
    at: datetime
    clock_sets: int
    done: Done
    calls: int
    took: timedelta = timedelta(0)


class Week:
    """Homes that are looked after for some days while things go wrong."""

    def __init__(self, fleet: Fleet, seed: int, homes: int, days: int) -> None:
        self.fleet = fleet
        self.chance = random.Random(seed)
        self.days = days
        self.made: list[Made] = []
        self.clock_sets = 0
        self.settings: dict[str, str] = {}
        self.excuses: list[tuple[str, datetime, datetime]] = []
        for number in range(homes):
            self._add(number)

    def _add(self, number: int) -> None:
        zone, hours = self.chance.choice(ZONES), self.chance.choice(HOURS)
        every = self.chance.choice(("30m", "45m", "1h"))
        text = (
            f"timezone: {zone}, every: {every}, active_hours: '{hours}', "
            f"budget: {{usd_per_day: {USD_A_DAY}}}"
        )
        name = f"{'tasks' if number % 4 == 0 else 'prose'}-{number:02}"
        self.settings[name] = text
        self.fleet.add(name, TASKS if "tasks" in name else "Look after things.\n", text)

    def live(self) -> None:
        """Live through the days: one run, two at once, none, then one again."""
        self.fleet.time.run(self._live())

    async def _live(self) -> None:
        total = self.days * 86_400.0
        real = self.fleet.time.aside
        self.fleet.time.aside = self._slowly(real)
        mischief = asyncio.ensure_future(self._mischief())
        first = asyncio.ensure_future(self._runner().run())
        await asyncio.sleep(total * 0.3)
        second = self._runner()
        running = asyncio.ensure_future(second.run())
        await asyncio.sleep(total * 0.2)
        first.cancel()  # as a kill would end it
        await asyncio.sleep(total * 0.2)
        second.stop()
        await running
        self._excuse("", HOUR)
        await asyncio.sleep(3600)
        third = self._runner()
        running = asyncio.ensure_future(third.run())
        await asyncio.sleep(total * 0.3 - 3600)
        mischief.cancel()
        third.stop()
        await running

    def _runner(self):
        runner = self.fleet.make(
            model=self._model, jobs=50, spread=SPREAD, look_seconds=900.0, grace_seconds=9e3
        )
        do = runner._do

        def noted(job: Job) -> Done:
            at, sets = self.fleet.time.now(), self.clock_sets
            self.calls = 0
            done = do(job)
            self.made.append(Made(job, at, sets, done, self.calls))
            return done

        runner._do = noted
        return runner

    def _slowly(self, real):
        async def aside(function):
            done = await real(function)
            if isinstance(done, Done):
                slow = self.chance.random() < 0.02
                seconds = SLOWEST.total_seconds() if slow else self.chance.uniform(0, 20)
                next(m for m in self.made if m.done is done).took = timedelta(seconds=seconds)
                await asyncio.sleep(seconds)
            return done

        return aside

    def _model(self, job: Job):
        if "tasks" in job.name:
            return None
        fails = self.chance.random() < 0.1
        text = self.chance.choice(["HEARTBEAT_OK", "There is news."])
        reply = Unreachable("injected") if fails else say(text, usage=Usage(100, 20, USD, 1))

        def answer(_request):
            self.calls += 1
            return reply

        return ScriptedModel(default=answer)

    async def _mischief(self) -> None:
        """Break and mend settings, and set the clock; seldom, and back again in the end."""
        while True:
            await asyncio.sleep(self.chance.uniform(3, 9) * 3600)
            name = self.chance.choice(sorted(self.settings))
            match self.chance.randrange(3):
                case 0:
                    self._excuse(name, 3 * HOUR + HOUR / 2)
                    self.fleet.set(self.fleet.root / name, "evry: 1h")
                    await asyncio.sleep(3 * 3600)
                    self.fleet.set(self.fleet.root / name, self.settings[name])
                case 1:
                    self._set_clock(timedelta(minutes=self.chance.choice([-90, 5, 90])))
                case _:
                    (self.fleet.root / name / "HEARTBEAT.md").touch()

    def _excuse(self, name: str, length: timedelta) -> None:
        """Note that a home, or all, cannot be looked after for so long from now."""
        now = self.fleet.time.now()
        self.excuses.append((name, now, now + length))

    def _set_clock(self, by: timedelta) -> None:
        self.clock_sets += 1
        self.fleet.time.set_clock(by)

    def beats(self) -> dict[str, list[Made]]:
        """Return what was done in each home, coalesced beats left out."""
        found: dict[str, list[Made]] = defaultdict(list)
        for made in self.made:
            if "another scheduler" not in made.done.reason:
                found[made.job.name.rpartition("/")[2]].append(made)
        return found

    def slow_in(self, name: str) -> list[Made]:
        """Return the jobs of a home that took long, whether they made a beat or not."""
        return [m for m in self.made if m.took == SLOWEST and m.job.name.endswith(name)]

    def heart(self, name: str):
        """Return a home's settings."""
        return parse_settings(f"heartbeat: {{{self.settings[name]}}}\n")


def hold(week: Week) -> None:
    """Hold a week against what must be true of each."""
    beats = week.beats()
    assert set(beats) == set(week.settings)
    assert {made.done.exit_code for made in week.made} <= {0, 69, 78}
    for name, made in beats.items():
        settings = week.heart(name)
        hold_hours(settings, made)
        hold_budget(settings, made)
        if "prose" in name:
            hold_slots(settings, made)
            excuses = [excuse for excuse in week.excuses if excuse[0] in {"", name}]
            slow = [(name, one.at, one.at + one.took) for one in week.slow_in(name)]
            hold_gaps(settings, made, excuses + slow)
        else:
            hold_tasks(week, name)


def hold_hours(settings, made) -> None:
    """No beat did anything outside the home's active hours."""
    zone = home_zone(settings.heartbeat.timezone)
    for one in made:
        if one.calls or one.done.outcome in {"delivered", "silent", "failed"}:
            if one.done.exit_code == 78:
                continue
            assert is_awake(settings.heartbeat.active_hours, one.at.astimezone(zone).time())


def hold_budget(settings, made) -> None:
    """No day cost more than it may."""
    zone = home_zone(settings.heartbeat.timezone)
    spent: Counter[object] = Counter()
    for one in made:
        spent[one.at.astimezone(zone).date()] += one.calls * one.done.usd if one.done.usd else 0
    assert max(spent.values(), default=0) <= USD_A_DAY + USD / 2


def hold_slots(settings, made) -> None:
    """No slot had two beats that asked a model, as long as nobody set the clock."""
    pace = beat_pace(settings)
    slots = Counter(
        (pace.after(one.at), one.clock_sets) for one in made if one.calls and one.job.slot
    )
    assert max(slots.values(), default=1) == 1


def hold_gaps(settings, made, excuses) -> None:
    """No beat was left out while the home was awake: each came within its interval and spread."""
    zone, hours = home_zone(settings.heartbeat.timezone), settings.heartbeat.active_hours
    for one, other in pairwise(made):
        latest = one.at + settings.heartbeat.every + SPREAD + timedelta(seconds=1)
        if one.clock_sets != other.clock_sets or other.at <= latest:
            continue
        if any(since < other.at and until > one.at for _, since, until in excuses):
            continue
        quarters = int((other.at - latest) / (HOUR / 4)) + 1
        between = [latest + n * (other.at - latest) / quarters for n in range(quarters)]
        awake = [at for at in between if is_awake(hours, at.astimezone(zone).time())]
        assert awake == [], (one, other)


def hold_tasks(week: Week, name: str) -> None:
    """Each task was said once for each of its times, and none was forgotten."""
    replies = [e for e in week.fleet.entries if e.event == "reply" and e.home.endswith(name)]
    assert sum("Pay" in entry.text for entry in replies) == 1
    water = sum("Water" in entry.text for entry in replies)
    assert week.days - 1 <= water <= week.days + 1


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_two_days_of_trouble(fleet, seed):
    """Nothing is lost, doubled, done at night or over budget in a few homes."""
    fleet = Fleet(fleet.root, "2026-10-23T22:00:00Z")
    week = Week(fleet, seed, homes=3, days=3)
    week.live()
    hold(week)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(3 if IS_FULL else 1))
def test_a_week_of_trouble(fleet, seed):
    """The same for many homes over the end of summer time, with faults of every kind."""
    fleet = Fleet(fleet.root, "2026-10-21T22:00:00Z")
    week = Week(fleet, 100 + seed, HOMES, DAYS)
    week.live()
    hold(week)
    assert len(week.made) > HOMES * DAYS * 10
