"""Asking and chatting: what is sent, what is recorded and when, and what a cut reply leaves."""

from __future__ import annotations

import asyncio
import json
import shutil
import threading
from typing import Any

import pytest
from talking_homes import assert_sendable, open_ava, recorded

from toolnexus.app.chat import LARGEST_WINDOW_TOKENS, window_of
from toolnexus.app.history import LEFT_OUT
from toolnexus.errors import ConfigError, DiskError, ModelError, Unreachable, UsageError
from toolnexus.models.completion import Completion, Delta, Request
from toolnexus.models.message import SystemMessage, UserMessage
from toolnexus.testing.model import ScriptedModel, call, say, use


class BreakingModel(ScriptedModel):
    """Says a few words, and then what it is told to do happens."""

    def __init__(self, then: Any) -> None:
        super().__init__()
        self._then = then

    def stream(self, request: Request) -> Any:
        """Say some of it."""
        self.requests.append(request)
        yield Delta("Once upon")
        yield Delta(" a time")
        yield self._then()


def fail() -> Delta:
    raise Unreachable("the reply of the model broke off")


def interrupt() -> Delta:
    raise KeyboardInterrupt


def lines(root: Any, conversation: str) -> list[dict[str, Any]]:
    path = root / "transcripts" / f"{conversation}.jsonl"
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_a_question_is_answered_and_recorded(tmp_path):
    """The soul is the system prompt, the reply tells its cost, and both turns are recorded."""
    model = ScriptedModel("Watering the plants.")
    home = open_ava(tmp_path / "ava", model)
    reply = home.ask("What is on my plate?")
    assert (reply.text, str(reply), reply.cut) == ("Watering the plants.",) * 2 + ("",)
    assert (reply.usage.model_calls, reply.usage.tokens_in, reply.usage.tokens_out) == (1, 100, 20)
    sent = model.requests[0].messages
    assert sent[0] == SystemMessage("## SOUL.md\n\nYou are Ava.\n\n## MEMORY.md\n\n- Likes tea.")
    assert sent[1:] == (UserMessage("What is on my plate?"),)
    names = [tool.name for tool in model.requests[0].tools]
    assert names == ["memory", "note_search", "transcript_search"]
    assert lines(tmp_path / "ava", reply.conversation) == [
        {
            "role": "user",
            "content": "What is on my plate?",
            "ts": "2026-11-30T08:00:00Z",
            "name": "Maria",
        },
        {
            "role": "assistant",
            "content": "Watering the plants.",
            "ts": "2026-11-30T08:00:00Z",
            "name": "ava",
        },
    ]


def test_the_question_is_on_the_disk_before_the_model_is_asked(tmp_path):
    """Whatever becomes of the model, what the person said is kept."""
    seen: list[Any] = []

    def reply(_request: Request) -> str:
        seen.extend(recorded(home, "talk"))
        return "Hello."

    home = open_ava(tmp_path / "ava", ScriptedModel(reply))
    home.ask("Hi.", conversation="talk")
    assert seen == [("user", "Hi.")]


def test_without_a_model_nothing_is_recorded(tmp_path, monkeypatch):
    """Where there is no model the error says how to name one, and no conversation begins."""
    monkeypatch.delenv("TOOLNEXUS_MODEL", raising=False)
    home = open_ava(tmp_path / "ava")
    for model in (None, "none"):
        with pytest.raises(ConfigError, match="no model") as caught:
            home.ask("Hi.", model=model)
        assert "persona.yaml" in caught.value.hint
    assert home.conversations() == []


@pytest.mark.parametrize("prompt", ["", " \n", "half \ud83d"])
def test_a_prompt_that_is_no_text_is_refused(tmp_path, prompt):
    """An empty prompt, or half a character, asks nobody and records nothing."""
    model = ScriptedModel("Hello.")
    home = open_ava(tmp_path / "ava", model)
    with pytest.raises(UsageError):
        home.ask(prompt, conversation="talk")
    assert (model.requests, recorded(home, "talk")) == ([], [])


