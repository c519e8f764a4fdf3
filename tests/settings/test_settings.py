"""persona.yaml: what it may say, and how each mistake is told."""

from __future__ import annotations

from datetime import time, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolnexus.errors import ConfigError
from toolnexus.settings import (
    ActiveHours,
    Delivery,
    EvolveSettings,
    McpServer,
    Settings,
    parse_duration,
    parse_settings,
    read_settings,
    resolve_model,
    settings_problems,
)
from toolnexus.settings.cron import parse_cron
from toolnexus.settings.secrets import looks_like_secret

FULL = """\
name: ava
owner: Maria
layout: persona
model: openai/gpt-4o-mini
memory: {cap: {lines: 100, bytes: 9000}, soul_bytes: 70000}
transcripts: {path: ./talks//all, evidence_roles: [user]}
index: {embedding: litellm/openai/text-embedding-3-small, server: http://localhost:8000}
mcp_servers:
  files: {command: mcp-files, args: [--root, 8], env: [FILES_TOKEN], allow: [read]}
  web: {url: https://tools.example.org/mcp}
heartbeat:
  every: 30m
  timezone: Europe/Berlin
  active_hours: 22:00-06:00
  ack_max_chars: 10
  budget: {usd_per_day: 0.50, tokens_per_beat: 20000}
  deliver: [stdout, {command: [notify, -u]}, env:PUSH_URL, ntfy://example]
dream:
  every: 1d
  model: none
  learn: true
  max_change: 1
  budget: {usd: 0, tokens: 200000, calls: 100, seconds: 900}
  commit: true
evolve: {half_lives: {stable: 100d, transient: 36h, ephemeral: 10m}, faded_below: 0.05}
"""


def messages(text: str) -> list[str]:
    return [f"{found.line}: {found.message} ({found.hint})" for found in settings_problems(text)]


def test_every_key_is_read() -> None:
    """A file with every documented key gives every value, in its unit."""
    read = parse_settings(FULL)
    assert (read.name, read.owner, read.layout) == ("ava", "Maria", "persona")
    assert (read.memory.cap_lines, read.memory.cap_bytes, read.memory.soul_bytes) == (
        100,
        9000,
        70000,
    )
    assert read.transcripts.path == "talks/all"
    assert read.index.server == "http://localhost:8000"
    assert read.mcp_servers == (
        McpServer("files", "mcp-files", ("--root", "8"), ("FILES_TOKEN",), None, ("read",)),
        McpServer("web", url="https://tools.example.org/mcp"),
    )
    assert read.heartbeat.every == timedelta(minutes=30)
    assert read.heartbeat.active_hours == ActiveHours(time(22), time(6))
    assert read.heartbeat.deliver == (
        Delivery(),
        Delivery("command", ("notify", "-u")),
        Delivery("env", ("PUSH_URL",)),
        Delivery("url", ("ntfy://example",)),
    )
    assert (read.dream.model, read.dream.learn, read.dream.max_change) == ("none", True, 1.0)
    assert (read.dream.usd, read.dream.calls, read.dream.seconds) == (0.0, 100, 900.0)
    assert read.evolve == EvolveSettings(
        timedelta(days=100), timedelta(hours=36), timedelta(minutes=10), 0.05
    )


