"""The count of faults: what was brought about, what was survived, and what must stay at nought."""

from __future__ import annotations

import os
import platform
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from verdict import Verdict

PROPERTY = "faults"
COLUMNS = ("runs", "faults", "survived", "lost", "half", "deadlocks", "stale", "mistold")
TITLES = (
    "runs",
    "faults injected",
    "faults survived",
    "claims and turns lost",
    "half states",
    "deadlocks",
    "stale locks",
    "mistold",
)
_TABLES = (
    ("by harness", "harness"),
    ("by command", "command"),
    ("by fault", "fault"),
)

Row = Counter[str]


@dataclass(slots=True)
class Tally:
    """Counts by harness, command and fault.

    Attributes:
        rows: One count for each of these three together.
    """

    rows: dict[tuple[str, str, str], Row] = field(default_factory=dict)

    def count(
        self, harness: str, command: str, fault: str, verdict: Verdict, *, faults: int = 1
    ) -> None:
        """Count one run.

        Args:
            harness: Which of the harnesses it was.
            command: What was at work.
            fault: What happened to it.
            verdict: What was left.
            faults: How many faults were brought about in it; 0 where it met none.
        """
        row = self.rows.setdefault((harness, command, fault), Counter())
        row["runs"] += 1
        row["faults"] += faults
        row["survived"] += faults if verdict.survived else 0
        row["lost"] += len(verdict.lost)
        row["half"] += bool(verdict.half)
        row["deadlocks"] += verdict.hung
        row["stale"] += len(verdict.stale)
        row["mistold"] += bool(verdict.mistold)

    def to_json(self) -> list[list[object]]:
        """Return the rows as JSON values, so that they travel between processes."""
        return [[*key, dict(row)] for key, row in self.rows.items()]

    def add(self, rows: Iterable[tuple[str, str, str, Mapping[str, int]]]) -> None:
        """Add the rows of another tally."""
        for harness, command, fault, row in rows:
            self.rows.setdefault((harness, command, fault), Counter()).update(row)

    def total(self) -> Row:
        """Return all rows added up."""
        total: Row = Counter()
        for row in self.rows.values():
            total.update(row)
        return total

    def table(self, by: int) -> list[str]:
        """Return the lines of a Markdown table by one part of the rows' keys."""
        name = _TABLES[by][1]
        grouped: dict[str, Row] = {}
        for key, row in self.rows.items():
            grouped.setdefault(key[by], Counter()).update(row)
        head = [f"| {name} | {' | '.join(TITLES)} |", f"|---|{'---:|' * len(TITLES)}"]
        rows = sorted(grouped.items())
        if by == 0:
            rows.append(("**all**", self.total()))
        return [*head, *(f"| {label} | {_cells(row)} |" for label, row in rows)]

    def report(self, scope: str) -> str:
        """Return the report as Markdown.

        Args:
            scope: ``full`` or ``sample``, and what else is to be said of the run.
        """
        lines = [f"Counts: {scope}. Machine: {machine()}. Run on {datetime.now(UTC):%Y-%m-%d}."]
        for by, (title, _) in enumerate(_TABLES):
            lines += ["", f"### {title.capitalize()}", "", *self.table(by)]
        return "\n".join(lines) + "\n"


def machine() -> str:
    """Name the machine: cores, processor, system and Python."""
    cores, kernel = os.cpu_count(), platform.release().partition("-")[0]
    return (
        f"{cores} cores, {platform.machine()}, {platform.system()} {kernel}, "
        f"Python {platform.python_version()}"
    )


def _cells(row: Row) -> str:
    return " | ".join(f"{row[name]:,}" for name in COLUMNS)
