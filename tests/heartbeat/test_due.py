# ruff: noqa: DTZ001, DTZ901 - what a clock on the wall shows has no zone
from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolnexus.clock import parse_instant
from toolnexus.heartbeat.due import Record, next_match, next_slot
from toolnexus.heartbeat.zone import describe, home_zone, instant_of
from toolnexus.home.schedule import At, Cron, Every, parse_cron, parse_schedule

BERLIN = ZoneInfo("Europe/Berlin")
ZONES = [ZoneInfo(name) for name in ("Europe/Berlin", "America/New_York", "Australia/Lord_Howe")]
ZONES += [ZoneInfo("Asia/Kathmandu"), UTC]


def slots(schedule: str, seen: str, number: int, zone=BERLIN) -> list[str]:
    """Return the first slots of a task that is done at each of them, on the home's clock."""
    record = Record(parse_instant(seen))
    found = []
    for _ in range(number):
        slot = next_slot(parse_schedule(schedule), record, zone)
        found.append(slot.astimezone(zone).strftime("%m-%d %H:%M"))
        record = Record(record.seen, slot)
    return found


@pytest.mark.parametrize(
    ("schedule", "seen", "wanted"),
    [
        ("every 3d at 09:00", "2026-11-30T07:00:00Z", ["11-30 09:00", "12-03 09:00"]),
        ("every 3d at 09:00", "2026-11-30T08:00:00Z", ["12-01 09:00", "12-04 09:00"]),
        ("every 1w at 19:00", "2026-11-30T19:00:00Z", ["12-01 19:00", "12-08 19:00"]),
        ("every 2h", "2026-11-30T07:00:40Z", ["11-30 10:00", "11-30 12:00"]),
        ("every 1d", "2026-11-30T07:15:00Z", ["12-01 08:15", "12-02 08:15"]),
        ("cron 0 9 * * 1", "2026-11-30T08:00:00Z", ["12-07 09:00", "12-14 09:00"]),
        ("cron 0 0 29 2 *", "2027-01-01T00:00:00Z", ["02-29 00:00", "02-29 00:00"]),
        ("cron 0 0 13 * 5", "2026-11-30T08:00:00Z", ["12-04 00:00", "12-11 00:00", "12-13 00:00"]),
    ],
)
def test_slots_follow_the_first_sight(schedule, seen, wanted):
    """A task is first due at its next slot after it was seen, then at each slot after that."""
    assert slots(schedule, seen, len(wanted)) == wanted


@pytest.mark.parametrize(
    ("schedule", "seen", "wanted"),
    [
        # 2027-03-28 02:00 becomes 03:00 in Berlin.
        (
            "every 1d at 02:30",
            "2027-03-26T12:00:00Z",
            ["03-27 02:30", "03-28 03:00", "03-29 02:30"],
        ),
        ("every 1d at 09:00", "2027-03-27T12:00:00Z", ["03-28 09:00", "03-29 09:00"]),
        ("cron 30 2 * * *", "2027-03-27T12:00:00Z", ["03-28 03:00", "03-29 02:30"]),
        ("cron 0 * * * *", "2027-03-28T00:00:00Z", ["03-28 03:00", "03-28 04:00"]),
        ("every 12h", "2027-03-27T20:00:00Z", ["03-28 10:00", "03-28 22:00"]),
        # 2026-10-25 03:00 becomes 02:00.
        ("every 1d at 02:30", "2026-10-24T12:00:00Z", ["10-25 02:30", "10-26 02:30"]),
        ("cron 30 2 * * *", "2026-10-24T12:00:00Z", ["10-25 02:30", "10-26 02:30"]),
        ("cron 0 * * * *", "2026-10-24T23:30:00Z", ["10-25 02:00", "10-25 02:00", "10-25 03:00"]),
    ],
)
def test_slots_are_right_where_the_clocks_change(schedule, seen, wanted):
    """A skipped time is kept at the jump, a repeated one once, an hourly one in both hours."""
    assert slots(schedule, seen, len(wanted)) == wanted


def test_a_moment_is_the_home_clocks():
    """A date alone means the start of that day in the home's zone."""
    record = Record(parse_instant("2030-01-01T00:00:00Z"))
    slot = next_slot(parse_schedule("at 2027-01-15"), record, BERLIN)
    assert slot == parse_instant("2027-01-14T23:00:00Z")


def test_missed_slots_are_one():
    """After any number of missed slots the task is due once, and next at a slot to come."""
    schedule = parse_schedule("every 1d at 09:00")
    seen, back = parse_instant("2026-11-01T00:00:00Z"), parse_instant("2026-11-20T12:00:00Z")
    assert next_slot(schedule, Record(seen), UTC) <= back
    assert next_slot(schedule, Record(seen, back), UTC) == parse_instant("2026-11-21T09:00:00Z")


