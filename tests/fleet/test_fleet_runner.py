"""The runner in virtual time: when beats come, and what changes while it runs."""

from __future__ import annotations

import shutil
from datetime import timedelta

import pytest

from toolnexus.errors import HomeError, Unreachable
from toolnexus.testing.model import ScriptedModel

PROSE = "Look after things.\n"
WATER = "## Tasks\n- [ ] Water (every 1d at 09:10)\n"


def silent(_job):
    """Make a model that has nothing to say."""
    return ScriptedModel(default="HEARTBEAT_OK")


def talking(_job):
    """Make a model that has something to say."""
    return ScriptedModel(default="Hello.")


def test_beats_come_at_their_slots(fleet):
    """The first comes at once, the others each half hour on the clock, whenever it was started."""
    fleet.add("ava", PROSE)
    assert fleet.run(2, model=silent) == 0
    assert fleet.times() == ["08:10", "08:30", "09:00", "09:30", "10:00"]
    assert {entry.outcome for entry in fleet.jobs()} == {"silent"}


@pytest.mark.parametrize(
    ("settings", "times"),
    [
        ("timezone: UTC, every: 45m", ["08:10", "08:15", "09:00", "09:45"]),
        ("timezone: UTC, cron: '20 * * * *'", ["08:10", "08:20", "09:20"]),
        ("timezone: UTC, every: 1h, active_hours: 09:00-10:00", ["08:10", "09:00", "10:00"]),
    ],
)
def test_settings_pace_the_beats(fleet, settings, times):
    """An interval, a cron schedule and active hours are kept."""
    fleet.add("ava", PROSE, settings)
    fleet.run(1.9, model=silent)
    assert fleet.times() == times


def test_a_task_wakes_its_home_between_the_slots(fleet):
    """Its reminder comes at its own time, and a home that is quiet is not looked at in between."""
    fleet.add("ava", WATER)
    fleet.run(49.1)
    assert fleet.said() == ["09:10 Water"] * 3
    assert len(fleet.jobs()) <= 6


@pytest.mark.slow
def test_a_quiet_home_is_looked_at_once_a_day(fleet):
    """With nothing to do it costs nothing, but its state does not look abandoned."""
    fleet.add("ava")
    fleet.run(24 * 7)
    assert 7 <= len(fleet.jobs()) <= 8
    assert {entry.reason for entry in fleet.jobs()} == {"empty: HEARTBEAT.md asks for nothing"}


def test_missed_slots_are_one(fleet):
    """A home that was not looked after for days beats once, then at its slots."""
    fleet.add("ava", PROSE)
    fleet.run(0.1, model=silent)
    fleet.time.sleep(3 * 86_400)
    fleet.entries.clear()
    fleet.run(0.9, model=silent)
    assert fleet.times() == ["08:16", "08:30", "09:00"]


def test_a_restart_doubles_nothing(fleet):
    """What was made before is known from the homes' own state."""
    fleet.add("ava", PROSE)
    for _ in range(6):
        fleet.run(0.25, model=silent)
    assert fleet.times() == ["08:10", "08:30", "09:00", "09:30"]


def test_two_runs_make_each_beat_once(fleet):
    """Whichever comes first makes it, and it stands for the other's."""
    import asyncio

    fleet.add("ava", PROSE)

    async def both() -> None:
        one = fleet.make(model=talking)
        other = fleet.make(model=talking)
        running = [asyncio.ensure_future(runner.run()) for runner in (one, other)]
        await asyncio.sleep(3600)
        one.stop()
        other.stop()
        await asyncio.gather(*running)

    fleet.time.run(both())
    assert fleet.times("delivered") == ["08:10", "08:30", "09:00"]
    assert fleet.times("skipped") == fleet.times("delivered")
    assert {e.reason for e in fleet.jobs() if e.outcome == "skipped"} == {
        "busy: another scheduler has made this beat"
    }


def test_a_slow_beat_delays_its_own_next_one_alone(fleet):
    """What it misses meanwhile comes once, right after it; another home beats on time."""
    fleet.add("slow", PROSE)
    fleet.add("quick", PROSE)
    real = fleet.time.aside

    async def aside(function):
        import asyncio

        done = await real(function)
        if getattr(done, "job", None) is not None and done.job.name.endswith("slow"):
            await asyncio.sleep(80 * 60)
        return done

    fleet.time.aside = aside
    fleet.run(3, model=silent)
    assert fleet.times(home="slow") == ["09:30", "10:50"]
    assert fleet.times(home="quick") == ["08:10", "08:30"] + [
        f"{hour:02}:{minute:02}" for hour in (9, 10) for minute in (0, 30)
    ] + ["11:00"]


