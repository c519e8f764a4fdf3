"""Tool servers over standard input and output: real processes, well-behaved and otherwise."""

from __future__ import annotations

import threading
from concurrent.futures import Future
from typing import TYPE_CHECKING

import pytest
from servers_of_tests import children, is_running, python, raw, small

from toolnexus.agent.loop import Agent
from toolnexus.errors import ToolServerError, UsageError
from toolnexus.mcp_client.tool_servers import ToolServers
from toolnexus.settings import McpServer
from toolnexus.testing.model import ScriptedModel, call, use

if TYPE_CHECKING:
    from pathlib import Path

ONE = [{"name": "one"}]
EMPTY: dict[str, object] = {"content": []}


def text_result(text: str, **more: object) -> dict[str, object]:
    return {"content": [{"type": "text", "text": text}], **more}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("home")
    (folder / "sub").mkdir()
    return folder


@pytest.fixture(scope="module")
def servers(home: Path):
    environ = {"MY_TOKEN": "t0ken-of-mine", "OTHER": "not handed on", "LANG": "C"}
    settings = small(env=("LANG", "UNSET"), env_values=(("TOKEN", "is ${MY_TOKEN}"),), cwd="sub")
    with ToolServers([settings], home, environ) as opened:
        yield opened


def run(servers: ToolServers, name: str, /, **arguments: object) -> object:
    """Call a tool as the loop does, once the arguments have been checked."""
    return {tool.name: tool for tool in servers.tools()}[name].call(arguments)


@pytest.mark.slow
def test_tools_are_named_after_their_server(servers: ToolServers):
    """Each tool has its server's name before its own, its description and its schema."""
    tools = {tool.name: tool.spec for tool in servers.tools()}
    assert "small__odd_name_with_dots" in tools
    assert tools["small__add"].description == "Add two numbers."
    assert tools["small__add"].parameters["required"] == ["a", "b"]
    assert servers.notices == ()


def test_a_call_gives_the_text_of_its_result(servers: ToolServers):
    """Text comes back as text, and what is no text is named as left out."""
    assert run(servers, "small__add", a=2, b=3) == "5"
    assert run(servers, "small__odd_name_with_dots") == "odd"
    told = run(servers, "small__picture")
    assert told == "a cat\n[left out, as it is no text: image (image/png)]"


def test_arguments_are_checked_down_to_definitions(servers: ToolServers):
    """What the schema says only by a reference is checked before the call, with what is wrong."""
    assert run(servers, "small__water", plant={"name": "fern"}) == "gave fern 0.5 l well"
    with pytest.raises(UsageError, match="'plant': 'name' is a required property"):
        run(servers, "small__water", plant={"nam": "fern"})


def test_a_server_sees_what_is_handed_on_and_nothing_else(servers: ToolServers, home: Path):
    """A server runs in its folder, with the variables that the settings name and no other."""
    folder = home / "sub"
    assert run(servers, "small__variable", name="TOKEN") == f"is t0ken-of-mine in {folder}"
    assert run(servers, "small__variable", name="LANG") == f"C in {folder}"
    assert run(servers, "small__variable", name="OTHER") == f"None in {folder}"


def test_an_error_of_a_tool_is_an_error(servers: ToolServers):
    """A tool that fails is told as a failure, and the server is there for the next call."""
    with pytest.raises(ToolServerError, match="fail"):
        run(servers, "small__fail")
    assert run(servers, "small__add", a=1, b=1) == "2"


def test_many_threads_may_call_at_once(servers: ToolServers):
    """Calls from several threads get each their own result."""
    results: dict[int, object] = {}

    def work(number: int) -> None:
        results[number] = run(servers, "small__add", a=number, b=number)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == {n: str(2 * n) for n in range(8)}


def test_the_model_mends_its_arguments_and_sees_a_bounded_result(servers: ToolServers):
    """In a run a wrong call is answered with what is wrong, and a long result is cut."""
    model = ScriptedModel(
        use(call("small__add", a="two", b=3)), use(call("small__long", chars=50_000)), "done"
    )
    done = Agent("ava", "", model, servers.tools()).run("go")
    wrong, long = [m.text for m in done.messages if m.role == "tool"]
    assert "'a' must be a whole number" in wrong
    assert len(long) < 17_000
    assert "[cut: the first 16,000 of 50,000 characters" in long
    assert done.text == "done"


def test_nothing_starts_before_the_tools_are_asked_for(home: Path, tmp_path: Path):
    """Servers that nobody uses are never started, and closing them is nothing."""
    settings = raw({"tools": ONE, "pid": str(tmp_path / "pid")})
    with ToolServers([settings], home):
        pass
    assert not (tmp_path / "pid").exists()


def test_closing_ends_a_server(home: Path, tmp_path: Path):
    """After the end the server does not run, and no zombie is left."""
    before, pid = children(), tmp_path / "pid"
    with ToolServers([raw({"tools": ONE, "pid": str(pid)})], home) as servers:
        servers.tools()
        assert is_running(int(pid.read_text()))
    assert not is_running(int(pid.read_text()))
    assert children() <= before


