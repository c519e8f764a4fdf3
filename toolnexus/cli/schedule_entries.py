"""Entries of schedulers that run a home's beats and dreams, as texts. Pure."""

from __future__ import annotations

import json
import re
import shlex
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Literal
from zlib import crc32

from toolnexus.app.pacing import BEAT_EVERY, DREAM_EVERY
from toolnexus.settings.cron import Cron, parse_cron

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from toolnexus.settings import Settings

Job = Literal["beat", "dream"]

NIGHT_HOUR = 3

_MINUTE, _HOUR, _DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
_WEEKDAYS = ("Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat")
_ALL_MONTHS, _ALL_DAYS, _ALL_HOURS = 12, 31, 24


@dataclass(frozen=True, slots=True)
class Timing:
    """When a job of a home runs.

    Attributes:
        job: ``beat`` or ``dream``.
        cron: A cron schedule.
        note: How it differs from what the settings say; empty when it does not.
    """

    job: Job
    cron: Cron
    note: str = ""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be scheduled.

    Attributes:
        name: The persona's name, as a word of small letters, digits and ``-``.
        home: The home's absolute path.
        program: How toolnexus is called.
        zone: The home's IANA zone; None stands for the machine's.
        timings: When its jobs run.
        inside: The home's path in its git repository; ``.`` where it is the repository.
    """

    name: str
    home: str
    program: str
    zone: str | None
    timings: tuple[Timing, ...]
    inside: str = "."


@dataclass(frozen=True, slots=True)
class EntryFile:
    """A file of an entry: where it goes, which may be a command to edit it by, and its text."""

    path: str
    text: str


def plan_schedule(
    settings: Settings, name: str, home: str, program: str, inside: str = "."
) -> Plan:
    """Decide when a home's jobs run: as its settings say, else beats each half hour, a dream a day.

    Args:
        settings: The home's settings.
        name: The persona's name.
        home: The home's absolute path.
        program: How toolnexus is called.
        inside: The home's path in its git repository.
    """
    word = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:40].rstrip("-") or "persona"
    heart = settings.heartbeat
    beat = Timing("beat", heart.cron) if heart.cron else _timing("beat", heart.every, word)
    dream = _timing("dream", settings.dream.every, word)
    return Plan(word, home, program, heart.timezone, (beat, dream), inside)


def cron_of(every: timedelta, minute: int = 0) -> tuple[str, timedelta]:
    """Write an interval as cron can: the nearest one that is not longer and divides an hour or day.

    Args:
        every: The interval.
        minute: The minute at which jobs of the night run.

    Returns:
        The cron schedule, and the interval that it stands for.

    Example:
        >>> cron_of(timedelta(minutes=45))
        ('*/30 * * * *', datetime.timedelta(seconds=1800))
    """
    if every < _HOUR:
        step = max(
            n for n in (1, 2, 3, 4, 5, 6, 10, 12, 15, 20, 30) if n == 1 or n * _MINUTE <= every
        )
        return ("* * * * *" if step == 1 else f"*/{step} * * * *"), step * _MINUTE
    if every < _DAY:
        step = max(n for n in (1, 2, 3, 4, 6, 8, 12) if n * _HOUR <= every)
        return ("0 * * * *" if step == 1 else f"0 */{step} * * *"), step * _HOUR
    if every < 7 * _DAY:
        return f"{minute} {NIGHT_HOUR} * * *", _DAY
    return f"{minute} {NIGHT_HOUR} * * 1", 7 * _DAY


def _timing(job: Job, every: timedelta | None, name: str) -> Timing:
    wanted = every or (BEAT_EVERY if job == "beat" else DREAM_EVERY)
    text, meant = cron_of(wanted, crc32(name.encode()) % 60)  # homes do not all dream at once
    note = "" if meant == wanted else f"the settings say every {wanted}; cron can say every {meant}"
    return Timing(job, parse_cron(text), note)


def cron_entry(plan: Plan) -> tuple[EntryFile, ...]:
    """Write lines for a crontab."""
    lines = [
        f"# {plan.name}: paste these lines with 'crontab -e'. cron mails what they print, which is",
        "# what the persona has to say and what goes wrong. Set MAILTO, TOOLNEXUS_MODEL and the",
        "# model's key above them.",
    ]
    if plan.zone:
        lines += ["# Debian's and Ubuntu's cron knows no CRON_TZ: there hours are the machine's."]
        lines.append(f"CRON_TZ={plan.zone}")
    for timing in plan.timings:
        lines += [f"# {timing.note}"] if timing.note else []
        words = shlex.join([plan.program, timing.job, *_options(timing.job), plan.home])
        rest = " >/dev/null" if timing.job == "dream" else ""  # its report is in the log
        lines.append(f"{timing.cron.text} {words}".replace("%", r"\%") + rest)
    return (EntryFile("crontab", _joined(lines)),)


def systemd_entry(plan: Plan) -> tuple[EntryFile, ...]:
    """Write a service and a timer for each job, for the user's systemd."""
    return tuple(unit for timing in plan.timings for unit in _units(plan, timing))