def test_a_conversation_goes_on(tmp_path):
    """Under the same id the model has what was said before it, in another process too."""
    open_ava(tmp_path / "ava", ScriptedModel("Hello, Maria.")).ask("Hi.", conversation="talk")
    model = ScriptedModel("You said hi.")
    home = open_ava(tmp_path / "ava", model)
    home.ask("What did I say?", conversation="talk")
    said = [(message.role, message.text) for message in model.requests[0].messages[1:]]
    assert said == [("user", "Hi."), ("assistant", "Hello, Maria."), ("user", "What did I say?")]
    assert len(recorded(home, "talk")) == 4


def test_the_soul_stays_as_it_was_when_the_chat_began(tmp_path):
    """A fact that is saved is on the disk at once, and in the prompt of the next conversation."""
    model = ScriptedModel(
        use(call("memory", action="add", text="Has a cat.")), "Noted.", "Yes.", "Mau."
    )
    home = open_ava(tmp_path / "ava", model)
    chat = home.chat()
    chat.say("I have a cat.")
    assert "Has a cat." in (tmp_path / "ava/MEMORY.md").read_text()
    chat.say("Do you know it?")
    assert all("Has a cat." not in request.messages[0].text for request in model.requests)
    home.ask("And now?")
    assert "Has a cat." in model.requests[-1].messages[0].text


def test_tools_of_the_host_are_recorded_and_our_own_are_not(tmp_path):
    """A search's result stands in the home already; a host's tool says something new."""

    def weather(town: str) -> str:
        """Tell the weather."""
        return f"rain in {town}"

    model = ScriptedModel(
        use(call("weather", town="Bergen"), call("memory", action="list"), text="Let me look."),
        "It rains.",
        "As I said.",
    )
    home = open_ava(tmp_path / "ava", model, tools=[weather])
    heard: list[str] = []
    reply = home.ask("The weather?", conversation="talk", on_text=heard.append)
    assert (reply.text, "".join(heard)) == ("It rains.", "Let me look.\n\nIt rains.")
    assert [turn["role"] for turn in lines(tmp_path / "ava", "talk")] == [
        *("user", "assistant", "tool", "assistant")
    ]
    assert recorded(home, "talk")[2] == ("tool", "rain in Bergen")
    open_ava(tmp_path / "ava", model).ask("And tomorrow?", conversation="talk")
    assert_sendable(model.requests[-1].messages)
    assert [message.role for message in model.requests[-1].messages] == [
        *("system", "user", "assistant", "tool", "assistant", "user")
    ]


def test_keys_that_tools_meet_are_not_recorded(tmp_path, monkeypatch):
    """They are masked in calls, results and errors; what people say stands as it was said."""
    monkeypatch.setenv("CRM_TOKEN", "hunter2-hunter2")

    def login(token: str) -> str:
        """Sign in."""
        raise RuntimeError(f"401 for {token}")

    model = ScriptedModel(use(call("login", token="hunter2-hunter2")), "That did not work.")
    home = open_ava(tmp_path / "ava", model, tools=[login])
    home.ask("Is it hunter2-hunter2?", conversation="talk")
    asked, called, result, _ = lines(tmp_path / "ava", "talk")
    assert asked["content"] == "Is it hunter2-hunter2?"
    assert "hunter2" not in f"{called} {result}"
    assert "401 for [redacted]" in result["content"]


def test_a_reply_cut_by_its_length_is_recorded_as_such(tmp_path):
    """Its words are kept and handed on, marked as cut."""
    home = open_ava(tmp_path / "ava", ScriptedModel(say("Once upon", finish="length")))
    reply = home.ask("A story?", conversation="talk")
    assert (reply.text, reply.cut) == ("Once upon", "length")
    assert lines(tmp_path / "ava", "talk")[1]["cut"] == "length"


