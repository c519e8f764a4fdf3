"""Tool servers of a home, from persona.yaml to what a persona says and what is left on the disk."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from datetime import UTC, datetime
from select import select
from typing import TYPE_CHECKING, Any

import pytest
from servers_of_tests import RAW, children, is_running

from toolnexus.app import Home
from toolnexus.app.ports import dreamer
from toolnexus.cli.main import main
from toolnexus.clock import FixedClock
from toolnexus.testing.model import ScriptedModel, call, use
from toolnexus.testing.openai_server import OpenAiServer, ServerReply

if TYPE_CHECKING:
    from pathlib import Path

    from toolnexus.app.results import Diagnosis

RUN = "from toolnexus.cli.main import run; run()"
NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
WEATHER = {"content": [{"type": "text", "text": "Rain at noon. The user's name is Hugo."}]}
TOLD = {"tools": [{"name": "now"}, {"name": "die"}], "results": {"now": WEATHER, "die": "exit"}}
BROKEN = {"command": sys.executable, "args": ["-c", "raise SystemExit('no such city')"]}
LEFT_OUT = "the tools of 'weather' are left out: it has ended; it said: no such city"


def raw_settings(told: dict[str, Any] = TOLD, **more: Any) -> dict[str, Any]:
    return {"command": sys.executable, "args": ["-I", str(RAW), json.dumps(told)], **more}


class Ava:
    """A home with one tool server, and no model of its own."""

    def __init__(self, root: Path) -> None:
        self.root = root
        root.mkdir()
        (root / "SOUL.md").write_text("You are Ava.\n")
        (root / "HEARTBEAT.md").write_text("Tell of rain.\n")
        self.use(raw_settings())

    def use(self, server: dict[str, Any], **settings: Any) -> None:
        """Name the server; JSON is YAML."""
        whole = {"mcp_servers": {"weather": {"timeout_seconds": 60, **server}}, **settings}
        (self.root / "persona.yaml").write_text(json.dumps(whole))

    def open(self, *script: Any) -> Home:
        """Open the home with a model that plays a script."""
        return Home.open(self.root, model=ScriptedModel(*script), clock=FixedClock(NOON))

    def last_beat(self) -> dict[str, Any]:
        """Return what the state folder says of the last beat."""
        [path] = (self.root / ".toolnexus").glob("state/beat-last*")
        return json.loads(path.read_text())

    def turns(self) -> list[dict[str, Any]]:
        """Return all recorded turns."""
        files = sorted((self.root / "transcripts").glob("*.jsonl"))
        return [json.loads(line) for file in files for line in file.read_text().splitlines()]


@pytest.fixture
def ava(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Ava:
    for name in ("TOOLNEXUS_MODEL", "TOOLNEXUS_STATE"):
        monkeypatch.delenv(name, raising=False)
    return Ava(tmp_path / "ava")


def test_a_beat_uses_the_tools(ava: Ava):
    """A beat's model is offered the server's tools beside the persona's, and gets their results."""
    before = children()
    beat = ava.open(use(call("weather__now")), lambda r: f"It says: {r.messages[-1].text}").beat()
    assert beat.reply == "It says: Rain at noon. The user's name is Hugo."
    assert beat.notices == ()
    assert children() <= before


def test_a_beat_goes_on_without_a_broken_server(ava: Ava):
    """The beat is made without the tools; the reason is a notice and stands in the state."""
    ava.use(BROKEN)
    beat = ava.open("Nothing to do it with.").beat()
    assert (beat.outcome, beat.exit_code) == ("delivered", 0)
    assert beat.notices == (LEFT_OUT,)
    assert ava.last_beat()["notices"] == [LEFT_OUT]


def test_a_server_that_dies_in_a_beat_is_told(ava: Ava):
    """A server that ends while it is called costs the call; the beat goes on and says so."""
    beat = ava.open(use(call("weather__die")), use(call("weather__now")), "It is gone.").beat()
    assert beat.reply == "It is gone."
    assert beat.notices == ("the tool server 'weather' ended in the middle of the work",)


def test_a_question_uses_the_tools_and_records_them_as_results(ava: Ava):
    """What a server says is recorded as a tool's turn, which can never be evidence."""
    reply = ava.open(use(call("weather__now")), "Rain.").ask("How is the weather?")
    assert (reply.text, reply.notices) == ("Rain.", ())
    roles = {turn["role"]: turn["content"] for turn in ava.turns()}
    assert roles["tool"] == "Rain at noon. The user's name is Hugo."


def test_a_chat_starts_its_servers_once_and_tells_once(ava: Ava):
    """A chat's servers start with its first turn, serve all turns, and end with it."""
    ava.use(raw_settings(allow=["now", "rain"]))
    before = children()
    with ava.open(*[use(call("weather__now")), "Rain."] * 2).chat() as chat:
        assert children() <= before
        first, second = chat.say("Rain?"), chat.say("And now?")
        assert (first.text, second.text) == ("Rain.", "Rain.")
        assert len(children() - before) == 1
    assert first.notices == ("the tool server 'weather': it has no tool 'rain' (it has: now, die)",)
    assert second.notices == ()
    assert children() <= before


