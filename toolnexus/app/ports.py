"""The names that users of the ports know: a persona of a folder, its dreamer, and running both."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from toolnexus.agent.memory_tool import memory_tool as tool_for
from toolnexus.agent.tool import tools_by_name
from toolnexus.app.chat import Chat, fresh_soul
from toolnexus.app.home import Home
from toolnexus.app.host import Host
from toolnexus.app.host_store import require_store
from toolnexus.app.memory_door import DreamerMemory
from toolnexus.app.pacing import DreamPlan, dream_plan_of, interval_of_ms
from toolnexus.app.persona_tools import (
    home_memory_tool,
    home_transcript_tool,
    persona_tools,
)
from toolnexus.app.results import Reply
from toolnexus.app.started import start, start_dreamer
from toolnexus.errors import UsageError
from toolnexus.heartbeat.types import BeatUsage

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from toolnexus.agent.tool import Tool
    from toolnexus.app.host import ModelLike, ToolLike
    from toolnexus.app.started import OnBeat, OnError, Started
    from toolnexus.clock import Clock

INHERIT = "inherit"
_STORE_HINT = "such as FileConversationStore(folder): anything with get(id) and list()"


@dataclass(frozen=True, slots=True)
class PersonaAgent:
    """A persona, as it was when it was built.

    Attributes:
        home: Its home.
        name: Its name.
        soul: Its system prompt; it stays as it is, whatever is written meanwhile.
        tools: What it may call, by name.
        model: Who thinks; ``inherit`` leaves it to the home.
        dream: How it dreams once it is started; None not at all.
    """

    home: Home
    name: str
    soul: str
    tools: Mapping[str, Tool]
    model: ModelLike = INHERIT
    dream: DreamPlan | None = None


@dataclass(frozen=True, slots=True)
class DreamerAgent:
    """A persona's dreamer, as it was when it was built.

    Attributes:
        home: The home whose memory it keeps true, over the store that it was given.
        name: Its name.
        soul: Its one section: the dream prompt, then DREAM.md, then the host's instructions.
        tools: Its two tools, by name. What they write they write within a pass alone, where a
            guard stands behind them.
        model: Who thinks; ``inherit`` leaves it to the home.
        instructions: The host's guidance.
    """

    home: Home
    name: str
    soul: str
    tools: Mapping[str, Tool]
    model: ModelLike = INHERIT
    instructions: str = ""


def from_dir(
    directory: str | Path,
    *,
    name: str = "",
    model: ModelLike = INHERIT,
    memory: bool = True,
    notes: bool = True,
    memory_index_cap: bool = True,
    tools: Iterable[ToolLike] = (),
    store: object | None = None,
    dream: Mapping[str, object] | None = None,
    state_dir: str | Path | None = None,
    clock: Clock | None = None,
) -> PersonaAgent:
    """Build a persona of its folder.

    Args:
        directory: The persona's home.
        name: What it is called; empty leaves it to the home.
        model: A litellm name, ``none``, a `Model`; ``inherit`` leaves it to the home.
        memory: Whether it gets the memory tool.
        notes: Whether it can reach its notes; else MEMORY.md and USER.md alone.
        memory_index_cap: Whether MEMORY.md is cut at its cap in the prompt.
        tools: The host's own tools: functions with type hints.
        store: Where conversations are; None for the home's transcripts.
        dream: How it dreams once it is started: ``every_ms`` (or ``every``) and ``store``, perhaps
            ``instructions`` and ``model``. None leaves dreaming out.
        state_dir: Where our own state is kept instead of ``.toolnexus`` in the home.
        clock: Tells the time.

    Raises:
        HomeError: when the folder is no home.
        UsageError: when an argument will not do: a dream without a store, a pace that is not
            above zero.

    Example:
        >>> ava = from_dir("personas/ava")  # doctest: +SKIP
        >>> run(ava, "What is on my plate?").text  # doctest: +SKIP
        'Watering the plants.'
    """
    plan = dream_plan_of(dream)
    if plan is not None:
        _require_dream_store(plan.store)
    given = None if model == INHERIT else model
    host = Host(given, tuple(tools), store, memory, notes, memory_index_cap)
    home = Home.open_with(host, directory, state_dir, clock)
    offered = tools_by_name(persona_tools(home))
    return PersonaAgent(home, name or home.name, fresh_soul(home), offered, model, plan)


def dreamer(
    directory: str | Path,
    *,
    store: object | None = None,
    instructions: str = "",
    name: str = "",
    model: ModelLike = INHERIT,
    state_dir: str | Path | None = None,
    clock: Clock | None = None,
) -> DreamerAgent:
    """Build the dreamer of a persona's folder. DREAM.md is read now.

    Args:
        directory: The persona's home.
        store: Where the conversations are that memory is held against.
        instructions: The host's guidance, after DREAM.md's.
        name: What it is called; empty is the folder's name and ``-dreamer``.
        model: A litellm name, ``none``, a `Model`; ``inherit`` leaves it to the home.
        state_dir: Where our own state is kept instead of ``.toolnexus`` in the home.
        clock: Tells the time.

    Raises:
        HomeError: when the folder is no home.
        UsageError: when there is no store, or one that cannot list.
    """
    from toolnexus.dream.dreamer import dreamer_soul

    _require_dream_store(store)
    given = None if model == INHERIT else model
    home = Home.open_with(Host(given, store=store), directory, state_dir, clock)
    called = name or f"{Path(directory).resolve().name}-dreamer"
    soul = home.steady(lambda read: dreamer_soul(read, instructions))
    memory = tool_for(DreamerMemory(home), "dreamer")
    own = tools_by_name([memory, home_transcript_tool(home)])
    return DreamerAgent(home, called, soul, own, model, instructions)


def run(agent: PersonaAgent | DreamerAgent | Home, prompt: str = "") -> Reply:
    """Put a prompt to a persona; with a dreamer make one whole pass, whatever the prompt.

    Returns:
        The reply; its `text` is the answer, or what the pass has to say of itself.

    Raises:
        ToolnexusError: when no reply came, or no pass could be made.
    """
    if isinstance(agent, DreamerAgent):
        from toolnexus.app.dreaming import DreamOptions, dream

        done = dream(agent.home, DreamOptions(soul=agent.soul))
        stats = done.stats
        cost = BeatUsage(
            stats.model_calls, stats.tokens_in, stats.tokens_out, stats.usd, stats.seconds
        )
        return Reply(done.reply, cost, notices=done.notices)
    if isinstance(agent, PersonaAgent):
        with Chat(agent.home, soul=agent.soul) as chat:
            return chat.say(prompt)
    return agent.ask(prompt)


def start_agent(
    agent: PersonaAgent | DreamerAgent | Home,
    *,
    every_ms: float,
    on_beat: OnBeat | None = None,
    on_error: OnError | None = None,
) -> Started:
    """Let a persona act by itself until it is stopped; its dreamer, if it has one, with it.

    Args:
        agent: A persona or its home, or a dreamer, which dreams at this pace.
        every_ms: Milliseconds between two beats, above zero.
        on_beat: Is given each beat that has something to say, and each pass that did something.
        on_error: Is given what went wrong; None writes it to the logger ``toolnexus``.

    Raises:
        UsageError: when `every_ms` is not above zero.
        ConfigError: when the settings are wrong.
    """
    every = interval_of_ms(every_ms)
    if isinstance(agent, DreamerAgent):
        dreams = DreamPlan(every, instructions=agent.instructions)
        return start_dreamer(agent.home, dreams, on_beat, on_error)
    home, plan = (agent, None) if isinstance(agent, Home) else (agent.home, agent.dream)
    return start(home, every=every, dream=plan, on_beat=on_beat, on_error=on_error)


def memory_tool(home: Home | str | Path, *, notes: bool = True) -> Tool:
    """Return a persona's memory tool, for an agent of one's own.

    Args:
        home: The persona's home, or its folder.
        notes: Whether notes can be reached; else MEMORY.md and USER.md alone.

    Example:
        >>> memory_tool("ava").call({"action": "add", "text": "Likes tea."})  # doctest: +SKIP
        'Added to MEMORY.md.'
    """
    opened = home if isinstance(home, Home) else Home.open_with(Host(notes=notes), home)
    return home_memory_tool(opened)


def transcript_search_tool(home: Home | str | Path, store: object | None = None) -> Tool:
    """Return the tool that searches a persona's conversations, for an agent of one's own.

    Args:
        home: The persona's home, or its folder.
        store: Where the conversations are; None for the home's transcripts.

    Raises:
        UsageError: when `store` is no store.
    """
    if isinstance(home, Home) and store is None:
        return home_transcript_tool(home)
    root = home.root if isinstance(home, Home) else home
    return home_transcript_tool(Home.open_with(Host(store=store), root))


def _require_dream_store(store: object | None) -> None:
    if store is None:
        raise UsageError("a dreamer needs a store of conversations", hint=_STORE_HINT)
    require_store(store)
