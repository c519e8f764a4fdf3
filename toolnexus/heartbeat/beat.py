"""One beat: lock, gates, soul, agent run, reply, deliver, state."""

from __future__ import annotations

import contextlib
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from toolnexus.clock import format_instant
from toolnexus.errors import (
    ConflictError,
    DeliveryError,
    DiskError,
    LockedError,
    ModelError,
    ToolnexusError,
)
from toolnexus.heartbeat.gates import NO_MODEL, Situation, Skip, closed_gate
from toolnexus.heartbeat.heartbeat_file import agenda_of, plan_ticks
from toolnexus.heartbeat.last import LastBeat, parse_last
from toolnexus.heartbeat.outlook import Outlook, look, next_due
from toolnexus.heartbeat.quiet import LAST, fingerprint, is_settled, render_last, render_quiet
from toolnexus.heartbeat.state import (
    STATE,
    BeatState,
    interval_between,
    parse_state,
    render_state,
)
from toolnexus.heartbeat.types import Beat, BeatUsage
from toolnexus.heartbeat.zone import home_zone
from toolnexus.home.layout import HEARTBEAT_FILE

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from toolnexus.heartbeat.agenda import Agenda
    from toolnexus.heartbeat.deliver import Place
    from toolnexus.heartbeat.state import Tick
    from toolnexus.heartbeat.wiring import Wiring
    from toolnexus.home.snapshot import Snapshot

CONVERSATION = "heartbeat"
BUSY = "beat-busy"
_TRIES = 3


def run_beat(wiring: Wiring, *, force: bool = False, slot: datetime | None = None) -> Beat:
    """Make one beat. What goes wrong in it is told in `Beat.error` and in the state folder.

    Args:
        wiring: What it works with.
        force: Pass every gate but busy.
        slot: The moment that it stands for: where a beat was made since, it coalesces into that.

    Returns:
        What became of it.
    """
    began = wiring.monotonic()
    with contextlib.ExitStack() as stack:
        beating = _Beating(wiring, wiring.clock.now())
        try:
            stack.enter_context(wiring.store.hold("beat"))
        except LockedError:
            beat = beating.coalesce()
        except DiskError as error:
            return beating.fail(error)
        else:
            beat = beating.run(force=force, slot=slot)
    usage = replace(beat.usage, seconds=round(wiring.monotonic() - began, 3))
    return replace(beat, usage=usage)