@pytest.mark.parametrize(
    ("then", "raised", "cut"),
    [(fail, Unreachable, "broke off"), (interrupt, KeyboardInterrupt, "interrupted")],
)
def test_a_reply_that_breaks_off_keeps_its_words(tmp_path, then, raised, cut):
    """What was said before the stream broke, or Ctrl-C was pressed, is recorded as cut."""
    model = BreakingModel(then)
    home = open_ava(tmp_path / "ava", model)
    heard: list[str] = []
    chat = home.chat(conversation="talk")
    with pytest.raises(raised):
        chat.say("A story?", on_text=heard.append)
    assert "".join(heard) == "Once upon a time"
    last = lines(tmp_path / "ava", "talk")[-1]
    assert (last["role"], last["content"], last["cut"]) == ("assistant", "Once upon a time", cut)
    assert [m.text for m in chat.messages] == ["A story?", "Once upon a time"]


def test_a_reply_can_be_stopped(tmp_path):
    """A cancelled question gives what was said until then, and the chat can go on."""
    stop = threading.Event()
    gate = threading.Event()

    def wait() -> Delta:
        stop.set()
        gate.wait(10)
        return Delta(completion=Completion("Once upon a time"))

    model = BreakingModel(wait)
    chat = open_ava(tmp_path / "ava", model).chat(conversation="talk")
    reply = chat.say("A story?", on_text=lambda _: None, cancel=stop)
    gate.set()
    assert (reply.text, reply.cut) == ("Once upon a time", "interrupted")
    assert lines(tmp_path / "ava", "talk")[-1]["cut"] == "interrupted"


@pytest.mark.parametrize("reply", [use(call("dig")), use(call("memory", action="dig"))])
def test_a_model_that_gets_nowhere_is_an_error(tmp_path, reply):
    """Call after call that cannot be carried out ends in a model error that says why."""
    home = open_ava(tmp_path / "ava", ScriptedModel(default=reply))
    with pytest.raises(ModelError, match="came to no answer"):
        home.ask("Hi.", conversation="talk")
    assert recorded(home, "talk")[0] == ("user", "Hi.")


def test_a_full_disk_stops_the_question_before_it_is_asked(tmp_path):
    """Where the turn cannot be recorded the model is not asked."""
    model = ScriptedModel("Hello.")
    home = open_ava(tmp_path / "ava", model)
    (tmp_path / "ava/transcripts").write_text("no folder")
    with pytest.raises(DiskError):
        home.ask("Hi.")
    assert model.requests == []


@pytest.mark.parametrize("is_late", [False, True])
def test_a_run_file_that_cannot_be_written_cuts_no_answer(tmp_path, is_late):
    """What was said is recorded whole and returned, with a notice; the next answer has its file."""
    runs = tmp_path / "ava/.toolnexus/runs"

    def spoil() -> str:
        """Put a file where the run files go."""
        shutil.rmtree(runs, ignore_errors=True)
        runs.parent.mkdir(exist_ok=True)
        runs.write_text("no folder")
        return "spoilt"

    steps = [use(call("spoil"))] if is_late else []
    home = open_ava(tmp_path / "ava", ScriptedModel(*steps, "Watering the plants.", "Again."))
    if not is_late:
        spoil()
    with home.chat(conversation="talk", tools=[spoil]) as chat:
        reply = chat.say("What is on my plate?")
        runs.unlink()
        again = chat.say("And now?")
    assert (reply.text, reply.cut) == ("Watering the plants.", "")
    assert ["could not be written down" in notice for notice in reply.notices] == [True]
    assert (again.text, again.notices) == ("Again.", ())
    assert len(list(runs.glob("*-ask-*.jsonl"))) == 1
    said = [turn for turn in lines(tmp_path / "ava", "talk") if turn.get("content")]
    assert not any("cut" in turn for turn in said)
    assert said[-1]["content"] == "Again."


def test_a_long_conversation_is_sent_in_part(tmp_path):
    """Of a long transcript the newest turns are sent, with a word that there are more."""

    class SmallModel(ScriptedModel):
        def window_tokens(self) -> int:
            return 4_000

    root = tmp_path / "ava"
    home = open_ava(root)
    for number in range(60):
        home.transcripts.append("talk", {"role": "user", "content": f"{number} " + "x" * 400})
        home.transcripts.append("talk", {"role": "assistant", "content": f"re {number}"})
    model = SmallModel("The last one.")
    open_ava(root, model).ask("Which was the last?", conversation="talk")
    sent = model.requests[0].messages[1:]
    assert sent[0] == UserMessage(LEFT_OUT)
    assert sent[1].role == "user"
    assert sent[-2].text == "re 59"
    assert len(sent) < 60


