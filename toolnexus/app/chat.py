"""Chats: a conversation with a persona, recorded turn by turn."""

from __future__ import annotations

import secrets
import time
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Self

from toolnexus.agent.bounds import Bounds
from toolnexus.agent.loop import Agent
from toolnexus.agent.run_file import new_run_file
from toolnexus.agent.tool import tools_by_name
from toolnexus.app.feedback import record_uses
from toolnexus.app.history import fitting, history_of, sound
from toolnexus.app.notes_met import NotesMet
from toolnexus.app.persona_tools import persona_tools
from toolnexus.app.results import Reply
from toolnexus.app.thinker import require_thinker
from toolnexus.app.tool_servers import HomeToolServers
from toolnexus.app.turn_recorder import TurnRecorder
from toolnexus.clock import format_instant
from toolnexus.errors import ModelError, UsageError
from toolnexus.heartbeat.types import BeatUsage
from toolnexus.home.soul import compose_soul
from toolnexus.models.estimate import estimate_text, estimate_tools

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from types import TracebackType

    from toolnexus.agent.calls import Cancel
    from toolnexus.agent.run import Run
    from toolnexus.agent.tool import Tool
    from toolnexus.app.host import ModelLike, ToolLike
    from toolnexus.app.view import View
    from toolnexus.errors import DiskError
    from toolnexus.models.message import Message
    from toolnexus.models.model import Model

LARGEST_WINDOW_TOKENS = 128_000
"""What is sent of a conversation at most: a longer one costs more with each turn."""
USUAL_WINDOW_TOKENS = 32_000
"""What is sent to a model of which nobody knows how much it takes in."""
_HISTORY_SHARE = 0.7  # of the window, for what was said before the chat was opened
_LEAST_HISTORY_TOKENS = 1_000
_UNWRITTEN = "the reply is whole, but how it came about could not be written down"


