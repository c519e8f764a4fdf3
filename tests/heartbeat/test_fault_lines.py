"""What a scheduler sees of each fault: the exit code, one line of reason, and the same in state."""

from __future__ import annotations

import pytest

from toolnexus.cli.main import main
from toolnexus.models import litellm_model
from toolnexus.models.retry import Timing
from toolnexus.testing.openai_server import OpenAiServer, ServerReply
from toolnexus.testing.virtual_time import VirtualTime

pytestmark = pytest.mark.slow

NOW = "2026-11-30T09:30:00Z"
ASKED_AGAIN = ServerReply(status=429, headers={"Retry-After": "20"})
FAULTS = {
    "a key that is not accepted": (ServerReply(status=401), "did not accept the key"),
    "asked too often": (ServerReply(status=429), "is asked too often"),
    "asked too often, with when to come back": (ASKED_AGAIN, "is asked too often"),
    "failing": (ServerReply(status=500), "is failing"),
    "failing behind a gateway": (ServerReply(status=503), "is failing"),
    "an answer that is cut": (ServerReply(body=b'{"id": "chatcmpl-1", "cho'), "cannot be read"),
    "an answer that is no JSON": (ServerReply(body=b"<html>"), "cannot be read"),
    "nothing": (ServerReply(text=""), "replied with nothing"),
    "a null": (ServerReply(text=None), "replied with nothing"),
    "a reply cut by its length": (ServerReply(text="It is", finish="length"), "cut off"),
    "a hang": (ServerReply(hangs=True), "in time"),
    "calls that cannot be read": (
        ServerReply(text=None, calls=(("memory", '{"action": '),)), "call after call was refused",
    ),
    "calls of tools that there are not": (
        ServerReply(text=None, calls=(("fly", "{}"),)), "call after call was refused",
    ),
}  # fmt: skip


@pytest.fixture
def beaten(ava, capsys, monkeypatch):
    """Beat at a model behind an address; return the code and the two outputs."""
    time = VirtualTime(ava.clock.now())
    timing = Timing(time.monotonic, time.sleep)
    monkeypatch.setattr(litellm_model, "Timing", lambda: timing)
    patient = litellm_model.LiteLlmModel.__init__.__kwdefaults__
    monkeypatch.setitem(patient, "slow_reply_seconds", 0.3)
    monkeypatch.setenv("TOOLNEXUS_MODEL", "openai/scripted")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-abcdef123456")
    ava.write("HEARTBEAT.md", "Look.\n")

    def beat(base: str) -> tuple[int, str, str]:
        monkeypatch.setenv("OPENAI_API_BASE", base)
        code = main(["beat", str(ava.root), "--now", NOW])
        return (code, *capsys.readouterr())

    return beat


def assert_told(ava, told: tuple[int, str, str], words: str) -> None:
    """Hold what a scheduler sees against the state folder."""
    code, out, err = told
    assert (code, out) == (69, "")
    line, *rest = err.splitlines()
    assert words in line
    assert all(more.startswith("  hint: ") for more in rest)
    assert "sk-abcdef" not in err
    last = ava.state()
    assert (last["outcome"], last["exit_code"]) == ("failed", 69)
    assert line == f"toolnexus: {last['reason']}"
    assert ava.state("beat")["backoff"]["failures"] == 1


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_one_line_and_in_the_state(ava, beaten, fault):
    """Exit 69, nothing on standard output, the reason on standard error and in the state."""
    reply, words = FAULTS[fault]
    with OpenAiServer(reply) as server:
        assert_told(ava, beaten(server.base_url), words)


def test_a_model_that_is_not_there_is_one_line(ava, beaten):
    """A connection that is refused is told as the rest."""
    assert_told(ava, beaten("http://127.0.0.1:9/v1"), "could not be reached")


def test_a_provider_that_mends_itself_is_no_fault(ava, beaten):
    """Told when to come back, the beat comes back then, and its reply is printed."""
    with OpenAiServer(ASKED_AGAIN, ServerReply(status=500), ServerReply(text="Hello.")) as server:
        told = beaten(server.base_url)
        assert told[2] == ""
        assert told == (0, "Hello.\n", "")
        assert len(server.requests) == 3
    assert "backoff" not in ava.state("beat")
