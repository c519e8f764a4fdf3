"""The loop, sync and async, against scripted models."""

from __future__ import annotations

import asyncio
import json
import re
import threading
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolnexus.agent.bounds import Bounds
from toolnexus.agent.budget import Budget, Meter
from toolnexus.agent.loop import Agent
from toolnexus.agent.run_file import RunFile, read_run
from toolnexus.agent.tool import tool_from
from toolnexus.clock import FixedClock, parse_instant
from toolnexus.errors import (
    BudgetSpent,
    DiskError,
    Malformed,
    Refused,
    Unreachable,
    UsageError,
)
from toolnexus.models.completion import Completion, Usage
from toolnexus.models.failures import ContextExceeded
from toolnexus.models.message import (
    AssistantMessage,
    SystemMessage,
    ToolCall,
    ToolMessage,
    UserMessage,
)
from toolnexus.testing.model import ScriptedModel, call, raw_call, say, use

if TYPE_CHECKING:
    from collections.abc import Callable

    from toolnexus.agent.run import Run

CLOCK = FixedClock(parse_instant("2026-11-29T03:00:00Z"))


def sync_run(agent: Agent, prompt: str, **options: Any) -> Run:
    return agent.run(prompt, **options)


def async_run(agent: Agent, prompt: str, **options: Any) -> Run:
    return asyncio.run(agent.arun(prompt, **options))


both = pytest.mark.parametrize("run", [sync_run, async_run])


class Box:
    """A place for notes, as tools."""

    def __init__(self) -> None:
        self.notes: list[str] = []

    def put(self, text: str) -> str:
        """Keep a note."""
        self.notes.append(text)
        return f"kept {len(self.notes)}"

    def look(self) -> list[str]:
        """Return all notes."""
        return self.notes

    async def fetch(self, text: str) -> str:
        """Keep a note, asynchronously."""
        await asyncio.sleep(0)
        return self.put(text)

    def refuse(self, text: str) -> str:
        """Refuse."""
        raise UsageError(f"no room for {text}", hint="make some")

    def crash(self) -> None:
        """Fail in an odd way."""
        raise ZeroDivisionError("oh")

    def tools(self) -> list[Callable[..., object]]:
        """Return its tools."""
        return [self.put, self.look, self.fetch, self.refuse, self.crash]


def agent_with(*replies: Any, box: Box | None = None, **options: Any) -> Agent:
    default = options.pop("default", None)
    model = ScriptedModel(*replies, default=default)
    return Agent("ava", "You are Ava.", model, (box or Box()).tools(), **options)


def results(run: Run) -> list[str]:
    return [message.text for message in run.messages if isinstance(message, ToolMessage)]


def assert_valid(run: Run) -> None:
    """Check that every call has its result, in order, right behind it."""
    waiting: list[str] = []
    for message in run.messages:
        if isinstance(message, ToolMessage):
            assert message.call_id == waiting.pop(0)
            continue
        assert waiting == []
        if isinstance(message, AssistantMessage):
            assert all(re.fullmatch(r"[\w-]{1,64}", f"{w.name}", re.ASCII) for w in message.calls)
            assert all(re.fullmatch(r"[\w-]{1,40}", w.id, re.ASCII) for w in message.calls)
            waiting = [wish.id for wish in message.calls]
            assert all(isinstance(json.loads(w.arguments_text), dict) for w in message.calls)
    assert waiting == []


@both
def test_an_answer_ends_the_run(run):
    """A reply in words is the answer; soul and tools were sent, and the cost is told."""
    agent = agent_with("Hello!")
    done = run(agent, "hi")
    assert (done.outcome, done.text, done.steps) == ("done", "Hello!", 1)
    assert done.messages == (UserMessage("hi"), AssistantMessage("Hello!"))
    assert done.usage == Usage(100, 20, None, 1)
    request = agent.model.requests[0]
    assert request.messages == (SystemMessage("You are Ava."), UserMessage("hi"))
    assert [tool.name for tool in request.tools] == ["put", "look", "fetch", "refuse", "crash"]