class _Beating:
    """One beat on its way.

    Args:
        wiring: What it works with.
        now: When it began; its whole duration counts as this moment.
    """

    def __init__(self, wiring: Wiring, now: datetime) -> None:
        self._wiring = wiring
        self._store = wiring.store
        self._now = now
        self._zone = home_zone(wiring.settings.timezone)
        self._usage = BeatUsage()
        self._notices: list[str] = []
        self._due: tuple[str, ...] = ()
        self._undelivered = ""
        self._ticked: frozenset[Tick] = frozenset()
        self._rests_on: Mapping[str, object] | None = None
        self._forced = False
        self._next_due: datetime | None = None
        self._state = BeatState()
        self._before = self._state
        self._earlier: tuple[datetime | None, datetime | None] = (None, None)

    def coalesce(self) -> Beat:
        """Answer for a beat that found another one under way, whose state is left alone."""
        skip = closed_gate(self._situation(is_busy=True))
        assert skip is not None
        with contextlib.suppress(DiskError):
            note = {"at": format_instant(self._now), "reason": skip.reason}
            self._store.write_state(BUSY, note)
        return Beat("skipped", skipped_because=skip.because, reason=skip.reason)

    def run(self, *, force: bool, slot: datetime | None) -> Beat:
        """Judge the gates, and do what is due when they are open."""
        self._forced = force
        try:
            last = self._load()
            if slot is not None and last.stands_for(slot, self._now):
                reason = "busy: another scheduler has made this beat"
                return Beat("skipped", skipped_because="busy", reason=reason)
            skip = closed_gate(self._situation(), force=force)
            if skip is not None:
                return self._skip(skip)
            return self._act(self._outlook)
        except ToolnexusError as error:
            return self.fail(error)
        except BaseException as error:
            self.fail(ToolnexusError(f"the beat was cut short: {_told(error)}"))
            raise

    def fail(self, error: ToolnexusError) -> Beat:
        """Note what went wrong; what cost money or patience makes the next try wait."""
        if isinstance(error, ModelError | DeliveryError):
            apart = interval_between(self._now, *self._earlier)
            self._state = self._state.failed(self._now, apart, _line(error))
        beat = self._beat("failed", reply=self._undelivered, reason=_line(error), error=error)
        with contextlib.suppress(ToolnexusError):  # the disk may be what went wrong
            self._save()
            self._note(beat)
        return beat

    def _load(self) -> LastBeat:
        self._rests_on = self._fingerprint()
        last = parse_last(self._store.read_state(LAST))
        self._earlier = last.at, last.before
        self._next_due = last.next_due
        self._before = self._state = parse_state(self._store.read_state(STATE))
        return last

    def _fingerprint(self) -> dict[str, object] | None:
        if not self._wiring.rests:
            return None
        try:
            found = fingerprint(self._store.root)
        except OSError:
            return None
        return found if is_settled(found, self._wiring.disk_time_ns()) else None

    def _situation(self, *, is_busy: bool = False) -> Situation:
        return Situation(
            now=self._now,
            zone=self._zone,
            settings=self._wiring.settings,
            state=self._state,
            outlook=lambda: self._outlook,
            online=self._online,
            is_busy=is_busy,
        )

    @property
    def _online(self) -> bool:
        return self._wiring.model is not None

    @cached_property
    def _snapshot(self) -> Snapshot:
        return self._store.read()

    @cached_property
    def _outlook(self) -> Outlook:
        """Read HEARTBEAT.md and tell what is due; the tasks count as seen from here on."""
        agenda = self._read_agenda()
        seen = look(agenda, self._state, self._now, self._zone, online=self._online)
        self._state = seen.state
        self._notice_problems(agenda)
        return seen

    def _read_agenda(self) -> Agenda:
        for _ in range(_TRIES - 1):
            with contextlib.suppress(ConflictError):  # it was saved in this very moment
                return agenda_of(self._snapshot)
            del self._snapshot
        return agenda_of(self._snapshot)

    def _notice_problems(self, agenda: Agenda) -> None:
        """Tell of tasks that cannot be read: once, for a beat comes every few minutes."""
        told = tuple(
            f"{HEARTBEAT_FILE}:{problem.line}: {problem.message}; the task is never due"
            for problem in agenda.problems
        )
        self._notices += [notice for notice in told if notice not in self._state.told]
        self._state = replace(self._state, told=told)

    def _skip(self, skip: Skip) -> Beat:
        beat = self._beat("skipped", skipped_because=skip.because, reason=skip.reason)
        self._save()
        with contextlib.suppress(ToolnexusError):  # what an earlier beat could not tick
            self._tick()
        rests = skip.lasting and self._rests_on is not None and not beat.notices
        self._note(beat, render_quiet(self._rests_on or {}, self._now, skip.until) if rests else {})
        return beat

    def _act(self, outlook: Outlook) -> Beat:
        """Do what is due, and see to it that whoever has to know gets to know."""
        from toolnexus.heartbeat.reply import is_silence

        self._due = tuple(entry.task.text for entry in outlook.due)
        places = self._places()
        self._save()
        running = {**self._times(), "outcome": "running"}
        self._store.write_state(LAST, running, durable=False)
        reply = self._ask(outlook) if self._online else self._remind(outlook)
        if not reply or (self._online and is_silence(reply, self._wiring.settings.ack_max_chars)):
            self._finish(outlook)
            reason = "" if self._online else f"nothing due ({NO_MODEL})"
            outcome, because = ("silent", "") if self._online else ("skipped", "nothing due")
            beat = self._beat(outcome, skipped_because=because, reason=reason)
        else:
            error = self._deliver(reply, places)
            self._finish(outlook)
            self._record(reply)
            left_out = not self._online and outlook.agenda.has_prose
            reason = _line(error) if error else NO_MODEL if left_out else ""
            beat = self._beat("delivered", reply=reply, reason=reason, error=error)
        self._note(beat)
        return beat

    def _places(self) -> tuple[Place, ...]:
        from toolnexus.heartbeat.deliver import places_of

        return places_of(
            self._wiring.settings.deliver,
            say=self._wiring.say,
            folder=self._store.root,
            title=self._wiring.name,
        )

    def _remind(self, outlook: Outlook) -> str:
        from toolnexus.heartbeat.prompt import remind

        return remind(outlook.due)

    def _ask(self, outlook: Outlook) -> str:
        """Let the persona's agent do what is due; return what it has to say.

        Raises:
            ToolnexusError: when the run did not come to its end.
        """
        from toolnexus.heartbeat.asking import ask, budget_for

        day = self._situation().day
        spent = self._state.spent_usd.get(day, 0.0)
        budget = budget_for(self._wiring.settings, spent, forced=self._forced)
        asked = ask(self._wiring, self._snapshot, outlook, budget, self._now, self._zone)
        self._usage = asked.usage
        self._state = self._state.spending(day, asked.cost_usd)
        return asked.answer()

    def _deliver(self, reply: str, places: tuple[Place, ...]) -> DeliveryError | None:
        """Deliver a reply; return what went wrong at some places, if another one took it.

        Raises:
            DeliveryError: when none took it.
        """
        from toolnexus.heartbeat.deliver import deliver

        taken, errors = deliver(reply, places)
        if errors and not taken:
            self._undelivered = reply
            raise errors[0]
        self._notices += [str(error) for error in errors[1:]]
        return errors[0] if errors else None

    def _finish(self, outlook: Outlook) -> None:
        """Note that the due tasks are done, before the boxes of one-time tasks are ticked."""
        self._ticked = outlook.due_ticks(self._now, self._zone)
        self._state = self._state.did(outlook.due_keys, self._ticked, self._now)
        self._save()
        try:
            self._tick()
        except ToolnexusError as error:
            self._notices.append(f"tasks that are done could not be ticked: {error}")

    def _tick(self) -> None:
        """Tick boxes in HEARTBEAT.md as it is now: what was edited meanwhile stands."""
        ticks = self._state.ticks
        if ticks:
            plan = plan_ticks(self._store.read(), ticks)
            self._store.commit(plan, replan=lambda home: plan_ticks(home, ticks))
            self._state = replace(self._state, ticks=frozenset())
            self._save()

    def _record(self, reply: str) -> None:
        """Keep what was said as a turn that is no evidence of anything."""
        turn = {
            "role": "assistant",
            "content": reply.encode("utf-8", "replace").decode(),
            "ts": format_instant(self._now),
            "name": self._wiring.name,
            "unprompted": True,
        }
        try:
            self._wiring.record(CONVERSATION, turn)
        except ToolnexusError as error:
            self._notices.append(f"the reply was delivered, but could not be recorded: {error}")

    def _beat(self, outcome: str, **fields: object) -> Beat:
        due = self._next_due  # as it was, where a gate closed before HEARTBEAT.md was read
        if "_outlook" in self.__dict__:
            done = replace(self._state, ticks=self._state.ticks | self._ticked)
            due = next_due(self._outlook.agenda, done, self._zone)
        notices = (*self._store.notices, *self._notices, *self._wiring.notices())
        return Beat(
            outcome,  # type: ignore[arg-type]
            tasks=self._due,
            usage=self._usage,
            next_due=due,
            notices=notices,
            **fields,  # type: ignore[arg-type]
        )

    def _save(self) -> None:
        if self._state != self._before:
            self._store.write_state(STATE, render_state(self._state))
            self._before = self._state

    def _times(self) -> dict[str, object]:
        """Return when this beat was and the one before it."""
        before = self._earlier[0]
        return {
            "at": format_instant(self._now),
            "before": None if before is None else format_instant(before),
        }

    def _note(self, beat: Beat, quiet: Mapping[str, object] | None = None) -> None:
        last = {**render_last(beat), **self._times()}
        # What it tells is for people and schedulers; what must not be done twice is in STATE.
        self._store.write_state(LAST, {**last, "quiet": quiet} if quiet else last, durable=False)


def _line(error: BaseException) -> str:
    """Write an error on one line."""
    return " ".join(str(error).split())


def _told(error: BaseException) -> str:
    """Write an error that nobody foresaw, without the keys that it may hold."""
    from toolnexus.models.redact import Redactor

    return Redactor.from_environment().text(f"{type(error).__name__}: {_line(error)}")
