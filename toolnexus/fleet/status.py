"""The status: how the fleet is, in numbers."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from toolnexus.fleet.job import Done, Kind

STUCK_SECONDS = 900.0
"""So long may a job wait for its turn; a beat is given up after as much."""


@dataclass(frozen=True, slots=True)
class Status:
    """How the fleet is.

    Attributes:
        homes: How many there are.
        broken: How many of them have settings that are wrong, and are left alone until mended.
        running: How many jobs run.
        waiting: How many are due and wait for their turn.
        overdue_seconds: How long the oldest of these has waited.
        done: How many jobs have ended, by kind and outcome.
        is_stopping: Whether nothing new is begun.
    """

    homes: int
    broken: int
    running: int
    waiting: int
    overdue_seconds: float
    done: Mapping[tuple[Kind, str], int]
    is_stopping: bool

    @property
    def verdict(self) -> str:
        """``ok``, ``stopping`` or ``stuck``."""
        if self.is_stopping:
            return "stopping"
        return "stuck" if self.overdue_seconds > STUCK_SECONDS else "ok"

    def fields(self) -> dict[str, object]:
        """Return it as JSON values."""
        return {
            "status": self.verdict,
            "homes": self.homes,
            "broken": self.broken,
            "running": self.running,
            "waiting": self.waiting,
            "oldest_overdue_seconds": round(self.overdue_seconds, 3),
            "jobs": [
                {"job": kind, "outcome": outcome, "count": count}
                for (kind, outcome), count in sorted(self.done.items())
            ],
        }

    def metrics(self) -> str:
        """Return it in Prometheus' text format."""
        return "".join(f"{line}\n" for line in self._metric_lines())

    def _metric_lines(self) -> Iterator[str]:
        gauges = {
            "homes": self.homes,
            "homes_broken": self.broken,
            "jobs_running": self.running,
            "jobs_waiting": self.waiting,
            "oldest_overdue_seconds": f"{self.overdue_seconds:.3f}",
        }
        for name, value in gauges.items():
            yield f"# TYPE toolnexus_{name} gauge"
            yield f"toolnexus_{name} {value}"
        yield "# TYPE toolnexus_jobs_total counter"
        for (kind, outcome), count in sorted(self.done.items()):
            yield f'toolnexus_jobs_total{{job="{kind}",outcome="{outcome}"}} {count}'


class Tally:
    """Counts the jobs that have ended."""

    def __init__(self) -> None:
        self.done: Counter[tuple[Kind, str]] = Counter()
        self.worst_code = 0

    def add(self, done: Done) -> None:
        """Count one."""
        self.done[done.job.kind, done.outcome] += 1
        self.worst_code = max(self.worst_code, done.exit_code)