@pytest.mark.slow
def test_a_server_that_will_not_end_is_ended_with_its_children(home: Path, tmp_path: Path):
    """A server that ignores the end of its input and SIGTERM is killed, and its group with it."""
    pids = tmp_path / "pids"
    script = f'trap "" TERM; sleep 300 & echo $$ $! > {pids}; while :; do sleep 1; done'
    settings = McpServer("stubborn", "sh", ("-c", script), timeout_seconds=3)
    before = children()
    with ToolServers([settings], home) as servers:
        assert servers.tools() == ()
    assert not any(map(is_running, map(int, pids.read_text().split())))
    assert children() <= before


def test_a_start_that_is_interrupted_leaves_nothing_and_can_be_repeated(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Ctrl-C while servers start ends them, and the next time they are started anew."""
    before, pid = children(), tmp_path / "pid"
    waited = Future.result

    def interrupted(future: Future, timeout: float | None = None) -> object:
        if waited(future, timeout):  # the server's tools: it runs
            raise KeyboardInterrupt
        return None

    with ToolServers([raw({"tools": ONE, "pid": str(pid)})], home) as servers:
        with monkeypatch.context() as patch:
            patch.setattr(Future, "result", interrupted)
            with pytest.raises(KeyboardInterrupt):
                servers.tools()
        assert not is_running(int(pid.read_text()))
        assert children() <= before
        assert [tool.name for tool in servers.tools()] == ["raw__one"]


def test_a_server_that_dies_is_told_once_and_its_calls_are_errors(home: Path):
    """A server that ends in a call is an error there, in each later call, and one notice."""
    told = {"tools": [{"name": "die"}, {"name": "one"}], "results": {"die": "exit"}}
    with ToolServers([raw({**told, "stderr": ["out of memory"]})], home) as servers:
        with pytest.raises(ToolServerError, match="has ended; it said: out of memory"):
            run(servers, "raw__die")
        with pytest.raises(ToolServerError, match="'raw' has ended"):
            run(servers, "raw__one")
        end = "the tool server 'raw' ended in the middle of the work; it said: out of memory"
        assert servers.notices == (end,)


@pytest.mark.slow
def test_a_call_that_hangs_is_given_up_in_the_servers_own_time(home: Path):
    """A tool that never returns is an error after the server's time, and the server goes on."""
    told = {"tools": [{"name": "hang"}, *ONE], "results": {"hang": "nothing", "one": EMPTY}}
    with ToolServers([raw(told, timeout_seconds=3)], home) as servers:
        with pytest.raises(ToolServerError, match="did not answer within 3 s"):
            run(servers, "raw__hang")
        assert run(servers, "raw__one") == "The tool gave no text."


@pytest.mark.slow
@pytest.mark.parametrize(
    ("settings", "said"),
    [
        (python("import sys; sys.exit('no such table')"), "it has ended; it said: no such table"),
        (python("raise ValueError('x')"), "it has ended; it said: ValueError: x"),
        (python("import time; time.sleep(99)", timeout_seconds=0.3), "within 0.3 s"),
        (
            python("print('hello', flush=True); import time; time.sleep(99)", timeout_seconds=1),
            "within 1 s; it writes what is no MCP",
        ),
        (python("", cwd="nowhere"), "there is no folder"),
        (raw({"tools": {"tools": "many"}}), "what it answers is no MCP"),
        (raw({"tools": 7}, timeout_seconds=3), "within 3 s; it writes what is no MCP"),
        (raw({"tools": [{"name": "a", "inputSchema": {"type": "array"}}]}), "is no MCP"),
    ],
)
def test_a_server_that_does_not_start_is_one_line(home: Path, settings, said: str):
    """Whatever keeps a server from starting is one notice with its name, and nothing is raised."""
    with ToolServers([settings], home) as servers:
        assert servers.tools() == ()
        (notice,) = servers.notices
    assert notice.startswith(f"the tools of '{settings.name}' are left out: ")
    assert said in notice
    assert "\n" not in notice


def test_one_bad_server_costs_the_others_nothing(home: Path):
    """The tools of a good server are there beside a bad one, whichever comes first."""
    bad = python("", name="bad")
    with ToolServers([bad, raw({"tools": ONE}), small(name="nope", cwd="no")], home) as servers:
        assert [tool.name for tool in servers.tools()] == ["raw__one"]
        assert [notice.split("'")[1] for notice in servers.notices] == ["bad", "nope"]


def test_a_program_that_is_not_there_is_named(home: Path):
    """A command that cannot be found is told by its name."""
    with ToolServers([McpServer("gone", "mcp-no-such-program")], home) as servers:
        servers.tools()
        assert servers.notices == (
            "the tools of 'gone' are left out: there is no program 'mcp-no-such-program'",
        )


def test_a_variable_that_is_not_set_keeps_a_server_from_starting(home: Path):
    """A reference that leads nowhere is named, with what to do."""
    settings = raw({"tools": ONE}, env_values=(("TOKEN", "${MY_TOKEN}"),))
    with ToolServers([settings], home, {}) as servers:
        assert servers.tools() == ()
        (notice,) = servers.notices
    assert "$MY_TOKEN is not set" in notice


def test_what_comes_from_the_environment_is_never_told(home: Path):
    """A server that says its secret as it fails does not get it into the notice."""
    code = "import os, sys; sys.exit('bad token ' + os.environ['TOKEN'])"
    settings = python(code, env_values=(("TOKEN", "${MY_PASS}"),))
    with ToolServers([settings], home, {"MY_PASS": "hunter2-hunter2"}) as servers:
        servers.tools()
        (notice,) = servers.notices
    assert "bad token [redacted]" in notice


def test_noise_beside_the_protocol_is_passed_over(home: Path, capfd: pytest.CaptureFixture):
    """Lines that are no messages cost nothing, and nothing of them reaches the terminal."""
    told = {"tools": ONE, "noise": ["Listening...", "{}", "[1]"], "stderr": ["debug"] * 3}
    with ToolServers([raw(told)], home) as servers:
        assert [tool.name for tool in servers.tools()] == ["raw__one"]
    assert capfd.readouterr() == ("", "")


def test_only_allowed_tools_are_offered(home: Path):
    """With a list of names only these are there, and one that the server lacks is told."""
    told = {"tools": [{"name": "read"}, {"name": "write"}]}
    with ToolServers([raw(told, allow=("read", "raed"))], home) as servers:
        assert [tool.name for tool in servers.tools()] == ["raw__read"]
        expected = "the tool server 'raw': it has no tool 'raed' (it has: read, write)"
        assert servers.notices == (expected,)


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object", "properties": {"a": {"type": "text"}}},
        {"type": "object", "properties": {"a": {"type": "object", "required": True}}},
        {"type": "object", "description": "x" * 40_000},
    ],
)
def test_a_tool_with_an_odd_schema_is_left_out_alone(home: Path, schema: dict):
    """A schema that is none costs its own tool, with the reason, and no other."""
    told = {"tools": [{"name": "odd", "inputSchema": schema}, *ONE]}
    with ToolServers([raw(told)], home) as servers:
        assert [tool.name for tool in servers.tools()] == ["raw__one"]
        assert "its tool 'odd' is left out: " in servers.notices[0]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("result", "said"),
    [
        ({"content": "text"}, "no MCP"),
        ({"content": [{"type": "text"}]}, "no MCP"),
        (7, "within 3 s; it writes what is no MCP"),
        (text_result("the well is dry", isError=True), "the well is dry"),
        ({"content": [], "isError": True}, "does not say why"),
        (None, "unknown method"),
    ],
)
def test_a_result_that_is_none_is_an_error(home: Path, result: object, said: str):
    """A result of another shape, or one that says it failed, is an error in a sentence."""
    settings = raw({"tools": ONE, "results": {"one": result}}, timeout_seconds=3)
    with ToolServers([settings], home) as servers, pytest.raises(ToolServerError, match=said):
        run(servers, "raw__one")