class Chat:
    """A conversation with a persona. Its soul stays as it was when the chat began.

    Where the home names tool servers, these are started with the first turn and ended by `close`,
    or where the chat is used as a context manager by its end.

    Args:
        home: The persona's home.
        conversation: The conversation to go on with, or to begin under this id; empty begins one
            under an id of its own.
        model: Who thinks; None leaves it to the home.
        tools: The call's own tools, beside the home's and its host's.
        soul: The system prompt; None composes it now.

    Attributes:
        conversation: The conversation's id.
        soul: The system prompt.

    Raises:
        ConfigError: when there is no model, or the settings are wrong.

    Example:
        >>> with Chat(home) as chat:  # doctest: +SKIP
        ...     chat.say("What is on my plate?").text
        'Watering the plants.'
    """

    def __init__(
        self,
        home: View,
        *,
        conversation: str = "",
        model: ModelLike | None = None,
        tools: Iterable[ToolLike] = (),
        soul: str | None = None,
    ) -> None:
        self._home = home
        home.settings  # noqa: B018 - wrong settings stop the work before it begins
        self._model = require_thinker(home, model)
        self.conversation = conversation or new_conversation_id(home)
        self.soul = fresh_soul(home) if soul is None else soul
        self._met = NotesMet()
        self._own_tools = tuple(tools_by_name(persona_tools(home, tools, self._met)).values())
        self._servers = HomeToolServers(home)
        self._messages: Sequence[Message] | None = None if conversation else ()
        self._spent = BeatUsage()
        self._told: set[str] = set()
        self._unwritten: list[str] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the tool servers that were started; the conversation is recorded all along."""
        self._servers.close()

    def prepare(self) -> None:
        """Load what the first question would have to wait for, perhaps on another thread."""
        prepare = getattr(self._model, "prepare", None)
        if callable(prepare):
            prepare()

    @property
    def usage(self) -> BeatUsage:
        """What the chat has cost so far."""
        return self._spent

    @property
    def tools(self) -> dict[str, Tool]:
        """What the persona may call, by name; asking starts the tool servers."""
        return dict(self._agent.tools)

    @property
    def messages(self) -> tuple[Message, ...]:
        """What the model will have before it when it is asked next."""
        if self._messages is None:
            found = self._home.transcripts.get(self.conversation)
            self._messages = history_of(() if found is None else found.turns, self._room)
        return tuple(self._messages)

    def say(
        self,
        prompt: str,
        *,
        on_text: Callable[[str], None] | None = None,
        cancel: Cancel | None = None,
    ) -> Reply:
        """Say something to the persona. Each turn is recorded before the next one begins.

        Args:
            prompt: What to say.
            on_text: Is given the reply's words as they come, perhaps on another thread; where the
                persona says something before it calls a tool, that comes too.
            cancel: Stops the reply when it is set; what was said until then is kept.

        Raises:
            UsageError: when the prompt is empty or no text; nothing was recorded then.
            ModelError: when no whole reply came; what was said until then is recorded as cut.
            DiskError: when the disk is full or failing.
        """
        if not prompt.strip():
            raise UsageError("there is nothing to say", hint="give a prompt")
        began, history = time.monotonic(), self.messages
        recorder = TurnRecorder(self._home, self.conversation)
        recorder.asked(prompt)
        self._met.take()
        try:
            run = self._run(prompt, history, recorder, on_text, cancel)
            reply = self._reply(run, recorder, time.monotonic() - began)
        except BaseException:
            recorder.cut_off("interrupted")
            self._messages = fitting(sound([*history, *recorder.messages]), self._room)
            self._home.automation.recorded(recorder.recorded)
            raise
        self._home.automation.recorded(recorder.recorded)
        whole = run.outcome in {"done", "cut"}
        self._messages = run.messages if whole else sound([*history, *recorder.messages])
        return replace(reply, notices=(*reply.notices, *self._news()))

    @cached_property
    def _agent(self) -> Agent:
        offered = (*self._own_tools, *self._servers.tools())
        bounds = Bounds(window_tokens=window_of(self._model, self.soul))
        return Agent(self._home.name, self.soul, self._model, offered, bounds=bounds)

    @cached_property
    def _room(self) -> int:
        """How many tokens there are for what was said before."""
        fixed = estimate_text(self.soul) + estimate_tools(t.spec for t in self.tools.values())
        window = window_of(self._model, self.soul)
        return max(int(window * _HISTORY_SHARE) - fixed, _LEAST_HISTORY_TOKENS)

    def _news(self) -> tuple[str, ...]:
        """Return what there is to know of the tool servers and the run, and was not told yet."""
        known = (*self._servers.notices(), *self._unwritten)
        news = tuple(notice for notice in known if notice not in self._told)
        self._told.update(news)
        return news

    def _note_unwritten(self, error: DiskError) -> None:
        """Note that a run's steps are written nowhere: what is said is worth more than they are."""
        self._unwritten.append(f"{_UNWRITTEN} ({error})")

    def _run(
        self,
        prompt: str,
        history: Sequence[Message],
        recorder: TurnRecorder,
        on_text: Callable[[str], None] | None,
        cancel: Cancel | None,
    ) -> Run:
        def hear(piece: str) -> None:
            shown = recorder.take(piece)
            if shown and on_text is not None:
                on_text(shown)

        home = self._home
        file = new_run_file(
            home.store.state / "runs", home.clock, job="ask", on_trouble=self._note_unwritten
        )
        return self._agent.run(
            prompt,
            history=history,
            run_file=file,
            on_text=hear,
            on_turn=recorder.said,
            cancel=cancel,
        )

    def _reply(self, run: Run, recorder: TurnRecorder, seconds: float) -> Reply:
        """Make a reply of a run.

        Raises:
            ModelError: when the run came to no answer.
        """
        usage = run.usage
        cost = BeatUsage(
            usage.calls, usage.tokens_in, usage.tokens_out, usage.usd, round(seconds, 3)
        )
        self._spent = _sum(self._spent, cost)
        if run.outcome == "failed":
            recorder.cut_off("broke off")
            run.raise_for_error()
        if run.outcome == "cancelled":
            text = recorder.cut_off("interrupted")
            return Reply(text, cost, self.conversation, "interrupted")
        if run.outcome in {"done", "cut"}:
            record_uses(self._home, self._met.take())
            cut = "length" if run.outcome == "cut" else ""
            return Reply(run.text, cost, self.conversation, cut)
        raise ModelError(
            f"the model came to no answer: {run.reason}", hint="its steps are in .toolnexus/runs"
        )


def new_conversation_id(home: View) -> str:
    """Return an id for a conversation that begins now; it sorts by time."""
    at = format_instant(home.clock.now()).replace(":", "").replace("T", "-").rstrip("Z")
    return f"{at}-{secrets.token_hex(2)}"


def fresh_soul(home: View) -> str:
    """Compose the soul of a home as it is now."""
    return home.steady(compose_soul)


def window_of(model: Model, soul: str) -> int:
    """Return how many tokens of a conversation are sent to a model at most."""
    ask = getattr(model, "window_tokens", None)
    known = ask() if callable(ask) else None
    if isinstance(known, int) and known > 0:
        return min(known, LARGEST_WINDOW_TOKENS)
    return max(USUAL_WINDOW_TOKENS, 2 * estimate_text(soul))


def _sum(one: BeatUsage, other: BeatUsage) -> BeatUsage:
    usd = None if one.usd is None or other.usd is None else one.usd + other.usd
    return BeatUsage(
        one.model_calls + other.model_calls,
        one.tokens_in + other.tokens_in,
        one.tokens_out + other.tokens_out,
        usd,
        one.seconds + other.seconds,
    )
