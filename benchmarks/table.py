"""The table: a row for each promise, what was measured, and whether it holds."""

from __future__ import annotations

import os
import platform
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable

    from benchmarks.measure import Cost

HEAD = ("what", "target", "measured", "baseline", "ratio", "verdict")
_MEBIBYTE = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Row:
    """A promise and what was measured of it.

    Attributes:
        what: What was measured.
        target: What was promised, as a person reads it.
        measured: What it came to, as a person reads it.
        met: Whether the promise holds; None where nothing was promised.
        baseline: What it is compared with; empty where the target is absolute.
        ratio: Of both; None without a baseline.
    """

    what: str
    target: str
    measured: str
    met: bool | None
    baseline: str = ""
    ratio: float | None = None

    def cells(self) -> tuple[str, ...]:
        """Return the row's cells, in the order of `HEAD`."""
        ratio = "–" if self.ratio is None else f"{self.ratio:.2f}"
        verdict = "–" if self.met is None else "met" if self.met else "**missed**"
        return (self.what, self.target, self.measured, self.baseline or "–", ratio, verdict)


def compare(
    what: str,
    measured: Cost,
    limit: float,
    baseline: Cost,
    baseline_name: str,
    *,
    by: Literal["cpu", "wall"] = "cpu",
) -> Row:
    """Make a row of a cost that may be so many times that of a baseline.

    Args:
        what: What was measured.
        measured: What it cost.
        limit: How many times the baseline's cost it may cost.
        baseline: What the baseline cost in this very run.
        baseline_name: What the baseline is.
        by: Which time decides: processor time disregards what else the machine does.
    """
    ratio = getattr(measured, by) / max(getattr(baseline, by), 1e-9)
    return Row(
        what,
        f"≤ {limit:g} ×",
        format_cost(measured, by),
        ratio <= limit,
        f"{format_cost(baseline, by)}: {baseline_name}",
        ratio,
    )


def within(what: str, measured: Cost, seconds: float) -> Row:
    """Make a row of a cost that may take so many seconds on the clock."""
    return Row(
        what, f"≤ {format_seconds(seconds)}", format_cost(measured), measured.wall <= seconds
    )


def memory(what: str, measured: Cost, mebibytes: float) -> Row:
    """Make a row of a process that may hold so much memory."""
    held = measured.peak_bytes / _MEBIBYTE
    return Row(what, f"≤ {mebibytes:g} MB", f"{held:.0f} MB", held <= mebibytes)


def format_cost(cost: Cost, first: Literal["cpu", "wall"] = "wall") -> str:
    """Write both times of a cost, the one that decides first."""
    wall, cpu = format_seconds(cost.wall), f"{format_seconds(cost.cpu)} CPU"
    return f"{cpu} ({wall} wall)" if first == "cpu" else f"{wall} ({cpu})"


def format_seconds(seconds: float) -> str:
    """Write a time in a unit that suits it.

    Example:
        >>> format_seconds(0.0042), format_seconds(0.15), format_seconds(15)
        ('4.2 ms', '150 ms', '15 s')
    """
    if seconds < 1e-3:
        return f"{seconds * 1e6:.0f} µs"
    if seconds < 1:
        return f"{seconds * 1e3:.{1 if seconds < 0.01 else 0}f} ms".replace(".0 ", " ")
    return f"{seconds:.{2 if seconds < 10 else 1}f} s".replace(".00 ", " ").replace(".0 ", " ")


def render(rows: Iterable[Row]) -> str:
    """Return the rows as a Markdown table."""
    lines = [HEAD, tuple("---" for _ in HEAD), *(row.cells() for row in rows)]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def machine() -> str:
    """Name the machine and the day, but nothing that tells whose it is."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return (
        f"{cores} cores, {_processor()}, {platform.system()}, "
        f"{platform.python_implementation()} {platform.python_version()}, "
        f"load {os.getloadavg()[0]:.1f}, {datetime.now(UTC):%Y-%m-%d}"
    )


def _processor() -> str:
    """Return the processor's model where the system tells it."""
    try:
        told = Path("/proc/cpuinfo").read_text("utf-8")
    except OSError:
        told = ""
    found = re.search(r"^model name\s*:\s*(.+)$", told, re.MULTILINE)
    return found[1] if found else platform.processor() or platform.machine()
