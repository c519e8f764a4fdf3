"""Scheduled jobs: beats and dreams that stand for a slot, so that no two schedulers double one."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from toolnexus.app import beating
from toolnexus.app.opening import read_settings_text
from toolnexus.clock import Clock, format_instant
from toolnexus.errors import ConfigError, DiskError, LockedError, ToolnexusError
from toolnexus.files import read_regular
from toolnexus.heartbeat.last import LastBeat, parse_last
from toolnexus.heartbeat.quiet import LAST, STATE_SUBFOLDER, fingerprint, render_last
from toolnexus.heartbeat.state import instant_in
from toolnexus.heartbeat.types import Beat
from toolnexus.home.layout import HEARTBEAT_FILE, SETTINGS_FILE, STATE_FOLDER
from toolnexus.settings import Settings, parse_settings
from toolnexus.store.state import StateFolder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from datetime import datetime
    from pathlib import Path

    from toolnexus.agent.tool import Tool
    from toolnexus.app.home import Home
    from toolnexus.dream.types import Pass
    from toolnexus.models.model import Model

LAST_DREAM = "dream-last"
_HEARTBEAT_CAP_BYTES = 1024 * 1024
LONGEST_REST = timedelta(days=1)
"""How long a quiet home is left alone at most, so that its state never looks abandoned."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a home is.

    Attributes:
        root: Its folder.
        state: Its state folder; None stands for ``.toolnexus`` in it.
    """

    root: Path
    state: Path | None = None

    def values(self) -> StateFolder:
        """Return its small state files."""
        return StateFolder((self.state or self.root / STATE_FOLDER) / STATE_SUBFOLDER)


@dataclass(frozen=True, slots=True)
class Last:
    """When a kind of job was last made, and what comes next beside its slots.

    Attributes:
        at: When it began; None when it never was made, or was cut short.
        wake: When something is due that does not wait for the next slot.
        rests: Whether there is nothing to do before `wake`, as long as the home's files stay.
    """

    at: datetime | None = None
    wake: datetime | None = None
    rests: bool = False


@dataclass(frozen=True, slots=True)
class Standing:
    """A home as a scheduler finds it.

    Attributes:
        settings: Its settings; None where they are wrong.
        error: What is wrong with them.
        beat: Its last beat.
        dream: Its last dream.
    """

    settings: Settings | None
    error: ConfigError | None
    beat: Last
    dream: Last


def stand_of(place: Place, clock: Clock) -> Standing:
    """Read a home's settings and when its jobs were last made, without opening it.

    Settings that are wrong are noted in its state as well.

    Args:
        place: The home.
        clock: Tells the time.
    """
    beat, dream = last_beat(place), last_dream(place)
    try:
        path = str(place.root / SETTINGS_FILE)
        settings = parse_settings(read_settings_text(place.root), path=path)
    except ConfigError as error:
        failed = Beat("failed", reason=str(error), error=error)
        with contextlib.suppress(DiskError):
            at = {"at": format_instant(clock.now())}
            place.values().write(LAST, {**render_last(failed), **at})
        return Standing(None, error, beat, dream)
    return Standing(settings, None, beat, dream)


def last_beat(place: Place) -> Last:
    """Tell when a home's last beat was; a quiet spell counts if its files are as they were."""
    last = parse_last(place.values().read(LAST))
    if last.is_cut or last.at is None:
        return Last(last.before if last.is_cut else None)
    if not last.is_quiet or not _is_unchanged(place, last):
        return Last(last.at, last.next_due)
    end = last.at + LONGEST_REST
    return Last(last.at, min(last.quiet_until or end, end), rests=True)


def last_dream(place: Place) -> Last:
    """Tell when a home's last scheduled dream was."""
    value = place.values().read(LAST_DREAM)
    return Last(instant_in(value.get("at")) if isinstance(value, Mapping) else None)


def beat_for(
    place: Place,
    slot: datetime,
    clock: Clock,
    *,
    model: Model | None = None,
    tools: Iterable[Tool | Callable[..., object]] = (),
    say: Callable[[str], None] | None = None,
) -> Beat:
    """Make the beat of a slot, unless one was made since; the cheapest way first.

    Args:
        place: The home.
        slot: What it stands for, a whole second.
        clock: Tells the time.
        model: Who thinks, in place of the model that the settings name.
        tools: The host's own tools.
        say: What stands for ``stdout``.

    Raises:
        ToolnexusError: when the home cannot be opened.
    """
    from toolnexus.app.home import Home

    if model is None and not parse_last(place.values().read(LAST)).stands_for(slot, clock.now()):
        quiet = beating.quiet_beat(place.root, place.state, clock)
        if quiet is not None:
            return quiet
    home = Home.open(place.root, state_dir=place.state, clock=clock)
    return beating.beat(home, force=False, model=model, tools=tools, say=say, slot=slot)


def dream_for(
    place: Place, slot: datetime, clock: Clock, *, model: Model | None = None
) -> Pass | None:
    """Make the dream of a slot, unless another scheduler made it or is about it: then None.

    Args:
        place: The home.
        slot: What it stands for, a whole second.
        clock: Tells the time.
        model: Who thinks, in place of the model that the settings name.

    Raises:
        ToolnexusError: when the home cannot be opened, or the pass comes to no end.
    """
    from toolnexus.app.home import Home

    home = Home.open(place.root, state_dir=place.state, clock=clock)
    with contextlib.suppress(LockedError), home.store.hold("scheduled_dream"):
        now, last = clock.now(), last_dream(place)
        if LastBeat(at=last.at).stands_for(slot, now):
            return None
        try:
            done = home.dream(model=model)
        except LockedError:  # the one that a person has begun stands for this one
            _note_dream(home, now, outcome="skipped", reason="busy", exit_code=0)
            raise
        except Exception as error:
            known = error if isinstance(error, ToolnexusError) else ToolnexusError("a bug of ours")
            _note_dream(home, now, outcome="failed", reason=str(known), exit_code=known.exit_code)
            raise
        _note_dream(home, now, outcome=done.outcome, reason=None, exit_code=0)
        return done
    return None


def asks_for_a_look(place: Place) -> bool:
    """Whether a beat right after HEARTBEAT.md was edited is of use and costs no model anything.

    A recurring task is first due at its next slot after a beat saw it. Where there are tasks with
    times alone, that need not wait for the pace of the beats.

    Args:
        place: The home.
    """
    from toolnexus.heartbeat.agenda import read_agenda
    from toolnexus.text.document import parse_document

    try:
        data = read_regular(place.root / HEARTBEAT_FILE, _HEARTBEAT_CAP_BYTES)
        text = data.decode()
    except (OSError, ValueError):
        return False
    agenda = read_agenda(text, parse_document(text))
    tasks = agenda.open
    return bool(tasks) and not agenda.has_prose and all(entry.task.schedule for entry in tasks)


def was_edited(place: Place, last: Last) -> bool:
    """Whether HEARTBEAT.md was saved after the last beat."""
    try:
        saved = (place.root / HEARTBEAT_FILE).stat().st_mtime
    except OSError:
        return False
    return last.at is not None and saved >= last.at.timestamp()


def _is_unchanged(place: Place, last: LastBeat) -> bool:
    try:
        return last.rests_on == fingerprint(place.root)
    except OSError:
        return False


def _note_dream(home: Home, at: datetime, **fields: object) -> None:
    with contextlib.suppress(DiskError):
        home.store.write_state(LAST_DREAM, {"at": format_instant(at), **fields})
