"""The loop: an agent runs, steps, queries and executes. What to do is the session's to decide."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from toolnexus.agent.bounds import Bounds
from toolnexus.agent.budget import Budget, Meter
from toolnexus.agent.calls import acall_bounded, call_bounded, on_thread
from toolnexus.agent.compactor import Ask
from toolnexus.agent.conversation import Conversation
from toolnexus.agent.journal import Journal, OnTurn
from toolnexus.agent.session import Action, Execute, Session
from toolnexus.agent.tool import Tool, tools_by_name
from toolnexus.errors import Malformed
from toolnexus.models.message import UserMessage

if TYPE_CHECKING:
    from toolnexus.agent.calls import Cancel
    from toolnexus.agent.run import Run
    from toolnexus.agent.run_file import RunFile
    from toolnexus.models.completion import Completion
    from toolnexus.models.message import Message
    from toolnexus.models.model import Model

OnText = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class _Live:
    """A session with what its driver needs beside it."""

    session: Session
    meter: Meter
    cancel: Cancel | None
    on_text: OnText | None


class Agent:
    """A model in a loop with tools, within bounds.

    It holds nothing that a run changes: several runs, in several threads, may go on at once.

    Args:
        name: What it is called in run files.
        soul: The system prompt; empty sends none.
        model: Who thinks.
        tools: What it may call: tools, or functions with type hints.
        budget: What one run may spend, where the run is given no meter.
        bounds: How far one run may go.
        monotonic: Tells seconds that only ever grow.

    Raises:
        UsageError: when a function cannot be made a tool, or two tools have one name.

    Example:
        >>> from toolnexus.testing.model import ScriptedModel
        >>> Agent("ava", "You are Ava.", ScriptedModel("Hello!")).run("hi").text
        'Hello!'
    """

    def __init__(
        self,
        name: str,
        soul: str,
        model: Model,
        tools: Iterable[Tool | Callable[..., object]] = (),
        *,
        budget: Budget | None = None,
        bounds: Bounds | None = None,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self.name = name
        self.soul = soul
        self.model = model
        self.tools = tools_by_name(tools)
        self.budget = budget or Budget()
        self.bounds = bounds or Bounds()
        self._monotonic = monotonic

    def run(
        self,
        prompt: str,
        *,
        history: Sequence[Message] = (),
        meter: Meter | None = None,
        cancel: Cancel | None = None,
        run_file: RunFile | None = None,
        on_text: OnText | None = None,
        on_turn: OnTurn | None = None,
    ) -> Run:
        """Answer a prompt, calling tools as the model asks for them.

        Args:
            prompt: What to answer.
            history: What was said before: another run's `messages`.
            meter: Counts what is spent, also over several runs; None makes one of `budget`.
            cancel: Ends the run when it is set.
            run_file: Where each step is written as it happens.
            on_text: Is given the model's words as they come, perhaps on another thread.
            on_turn: Is given each turn of the answer once it is whole: replies and tool results.

        Returns:
            What became of it. What the model, a tool or a budget did is told there, not raised.

        Raises:
            UsageError: when a replayed model is asked something else than was recorded.
            DiskError: when the run file cannot be written.
        """
        journal = Journal(run_file, on_turn)
        live = self._begin(prompt, history, meter, cancel, journal, on_text)
        while (action := self._next(live)) is not None:
            self.step(live, action)
        return live.session.result()

    def step(self, live: _Live, action: Action) -> None:
        """Do one thing that the session wants done."""
        if isinstance(action, Ask):
            self.query(live, action)
        else:
            self.execute(live, action)

    def query(self, live: _Live, ask: Ask) -> None:
        """Ask the model."""
        left_behind = threading.Event()
        try:
            completion = call_bounded(
                lambda: self._complete(ask, live.on_text, left_behind),
                live.meter.seconds_left(),
                live.cancel,
            )
        except Exception as error:  # noqa: BLE001 - the session tells what it means
            live.session.query_failed(ask, error)
        else:
            live.session.heard(ask, completion)
        finally:
            left_behind.set()

    def execute(self, live: _Live, action: Execute) -> None:
        """Call a tool."""
        seconds = live.session.tool_seconds(action.tool)
        try:
            value = call_bounded(lambda: action.tool.call(action.arguments), seconds, live.cancel)
        except Exception as error:  # noqa: BLE001 - the session tells what it means
            live.session.tool_failed(action, error)
        else:
            live.session.did(action, value)

    async def arun(
        self,
        prompt: str,
        *,
        history: Sequence[Message] = (),
        meter: Meter | None = None,
        cancel: Cancel | None = None,
        run_file: RunFile | None = None,
        on_text: OnText | None = None,
        on_turn: OnTurn | None = None,
    ) -> Run:
        """Answer a prompt without holding up the event loop; see `run`."""
        journal = Journal(run_file, on_turn)
        live = self._begin(prompt, history, meter, cancel, journal, on_text)
        while (action := self._next(live)) is not None:
            await self.astep(live, action)
        return live.session.result()

    async def astep(self, live: _Live, action: Action) -> None:
        """Do one thing that the session wants done."""
        if isinstance(action, Ask):
            await self.aquery(live, action)
        else:
            await self.aexecute(live, action)

    async def aquery(self, live: _Live, ask: Ask) -> None:
        """Ask the model."""
        try:
            completion = await acall_bounded(
                lambda: self._acomplete(ask, live.on_text), live.meter.seconds_left(), live.cancel
            )
        except Exception as error:  # noqa: BLE001 - the session tells what it means
            live.session.query_failed(ask, error)
        else:
            live.session.heard(ask, completion)

    async def aexecute(self, live: _Live, action: Execute) -> None:
        """Call a tool; one that is not async gets a thread of its own."""
        seconds = live.session.tool_seconds(action.tool)
        try:
            value = await acall_bounded(
                lambda: on_thread(lambda: action.tool.call(action.arguments)), seconds, live.cancel
            )
        except Exception as error:  # noqa: BLE001 - the session tells what it means
            live.session.tool_failed(action, error)
        else:
            live.session.did(action, value)

    def _begin(
        self,
        prompt: str,
        history: Sequence[Message],
        meter: Meter | None,
        cancel: Cancel | None,
        journal: Journal,
        on_text: OnText | None,
    ) -> _Live:
        meter = meter or Meter(self.budget, self._monotonic)
        messages = (*history, UserMessage(prompt))
        journal.note_start(self.name, self.model.name, messages)
        specs = [tool.spec for tool in self.tools.values()]
        conversation = Conversation(self.soul, specs, messages, journal)
        session = Session(conversation, self.tools, self.bounds, meter, journal)
        return _Live(session, meter, cancel, on_text)

    @staticmethod
    def _next(live: _Live) -> Action | None:
        if live.cancel is not None and live.cancel.is_set():
            live.session.stop("cancelled", "cancelled")
        return live.session.next()

    def _complete(
        self, ask: Ask, on_text: OnText | None, left_behind: threading.Event
    ) -> Completion:
        """Ask and wait, handing on the words of an answer as they come."""
        if on_text is None or ask.purpose != "work":
            return self.model.complete(ask.request)
        completion = None
        for delta in self.model.stream(ask.request):
            if left_behind.is_set():
                break
            if delta.text:
                on_text(delta.text)
            completion = delta.completion or completion
        return _whole(completion)

    async def _acomplete(self, ask: Ask, on_text: OnText | None) -> Completion:
        """Ask and wait, handing on the words of an answer as they come."""
        if on_text is None or ask.purpose != "work":
            return await self.model.acomplete(ask.request)
        completion = None
        async for delta in self.model.astream(ask.request):
            if delta.text:
                on_text(delta.text)
            completion = delta.completion or completion
        return _whole(completion)


def _whole(completion: Completion | None) -> Completion:
    if completion is None:
        raise Malformed("the model's stream ended without a reply", hint="try again")
    return completion
