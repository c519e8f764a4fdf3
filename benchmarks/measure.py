"""Stopwatches: what an action or a process costs in seconds, and the least of several tries."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

PROJECT = Path(__file__).resolve().parents[1]
PEAK_FILE = "TOOLNEXUS_BENCHMARK_PEAK"
_KIBIBYTE = 1024
_MAXRSS_UNIT = 1 if sys.platform == "darwin" else _KIBIBYTE


@dataclass(frozen=True, slots=True)
class Cost:
    """What something cost.

    Attributes:
        wall: Seconds on the clock.
        cpu: Seconds of processor time, all threads and child processes together.
        peak_bytes: The most memory that it held; 0 where it was not measured.
    """

    wall: float
    cpu: float
    peak_bytes: int = 0

    def least(self, other: Cost) -> Cost:
        """Return the smaller of each: what disturbs a measurement only ever adds."""
        return Cost(
            min(self.wall, other.wall),
            min(self.cpu, other.cpu),
            max(self.peak_bytes, other.peak_bytes),
        )

    def over(self, count: int) -> Cost:
        """Return the cost of one of so many."""
        return Cost(self.wall / count, self.cpu / count, self.peak_bytes)


def median_of(costs: Collection[Cost]) -> Cost:
    """Return the median of wall time and that of processor time, each by itself."""
    return Cost(median(cost.wall for cost in costs), median(cost.cpu for cost in costs))


@dataclass(frozen=True, slots=True)
class Ran:
    """A process that has ended: what it cost and what it printed."""

    cost: Cost
    output: str


def cost_of(action: Callable[[], object]) -> Cost:
    """Measure an action in this process."""
    wall, cpu = time.perf_counter(), _cpu_seconds()
    action()
    return Cost(time.perf_counter() - wall, _cpu_seconds() - cpu)


def least_costs(tries: int, *actions: Callable[[], Cost]) -> list[Cost]:
    """Measure several things in turn, so that a busy moment hits them all.

    Args:
        tries: How often each is measured.
        actions: Each measures one thing once.

    Returns:
        The least cost of each.
    """
    costs = [action() for action in actions]
    for _ in range(tries - 1):
        costs = [cost.least(action()) for cost, action in zip(costs, actions, strict=True)]
    return costs


def run_process(arguments: Sequence[str], *, fails: bool = False) -> Ran:
    """Run a process to its end and measure it, its own children included.

    Args:
        arguments: The program and its arguments.
        fails: Whether exit codes other than 0 are fine: `check` exits with 1 where it finds errors.

    Raises:
        RuntimeError: when it fails.
    """
    with (
        tempfile.TemporaryFile() as output,
        tempfile.TemporaryFile() as errors,
        tempfile.NamedTemporaryFile() as peak,
    ):
        told = {**environment(), PEAK_FILE: peak.name}
        begun = time.perf_counter()
        process = subprocess.Popen(arguments, stdout=output, stderr=errors, env=told)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - begun
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        errors.seek(0)
        if process.returncode and not (fails and process.returncode == 1):
            raise RuntimeError(f"{arguments} failed: {errors.read().decode()}")
        cost = Cost(wall, usage.ru_utime + usage.ru_stime, int(peak.read() or 0))
        return Ran(cost, output.read().decode())


def tell_peak() -> None:
    """Tell the process that measures this one how much memory it held at most.

    The system's own figure for an ended child will not do: it begins with what its parent held.
    """
    place = os.environ.get(PEAK_FILE)
    if place:
        Path(place).write_text(str(_peak_bytes()))


def _peak_bytes() -> int:
    status = Path("/proc/self/status")
    if status.exists():
        lines = dict(line.split(":", 1) for line in status.read_text().splitlines())
        return int(lines["VmHWM"].split()[0]) * _KIBIBYTE
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _MAXRSS_UNIT


def environment() -> Mapping[str, str]:
    """Return the environment for measured processes: byte code is kept, this project is found."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    paths = [str(PROJECT), *filter(None, [kept.get("PYTHONPATH")])]
    return {**kept, "PYTHONPATH": os.pathsep.join(paths), "TOOLNEXUS_MODEL": ""}


def toolnexus(*arguments: str) -> list[str]:
    """Return the command line of the toolnexus that belongs to this Python."""
    return [str(Path(sys.executable).with_name("toolnexus")), *arguments]


def task(*arguments: str) -> list[str]:
    """Return the command line that runs one of `benchmarks.tasks` in a fresh process."""
    return [sys.executable, "-m", "benchmarks.tasks", *arguments]


def _cpu_seconds() -> float:
    times = os.times()
    return time.process_time() + times.children_user + times.children_system