def _units(plan: Plan, timing: Timing) -> Iterator[EntryFile]:
    unit = f"toolnexus-{plan.name}-{timing.job}"
    words = [plan.program, timing.job, *_options(timing.job), plan.home]
    service = [
        "[Unit]",
        f"Description=toolnexus {timing.job} of {plan.name}",
        "",
        "[Service]",
        "Type=oneshot",
        f"ExecStart={' '.join(map(_systemd_word, words))}",
        "# TOOLNEXUS_MODEL=… and the model's key, one a line, readable by you alone:",
        f"EnvironmentFile=-%h/.config/toolnexus/{plan.name}.env",
    ]
    timer = ["[Unit]", f"Description=When {unit} runs", "", "[Timer]"]
    timer += [f"# {timing.note}"] if timing.note else []
    timer += [f"OnCalendar={when}" for when in calendar_of(timing.cron, plan.zone)]
    timer += ["Persistent=true", "", "[Install]", "WantedBy=timers.target"]
    folder = "~/.config/systemd/user"
    yield EntryFile(f"{folder}/{unit}.service", _joined(service))
    yield EntryFile(f"{folder}/{unit}.timer", _joined(timer))


def calendar_of(cron: Cron, zone: str | None) -> tuple[str, ...]:
    """Write a cron schedule as systemd's calendar events; two where either day suffices.

    Example:
        >>> calendar_of(parse_cron("*/30 8,9 * * 1-5"), "Europe/Berlin")
        ('Mon,Tue,Wed,Thu,Fri *-*-* 08,09:00,30:00 Europe/Berlin',)
    """
    months = _listed(cron.months, _ALL_MONTHS)
    hours = _listed(cron.hours, _ALL_HOURS)
    minutes = ",".join(f"{minute:02}" for minute in cron.minutes)
    clock = " ".join(filter(None, (f"{hours}:{minutes}:00", zone)))
    days = _listed(cron.days, _ALL_DAYS)
    weekdays = ",".join(_WEEKDAYS[day] for day in cron.weekdays)
    if cron.any_weekday:
        return (f"*-{months}-{days} {clock}",)
    if cron.any_day:
        return (f"{weekdays} *-{months}-{days} {clock}",)
    return (f"*-{months}-{days} {clock}", f"{weekdays} *-{months}-* {clock}")


def k8s_entry(plan: Plan) -> tuple[EntryFile, ...]:
    """Write a CronJob for each job; the home lies on a volume, keys in a secret."""
    documents = "---\n".join(_cron_job(plan, timing) for timing in plan.timings)
    return (EntryFile(f"toolnexus-{plan.name}.yaml", documents),)


