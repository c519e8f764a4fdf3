"""Tasks of HEARTBEAT.md: what is one, when it is due, and what cannot be read."""

from __future__ import annotations

from datetime import datetime, time, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolnexus.home.schedule import At, BadSchedule, Every, parse_schedule
from toolnexus.home.tasks import is_empty_heartbeat, parse_tasks
from toolnexus.settings.cron import Cron, parse_cron

NINE_THIRTY = datetime.fromisoformat("2027-01-15T09:30")


def test_the_designs_own_example_is_read():
    """Boxes, schedules, lines and words are told apart."""
    tasks, problems = parse_tasks(
        "Some prose.\n\n## Tasks\n"
        "- [ ] Water the plants (every 3d at 09:00)\n"
        "- [ ] Renew the passport (at 2027-01-15)\n"
        "- [ ] Review open questions (cron 0 9 * * 1)\n"
        "- [ ] Keep an eye on the build\n"
        "- [x] Book the dentist (at 2026-11-20)\n"
    )
    assert problems == ()
    assert [(task.text, task.line, task.done) for task in tasks] == [
        ("Water the plants", 4, False),
        ("Renew the passport", 5, False),
        ("Review open questions", 6, False),
        ("Keep an eye on the build", 7, False),
        ("Book the dentist", 8, True),
    ]
    assert tasks[0].schedule == Every(timedelta(days=3), time(9))
    assert tasks[1].schedule == At(datetime.fromisoformat("2027-01-15"))
    assert isinstance(tasks[2].schedule, Cron)
    assert tasks[3].schedule is None


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("# TASKS\n- a\n", ["a"]),
        ("Tasks\n-----\n* a\n", ["a"]),
        ("## Tasks\n### Home\n- a\n", ["a"]),
        ("## Tasks\n- a\n## Notes\n- b\n", ["a"]),
        ("## My tasks\n- a\n", []),
        ("- a\n", []),
        ("## Tasks\nprose\n", []),
        ("## Tasks\n- [ ]\n-\n", []),
        ("## Tasks\n- a\n  - detail\n  - [ ] b\n", ["a", "b"]),
        ("## Tasks\n1. a\n", ["a"]),
        ("## Tasks\n```\n- a\n```\n<!-- - b -->\n", []),
        ("## Tasks\r\n- a\r\n", ["a"]),
    ],
)
def test_tasks_are_list_items_under_their_heading(text, found):
    """A heading of any level and case; detail without a box and other lists are no tasks."""
    assert [task.text for task in parse_tasks(text)[0]] == found


@pytest.mark.parametrize(
    ("item", "words", "schedule"),
    [
        ("Ask (every 30m)", "Ask", Every(timedelta(minutes=30))),
        ("Ask (Every 2h)", "Ask", Every(timedelta(hours=2))),
        ("Ask (every 1w)", "Ask", Every(timedelta(weeks=1))),
        ("Ask (Ana) (at 2027-01-15 09:30)", "Ask (Ana)", At(NINE_THIRTY)),
        ("Ask (at 2027-01-15T09:30).", "Ask.", At(NINE_THIRTY)),
        ("Ask (at the station) about (Ana)", "Ask (at the station) about (Ana)", None),
        ("Ask (attend it)", "Ask (attend it)", None),
        ("Ask (everything)", "Ask (everything)", None),
        ("Ask (soon)", "Ask (soon)", None),
        ("Ask every 3d", "Ask every 3d", None),
        ("Ask every 3d)", "Ask every 3d)", None),
    ],
)  # fmt: skip
def test_only_a_last_parenthesis_is_a_schedule(item, words, schedule):
    """Parentheses that are not last, or begin with another word, are the task's own words."""
    (task,), problems = parse_tasks(f"## Tasks\n- [ ] {item}\n")
    assert (task.text, task.schedule, problems) == (words, schedule, ())


