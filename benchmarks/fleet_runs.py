"""Runs of a fleet that are measured as processes: `python -m benchmarks.fleet_runs TASK FOLDER …`.

Each prints what it cost, as JSON.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.fleet import JOBS, MODEL_SECONDS
from benchmarks.measure import Cost, cost_of, median_of, tell_peak
from toolnexus.app.scheduled import Place, beat_for
from toolnexus.clock import SystemClock
from toolnexus.fleet.runner import Options, Runner
from toolnexus.fleet.work import Worker
from toolnexus.testing.model import ScriptedModel

if TYPE_CHECKING:
    from collections.abc import Callable

    from toolnexus.fleet.job import Job
    from toolnexus.fleet.report import Entry
    from toolnexus.models.completion import Completion, Request
    from toolnexus.models.model import Model

ONE_BY_ONE = 50


class SlowModel(ScriptedModel):
    """A model that takes its time, as one over the network does."""

    def complete(self, request: Request) -> Completion:
        """Reply after a while."""
        time.sleep(MODEL_SECONDS)
        return super().complete(request)


def idle(folder: str, seconds: str) -> None:
    """Look after homes in which nothing is due, and measure once all of them were looked at."""
    left = len(list(Path(folder).iterdir()))
    settled = asyncio.Event()

    def count(entry: Entry) -> None:
        nonlocal left
        left -= entry.event == "job"
        if not left:
            settled.set()

    runner = _runner(folder, model=None, jobs=8, tell=count)

    async def run() -> Cost:
        running = asyncio.ensure_future(runner.run())
        await settled.wait()
        began = time.process_time(), time.perf_counter()
        await asyncio.sleep(float(seconds))
        cost = Cost(time.perf_counter() - began[1], time.process_time() - began[0])
        runner.stop()
        await running
        return cost

    _tell(asyncio.run(run()))


def one_by_one(folder: str) -> None:
    """Make single beats with a model that takes no time, once all is imported."""
    costs = [cost_of(lambda home=home: _beat(home)) for home in _homes(folder)]
    warm = costs[len(costs) // 5 :]
    _tell(median_of(warm))


def rush(folder: str) -> None:
    """Make the beats of all homes, which are due at once."""
    _beat(_homes(folder)[0])  # brings the imports in
    for last in Path(folder).glob("*/.toolnexus/state/beat-last.json"):
        last.unlink()
    runner = _runner(folder, lambda _job: SlowModel(default="HEARTBEAT_OK"), JOBS, once=True)
    _tell(cost_of(lambda: asyncio.run(runner.run())))


def _runner(
    folder: str,
    model: Callable[[Job], Model | None] | None,
    jobs: int,
    *,
    once: bool = False,
    tell: Callable[[Entry], None] = lambda _entry: None,
) -> Runner:
    clock = SystemClock()
    worker = Worker(clock, lambda _job, _text: None, model)
    options = Options((folder,), jobs=jobs, spread=timedelta(0), once=once)
    return Runner(options, clock, worker.do, tell)


def _beat(home: Path) -> object:
    clock = SystemClock()
    slot = clock.now().replace(microsecond=0) + timedelta(seconds=5)  # none was made for it yet
    return beat_for(Place(home), slot, clock, model=ScriptedModel(default="HEARTBEAT_OK"))


def _homes(folder: str) -> list[Path]:
    return sorted(Path(folder).resolve().iterdir())[:ONE_BY_ONE]


def _tell(cost: Cost) -> None:
    print(json.dumps({"wall": cost.wall, "cpu": cost.cpu}))


TASKS: dict[str, Callable[..., None]] = {task.__name__: task for task in (idle, one_by_one, rush)}

if __name__ == "__main__":
    TASKS[sys.argv[1]](*sys.argv[2:])
    tell_peak()
