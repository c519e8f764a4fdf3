"""Automation: after so many recorded turns the memory compacts, and imagines, by itself.

It is off unless persona.yaml asks for it. The job runs on a thread beside the conversation, one of
a kind at a time over all processes; the program does not end before it does.
"""

from __future__ import annotations

import logging
import threading
from typing import TYPE_CHECKING, Literal

from toolnexus.errors import ConfigError, LockedError, ToolnexusError
from toolnexus.evolve.gates import Gate, GateState, gate_value, read_gate_state
from toolnexus.files import hold_lock

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from toolnexus.app.view import View
    from toolnexus.settings.types import CompactSettings, ImagineSettings

AutoJob = Literal["compact", "imagine"]
STATE = "gates"
_WAIT_SECONDS = 10.0


class Automation:
    """The jobs of a home that turns set off.

    It may be used from several threads at once.

    Args:
        home: The home.
    """

    def __init__(self, home: View) -> None:
        self._home = home
        self._guard = threading.Lock()
        self._running: dict[AutoJob, threading.Thread] = {}

    def recorded(self, turns: int) -> None:
        """Count turns that were recorded, and begin what is due; nothing that happens raises.

        Args:
            turns: How many.
        """
        if turns < 1:
            return
        try:
            gates = self._gates()
            for job in self._count(gates, turns) if gates else ():
                self._begin(job)
        except ToolnexusError as error:  # a turn that was said is never lost over it
            _log(self._home.name, "automation", error)

    def wait(self, timeout_seconds: float | None = None) -> bool:
        """Wait for what is under way; tell whether all of it has ended.

        Args:
            timeout_seconds: How long to wait for each job; None waits for its end.
        """
        with self._guard:
            running = list(self._running.values())
        for thread in running:
            thread.join(timeout_seconds)
        return not any(thread.is_alive() for thread in running)

    def states(self) -> dict[AutoJob, GateState]:
        """Return how far the gates of each job are that the settings ask for."""
        kept = self._home.store.read_state(STATE)
        kept = kept if isinstance(kept, dict) else {}
        return {job: read_gate_state(kept.get(job)) for job in self._gates()}

    def _gates(self) -> Mapping[AutoJob, Gate]:
        """Return the gates that the settings ask for; wrong settings ask for none."""
        try:
            settings = self._home.settings
        except ConfigError:
            return {}
        wanted: dict[AutoJob, CompactSettings | ImagineSettings] = {
            "compact": settings.compact,
            "imagine": settings.imagine,
        }
        return {
            job: Gate(each.every_turns, each.min_interval)
            for job, each in wanted.items()
            if each.every_turns is not None
        }

    def _count(self, gates: Mapping[AutoJob, Gate], turns: int) -> list[AutoJob]:
        """Count turns for each job; return those that are due, which count as begun from now on."""
        now, due = self._home.clock.now(), []

        def count(states: dict[AutoJob, GateState]) -> None:
            for job, gate in gates.items():
                state = states.get(job, GateState()).recorded(turns)
                if state.is_open(gate, now):
                    if self._is_running(job):
                        state = state.with_dropped()
                    else:
                        due.append(job)
                        state = state.begun(now)
                states[job] = state

        self._change(count)
        return due

    def _begin(self, job: AutoJob) -> None:
        thread = threading.Thread(target=self._run, args=(job,), name=f"{self._home.name}-{job}")
        with self._guard:
            self._running[job] = thread
        thread.start()

    def _is_running(self, job: AutoJob) -> bool:
        with self._guard:
            thread = self._running.get(job)
        return thread is not None and thread.is_alive()

    def _run(self, job: AutoJob) -> None:
        """Do a job; what goes wrong is logged, and what another process does already is dropped."""
        try:
            _do(self._home, job)
        except LockedError:
            self._drop(job)
        except Exception as error:  # noqa: BLE001 - nobody is there to catch it
            _log(self._home.name, job, error)

    def _drop(self, job: AutoJob) -> None:
        def drop(states: dict[AutoJob, GateState]) -> None:
            states[job] = states.get(job, GateState()).with_dropped()

        try:
            self._change(drop)
        except ToolnexusError as error:
            _log(self._home.name, job, error)

    def _change(self, change: Callable[[dict[AutoJob, GateState]], None]) -> None:
        """Change how far the gates are, one process at a time."""
        store = self._home.store
        store.ensure_state()
        path = store.state / "locks" / "gates.lock"
        with hold_lock(path, timeout_seconds=_WAIT_SECONDS, what="the count of turns"):
            kept = store.read_state(STATE)
            kept = kept if isinstance(kept, dict) else {}
            states: dict[AutoJob, GateState] = {}
            for job in ("compact", "imagine"):
                if job in kept:
                    states[job] = read_gate_state(kept[job])
            change(states)
            value = {job: gate_value(state) for job, state in states.items()}
            store.write_state(STATE, value, durable=False)


def _do(home: View, job: AutoJob) -> None:
    if job == "compact":
        from toolnexus.app.compacting import compact

        compact(home)
    else:
        from toolnexus.app.imagining import imagine

        imagine(home)


def _log(name: str, what: str, error: Exception) -> None:
    logging.getLogger("toolnexus").warning("%s: %s: %s", name, what, error)