def _cron_job(plan: Plan, timing: Timing) -> str:
    name = f"toolnexus-{plan.name}"
    words = json.dumps(["toolnexus", timing.job, *_options(timing.job), "/persona"])
    lines = [
        f"# {timing.note}" if timing.note else "",
        "apiVersion: batch/v1",
        "kind: CronJob",
        "metadata:",
        f"  name: {name}-{timing.job}",
        "spec:",
        f"  schedule: {json.dumps(timing.cron.text)}",
        f"  timeZone: {json.dumps(plan.zone)}" if plan.zone else "",
        "  concurrencyPolicy: Forbid",
        "  jobTemplate:",
        "    spec:",
        "      backoffLimit: 0",
        "      template:",
        "        spec:",
        "          restartPolicy: Never",
        "          containers:",
        f"            - name: {timing.job}",
        "              image: toolnexus:latest  # yours: python:3.12-slim, pip install toolnexus",
        f"              command: {words}",
        "              envFrom:",
        f"                - secretRef: {{name: {name}, optional: true}}",
        "              volumeMounts:",
        "                - {name: persona, mountPath: /persona}",
        "          volumes:",
        f"            - {{name: persona, persistentVolumeClaim: {{claimName: {name}}}}}",
    ]
    return _joined(line for line in lines if line)


def github_entry(plan: Plan) -> tuple[EntryFile, ...]:
    """Write a workflow for the repository that the home lies in, or is; its clock is UTC."""
    beat, dream = plan.timings
    home = shlex.quote(f"./{plan.inside}") if plan.inside != "." else "."
    state = ".toolnexus" if plan.inside == "." else f"{plan.inside}/.toolnexus"
    zone = f" The home's zone is {plan.zone}." if plan.zone else ""
    text = f"""\
name: {json.dumps(f"toolnexus {plan.name}")}
# GitHub's clock is UTC, and it may start minutes late.{zone}
on:
  schedule:
    - cron: {json.dumps(beat.cron.text)}
    - cron: {json.dumps(dream.cron.text)}
  workflow_dispatch:
permissions:
  contents: write
concurrency:
  group: {json.dumps(f"toolnexus-{plan.name}")}
jobs:
  persona:
    runs-on: ubuntu-latest
    env:
      TOOLNEXUS_MODEL: ${{{{ vars.TOOLNEXUS_MODEL }}}}
      OPENAI_API_KEY: ${{{{ secrets.OPENAI_API_KEY }}}}
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-python@v5
        with:
          python-version: "3.12"
      - uses: actions/cache@v4
        with:
          path: {_double(state)}
          key: toolnexus-{plan.name}-${{{{ github.run_id }}}}
          restore-keys: toolnexus-{plan.name}-
      - run: pip install toolnexus
      - if: github.event.schedule != {_single(dream.cron.text)}
        run: {_double(f"toolnexus beat {home}")}
      - if: github.event.schedule == {_single(dream.cron.text)}
        run: {_double(f"toolnexus dream {home}")}
      - if: always()
        run: |
          git add --all -- {home}
          git diff --cached --quiet && exit 0
          git -c user.name=toolnexus -c user.email=toolnexus@localhost commit -m "toolnexus"
          git push
"""
    return (EntryFile(f".github/workflows/toolnexus-{plan.name}.yml", text),)


ENTRIES: dict[str, Callable[[Plan], Sequence[EntryFile]]] = {
    "cron": cron_entry,
    "systemd": systemd_entry,
    "k8s": k8s_entry,
    "github": github_entry,
}


def _options(job: Job) -> tuple[str, ...]:
    """A dream tells of its progress, which cron would mail every night."""
    return ("--quiet",) if job == "dream" else ()


def _listed(values: Sequence[int], every: int) -> str:
    return "*" if len(values) == every else ",".join(f"{value:02}" for value in values)


def _systemd_word(word: str) -> str:
    """Quote a word for ExecStart, where ``%`` and ``$`` have a meaning of their own."""
    escaped = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%").replace("$", "$$")
    return escaped if re.fullmatch(r"[\w./%$@:+-]+", escaped) else f'"{escaped}"'


def _single(text: str) -> str:
    return f"'{text}'"


def _double(text: str) -> str:
    """Quote a text for YAML, whose escapes are JSON's but for letters beyond the first 65,536."""
    return json.dumps(text, ensure_ascii=False)


def _joined(lines: Sequence[str] | Iterator[str]) -> str:
    return "\n".join(lines) + "\n"
