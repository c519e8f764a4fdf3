"""`mcp_servers` in persona.yaml: what may stand there, and where a mistake is told."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolnexus.settings import McpServer, parse_settings, settings_problems
from toolnexus.settings.references import MissingVariableError, expand, has_bad_reference

LOCAL = """\
mcp_servers:
  files:
    command: mcp-files
    cwd: notes
    env:
      LEVEL: debug
      PORT: 8080
      FILES_TOKEN: ${MY_TOKEN}
    timeout_seconds: 5
"""
REMOTE = """\
mcp_servers:
  web-tools:
    url: https://tools.example.org/mcp
    headers:
      Authorization: Bearer ${WEB_TOKEN}
      X-Team: garden
"""


def test_a_command_may_have_an_environment_and_a_folder():
    """Values of the environment stand as written, numbers as text, references unread."""
    (server,) = parse_settings(LOCAL).mcp_servers
    assert server == McpServer(
        "files",
        "mcp-files",
        env_values=(("LEVEL", "debug"), ("PORT", "8080"), ("FILES_TOKEN", "${MY_TOKEN}")),
        cwd="notes",
        timeout_seconds=5.0,
    )


def test_an_address_may_have_headers():
    """A bearer token that comes from the environment is no secret in the file."""
    (server,) = parse_settings(REMOTE).mcp_servers
    assert server.headers == (("Authorization", "Bearer ${WEB_TOKEN}"), ("X-Team", "garden"))


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("mcp_servers: [files]\n", 1, "mapping"),
        ("mcp_servers:\n  a b: {command: x}\n", 2, "before the name of a tool"),
        ("mcp_servers:\n  a__b: {command: x}\n", 2, "before the name of a tool"),
        ("mcp_servers:\n  gh: {command: x, url: 'http://h'}\n", 2, "either a command or a url"),
        ("mcp_servers:\n  gh:\n    url: http://h\n    args: [x]\n", 4, "belongs to a command"),
        ("mcp_servers:\n  gh:\n    command: x\n    headers: {A: b}\n", 4, "belongs to a url"),
        ("mcp_servers:\n  gh:\n    command: x\n    env:\n      B: [c]\n", 5, "needs a text"),
        ("mcp_servers:\n  gh:\n    command: x\n    env:\n      B: true\n", 5, "in quotes"),
        ("mcp_servers:\n  gh:\n    command: x\n    env:\n      b-c: d\n", 5, "cannot have"),
        ("mcp_servers:\n  gh:\n    command: x\n    env:\n      B: ${C\n", 5, "reference"),
        ("mcp_servers:\n  gh:\n    command: x\n    env:\n      B: ${C-D}\n", 5, "reference"),
        ("mcp_servers:\n  gh:\n    url: http://h\n    headers: [A]\n", 4, "mapping of headers"),
        ("mcp_servers:\n  gh:\n    url: http://h\n    headers: {A b: c}\n", 4, "cannot have"),
        ("mcp_servers:\n  gh: {command: x, timeout_seconds: 0}\n", 2, "above 0"),
        ("mcp_servers:\n  gh: {command: x, timeout_seconds: 1h}\n", 2, "number"),
        ("mcp_servers:\n  gh: {command: x, allow: read}\n", 2, "list"),
    ],
)
def test_each_mistake_in_a_server_is_told_with_its_line(text: str, line: int, said: str):
    """Each mistake gives one problem, on the line of the key that is wrong."""
    (problem,) = settings_problems(text)
    assert (problem.line, problem.rule) == (line, "bad-settings")
    assert said in f"{problem.message} {problem.hint}"


@pytest.mark.parametrize(
    "server",
    [
        "{command: x, env: {FILES_TOKEN: hunter2}}",
        "{command: x, env: {api_key: hunter2}}",
        "{url: 'http://h', headers: {Authorization: 'Basic hunter2'}}",
        "{url: 'http://h', headers: {Authorization: 'Bearer hunter2hunter2'}}",
        "{url: 'http://h', headers: {X-Api-Key: hunter2}}",
        "{url: 'http://h', headers: {Cookie: hunter2}}",
    ],
)
def test_secrets_of_servers_are_refused_and_not_repeated(server: str):
    """A value that its name or its looks say to be a secret has to come from the environment."""
    (problem,) = settings_problems(f"mcp_servers: {{gh: {server}}}\n")
    assert "environment" in problem.hint
    assert "hunter2" not in f"{problem.message}{problem.hint}"


def test_references_are_replaced_by_what_they_lead_to():
    """Each reference gives its variable's value, and one that leads nowhere is named."""
    assert expand("${A}-${B}-$A-{A}", {"A": "${B}", "B": "2"}) == "${B}-2-$A-{A}"
    with pytest.raises(MissingVariableError, match=r"\$C is not set"):
        expand("${A}${C}", {"A": "1"})


@given(st.text(alphabet="ab${}_A ", max_size=12))
def test_a_text_without_bad_references_keeps_nothing_unread(text: str):
    """What is left of a text without bad references, once expanded, opens none."""
    if not has_bad_reference(text):
        names = dict.fromkeys(("a", "b", "_", "A", "ab", "aa", "bb"), "v")
        with contextlib.suppress(MissingVariableError):
            assert "${" not in expand(text, names)
