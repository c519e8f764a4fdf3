"""Asking: the persona's agent, run once for a beat, and what it has to say."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from toolnexus.agent.budget import TOKENS_PER_USD, Budget
from toolnexus.agent.loop import Agent
from toolnexus.agent.run_file import new_run_file
from toolnexus.errors import ConflictError, ModelError
from toolnexus.heartbeat.prompt import compose_prompt
from toolnexus.heartbeat.types import BeatUsage
from toolnexus.home.layout import HEARTBEAT_FILE
from toolnexus.home.soul import compose_soul
from toolnexus.store.steady import steady

if TYPE_CHECKING:
    from datetime import datetime, tzinfo

    from toolnexus.agent.run import Run
    from toolnexus.heartbeat.outlook import Outlook
    from toolnexus.heartbeat.wiring import Wiring
    from toolnexus.home.snapshot import Snapshot
    from toolnexus.settings import HeartbeatSettings

BEAT_SECONDS = 900.0  # a beat that takes longer is given up, so that the next one can be made


@dataclass(frozen=True, slots=True)
class Asked:
    """A run of the persona's agent.

    Attributes:
        run: What became of it.
        path: The file of its steps.
    """

    run: Run
    path: str

    @property
    def usage(self) -> BeatUsage:
        """What it cost."""
        usage = self.run.usage
        return BeatUsage(usage.calls, usage.tokens_in, usage.tokens_out, usage.usd)

    @property
    def cost_usd(self) -> float:
        """What it counts for in the day's budget: an estimate where the price is unknown."""
        usage = self.run.usage
        return usage.tokens / TOKENS_PER_USD if usage.usd is None else usage.usd

    def answer(self) -> str:
        """Return what it has to say.

        Raises:
            ToolnexusError: when it did not come to its end, or has nothing to say.
        """
        self.run.raise_for_error()
        if self.run.outcome == "done" and self.run.text.strip():
            return self.run.text
        why = self.run.reason or "the model replied with nothing"
        hint = f"its steps are in {self.path}"
        raise ModelError(f"the beat did not come to its end: {why}", hint=hint)


def ask(
    wiring: Wiring, home: Snapshot, outlook: Outlook, budget: Budget, now: datetime, zone: tzinfo
) -> Asked:
    """Let the persona's agent do what is due, from a fresh conversation.

    Args:
        wiring: What the beat works with; its model is there.
        home: The home as read.
        outlook: What is due.
        budget: What the run may spend.
        now: When the beat began.
        zone: The home's zone.
    """
    assert wiring.model is not None
    agent = Agent(
        wiring.name,
        _soul(wiring, home, outlook),
        wiring.model(),
        wiring.tools(),
        budget=budget,
        monotonic=wiring.monotonic,
    )
    file = new_run_file(wiring.store.state / "runs", wiring.clock, job="beat")
    run = agent.run(compose_prompt(now, zone, outlook.due), run_file=file)
    return Asked(run, str(file.path))


def budget_for(settings: HeartbeatSettings, spent_usd: float, *, forced: bool) -> Budget:
    """Return what a run may spend: what is left of the day, unless it was forced.

    Args:
        settings: The heartbeat's settings.
        spent_usd: What the day's beats have cost.
        forced: Whether the gates were passed by force.
    """
    if forced:
        return Budget(seconds=BEAT_SECONDS)
    most = settings.usd_per_day
    left = None if most is None else max(0.0, most - spent_usd)
    return Budget(settings.tokens_per_beat, left, seconds=BEAT_SECONDS)


def _soul(wiring: Wiring, home: Snapshot, outlook: Outlook) -> str:
    """Compose the soul, which shows of HEARTBEAT.md the prose and the due tasks only."""
    shown = {HEARTBEAT_FILE: outlook.agenda.shown(outlook.due_keys)}
    replaced = shown if HEARTBEAT_FILE in home.notes else {}
    with contextlib.suppress(ConflictError):  # a file was saved since the home was read
        return compose_soul(home, replaced)
    return steady(wiring.store.read, lambda fresh: compose_soul(fresh, replaced))