@pytest.mark.parametrize(
    "text", ["", "# nothing\n", "\ufeff", "heartbeat:\ndream:\n", "name: ~\n", "memory: {cap: {}}"]
)
def test_nothing_said_is_the_defaults(text: str) -> None:
    """An empty file, comments alone and empty sections all mean the defaults."""
    assert parse_settings(text) == Settings()


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("name: a\nmodle: x\n", 2, "did you mean 'model'?"),
        ("timezone: UTC\n", 1, "did you mean 'heartbeat.timezone'?"),
        ("dream:\n  lern: true\n", 2, "did you mean 'dream.learn'?"),
        ("dream:\n  wibble-wobble: 1\n", 2, "known here: budget, commit"),
        ("memory:\n  cap:\n    lines: -1\n", 3, "1 or more"),
        ("memory:\n  cap:\n    lines: true\n", 3, "whole number"),
        ("memory:\n  cap: 200\n", 2, "mapping"),
        ("layout: valt\n", 1, "did you mean 'vault'?"),
        ("name: ../bob\n", 1, "not a path"),
        ("heartbeat:\n  timezone: Europe/Berln\n", 2, "did you mean 'Europe/Berlin'?"),
        ("heartbeat:\n  timezone: ../../etc/passwd\n", 2, "no time zone"),
        ("heartbeat:\n  active_hours: 8-22\n", 2, "08:00-22:00"),
        ("heartbeat:\n  active_hours: 08:00-25:00\n", 2, "no day has"),
        ("heartbeat:\n  active_hours: 08:00-08:00\n", 2, "same time"),
        ("heartbeat:\n  every: 0m\n", 2, "longer than zero"),
        ("heartbeat:\n  every: 30\n", 2, "with its unit"),
        ("heartbeat:\n  every: -5m\n", 2, "no duration"),
        ('heartbeat:\n  cron: "61 * * * *"\n', 2, "minute out of range"),
        ('heartbeat:\n  cron: "* * * *"\n', 2, "five fields"),
        ("heartbeat:\n  every: 1h\n  cron: '0 8 * * *'\n", 3, "keep one"),
        ("heartbeat:\n  ack_max_chars: -1\n", 2, "0 or more"),
        ("heartbeat:\n  deliver: [pigeon]\n", 2, "write stdout"),
        ("heartbeat:\n  budget: {usd_per_day: -1}\n", 2, "0 or more"),
        ("dream:\n  max_change: 30\n", 2, "share between 0 and 1"),
        ("dream:\n  learn: yes\n", 2, "true or false"),
        ("evolve:\n  half_lives: {stabel: 3d}\n", 2, "did you mean 'evolve.half_lives.stable'?"),
        ("evolve:\n  half_lives: {stable: 0d}\n", 2, "longer than zero"),
        ("evolve: {faded_below: 10}\n", 1, "share between 0 and 1"),
        ("transcripts: {path: /etc}\n", 1, "inside the home"),
        ("transcripts: {path: a/../../b}\n", 1, "inside the home"),
        ("transcripts: {evidence_roles: [tool]}\n", 1, "never evidence"),
        ("index: {embedding: minlm}\n", 1, "did you mean 'minilm'?"),
        ("index: {server: localhost}\n", 1, "http"),
        ("mcp_servers:\n  gh: {args: [x]}\n", 2, "either a command or a url"),
        ("mcp_servers:\n  gh: {command: x, env: A}\n", 2, "names alone"),
        ("mcp_servers:\n  gh: {command: x, alow: [y]}\n", 2, "'mcp_servers.gh.allow'"),
        ("- a\n", 1, "mapping"),
        ("name: a\nname: b\n", 2, "twice"),
        ("name: [a\n", 2, "mend the YAML"),
    ],
)
def test_each_mistake_is_told_with_its_line(text: str, line: int, said: str) -> None:
    """Each mistake gives one problem, with its line and what to write instead."""
    problems = settings_problems(text)
    assert [problem.line for problem in problems] == [line]
    assert said in messages(text)[0]
    assert problems[0].hint


@pytest.mark.parametrize(
    "text",
    [
        "openai_api_key: abc\n",
        "model: sk-proj-0123456789abcdef\n",
        "password: hunter2\n",
        "heartbeat: {deliver: ['mailto://me:hunter2@example.org']}\n",
        "heartbeat: {deliver: ['tgram://123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw0/1']}\n",
        "mcp_servers: {gh: {command: x, args: [--token=hunter2]}}\n",
        "mcp_servers: {gh: {command: x, args: [ghp_0123456789abcdefghij]}}\n",
        "index: {server: 'http://me:hunter2@host:8000'}\n",
        "owner: a9F3kQ7zX2mN8bV4cL6pR1tY5wE0uH3j\n",
    ],
)
def test_secrets_are_refused_and_not_repeated(text: str) -> None:
    """A key, token or password is refused, with where it belongs, and never shown again."""
    (told,) = messages(text)
    assert "environment variable" in told
    assert "hunter2" not in told
    assert "0123456789" not in told


def test_the_first_problem_is_raised_and_the_rest_counted() -> None:
    """Parsing raises the first problem by line, names the file and says how many follow."""
    with pytest.raises(ConfigError) as caught:
        parse_settings("name: a\nlayuot: vault\ndream: {max_change: 2}\n", path="bo/persona.yaml")
    assert str(caught.value) == "bo/persona.yaml:2: unknown key 'layuot'"
    assert caught.value.hint == (
        "did you mean 'layout'?; 1 more in this file: 'toolnexus check' lists them all"
    )
    assert caught.value.exit_code == 78


def test_good_values_survive_bad_ones() -> None:
    """A bad value gives its default and leaves the others as they were written."""
    read, problems = read_settings("name: bo\nmemory: {cap: {lines: no, bytes: 5000}}\n")
    assert (read.name, read.memory.cap_lines, read.memory.cap_bytes) == ("bo", 200, 5000)
    assert len(problems) == 1


