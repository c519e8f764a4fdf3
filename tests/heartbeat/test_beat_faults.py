"""What can go wrong in a beat: each has its exit code, and its reason in the state folder."""

from __future__ import annotations

import errno
import threading

import pytest
from beat_persona import Persona
from hypothesis import given, settings
from hypothesis import strategies as st

from toolnexus.errors import Malformed, Refused, Unreachable
from toolnexus.models.litellm_model import LiteLlmModel
from toolnexus.models.retry import RetryPolicy, Timing
from toolnexus.store.door import Store
from toolnexus.testing.disk import FaultyDisk
from toolnexus.testing.model import ScriptedModel, call, raw_call, say, use
from toolnexus.testing.openai_server import OpenAiServer, ServerReply

pytestmark = pytest.mark.slow

PAY = "Look.\n\n## Tasks\n- [ ] Pay (at 2026-11-30)\n- [ ] Water (every 1d at 09:00)\n"


class VirtualTime:
    """Seconds that pass only when somebody sleeps."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def monotonic(self) -> float:
        """Return the seconds slept."""
        return self.seconds

    def sleep(self, seconds: float) -> None:
        """Let time pass at once."""
        self.seconds += seconds


@pytest.fixture
def due(ava):
    """A home in which two tasks are due."""
    ava.write("HEARTBEAT.md", PAY)
    ava.at("2026-11-29T08:00:00Z").beat(ScriptedModel("HEARTBEAT_OK"))
    return ava.at("2026-11-30T09:30:00Z")


def assert_failed(ava, beat, code: int, words: str) -> None:
    """Hold a failed beat against what must be true of each."""
    assert (beat.outcome, beat.exit_code) == ("failed", code)
    assert words in beat.reason
    assert "\n" not in beat.reason
    last = ava.state()
    assert (last["outcome"], last["exit_code"], last["reason"]) == ("failed", code, beat.reason)
    assert ava.read("HEARTBEAT.md") == PAY
    assert ava.said == []
    assert ava.turns() == []


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (Unreachable("the model could not be reached"), "could not be reached"),
        (Refused("the model did not accept the key"), "did not accept the key"),
        (Malformed("the model gave an answer that cannot be read"), "cannot be read"),
    ],
)
def test_a_model_that_fails_leaves_the_tasks_due(due, error, words):
    """They are done by the next beat that works, and the failures are forgotten."""
    assert_failed(due, due.beat(ScriptedModel(error)), 69, words)
    good = due.later(days=1).beat(ScriptedModel("Pay and water."))
    assert (good.outcome, good.tasks) == ("delivered", ("Pay", "Water"))
    assert "backoff" not in due.state("beat")


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        (ServerReply(status=401, text="bad key sk-abcdef123456"), "did not accept the key"),
        (ServerReply(status=429), "is asked too often"),
        (ServerReply(status=429, headers={"Retry-After": "600"}), "is asked too often"),
        (ServerReply(status=500), "is failing"),
        (ServerReply(body=b"{"), "cannot be read"),
        (ServerReply(text=""), "replied with nothing"),
        (ServerReply(text="The build is", finish="length"), "cut off by its length"),
        (ServerReply(hangs=True), "in time"),
    ],
)
def test_a_provider_that_misbehaves_is_told(due, reply, words):
    """Refused, busy, failing, unreadable, empty, cut or silent: exit 69 with the reason."""
    time = VirtualTime()
    with OpenAiServer(reply) as server:
        model = LiteLlmModel(
            "openai/scripted",
            api_base=server.base_url,
            api_key="sk-abcdef123456",
            policy=RetryPolicy(),
            slow_reply_seconds=0.3 if reply.hangs else 30.0,
            timing=Timing(time.monotonic, time.sleep),
        )
        beat = due.beat(model)
    assert_failed(due, beat, 69, words)
    assert "sk-abcdef" not in beat.reason
    assert time.seconds <= 60


def test_a_model_that_is_not_there_is_told(due):
    """A refused connection is retried for a while, then told."""
    time = VirtualTime()
    model = LiteLlmModel(
        "openai/scripted",
        api_base="http://127.0.0.1:9/v1",
        api_key="sk-abcdef123456",
        timing=Timing(time.monotonic, time.sleep),
    )
    assert_failed(due, due.beat(model), 69, "could not be reached")


def slow_tool(release: threading.Event):
    """Make a tool that never returns while the test lasts."""

    def wait_for_ever() -> str:
        """Wait."""
        release.wait(30)
        return "late"

    return wait_for_ever


def raising() -> str:
    """Fail."""
    raise ValueError("the sensor is gone")


def test_a_model_that_stumbles_gets_to_its_end(due):
    """Malformed calls, unknown tools, bad arguments and tools that raise are told to the model."""
    model = ScriptedModel(
        use(raw_call("memory", '{"action": ')),
        use(call("no_such_tool")),
        use(call("memory", action="fly")),
        use(call("memory", action="list")),
        use(call("raising")),
        say("", finish="stop"),
        "All the same: pay.",
    )
    beat = due.beat(model, tools=[raising])
    assert (beat.outcome, beat.reply) == ("delivered", "All the same: pay.")
    assert "the sensor is gone" in str(model.requests[-1].messages)


def test_a_tool_that_never_returns_is_left_behind(due):
    """It is abandoned when its time is up, and the model goes on."""
    from toolnexus.agent.tool import tool_from

    release = threading.Event()
    tool = tool_from(slow_tool(release), timeout_seconds=0.05)
    beat = due.beat(ScriptedModel(use(call("wait_for_ever")), "Pay."), tools=[tool])
    release.set()
    assert (beat.outcome, beat.reply) == ("delivered", "Pay.")


def test_a_model_that_only_stumbles_is_given_up(due):
    """Call after call refused, or step after step without an end, ends with exit 69."""
    stuck = due.beat(ScriptedModel(default=use(call("no_such_tool"))))
    assert_failed(due, stuck, 69, "call after call was refused")
    calls = (use(call("memory", action="read", target="self")) for _ in range(99))
    endless = due.later(days=1).beat(ScriptedModel(*calls))
    assert_failed(due, endless, 69, "did not come to its end")
    assert "runs" in endless.error.hint


def test_a_bug_is_noted_before_it_is_raised(due):
    """What nobody foresaw is in the state folder as well, and leaves the tasks due."""
    with pytest.raises(AssertionError):
        due.beat(ScriptedModel())
    assert due.state()["outcome"] == "failed"
    assert "AssertionError" in due.state()["reason"]
    assert due.read("HEARTBEAT.md") == PAY


def test_failures_back_off_and_exit_69(due):
    """After a failure the beats wait 1, 2, 4 … times their interval; each one skipped says so."""
    due.beat(ScriptedModel("HEARTBEAT_OK"))
    due.write("HEARTBEAT.md", PAY)
    down = ScriptedModel(default=Unreachable("no route to the model"))
    outcomes = []
    for _ in range(12):
        beat = due.later(minutes=30).beat(down)
        assert beat.exit_code == 69
        outcomes.append(beat.skipped_because or beat.outcome)
    assert (
        outcomes
        == ["failed"] * 2
        + ["backing off"]
        + ["failed"]
        + ["backing off"] * 3
        + ["failed"]
        + ["backing off"] * 4
    )
    assert "no route to the model" in beat.reason
    assert due.state()["skipped_because"] == "backing off"
    assert len(down.requests) == 4
    forced = due.beat(ScriptedModel("Pay."), force=True)
    assert (forced.outcome, forced.exit_code) == ("delivered", 0)


def test_a_reply_that_nobody_took_is_not_lost(due):
    """The beat fails, its reply is in the beat, and the tasks stay due."""
    due.write(
        "persona.yaml", "heartbeat: {timezone: UTC, deliver: [{command: [no-such-mailer]}]}\n"
    )
    beat = due.beat(ScriptedModel("Pay today."))
    assert_failed(due, beat, 69, "no-such-mailer")
    assert beat.reply == "Pay today."


def test_a_reply_that_somebody_took_is_done(due):
    """What went wrong at the other place is told, with exit 69."""
    due.write(
        "persona.yaml",
        "heartbeat: {timezone: UTC, deliver: [stdout, {command: [no-such-mailer]}]}\n",
    )
    beat = due.beat(ScriptedModel("Pay today."))
    assert (beat.outcome, beat.exit_code, due.said) == ("delivered", 69, ["Pay today."])
    assert "[x] Pay" in due.read("HEARTBEAT.md")
    assert due.later(minutes=1).beat(ScriptedModel("HEARTBEAT_OK")).outcome == "silent"


def test_missing_delivery_settings_cost_no_model_call(due):
    """A variable that is not set is found before the model is asked: exit 78, and no back-off."""
    due.write("persona.yaml", "heartbeat: {timezone: UTC, deliver: [env:ALERTS]}\n")
    model = ScriptedModel()
    assert_failed(due, due.beat(model), 78, "ALERTS is not set")
    assert_failed(due, due.later(minutes=1).beat(model), 78, "ALERTS is not set")
    assert model.requests == []


def test_wrong_settings_are_in_the_state_too(due):
    """Settings are read before any gate; what is wrong is raised, and noted."""
    from toolnexus.errors import ConfigError

    due.write("persona.yaml", "heartbeat: {evry: 30m}\n")
    with pytest.raises(ConfigError):
        due.beat()
    assert due.state()["exit_code"] == 78
    assert "evry" in due.state()["reason"]


@pytest.mark.parametrize(
    ("edit", "after"),
    [
        (lambda text: text.replace("Look.", "Look around."), "[x] Pay (at 2026-11-30)"),
        (lambda text: "# New\n\n" + text.replace("- [ ] Pay", "* [ ]  Pay"), "* [x]  Pay"),
        (lambda text: text.replace("2026-11-30", "2026-12-24"), "[ ] Pay (at 2026-12-24)"),
        (lambda text: text.replace("- [ ] Pay (at 2026-11-30)\n", ""), "## Tasks\n- [ ] Water"),
        (lambda text: text.replace("[ ] Pay", "[X] Pay"), "[X] Pay (at 2026-11-30)"),
    ],
)
def test_an_edit_during_a_beat_stands(due, edit, after):
    """What a person wrote meanwhile is kept byte for byte, but for the box of what was done."""
    edited = edit(PAY)

    def reply(_request):
        due.write("HEARTBEAT.md", edited)
        return "Pay."

    assert due.beat(ScriptedModel(reply)).outcome == "delivered"
    text = due.read("HEARTBEAT.md")
    assert after in text
    assert text.replace("[x]", "[ ]") == edited
    assert due.later(minutes=1).beat(ScriptedModel("HEARTBEAT_OK")).tasks == ()


def test_a_heartbeat_file_that_vanishes_during_a_beat_is_fine(due):
    """There is no box to tick then, and nothing is written in its place."""

    def reply(_request):
        (due.root / "HEARTBEAT.md").unlink()
        return "Pay."

    assert due.beat(ScriptedModel(reply)).exit_code == 0
    assert not (due.root / "HEARTBEAT.md").exists()


def test_a_heartbeat_file_that_cannot_be_read_is_no_empty_one(due):
    """Bytes that are no text, or a link out of the home, fail loudly: exit 65."""
    (due.root / "HEARTBEAT.md").write_bytes(b"- [ ] \xff\n")
    beat = due.beat(ScriptedModel())
    assert (beat.outcome, beat.exit_code) == ("failed", 65)
    assert "HEARTBEAT.md" in beat.reason
    (due.root / "HEARTBEAT.md").unlink()
    (due.root / "HEARTBEAT.md").symlink_to("/etc/hostname")
    assert due.beat(ScriptedModel()).exit_code == 65


def test_a_box_that_cannot_be_ticked_is_told_and_not_done_again(due, monkeypatch):
    """The task is remembered as done, the failure is a notice, and a later beat ticks it."""

    def full(*_args, **_options):
        from toolnexus.errors import DiskError

        raise DiskError("cannot write: No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(Store, "commit", full)
        beat = due.beat(ScriptedModel("Pay."))
    assert (beat.outcome, beat.exit_code) == ("delivered", 0)
    assert "could not be ticked" in beat.notices[0]
    assert due.read("HEARTBEAT.md") == PAY
    second = due.later(minutes=1).beat()
    assert second.skipped_because == "nothing due"
    assert "[x] Pay" in due.read("HEARTBEAT.md")


def test_a_full_disk_is_told_before_a_model_is_asked(due):
    """State that cannot be kept ends the beat with exit 74: nothing may be done twice."""
    home = due.open()
    home.store._values._disk = FaultyDisk(0, errno.ENOSPC, lasting=True)
    model = ScriptedModel()
    beat = home.beat(model=model)
    assert (beat.outcome, beat.exit_code, model.requests) == ("failed", 74, [])
    assert due.read("HEARTBEAT.md") == PAY


@pytest.mark.parametrize("damage", [b"{", b"[]", b'{"tasks": [], "backoff": {"failures": "x"}}'])
def test_damaged_state_starts_afresh(due, damage):
    """A one-time task is done all the same, a recurring one waits for its next slot."""
    (due.root / ".toolnexus/state/beat.json").write_bytes(damage)
    (due.root / ".toolnexus/state/beat-last.json").write_bytes(damage)
    beat = due.beat(ScriptedModel("Pay."))
    assert (beat.outcome, beat.tasks) == ("delivered", ("Pay",))
    assert due.at("2026-12-01T09:00:00Z").beat().reply == "Water"


def test_two_schedulers_do_one_beat(due):
    """A beat that finds another one under way coalesces into it: skipped, busy, exit 0."""
    inner = []

    def reply(_request):
        inner.append(due.beat(ScriptedModel()))
        inner.append(due.beat(ScriptedModel(), force=True))
        return "Pay."

    outer = due.beat(ScriptedModel(reply))
    assert (outer.outcome, due.said) == ("delivered", ["Pay."])
    assert [(beat.skipped_because, beat.exit_code) for beat in inner] == [("busy", 0)] * 2
    assert due.state("beat-busy")["reason"].startswith("busy")
    assert due.state()["outcome"] == "delivered"


def test_clocks_that_jump_neither_lose_nor_repeat_for_long(ava):
    """A clock set back by an hour repeats nothing; a year ahead and back again loses one day."""
    ava.write("HEARTBEAT.md", "## Tasks\n- [ ] Water (every 1d at 09:00)\n")
    replies = {}
    for instant in (
        "2026-11-30T08:00", "2026-11-30T09:10", "2026-11-30T08:10", "2026-11-30T09:30",
        "2027-11-30T12:00", "2026-12-01T08:00", "2026-12-01T09:00", "2026-12-02T09:00",
    ):  # fmt: skip
        replies[instant] = ava.at(instant).beat().reply
    assert list(replies.values()) == ["", "Water", "", "", "Water", "", "Water", "Water"]


def test_a_run_leaves_its_steps(due):
    """Each beat with a model leaves a readable file of its run."""
    due.beat(ScriptedModel("Pay."))
    files = list((due.root / ".toolnexus/runs").glob("*-beat-*.jsonl"))
    assert len(files) == 2
    assert "Pay." in max(files).read_text()


LINES = st.sampled_from(
    ["- [ ] Pay (at 2026-11-30)", "- [ ] Water (every 1d at 09:00)", "  - details", "Look.", "",
     "- [ ] Late (at noon)", "## Tasks", "# Top", "<!-- c", "-->", "```", "---", "title: x", "> q",
     "- [x] Done (at 2026-01-01)", "* Go (at 2026-11-29 10:00)", "1. [ ] Ü\u202e (at 2026-11-30)"],
)  # fmt: skip


@settings(max_examples=25)
@given(st.lists(LINES, max_size=10), st.sampled_from(["\n", "\r\n"]))
def test_any_heartbeat_file_gives_a_beat(tmp_path_factory, lines, newline):
    """Whatever stands there, a beat without a model ends well and moves boxes alone, once."""
    text = newline.join(["## Tasks", *lines])
    persona = Persona(tmp_path_factory.mktemp("any") / "ava")
    persona.write("persona.yaml", "model: none\nheartbeat: {timezone: UTC}\n")
    persona.write("HEARTBEAT.md", text)
    beat = persona.at("2026-11-30T09:30:00Z").beat()
    assert (beat.error, beat.exit_code) == (None, 0)
    after = persona.read("HEARTBEAT.md")
    assert after.replace("[x] ", "").replace("[ ] ", "") == text.replace("[x] ", "").replace(
        "[ ] ", ""
    )
    again = persona.later(minutes=1).beat()
    assert (again.outcome, again.exit_code) == ("skipped", 0)
    assert persona.read("HEARTBEAT.md") == after