def test_a_home_that_is_gone_for_a_while_has_one_beat_at_a_time(fleet):
    """Moved away and back during a beat, as by a checkout, it gets no second one beside it."""
    ava = fleet.add("ava", PROSE)
    away = fleet.root.parent / "away"
    real, at_once = fleet.time.aside, []

    async def aside(function):
        import asyncio

        done = await real(function)
        if getattr(done, "job", None) is not None:
            await asyncio.sleep(50 * 60)
            at_once.append(fleet.runner.status().running)
        return done

    fleet.time.aside = aside
    fleet.run(1.5, (0.2, lambda: ava.rename(away)), (0.4, lambda: away.rename(ava)), model=silent)
    assert fleet.times() == ["09:00"]
    assert at_once == [1]


def test_no_more_jobs_run_than_may(fleet):
    """With two at once of five homes, the others wait their turn, and dreams leave one to beats."""
    import asyncio

    fleet.dreams = True
    for number in range(5):
        fleet.add(f"h{number}", PROSE)
    running: list[str] = []
    most: list[tuple[str, ...]] = []
    real = fleet.time.aside

    async def aside(function):
        done = await real(function)
        if getattr(done, "job", None) is not None:
            running.append(done.job.kind)
            most.append(tuple(sorted(running)))
            await asyncio.sleep(60)
            running.remove(done.job.kind)
        return done

    fleet.time.aside = aside
    fleet.run(1, model=silent, jobs=2)
    assert max(map(len, most)) == 2
    assert ("dream", "dream") not in most
    assert len(fleet.jobs("dream")) == 5
    assert len({entry.home for entry in fleet.jobs()}) == 5


def test_jobs_that_fall_together_are_spread(fleet):
    """Each home has its own moment after a slot, the same each time one asks."""
    for number in range(20):
        fleet.add(f"h{number}", PROSE)
    fleet.run(0.5, model=silent, spread=timedelta(minutes=2))
    after = [entry.time for entry in fleet.jobs() if f"{entry.time:%H:%M}" >= "08:30"]
    assert len(after) == 20
    assert len(set(after)) == 20
    assert max(after) - min(after) <= timedelta(minutes=2)


def test_homes_come_go_and_change(fleet):
    """A new one beats at once, a removed one no more, and new settings count."""
    old = fleet.add("old", PROSE)
    changed = fleet.add("changed", PROSE)
    fleet.run(
        2,
        (0.1, lambda: fleet.add("new", PROSE)),
        (0.5, lambda: shutil.rmtree(old)),
        (0.5, lambda: fleet.set(changed, "timezone: UTC, every: 10m")),
        model=silent,
    )
    assert fleet.times(home="old") == ["08:10", "08:30"]
    assert fleet.times(home="new")[:2] == ["08:20", "08:30"]
    assert fleet.times(home="changed")[:5] == ["08:10", "08:30", "08:40", "08:50", "09:00"]
    told = [(e.home.rpartition("/")[2], e.outcome) for e in fleet.entries if e.event == "home"]
    assert sorted(told) == [("changed", "changed"), ("new", "added"), ("old", "removed")]


def test_wrong_settings_are_told_once_and_stop_nobody(fleet):
    """They are in the state as well, and the home beats again when they are mended."""
    ava = fleet.add("ava", PROSE)
    fleet.add("bo", PROSE)
    fleet.run(
        3,
        (0.6, lambda: fleet.set(ava, "timezone: UTC, evry: 5m")),
        (2, lambda: fleet.set(ava, "timezone: UTC")),
        model=silent,
    )
    told = [entry for entry in fleet.entries if entry.outcome == "wrong settings"]
    assert len(told) == 1
    assert told[0].failure.exit_code == 78
    assert "evry" in told[0].failure.message
    assert fleet.times(home="ava") == ["08:10", "08:30", "10:10", "10:30", "11:00"]
    assert len(fleet.times(home="bo")) == 7


def test_an_edited_task_list_is_seen_before_the_next_slot(fleet):
    """A task that is added is first due at its next slot, however long the beats are apart."""
    ava = fleet.add("ava", "## Tasks\n- [ ] Pay (at 2027-01-15)\n", "timezone: UTC, every: 6h")
    fleet.run(3, (0.5, lambda: (ava / "HEARTBEAT.md").write_text(WATER)))
    assert [line[:5] for line in fleet.said()] == ["09:10"]


def test_prose_is_not_put_to_a_model_because_it_was_edited(fleet):
    """It is read at the next slot: beats that cost money keep their pace."""
    ava = fleet.add("ava", PROSE)
    fleet.run(0.9, (0.1, lambda: (ava / "HEARTBEAT.md").write_text("Look.\n")), model=silent)
    assert fleet.times() == ["08:10", "08:30", "09:00"]


@pytest.mark.parametrize(
    ("by", "times"),
    [
        (timedelta(hours=-2), ["08:10", "08:30", "07:00", "07:30"]),
        (timedelta(hours=26), ["08:10", "08:30", "10:40", "11:00", "11:30"]),
    ],
)
def test_a_clock_that_is_set_is_followed(fleet, by, times):
    """Put back it does not silence a home until it has caught up; put forward it beats once."""
    fleet.add("ava", PROSE)
    fleet.run(1.4, (0.5, lambda: fleet.time.set_clock(by)), model=silent)
    assert fleet.times() == times