def test_a_chat_that_outgrows_the_window_is_compacted(tmp_path):
    """The older part becomes a summary, and no result is parted from its call."""

    class SmallModel(ScriptedModel):
        def window_tokens(self) -> int:
            return 4_000

    def count(words: str) -> int:
        """Count words."""
        return len(words.split())

    def reply(request: Request) -> Completion | str:
        last = request.messages[-1]
        if "Condense this conversation" in last.text:
            return "They counted words."
        if "about to be condensed" in last.text:
            return "READY"
        return use(call("count", words="a b")) if last.role == "user" else "Two. " + "y" * 900

    model = SmallModel(default=reply)
    chat = open_ava(tmp_path / "ava", model, tools=[count]).chat()
    for number in range(12):
        chat.say(f"{number} " + "x" * 900)
        assert_sendable(chat.messages)
    assert any("They counted words." in message.text for message in chat.messages)
    assert len(chat.messages) < 24


def test_what_is_sent_is_bounded_by_what_the_model_takes(tmp_path):
    """A model's own window counts up to a bound; one that nobody knows has room for the soul."""

    class Model(ScriptedModel):
        def __init__(self, window: Any) -> None:
            super().__init__()
            self.window_tokens = lambda: window

    assert window_of(Model(8_000), "") == 8_000
    assert window_of(Model(10**7), "") == LARGEST_WINDOW_TOKENS
    assert window_of(Model(None), "x" * 400_000) == 200_000
    assert window_of(ScriptedModel(), "") == 32_000


def test_asking_from_an_event_loop(tmp_path):
    """The async twin holds nothing up, and an async tool runs on its caller's loop."""
    loops: list[Any] = []

    async def ring(bell: str) -> str:
        """Ring a bell."""
        loops.append(asyncio.get_running_loop())
        await asyncio.sleep(0)
        return f"{bell} rang"

    model = ScriptedModel(use(call("ring", bell="door")), "It rang.")
    home = open_ava(tmp_path / "ava", model, tools=[ring])

    async def main() -> Any:
        reply = await home.aask("Ring.", conversation="talk")
        return reply, asyncio.get_running_loop()

    reply, loop = asyncio.run(main())
    assert (reply.text, loops) == ("It rang.", [loop])


def test_a_question_that_is_awaited_no_longer_is_stopped(tmp_path):
    """Cancelling the task stops the run, and what was said is recorded as cut."""
    begun, gate = threading.Event(), threading.Event()

    def wait() -> Delta:
        begun.set()
        gate.wait(10)
        return Delta(completion=Completion("never seen"))

    home = open_ava(tmp_path / "ava", BreakingModel(wait))
    cut = threading.Event()
    kept = home.transcripts.append

    def append(conversation: str, turn: Any) -> Any:
        address = kept(conversation, turn)
        if turn.get("cut"):
            cut.set()
        return address

    home.transcripts.append = append  # type: ignore[method-assign]

    async def main() -> None:
        asking = home.aask("A story?", conversation="talk", on_text=lambda _: None)
        task = asyncio.ensure_future(asking)
        await asyncio.to_thread(begun.wait, 10)
        task.cancel()
        await asyncio.wait([task])

    asyncio.run(main())
    assert cut.wait(10)
    gate.set()
    assert recorded(home, "talk")[-1] == ("assistant", "Once upon a time")


def test_a_model_can_be_prepared_for_the_first_question(tmp_path):
    """A model that has something to load is told to; one that has not need not know of it."""

    class Heavy(ScriptedModel):
        is_ready = False

        def prepare(self) -> None:
            self.is_ready = True

    model = Heavy()
    open_ava(tmp_path / "ava", model).chat().prepare()
    assert model.is_ready
    open_ava(tmp_path / "ava", ScriptedModel()).chat().prepare()