async def ask_async(home: Home) -> str:
    return (await home.aask("Rain?")).text


def test_the_async_twins_use_the_tools_too(ava: Ava):
    """An async question has the same tools, and ends their servers."""
    import asyncio

    before = children()
    assert asyncio.run(ask_async(ava.open(use(call("weather__now")), "Rain."))) == "Rain."
    assert children() <= before


def test_a_dreamer_has_none_of_these_tools(ava: Ava, tmp_path: Path):
    """A dreamer's tools are exactly two, whatever servers the home names."""
    made = dreamer(ava.root, store=ava.open().transcripts)
    assert len(made.tools) == 2
    assert not any("__" in name for name in made.tools)


@pytest.mark.parametrize("model", [None, "scripted"])
def test_no_server_starts_where_nothing_is_done(ava: Ava, tmp_path: Path, model: str | None):
    """Neither a skipped beat nor one without a model starts a server."""
    pid = tmp_path / "pid"
    ava.use(raw_settings({**TOLD, "pid": str(pid)}))
    if model:
        (ava.root / "HEARTBEAT.md").write_text("# Nothing\n")
        home = ava.open("never asked")
    else:
        (ava.root / "HEARTBEAT.md").write_text("## Tasks\n- [ ] Pay (at 2026-11-30)\n")
        home = Home.open(ava.root, clock=FixedClock(NOON))
    assert home.beat().outcome == ("skipped" if model else "delivered")
    assert not pid.exists()


def test_the_doctor_starts_the_servers(ava: Ava):
    """The doctor names the tools that there are, and what is wrong with a server."""

    def look() -> Diagnosis:
        return next(look for look in ava.open("OK").doctor() if look.name == "tools")

    assert (look().ok, look().message) == (True, "2 of servers: weather__now, weather__die")
    ava.use(BROKEN)
    assert (look().ok, look().message) == (False, LEFT_OUT)


@pytest.mark.slow
def test_the_commands_tell_of_a_broken_server(
    ava: Ava, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    """`beat` and `ask` say what they have to say on stdout, and the notice on stderr."""
    monkeypatch.chdir(ava.root.parent)
    ava.use(BROKEN, model="openai/gpt-4o-mini")
    with OpenAiServer(ServerReply(text="Hello.")) as server:
        monkeypatch.setenv("OPENAI_API_BASE", server.base_url)
        monkeypatch.setenv("OPENAI_API_KEY", "sk-none")
        assert main(["beat", "ava"]) == 0
        assert capsys.readouterr() == ("Hello.\n", f"ava: {LEFT_OUT}\n")
        assert main(["ask", "ava", "Rain?"]) == 0
        assert capsys.readouterr() == ("Hello.\n", f"{LEFT_OUT}\n")


@pytest.mark.slow
def test_sigterm_ends_a_beat_and_its_servers(ava: Ava, tmp_path: Path):
    """A beat that is terminated ends a server that would go on for ever, and says so in state."""
    fifo = tmp_path / "pid"
    os.mkfifo(fifo)
    reading = os.open(fifo, os.O_RDONLY | os.O_NONBLOCK)
    script = f'trap "" TERM; echo $$ > {fifo}; while :; do sleep 1; done'
    ava.use({"command": "sh", "args": ["-c", script]}, model="openai/gpt-4o-mini")
    beat = subprocess.Popen(
        [sys.executable, "-c", RUN, "beat", str(ava.root)],
        env={**os.environ, "OPENAI_API_BASE": "http://127.0.0.1:9", "OPENAI_API_KEY": "sk-none"},
        stderr=subprocess.PIPE,
    )
    assert select([reading], [], [], 60)[0], "the server did not start"
    pid = int(os.read(reading, 100))
    os.close(reading)
    beat.send_signal(signal.SIGTERM)
    assert beat.wait() == 128 + signal.SIGTERM
    assert not is_running(pid)
    assert "cut short: Terminated" in ava.last_beat()["reason"]
    assert beat.stderr is not None
    assert b"Traceback" not in beat.stderr.read()


def test_the_sdk_is_loaded_by_those_alone_who_need_it(ava: Ava):
    """Neither `check` nor a skipped beat of a home with servers loads the SDK or our client."""
    (ava.root / "HEARTBEAT.md").write_text("# Nothing\n")
    script = (
        "import sys; from toolnexus.cli.main import main;"
        f" main(['check', {str(ava.root)!r}]); main(['beat', {str(ava.root)!r}]);"
        " print('\\n' + ' '.join(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    loaded = set(done.stdout.splitlines()[-1].split())
    assert "toolnexus.heartbeat.beat" in loaded
    assert not loaded & {"mcp", "httpx2", "jsonschema", "anyio", "toolnexus.mcp_client"}


def test_without_the_extra_the_notice_says_what_to_install(ava: Ava, monkeypatch):
    """Where the SDK is not installed the persona works without its servers' tools."""
    for name in [name for name in sys.modules if name == "mcp" or name.startswith("mcp.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "mcp", None)
    reply = ava.open("Hello.").ask("Rain?")
    assert reply.text == "Hello."
    assert "pip install 'toolnexus[mcp]'" in reply.notices[0]
