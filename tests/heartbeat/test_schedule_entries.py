"""Entries of schedulers: each is read again by what stands for its scheduler."""

from __future__ import annotations

import configparser
import json
import re
import shlex
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolnexus import safe_yaml
from toolnexus.cli.main import main
from toolnexus.cli.schedule_entries import (
    ENTRIES,
    calendar_of,
    cron_entry,
    cron_of,
    k8s_entry,
    plan_schedule,
    systemd_entry,
)
from toolnexus.settings import Settings, parse_settings
from toolnexus.settings.cron import parse_cron

ODD = '/srv/my homes/100% "Ava" $HOME'
SETTINGS = parse_settings(
    "heartbeat: {cron: '*/30 8-20 * * 1-5', timezone: Europe/Berlin}\ndream: {every: 6h}\n"
)


def plan(settings: Settings = SETTINGS, home: str = "/srv/ava"):
    return plan_schedule(settings, "Ava", home, "/usr/bin/toolnexus")


def crontab_lines(text: str) -> list[tuple[str, str]]:
    """Read a crontab: schedule and command of each line that is no comment and sets nothing."""
    lines = [line for line in text.splitlines() if not re.match(r"#|\w+=", line)]
    found = []
    for line in lines:
        words = line.split(None, 5)
        parse_cron(" ".join(words[:5]))
        found.append((" ".join(words[:5]), words[5].replace(r"\%", "%")))
    return found


def test_a_crontab_says_what_the_settings_say():
    """Our cron parser reads its lines, the zone stands above them, and a shell finds the home."""
    [file] = cron_entry(plan(home=ODD))
    beat, dream = crontab_lines(file.text)
    assert beat[0] == "*/30 8-20 * * 1-5"
    assert shlex.split(beat[1]) == ["/usr/bin/toolnexus", "beat", ODD]
    assert dream[0] == "0 */6 * * *"
    assert shlex.split(dream[1])[:4] == ["/usr/bin/toolnexus", "dream", "--quiet", ODD]
    assert "CRON_TZ=Europe/Berlin\n" in file.text


def test_systemd_units_can_be_read():
    """Each job has a service and a timer with the sections that systemd asks for."""
    files = {file.path.rpartition("/")[2]: file.text for file in systemd_entry(plan(home=ODD))}
    assert sorted(files) == [
        f"toolnexus-ava-{job}.{kind}" for job in ("beat", "dream") for kind in ("service", "timer")
    ]
    for name, text in files.items():
        unit = configparser.ConfigParser(interpolation=None, strict=False)
        unit.optionxform = str
        unit.read_string(text)
        if name.endswith("service"):
            assert unit["Service"]["Type"] == "oneshot"
            command = unit["Service"]["ExecStart"]
            assert command.endswith(r'"/srv/my homes/100%% \"Ava\" $$HOME"')
        else:
            assert unit["Timer"]["Persistent"] == "true"
            assert unit["Install"]["WantedBy"] == "timers.target"
            assert unit["Timer"]["OnCalendar"].endswith(":00 Europe/Berlin")


@pytest.mark.parametrize(
    ("cron", "events"),
    [
        ("*/30 * * * *", ("*-*-* *:00,30:00",)),
        ("0 9 * * 1", ("Mon *-*-* 09:00:00",)),
        ("5 4 1 1,7 *", ("*-01,07-01 04:05:00",)),
        ("0 0 13 * 5", ("*-*-13 00:00:00", "Fri *-*-* 00:00:00")),
    ],
)
def test_calendar_events_mean_what_cron_means(cron, events):
    """Lists, weekdays and days of the month are carried over; either day gives two events."""
    assert calendar_of(parse_cron(cron), None) == events