@both
def test_tools_are_called_in_order(run):
    """Calls of one reply are carried out one after another, async ones too; results go back."""
    box = Box()
    wishes = use(call("put", text="a"), call("fetch", text="b"), call("look"))
    done = run(agent_with(wishes, "Kept both.", box=box), "keep a and b")
    assert box.notes == ["a", "b"]
    assert results(done) == ["kept 1", "kept 2", '["a", "b"]']
    assert (done.outcome, done.text, done.refused) == ("done", "Kept both.", ())
    assert_valid(done)


@both
def test_a_bad_call_is_told_and_mended(run):
    """Malformed JSON, an unknown tool, wrong arguments: an error each, and the run goes on."""
    box = Box()
    bad = use(
        raw_call("put", '{"text": '),
        call("bash", command="rm -rf /"),
        call("put"),
        call("put", text=3),
        call("put", text="x", k=1),
        call("refuse", text="x"),
        call("crash"),
    )
    done = run(agent_with(bad, use(call("put", text="good")), "Done.", box=box), "go")
    said = results(done)
    assert "not valid JSON" in said[0]
    assert "there is no tool 'bash' (there is: put, look" in said[1]
    assert "'text' is missing" in said[2]
    assert "'text' must be a text, not a number" in said[3]
    assert "'k' is unknown" in said[4]
    assert said[5] == "Error: no room for x (make some)"
    assert said[6] == "Error: 'crash' failed: ZeroDivisionError: oh"
    assert (box.notes, done.outcome, len(done.refused)) == (["good"], "done", 7)
    assert [refusal.tool for refusal in done.refused][:2] == ["put", "bash"]
    assert_valid(done)


@both
def test_a_cut_call_is_not_carried_out(run):
    """A reply that was cut off by its length changes nothing, though its call looks whole."""
    box = Box()
    cut = Completion("", (call("put", text="Lives"),), "length", Usage(calls=1))
    done = run(agent_with(cut, "Sorry.", box=box), "go")
    assert box.notes == []
    assert "cut off" in done.refused[0].reason
    assert done.outcome == "done"


@both
def test_a_cut_answer_says_so(run):
    """An answer that was cut is no answer: the outcome tells, the words are there."""
    done = run(agent_with(say("and then", finish="length")), "go")
    assert (done.outcome, done.text) == ("cut", "and then")


@both
def test_the_same_call_again_and_again_ends(run):
    """The third equal call with an equal result is refused, and a model that goes on is stopped."""
    box = Box()
    agent = agent_with(box=box, default=lambda _: use(call("refuse", text="x")))
    done = run(agent, "go")
    assert done.outcome == "stuck"
    assert done.steps == 4
    assert "this very call before" in done.refused[2].reason
    assert_valid(done)


@both
def test_looking_again_after_a_change_is_no_repeat(run):
    """A call whose result changed in between starts anew."""
    box = Box()
    script = [use(call("look"), call("put", text=str(n))) for n in range(6)]
    done = run(agent_with(*script, "ok", box=box), "go")
    assert (done.outcome, len(box.notes), done.refused) == ("done", 6, ())


@both
def test_steps_are_bounded(run):
    """A model that never answers is stopped after the bound, with a valid conversation."""
    counter = iter(range(1_000))
    agent = agent_with(default=lambda _: use(call("put", text=str(next(counter)))))
    done = run(agent, "go")
    assert (done.outcome, done.steps, done.usage.calls) == ("steps", 24, 24)
    assert_valid(done)


@both
def test_an_empty_reply_is_asked_about_once(run):
    """Silence is asked about; a model that stays silent failed, one that had worked is done."""
    assert run(agent_with("", "Here."), "go").text == "Here."
    silent = run(agent_with("", ""), "go")
    assert silent.outcome == "failed"
    assert isinstance(silent.error, Malformed)
    assert run(agent_with(use(call("put", text="a")), "", ""), "go").outcome == "done"