@pytest.mark.parametrize(
    ("override", "home", "environment", "model"),
    [
        (None, None, None, None),
        (None, None, "a/b", "a/b"),
        (None, "c/d", "a/b", "c/d"),
        ("e/f", "c/d", "a/b", "e/f"),
        (None, "none", "a/b", None),
        ("None", "c/d", None, None),
        ("", " ", "a/b", "a/b"),
    ],
)
def test_the_nearest_choice_of_a_model_counts(
    override: str | None, home: str | None, environment: str | None, model: str | None
) -> None:
    """The call's model counts before the home's, that before the environment's; none is offline."""
    environ = {} if environment is None else {"TOOLNEXUS_MODEL": environment}
    assert resolve_model(Settings(model=home), environ, override) == model


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("90s", 90), ("30m", 1800), ("24h", 86_400), ("1d", 86_400), ("1h30m", 5400), ("1.5h", 5400)],
)
def test_durations(text: str, seconds: int) -> None:
    """Numbers with a unit are durations, several in a row add up."""
    assert parse_duration(text) == timedelta(seconds=seconds)


@pytest.mark.parametrize("text", ["", "5", "m", "0s", "1y", "-1m", "1 m", "99999999w", "1e3s"])
def test_no_durations(text: str) -> None:
    """What has no unit, is not above zero or has no end is no duration."""
    with pytest.raises(ValueError):
        parse_duration(text)


def test_cron_fields() -> None:
    """Lists, ranges, steps, names and both Sundays stand for the values that cron gives them."""
    cron = parse_cron("5-59/20,0 8-20 1,15 jan-mar sun,1,7")
    assert cron.minutes == (0, 5, 25, 45)
    assert cron.hours == tuple(range(8, 21))
    assert (cron.days, cron.months, cron.weekdays) == ((1, 15), (1, 2, 3), (0, 1))
    assert parse_cron("10/20 * * * *").minutes == (10, 30, 50)


@pytest.mark.parametrize(
    "text",
    ["* * 30 2 *", "* * 31 apr,jun *", "5-1 * * * *", "*/0 * * * *", "a * * * *", "* * * 13 *", ""],
)
def test_cron_that_never_comes(text: str) -> None:
    """A schedule that cannot be read or never comes is refused."""
    with pytest.raises(ValueError):
        parse_cron(text)


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=200))
def test_no_text_breaks_the_reader(text: str) -> None:
    """Whatever stands in the file, reading returns settings and located problems."""
    _, problems = read_settings(text)
    assert all(problem.line >= 1 and problem.message and problem.hint for problem in problems)


_scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20)
_keys = st.sampled_from(
    [
        "name",
        "owner",
        "layout",
        "model",
        "memory",
        "cap",
        "lines",
        "bytes",
        "transcripts",
        "path",
        "evidence_roles",
        "index",
        "mcp_servers",
        "command",
        "args",
        "env",
        "headers",
        "url",
        "heartbeat",
        "every",
        "cron",
        "timezone",
        "active_hours",
        "deliver",
        "budget",
        "dream",
        "max_change",
        "learn",
        "tokens",
        "api_key",
        "other",
    ]
)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(
    st.dictionaries(
        _keys,
        st.recursive(
            _scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_keys, inner)
        ),
    )
)
def test_no_shape_breaks_the_reader(tree: dict[str, object]) -> None:
    """Whatever values stand under the known keys, reading returns settings and problems."""
    import json

    _, problems = read_settings(json.dumps(tree))
    assert all(problem.line >= 1 and problem.hint for problem in problems)


@pytest.mark.parametrize(
    "piece", ["x", "eyJaaaaaaaa-", "--key", "a://", ":", "Bearer ", "-----BEGIN "]
)
def test_a_file_full_of_near_secrets_is_none(piece: str) -> None:
    """A text of a file's full size that only begins like a secret is looked through in time."""
    assert not looks_like_secret(piece * (256 * 1024 // len(piece)))


@pytest.mark.parametrize("text", ["name: {}", "heartbeat: {{deliver: [{}]}}", "owner: '{}'"])
def test_an_endless_value_is_a_problem(text: str) -> None:
    """A value of more than 4,096 characters is told with its length, and not repeated."""
    (told,) = messages(text.format("x" * 20_000))
    assert "20,000 characters" in told
    assert "xxx" not in told
    assert messages(f"owner: {'x' * 4096}") == []


@settings(max_examples=60)
@given(st.binary(max_size=40))
def test_bytes_that_are_no_utf8_are_told_by_their_offset(tail: bytes) -> None:
    """The offset is the one that a decoder gives, and the line is the byte's."""
    data = b"layout: vault\n# caf\xc3\xa9 " + tail
    _, problems = read_settings(data.decode("utf-8", "surrogateescape"))
    told = [(found.line, found.message) for found in problems if found.rule == "not-utf8"]
    assert told == [
        (data.count(b"\n", 0, offset) + 1, f"it is not valid UTF-8 at byte {offset}")
        for offset in _first_bad_byte(data)
    ]


def _first_bad_byte(data: bytes) -> list[int]:
    try:
        data.decode()
    except UnicodeDecodeError as error:
        return [error.start]
    return []