def test_kubernetes_jobs_can_be_read():
    """Two CronJobs with names that Kubernetes takes, the home's zone, and one job at a time."""
    [file] = k8s_entry(plan())
    documents = [safe_yaml.load(part) for part in file.text.split("---\n")]
    for job, document in zip(("beat", "dream"), documents, strict=True):
        assert (document["apiVersion"], document["kind"]) == ("batch/v1", "CronJob")
        assert re.fullmatch(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?", document["metadata"]["name"])
        spec = document["spec"]
        parse_cron(spec["schedule"])
        assert (spec["timeZone"], spec["concurrencyPolicy"]) == ("Europe/Berlin", "Forbid")
        [container] = spec["jobTemplate"]["spec"]["template"]["spec"]["containers"]
        assert container["command"][:2] == ["toolnexus", job]


def test_a_workflow_can_be_read():
    """Its triggers are cron schedules, and each job's steps beat or dream by which one fired."""
    [file] = ENTRIES["github"](plan())
    workflow = safe_yaml.load(file.text)
    crons = [item["cron"] for item in workflow["on"]["schedule"]]
    assert [parse_cron(cron).text for cron in crons] == ["*/30 8-20 * * 1-5", "0 */6 * * *"]
    steps = {
        step["run"]: step["if"] for step in workflow["jobs"]["persona"]["steps"] if "if" in step
    }
    assert steps["toolnexus beat ."] == "github.event.schedule != '0 */6 * * *'"
    assert steps["toolnexus dream ."] == "github.event.schedule == '0 */6 * * *'"


def test_a_workflow_knows_a_home_inside_its_repository(ava, capsys):
    """Where the home is a folder of the repository, jobs, state and commit are that folder's."""
    (ava.root.parent / ".git").mkdir()
    assert main(["schedule", str(ava.root), "github"]) == 0
    [job] = safe_yaml.load(capsys.readouterr().out)["jobs"].values()
    runs = [step["run"] for step in job["steps"] if "run" in step]
    assert runs[1:3] == ["toolnexus beat ./ava", "toolnexus dream ./ava"]
    assert "git add --all -- ./ava\n" in runs[3]
    assert [s["with"]["path"] for s in job["steps"] if "cache" in s.get("uses", "")] == [
        "ava/.toolnexus"
    ]


NAMES = st.text(min_size=1, max_size=60)
PATHS = st.text(st.characters(exclude_categories=["C", "Zl", "Zp"]), min_size=1, max_size=30).map(
    lambda text: f"/{text}"
)


@given(NAMES, PATHS)
def test_no_name_and_no_path_breaks_an_entry(name, home):
    """Whatever a persona and its folder are called, each entry stays what it is."""
    made = plan_schedule(SETTINGS, name, home, "toolnexus")
    [crontab] = cron_entry(made)
    assert shlex.split(crontab_lines(crontab.text)[0][1])[-1] == home
    for document in k8s_entry(made)[0].text.split("---\n"):
        assert len(safe_yaml.load(document)["metadata"]["name"]) <= 63
    inside = plan_schedule(SETTINGS, name, home, "toolnexus", home[1:])
    [job] = safe_yaml.load(ENTRIES["github"](inside)[0].text)["jobs"].values()
    beat = next(step["run"] for step in job["steps"] if "beat" in step.get("run", ""))
    assert shlex.split(beat)[-1] == f".{home}"
    assert all("\n" not in line for file in systemd_entry(made) for line in file.path.split("\n"))


@given(st.integers(1, 10_000_000).map(lambda seconds: timedelta(seconds=seconds)))
def test_any_interval_becomes_one_that_cron_can_say(every):
    """It is not longer, unless under a minute or over a week, and a difference is noted."""
    text, meant = cron_of(every)
    parse_cron(text)
    assert meant <= every or every < timedelta(minutes=1)
    noted = plan_schedule(
        parse_settings(f"dream: {{every: {int(every.total_seconds())}s}}"), "a", "/", "t"
    )
    assert bool(noted.timings[1].note) is (meant != every)


@pytest.mark.parametrize("kind", list(ENTRIES))
def test_the_command_prints_an_entry(ava, capsys, monkeypatch, kind):
    """As text with the files' names, and as a document."""
    monkeypatch.chdir(ava.root)
    assert main(["schedule", ".", kind]) == 0
    text = capsys.readouterr().out
    assert main(["schedule", kind, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["schema"], document["kind"]) == ("toolnexus/schedule/1", kind)
    assert all(file["text"].strip() in text for file in document["files"])
    assert str(ava.root) in text or kind in {"k8s", "github"}


def test_an_unknown_scheduler_is_wrong_usage(ava, capsys):
    """The ones that there are, are named."""
    assert main(["schedule", str(ava.root), "windows"]) == 2
    assert "systemd" in capsys.readouterr().err