@both
def test_a_model_that_fails_is_an_outcome(run):
    """An error of the model's ends the run; what was done until then is told."""
    box = Box()
    done = run(agent_with(use(call("put", text="a")), Unreachable("down"), box=box), "go")
    assert (done.outcome, done.reason, done.steps) == ("failed", "down", 2)
    assert done.usage.calls == 1
    with pytest.raises(Unreachable):
        done.raise_for_error()
    withheld = run(agent_with(Completion("", (), "content_filter")), "go")
    assert isinstance(withheld.error, Refused)


@both
def test_a_bug_is_not_hidden(run):
    """An error that is no model's reaches the caller: a replay that does not fit, a bug."""
    with pytest.raises(UsageError):
        run(agent_with(UsageError("the recording differs")), "go")


@both
def test_a_long_result_is_cut_with_a_notice(run):
    """The model sees the beginning of a huge result and is told how much there is."""
    box = Box()
    box.notes = ["x" * 50_000]
    done = run(agent_with(use(call("look")), "ok", box=box), "go")
    text = results(done)[0]
    assert len(text) < 16_200
    assert "the first 16,000 of 50,004 characters" in text


@both
def test_what_a_tool_does_to_its_caller_is_told_to_the_model(run):
    """A result that cannot be written, and a tool that ends the program, cost that call alone."""

    def circle() -> list[Any]:
        """Give back a list that holds itself."""
        endless: list[Any] = []
        endless.append(endless)
        return endless

    def leave() -> None:
        """End the program."""
        raise SystemExit(3)

    model = ScriptedModel(use(call("circle"), call("leave")), "ok")
    done = run(Agent("ava", "", model, [circle, leave]), "go")
    assert (done.outcome, done.text) == ("done", "ok")
    circled, left = results(done)
    assert "'circle' failed: ValueError: Circular reference" in circled
    assert "tried to end the program: 3" in left


@both
def test_a_tool_that_never_returns_is_abandoned(run):
    """The run goes on without it, and says so."""
    never = threading.Event()

    def hang() -> bool:
        """Hang."""
        return never.wait()

    model = ScriptedModel(use(call("hang")), "ok")
    done = run(Agent("ava", "", model, [tool_from(hang, timeout_seconds=0.05)]), "go")
    never.set()
    assert (done.outcome, done.text) == ("done", "ok")
    assert "did not return within 0.05 s and was abandoned" in done.refused[0].reason


@both
@pytest.mark.parametrize(
    ("budget", "calls"),
    [(Budget(calls=3), 3), (Budget(tokens=500), 4), (Budget(usd=0.025), 3)],
)
def test_a_budget_ends_the_run(run, budget, calls):
    """Calls, tokens and money each end it in time, as an outcome."""
    counter = iter(range(1_000))
    cost = Usage(100, 20, 0.01, 1)
    model = ScriptedModel(default=lambda _: use(call("put", text=str(next(counter))), usage=cost))
    done = run(Agent("ava", "", model, [Box().put], budget=budget), "go")
    assert (done.outcome, done.usage.calls) == ("budget", calls)
    assert "the budget is spent" in done.reason
    assert done.error is None
    assert budget.tokens is None or done.usage.tokens <= budget.tokens
    assert_valid(done)


@both
def test_a_model_that_counts_more_than_we_do_stays_within_its_tokens(run):
    """What a model counts for one estimated token is learned from its first reply."""
    counter = iter(range(1_000))
    cost = Usage(1_000, 10, None, 1)
    model = ScriptedModel(default=lambda _: use(call("put", text=str(next(counter))), usage=cost))
    done = run(Agent("ava", "", model, [Box().put], budget=Budget(tokens=2_900)), "go")
    assert (done.outcome, done.usage.tokens) == ("budget", 2_020)