@pytest.mark.parametrize(
    "schedule",
    [
        "at 15:00", "at", "at noon", "at 2027-13-01", "at 2027-02-30", "at 2027-01-15 25:00",
        "at 2027-01-15 9:00", "every", "every 0d", "every day", "every 3 apples", "every -1d",
        "every 3d at 9", "every 3d at 25:00", "every 30m at 09:00", "every 999999w",
        "every 3d (roughly)", "cron", "cron 0 9 * *", "cron 0 9 * * 1 2", "cron 60 * * * *",
        "cron * 24 * * *", "cron * * 0 * *", "cron * * 32 * *", "cron * * * 13 *",
        "cron * * * * 8", "cron 5-1 * * * *", "cron */0 * * * *", "cron a * * * *",
        "cron 1,,2 * * * *", "cron mon * * * *", "cron 0 0 30 feb *", "cron @daily",
        "cron ٣ * * * *", "cron */٣ * * * *", "cron 00001234 * * * *", "every ٣d", "at ٢٠٢٧-01-15",
    ],
)  # fmt: skip
def test_a_schedule_that_cannot_be_read_is_a_problem(schedule):
    """It is told with its line, a reason and a rule, and the task is never run at a guess."""
    tasks, problems = parse_tasks(f"# Tasks\n\n- [ ] ok\n- [ ] Ask ({schedule})\n")
    assert [task.text for task in tasks] == ["ok"]
    assert [(problem.rule, problem.line) for problem in problems] == [("bad-task", 4)]
    assert problems[0].message


@pytest.mark.parametrize(
    ("expression", "field", "values"),
    [
        ("*/20 * * * *", "minutes", {0, 20, 40}),
        ("5/20 * * * *", "minutes", {5, 25, 45}),
        ("0 8-20/4 * * *", "hours", {8, 12, 16, 20}),
        ("0 0 1,15 * *", "days", {1, 15}),
        ("0 0 1 jan,Mar-May *", "months", {1, 3, 4, 5}),
        ("0 0 * * mon-fri", "weekdays", {1, 2, 3, 4, 5}),
        ("0 0 * * 7", "weekdays", {0}),
        ("0 0 * * 5-7", "weekdays", {5, 6, 0}),
        ("0 0 * * */2", "weekdays", {0, 2, 4, 6}),
    ],
)
def test_cron_fields_are_read(expression, field, values):
    """Lists, ranges, steps and names give the values that cron gives them."""
    assert set(getattr(parse_schedule(f"cron {expression}"), field)) == values


def test_cron_knows_when_either_day_suffices():
    """Day of month and of week both restricted match when either does, as cron has it."""
    assert parse_cron("0 0 13 * 5").either_day
    assert not parse_cron("0 0 13 * *").either_day
    assert not parse_cron("0 0 * * 5").either_day


@pytest.mark.parametrize("step", ["*/60 * * * *", "0 */24 * * *", "0 0 */31 * *"])
def test_a_step_beyond_the_field_leaves_its_first_value(step):
    """A task and the settings read such a step alike: the field's first value is what is left."""
    cron = parse_schedule(f"cron {step}")
    assert cron == parse_cron(step)
    assert (cron.minutes[0], cron.hours[0], cron.days[0]) == (0, 0, 1)
    assert 1 in {len(cron.minutes), len(cron.hours), len(cron.days)}


@settings(max_examples=200, deadline=None)
@given(
    st.sampled_from(["at ", "every ", "cron ", "cron * * * * "]),
    st.text("0123456789dhmw*/-,: Tmonjan", max_size=16),
)
def test_any_schedule_is_read_or_refused(word, rest):
    """No text makes the reader fail in any other way than by saying what is wrong."""
    try:
        schedule = parse_schedule(word + rest)
    except BadSchedule:
        return
    assert isinstance(schedule, At | Every | Cron)


@pytest.mark.parametrize(
    ("text", "is_empty"),
    [
        ("", True),
        ("# Heartbeat\n\n## Tasks\n<!-- add tasks -->\n- [ ]\n-\n* [x]\n", True),
        ("---\ntitle: x\n---\n", True),
        ("---\n\n***\n", True),
        ("<!-- a\n\n- b\n-->\n", True),
        ("# Heartbeat\nLook around.\n", False),
        ("- [x] done\n", False),
        ("```\ncode\n```\n", False),
        ("Nothing to do here.\n", False),
    ],
)
def test_emptiness_is_judged_by_structure(text, is_empty):
    """Headings, comments, blanks and empty items ask for nothing; any word does."""
    assert is_empty_heartbeat(text) == is_empty