def test_a_home_that_fails_stops_nobody(fleet):
    """Its failure has an exit code and a reason without keys; the others go on."""

    def model(job):
        error = Unreachable("no route for sk-abcdef123456")
        return ScriptedModel(default=error if job.name.endswith("ava") else "Hello.")

    fleet.add("ava", PROSE)
    fleet.add("bo", PROSE)
    fleet.run(0.5, model=model)
    failed = fleet.jobs(home="ava")[0]
    assert (failed.outcome, failed.failure.exit_code) == ("failed", 69)
    assert failed.reason == "no route for [redacted]"
    assert fleet.times("delivered", home="bo") == ["08:10", "08:30"]


def test_a_bug_in_a_beat_stops_nobody(fleet):
    """What nobody foresaw is told as a bug, with exit code 70."""
    fleet.add("ava", PROSE)
    fleet.add("bo", PROSE)
    fleet.run(0.4, model=lambda job: ScriptedModel() if "ava" in job.name else silent(job))
    assert [entry.failure.exit_code for entry in fleet.jobs(home="ava")] == [70, 70]
    assert len(fleet.jobs(home="bo")) == 2


def test_a_state_that_cannot_be_written_makes_no_storm(fleet, monkeypatch):
    """A disk that is full is met once a slot, and not over and over."""
    from toolnexus.store.state import StateFolder

    def full(*_args, **_options):
        from toolnexus.errors import DiskError

        raise DiskError("cannot write: No space left on device")

    fleet.add("ava", PROSE)
    monkeypatch.setattr(StateFolder, "write", full)
    fleet.run(1, model=silent)
    assert [entry.failure.exit_code for entry in fleet.jobs()] == [74] * 3


def test_a_beat_that_was_cut_short_is_made_anew(fleet):
    """A run that was killed in the midst of one does not count as having made it."""
    ava = fleet.add("ava", PROSE)
    fleet.run(0.1, model=silent)
    state = ava / ".toolnexus/state/beat-last.json"
    state.write_text('{"at": "2026-11-30T08:16:00Z", "before": null, "outcome": "running"}')
    fleet.run(0.1, model=silent)
    assert fleet.times() == ["08:10", "08:16"]


def test_dreams_come_once_a_night(fleet):
    """A home that never dreamt dreams at once; from then on in its own night."""
    fleet.dreams = True
    fleet.add("ava", settings="timezone: Europe/Berlin")
    fleet.run(49)
    assert [f"{e.time:%d %H:%M}" for e in fleet.jobs("dream")] == [
        "30 08:10",
        "01 02:00",
        "02 02:00",
    ]
    fleet.run(1)
    assert len(fleet.jobs("dream")) == 3


def test_once_does_what_is_due_and_ends(fleet):
    """It returns the worst exit code, and does not wait for what is to come."""
    fleet.add("ava", PROSE)
    fleet.add("bo", PROSE)
    bad = ScriptedModel(default=Unreachable("gone"))
    assert (
        fleet.run(24, once=True, model=lambda job: bad if "ava" in job.name else silent(job)) == 69
    )
    assert fleet.times() == ["08:10", "08:10"]
    assert [entry.event for entry in fleet.entries][-1] == "stop"


def test_once_ends_however_soon_the_next_beat_is(fleet):
    """Beats that come each second, and take longer, are made one time each."""
    fleet.add("ava", PROSE, "timezone: UTC, every: 1s")
    fleet.add("bo", PROSE, "timezone: UTC, every: 1s")
    real = fleet.time.aside

    async def aside(function):
        import asyncio

        await asyncio.sleep(90)
        return await real(function)

    fleet.time.aside = aside
    assert fleet.run(24, once=True, model=silent, jobs=1) == 0
    assert len(fleet.jobs()) == 2


def test_a_folder_that_is_not_there_is_an_error(fleet):
    """It is told before anything is begun."""
    fleet.root = fleet.root / "nowhere"
    with pytest.raises(HomeError, match="no such folder"):
        fleet.run(1)


def test_a_job_that_does_not_end_is_left_after_the_grace(fleet):
    """What runs may end when it is to stop, but not for ever; what was left is told."""
    import asyncio

    fleet.add("ava", PROSE)
    real = fleet.time.aside

    async def aside(function):
        done = await real(function)
        if getattr(done, "job", None) is not None:
            await asyncio.sleep(7200)
        return done

    fleet.time.aside = aside
    assert fleet.run(1, model=silent, grace_seconds=60.0) == 0
    assert f"{fleet.time.now():%H:%M}" == "09:11"
    assert [entry.event for entry in fleet.entries] == ["start", "notice", "stop"]
    assert "left unfinished" in fleet.entries[1].reason