@pytest.mark.parametrize(
    ("result", "text"),
    [
        ({"content": []}, "The tool gave no text."),
        ({"content": [], "structuredContent": {"n": 1}}, '{"n": 1}'),
        (text_result(""), "The tool gave no text."),
        (
            {"content": [{"type": "resource", "resource": {"uri": "file:///a", "text": "hello"}}]},
            "hello",
        ),
        (
            {"content": [{"type": "resource_link", "name": "a", "uri": "file:///a"}]},
            "[left out, as it is no text: resource link file:///a]",
        ),
        (
            {"content": [{"type": "audio", "data": "AA==", "mimeType": "audio/wav"}]},
            "[left out, as it is no text: audio (audio/wav)]",
        ),
    ],
)
def test_results_are_read_as_text(home: Path, result: object, text: str):
    """Each kind of content is its text, or named as left out."""
    with ToolServers([raw({"tools": ONE, "results": {"one": result}})], home) as servers:
        assert run(servers, "raw__one") == text


@pytest.mark.slow
def test_an_error_with_half_a_character_stays_an_error(home: Path):
    """A server's error may hold anything, and the model is told of it in a run that ends well."""
    broken = text_result("half \ud83d of it", isError=True)
    model = ScriptedModel(use(call("raw__one")), "done")
    settings = raw({"tools": ONE, "results": {"one": broken}}, timeout_seconds=3)
    with ToolServers([settings], home) as servers:
        done = Agent("ava", "", model, servers.tools()).run("go")
    assert done.outcome == "done"
    assert done.refused[0].tool == "raw__one"