@both
def test_time_ends_a_question_and_a_call(run):
    """A model, and a tool, that take longer than is left are left behind."""
    never = threading.Event()

    def hang() -> bool:
        """Hang."""
        return never.wait()

    slow = ScriptedModel(use(call("hang")), "never asked")
    done = run(Agent("ava", "", slow, [hang], budget=Budget(seconds=0.1)), "go")
    assert (done.outcome, done.usage.calls) == ("budget", 1)
    assert_valid(done)
    never.set()


def test_a_slow_model_is_left_behind():
    """The seconds of a budget bound a question that is under way."""
    never = threading.Event()

    def late(_request: object) -> str:
        never.wait()
        return "late"

    done = Agent("ava", "", ScriptedModel(late), budget=Budget(seconds=0.1)).run("go")
    never.set()
    assert (done.outcome, done.text) == ("budget", "")


@both
def test_a_meter_is_shared(run):
    """Several runs may spend of one budget."""
    meter = Meter(Budget(calls=3))
    agent = agent_with(default="ok")
    outcomes = [run(agent, "go", meter=meter).outcome for _ in range(4)]
    assert outcomes == ["done", "done", "done", "budget"]
    assert meter.usage.calls == 3


@both
def test_a_reply_is_bounded_by_what_is_left(run):
    """With few tokens left the reply's length is limited; with many it is the provider's matter."""
    agent = agent_with(default="ok")
    run(agent, "go", meter=Meter(Budget(tokens=1_000)))
    run(agent, "go", meter=Meter(Budget(tokens=1_000_000)))
    few, many = agent.model.requests
    assert 0 < few.max_tokens_out < 1_000
    assert many.max_tokens_out is None


@both
def test_a_run_can_be_cancelled(run):
    """An event ends the run between steps, and the calls that wait are answered."""
    cancel = threading.Event()

    def stop() -> str:
        """Stop."""
        cancel.set()
        return "stopping"

    model = ScriptedModel(use(call("stop"), call("stop")), "never asked")
    done = run(Agent("ava", "", model, [stop]), "go", cancel=cancel)
    assert (done.outcome, len(model.requests)) == ("cancelled", 1)
    assert_valid(done)
    assert run(agent_with("ok"), "go", cancel=cancel).usage.calls == 0


@both
def test_a_full_disk_ends_the_run(run):
    """A tool that meets a failing disk ends the run; a budget spent inside a tool does too."""

    def save() -> None:
        """Save."""
        raise DiskError("no space left", path="MEMORY.md")

    def delegate() -> None:
        """Delegate."""
        raise BudgetSpent("the inner budget is spent")

    failed = run(Agent("ava", "", ScriptedModel(use(call("save"))), [save]), "go")
    assert failed.outcome == "failed"
    assert isinstance(failed.error, DiskError)
    assert_valid(failed)
    spent = run(Agent("ava", "", ScriptedModel(use(call("delegate"))), [delegate]), "go")
    assert (spent.outcome, spent.reason) == ("budget", "the inner budget is spent")


@both
def test_words_come_as_they_are_said(run):
    """With a listener the reply is streamed; the whole is the same."""
    heard: list[str] = []
    done = run(agent_with("one two three"), "go", on_text=heard.append)
    assert heard == ["one", " two", " three"]
    assert done.text == "one two three"


@both
def test_a_conversation_goes_on(run):
    """A run's messages are the next one's history; ids that a model uses twice are told apart."""
    wish = Completion("", (ToolCall("call_0", "put", '{"text": "a"}'),), "tool_calls")
    agent = agent_with(wish, "ok", wish, "ok")
    first = run(agent, "one")
    second = run(agent, "two", history=first.messages)
    assert len(second.messages) == 8
    ids = [w.id for m in second.messages if isinstance(m, AssistantMessage) for w in m.calls]
    assert ids == ["call_0", "call_0-2"]
    assert_valid(second)


