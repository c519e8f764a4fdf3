"""Beating: a heartbeat, wired to a home."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from toolnexus.app.notes_met import NotesMet
from toolnexus.clock import format_instant
from toolnexus.errors import ConfigError, DiskError, ToolnexusError
from toolnexus.heartbeat.quiet import LAST, render_last, still_quiet
from toolnexus.heartbeat.types import Beat
from toolnexus.home.layout import STATE_FOLDER

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from datetime import datetime
    from pathlib import Path

    from toolnexus.app.host import ModelLike, ToolLike
    from toolnexus.app.parts import Parts
    from toolnexus.app.tool_servers import HomeToolServers
    from toolnexus.app.view import View
    from toolnexus.clock import Clock
    from toolnexus.heartbeat.wiring import Wiring
    from toolnexus.home.snapshot import Snapshot
    from toolnexus.settings import Settings


def quiet_beat(root: Path, state: Path | None, clock: Clock) -> Beat | None:
    """Answer for a home in which nothing has changed since a beat was skipped, without opening it.

    Args:
        root: The home.
        state: Its state folder; None for the one in it.
        clock: Tells the time.

    Returns:
        The skipped beat; None when a beat has to be made.

    Raises:
        DiskError: when the answer cannot be noted.
    """
    return still_quiet(root, state or root / STATE_FOLDER, clock.now())


def beat(
    home: View,
    *,
    force: bool,
    model: ModelLike | None,
    tools: Iterable[ToolLike],
    say: Callable[[str], None] | None,
    slot: datetime | None = None,
) -> Beat:
    """Make one beat of a home.

    Args:
        home: The home.
        force: Pass every gate but busy.
        model: Who thinks; None takes the one that the home, its settings or the environment name.
        tools: The host's own tools.
        say: What stands for ``stdout``; None leaves it to the caller to show the reply.
        slot: The moment that it stands for: where a beat was made since, it coalesces into that.

    Raises:
        ConfigError: when the settings are wrong.
    """
    from toolnexus.app.tool_servers import HomeToolServers
    from toolnexus.heartbeat.beat import run_beat

    met = NotesMet()
    with HomeToolServers(home) as servers:
        wiring = _wiring(home, servers, model, tools, say, met)
        done = run_beat(wiring, force=force, slot=slot)
    if done.outcome == "delivered" and (used := met.take()):
        from toolnexus.app.feedback import record_uses

        record_uses(home, used)
    return done


def _wiring(
    home: View,
    servers: HomeToolServers,
    model: ModelLike | None,
    tools: Iterable[ToolLike],
    say: Callable[[str], None] | None,
    met: NotesMet,
) -> Wiring:
    """Hand a beat what it needs of the home; tools and servers are made when the model is asked."""
    from toolnexus.app.thinker import thinker_of
    from toolnexus.heartbeat.wiring import Wiring

    def all_tools() -> tuple[ToolLike, ...]:
        from toolnexus.app.persona_tools import persona_tools

        return (*persona_tools(home, tools, met), *servers.tools())

    def record(conversation: str, turn: Mapping[str, object]) -> None:
        home.transcripts.append(conversation, turn)
        home.automation.recorded(1)

    return Wiring(
        name=home.name,
        store=home.store,
        clock=home.clock,
        settings=_settings(home).heartbeat,
        model=thinker_of(home, model),
        tools=all_tools,
        notices=servers.notices,
        record=record,
        say=say or _unsaid,
        rests=model is None and home.model is None,
    )


def last_beat(home: Parts) -> str | None:
    """Return when the last beat was, skipped or not, as RFC 3339; None when none was."""
    last = home.store.read_state(LAST)
    at = last.get("at") if isinstance(last, dict) else None
    return at if isinstance(at, str) else None


def due_tasks(home: Parts, snapshot: Snapshot) -> tuple[str, ...]:
    """Return the tasks of HEARTBEAT.md that are due and have a time; none where it is unreadable.

    Args:
        home: The home.
        snapshot: The home as read.
    """
    from toolnexus.heartbeat.heartbeat_file import agenda_of
    from toolnexus.heartbeat.outlook import look
    from toolnexus.heartbeat.state import STATE, parse_state
    from toolnexus.heartbeat.zone import home_zone

    try:
        agenda, zone = agenda_of(snapshot), home_zone(home.settings.heartbeat.timezone)
    except ToolnexusError:  # which is a finding
        return ()
    state = parse_state(home.store.read_state(STATE))
    seen = look(agenda, state, home.clock.now(), zone, online=False)
    return tuple(entry.task.text for entry in seen.due)


def _settings(home: Parts) -> Settings:
    """Return the settings; what is wrong with them is noted as the last beat's end."""
    try:
        return home.settings
    except ConfigError as error:
        failed = Beat("failed", reason=str(error), error=error)
        with contextlib.suppress(DiskError):
            last = {**render_last(failed), "at": format_instant(home.clock.now())}
            home.store.write_state(LAST, last)
        raise


def _unsaid(_text: str) -> None:
    """Leave a reply to the caller, who finds it in the beat."""
