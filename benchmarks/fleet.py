"""`run`: what many homes cost when nothing is due, and how fast a rush of beats is made."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

from benchmarks.measure import Cost, run_process
from benchmarks.table import Row, format_seconds, memory, within

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from benchmarks.sizes import Sizes

JOBS = 32
MODEL_SECONDS = 0.05
OWN_SECONDS = 0.15
IDLE_SHARE = 0.01
MEMORY_MB = 300
DUE_LIMIT = 1.3


def measure_fleet(folder: Path, sizes: Sizes) -> Iterator[Row]:
    """Measure idle homes over real time, one beat's own cost, and a rush of beats."""
    idle, busy = folder / "idle", folder / "busy"
    write_homes(idle, sizes.homes, heartbeat="")
    write_homes(busy, sizes.homes, heartbeat="Look after the garden.\n")
    yield from _idle(idle, sizes)
    own = _run("one_by_one", busy)
    yield within(
        "a beat's own time beyond the model's, median", Cost(own["wall"], own["cpu"]), OWN_SECONDS
    )
    yield from _rush(busy, sizes)


def write_homes(root: Path, homes: int, *, heartbeat: str) -> None:
    """Write small homes that have dreamt already.

    Args:
        root: The folder that they lie in.
        homes: How many.
        heartbeat: What HEARTBEAT.md says in each.
    """
    from datetime import UTC, datetime

    from toolnexus.clock import format_instant

    dreamt = json.dumps({"at": format_instant(datetime.now(UTC))})
    files = {
        "SOUL.md": "# Ava\n\nYou are Ava, who looks after a garden.\n",
        "MEMORY.md": "- The beds face south: [[beds]]\n",
        "memory/beds.md": "# Beds\n\n- The beds face south.\n",
        "HEARTBEAT.md": heartbeat,
        "persona.yaml": "heartbeat: {timezone: UTC}\ndream: {every: 52w}\n",
        ".toolnexus/state/dream-last.json": dreamt,
    }
    for number in range(homes):
        for path, text in files.items():
            file = root / f"home-{number:04}" / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)


def _idle(root: Path, sizes: Sizes) -> Iterator[Row]:
    words = ("idle", str(root), str(sizes.idle_seconds))
    ran = run_process([sys.executable, "-m", "benchmarks.fleet_runs", *words])
    cpu = json.loads(ran.output)["cpu"]
    share = cpu / sizes.idle_seconds
    yield Row(
        f"`run` over {sizes.homes:,} homes, nothing due for {sizes.idle_seconds:g} s",
        f"≤ {IDLE_SHARE:.0%} of a core",
        f"{share:.2%} ({format_seconds(cpu)} CPU)",
        share <= IDLE_SHARE,
    )
    yield memory("peak memory of that", ran.cost, MEMORY_MB)


def _rush(root: Path, sizes: Sizes) -> Iterator[Row]:
    due = _run("rush", root)
    ideal = max(1, sizes.homes / JOBS) * MODEL_SECONDS
    ratio = due["wall"] / ideal
    what = f"{sizes.homes:,} due beats, {JOBS} jobs, a model of {format_seconds(MODEL_SECONDS)}"
    yield Row(
        what,
        f"≤ {DUE_LIMIT:g} ×",
        f"{format_seconds(due['wall'])} ({format_seconds(due['cpu'])} CPU)",
        ratio <= DUE_LIMIT,
        f"{format_seconds(ideal)}: the model alone",
        ratio,
    )
    yield Row("processor time of that, a beat", "–", format_seconds(due["cpu"] / sizes.homes), None)


def _run(task: str, root: Path) -> dict[str, float]:
    ran = run_process([sys.executable, "-m", "benchmarks.fleet_runs", task, str(root)])
    measured: dict[str, float] = json.loads(ran.output)
    return measured