@both
def test_each_step_is_written_as_it_happens(run, tmp_path):
    """When a run dies its file tells everything up to that moment; a whole one tells its end."""
    file = RunFile(tmp_path / "a.jsonl", CLOCK)
    seen: list[int] = []

    def peek() -> str:
        """Look at the file."""
        seen.append(len(read_run(file.path).entries))
        return "seen"

    agent = Agent("ava", "", ScriptedModel(use(call("peek")), "ok"), [peek])
    run(agent, "go", run_file=file)
    record = read_run(file.path)
    assert seen == [3]
    assert [entry["kind"] for entry in record.entries] == [
        "start",
        "message",
        "reply",
        "message",
        "reply",
        "end",
    ]
    assert [message.text for message in record.messages] == ["go", "", "seen", "ok"]
    assert record.outcome == "done"


WINDOW = Bounds(window_tokens=1_500)


def long_history(turns: int = 12) -> list:
    history: list = []
    for n in range(turns):
        wish = ToolCall(f"h{n}", "look", "{}")
        history += [
            UserMessage(f"question {n} " + "x" * 200),
            AssistantMessage("", (wish,)),
            ToolMessage(f"h{n}", "look", "y" * 200),
            AssistantMessage(f"answer {n} " + "z" * 200),
        ]
    return history


@both
def test_a_conversation_that_outgrows_the_window_is_compacted(run):
    """The older part becomes a summary, the newer turns stay whole, and the answer comes."""
    summaries: list[str] = []

    def reply(request: Any) -> str:
        if "Condense this conversation" in request.messages[-1].text:
            summaries.append(request.messages[-1].text)
            return "SUMMARY of what was"
        return "the answer"

    agent = agent_with(default=reply, bounds=WINDOW)
    done = run(agent, "and now?", history=long_history())
    assert (done.outcome, done.text, done.steps) == ("done", "the answer", 1)
    assert "question 0" in summaries[0]
    assert "SUMMARY of what was" in done.messages[0].text
    assert done.messages[-2] == UserMessage("and now?")
    assert UserMessage(f"question 11 {'x' * 200}") in done.messages
    assert_valid(done)


@both
def test_facts_can_be_saved_before_they_are_summarised(run):
    """With a memory tool the model is first given the chance to save; that talk is not kept."""
    saved: list[str] = []

    def memory(text: str) -> str:
        """Save."""
        saved.append(text)
        return "saved"

    def reply(request: Any) -> Any:
        last = request.messages[-1]
        if "about to be condensed" in last.text:
            return use(call("memory", text="the key is blue"))
        if last.role == "tool" and last.text == "saved":
            return "READY"
        if "Condense this conversation" in last.text:
            return "SUMMARY"
        return "the answer"

    agent = Agent("ava", "", ScriptedModel(default=reply), [memory], bounds=WINDOW)
    done = run(agent, "and now?", history=long_history())
    assert saved[0] == "the key is blue"
    assert (done.outcome, done.text) == ("done", "the answer")
    assert not any("READY" in m.text or "condensed" in m.text for m in done.messages)
    assert_valid(done)


@both
def test_a_model_that_only_saves_is_not_asked_for_ever(run):
    """Saving has a bound, after which the summary is made all the same."""
    counter = iter(range(1_000))

    def memory(text: str) -> str:
        """Save."""
        return f"saved {text}"

    def reply(request: Any) -> Any:
        if "Condense this conversation" in request.messages[-1].text:
            return "SUMMARY"
        if any("about to be condensed" in message.text for message in request.messages):
            return use(call("memory", text=str(next(counter))))
        return "the answer"

    agent = Agent("ava", "", ScriptedModel(default=reply), [memory], bounds=WINDOW)
    done = run(agent, "and now?", history=long_history())
    assert (done.outcome, done.text) == ("done", "the answer")
    assert next(counter) <= 12