@pytest.mark.parametrize("moment", [datetime.min, datetime.max])
@pytest.mark.parametrize("zone", ZONES)
def test_the_ends_of_the_calendar_are_instants_too(moment, zone):
    """A year that no zone's offset can be added to raises nothing."""
    assert instant_of(moment, zone).tzinfo is UTC


INSTANTS = st.datetimes(datetime(2020, 1, 1), datetime(2035, 1, 1), timezones=st.just(UTC))
EVERIES = st.one_of(
    st.builds(Every, st.integers(1, 5000).map(lambda n: timedelta(minutes=n))),
    st.builds(
        Every,
        st.integers(1, 20).map(lambda n: timedelta(days=n)),
        st.times().map(lambda at: time(at.hour, at.minute)),
    ),
)
CRONS = st.builds(
    "{} {} {} * {}".format,
    st.sampled_from(["*", "*/15", "0", "30", "5,35"]),
    st.sampled_from(["*", "*/4", "2", "9-17", "0"]),
    st.sampled_from(["*", "1", "31", "*/10"]),
    st.sampled_from(["*", "1", "0,6"]),
).map(parse_cron)


@pytest.mark.slow
@settings(max_examples=150)
@given(EVERIES | CRONS, INSTANTS, st.none() | INSTANTS, st.sampled_from(ZONES))
def test_the_next_slot_is_always_ahead(schedule, seen, done, zone):
    """It comes after both the first sight and the last time, and is the same when asked again."""
    record = Record(seen, done)
    slot = next_slot(schedule, record, zone)
    assert slot is not None
    assert slot > record.base
    if isinstance(schedule, Every):
        assert slot - record.base <= schedule.interval + timedelta(days=1, hours=2)


@settings(max_examples=60)
@given(CRONS, INSTANTS, st.sampled_from(ZONES))
def test_cron_agrees_with_looking_at_every_minute(cron: Cron, after, zone):
    """Away from changes of the clock the next match is the first minute that fits."""
    found = next_match(cron, after, zone)
    local = found.astimezone(zone)
    fits = local.minute in cron.minutes and local.hour in cron.hours
    if fits:
        minute = after.replace(second=0, microsecond=0) + timedelta(minutes=1)
        end = min(found, minute + timedelta(hours=30))
        while minute < end:
            seen = minute.astimezone(zone)
            is_day = _day_fits(cron, seen)
            repeated = seen.fold == 1 and len(cron.hours) < 24
            clock = seen.minute in cron.minutes and seen.hour in cron.hours
            assert not (is_day and clock) or repeated
            minute += timedelta(minutes=1)
    else:  # a time that the clock jumped over
        assert (found - timedelta(minutes=1)).astimezone(zone).utcoffset() != local.utcoffset()


def _day_fits(cron: Cron, seen: datetime) -> bool:
    in_month, in_week = seen.day in cron.days, seen.isoweekday() % 7 in cron.weekdays
    return (in_month or in_week) if cron.either_day else (in_month and in_week)


@given(st.datetimes(datetime(2000, 1, 1), datetime(2040, 1, 1)), st.sampled_from(ZONES))
def test_a_reading_of_the_clock_is_an_instant(reading, zone):
    """The instant shows the reading again, unless the clock jumps over it: then it is the jump."""
    shown = instant_of(reading, zone).astimezone(zone).replace(tzinfo=None)
    assert shown == reading or reading < shown <= reading + timedelta(hours=2)


def test_the_machines_zone_stands_in(monkeypatch):
    """Without a setting $TZ decides, and nonsense in it is UTC."""
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    assert str(home_zone(None)) == "Asia/Tokyo"
    monkeypatch.setenv("TZ", "../nonsense")
    assert home_zone(None) is UTC
    monkeypatch.delenv("TZ")
    assert home_zone(None).utcoffset(datetime(2026, 1, 1)) is not None


def test_an_instant_is_described_for_people():
    """Weekday, date, time, zone and offset stand there."""
    shown = describe(parse_instant("2026-11-30T08:00:00Z"), BERLIN)
    assert shown == "Monday, 2026-11-30 09:00 (Europe/Berlin, UTC+01:00)"
    assert describe(parse_instant("2026-11-30T08:00:00Z"), UTC).endswith("08:00 (UTC)")


def test_a_done_moment_is_an_at():
    """One-time tasks keep their moment whatever their past."""
    moment = datetime(2027, 1, 15, 9)
    record = Record(parse_instant("2028-01-01T00:00:00Z"), parse_instant("2029-01-01T00:00:00Z"))
    assert next_slot(At(moment), record, UTC) == moment.replace(tzinfo=UTC)