@both
def test_a_model_that_objects_to_the_length_gets_less(run):
    """Where the window is not known, the provider's refusal starts a compaction, once."""

    def reply(request: Any) -> Any:
        if "Condense this conversation" in request.messages[-1].text:
            return "SUMMARY"
        long = sum(len(message.text) for message in request.messages) > 4_000
        return ContextExceeded("too long") if long else "the answer"

    done = run(agent_with(default=reply), "and now?", history=long_history())
    assert (done.outcome, done.text) == ("done", "the answer")
    never = run(agent_with(default=lambda _: ContextExceeded("too long")), "x" * 9_000)
    assert never.outcome == "failed"


@both
def test_a_summary_that_is_empty_changes_nothing(run):
    """A model that cannot summarise is asked the question with all that there is."""

    def reply(request: Any) -> str:
        return "" if "Condense this conversation" in request.messages[-1].text else "the answer"

    history = long_history()
    done = run(agent_with(default=reply, bounds=WINDOW), "and now?", history=history)
    assert done.text == "the answer"
    assert done.messages[: len(history)] == tuple(history)


texts = st.text(max_size=30)
wishes = st.one_of(
    st.builds(lambda text: call("put", text=text), texts),
    st.just(call("look")),
    st.just(call("crash")),
    st.builds(raw_call, st.sampled_from(["put", "look", "rm -rf /", "", "refuse"]), texts),
    st.builds(ToolCall, texts, texts, texts),
)
usages = st.builds(Usage, st.integers(0, 900), st.integers(0, 200), st.none(), st.just(1))
replies = st.one_of(
    st.builds(
        Completion,
        texts,
        st.lists(wishes, max_size=4).map(tuple),
        st.sampled_from(["stop", "length", "tool_calls", "content_filter", "unknown"]),
        usages,
    ),
    st.sampled_from([Unreachable("down"), Refused("no"), ContextExceeded("long")]),
)


@settings(max_examples=60)
@given(
    st.lists(replies, max_size=12), st.booleans(), st.integers(300, 6_000), st.integers(200, 3_000)
)
def test_no_model_makes_a_run_go_wrong(script, asynchronous, tokens, window):
    """Any replies at all: the run ends within its bounds, its conversation valid, its cost told."""
    agent = agent_with(
        *script,
        default="done at last",
        budget=Budget(tokens=tokens, calls=20),
        bounds=Bounds(steps=8, window_tokens=window, result_chars=200),
    )
    done = (async_run if asynchronous else sync_run)(agent, "go", history=long_history(2))
    assert_valid(done)
    assert done.steps <= 8
    assert done.usage.calls <= 20
    assert (done.outcome == "failed") == (done.error is not None)


@both
def test_turns_are_told_as_they_end(run):
    """Who listens gets the replies with the reason of their end, and the results, in order."""
    told: list[Any] = []
    model = ScriptedModel(use(call("put", text="a"), text="Wait."), say("Half", finish="length"))
    agent = Agent("ava", "", model, Box().tools())
    run(agent, "go", on_turn=lambda turn, finish: told.append((turn.role, turn.text, finish)))
    assert told == [
        ("assistant", "Wait.", "tool_calls"),
        ("tool", "kept 1", ""),
        ("assistant", "Half", "length"),
    ]


@both
def test_what_a_compaction_says_is_no_turn(run):
    """Saving facts before a compaction, and its summary, are not told as turns of the answer."""
    long = [UserMessage("x" * 4_000), AssistantMessage("y" * 4_000)] * 2
    told: list[str] = []
    model = ScriptedModel(use(call("memory")), "READY", "A summary.", "The answer.")

    def memory() -> str:
        """Save."""
        return "saved"

    agent = Agent("ava", "", model, [memory], bounds=Bounds(window_tokens=3_000))
    done = run(agent, "go", history=long, on_turn=lambda turn, _: told.append(turn.text))
    assert (done.text, told) == ("The answer.", ["The answer."])
