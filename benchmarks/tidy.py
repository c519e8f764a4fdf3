"""Checking and dreaming on a large home, as whole processes."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

from benchmarks.generate import NOTE_LINKS, write_home
from benchmarks.measure import Cost, Ran, least_costs, run_process, task, toolnexus
from benchmarks.table import Row, compare, within

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from benchmarks.sizes import Sizes

COLD_LIMIT = 1.3
CHECK_SECONDS = 2.0
DREAM_SECONDS = 15.0
IDLE_SECONDS = 2.0
STATE = ".toolnexus"


def measure_check(folder: Path, sizes: Sizes) -> Iterator[Row]:
    """Check a neglected home: cold against parsing alone, then warm."""
    root = folder / "neglected"
    write_home(root, sizes.notes, neglected=True)

    def check() -> Cost:
        return run_process(toolnexus("check", "--format", "json", str(root)), fails=True).cost

    def check_cold() -> Cost:
        shutil.rmtree(root / STATE, ignore_errors=True)
        return check()

    def parse() -> Cost:
        return run_process(task("parse_all", str(root))).cost

    cold, parsed = least_costs(sizes.tries, check_cold, parse)
    size = f"{sizes.notes:,} notes, {sizes.notes * NOTE_LINKS:,} links"
    named = "reading and parsing alone, on all cores"
    yield compare(f"`check` of {size}, cold", cold, COLD_LIMIT, parsed, named, by="wall")
    (warm,) = least_costs(2 * sizes.tries, check)
    yield within(f"`check` of {size}, warm", warm, CHECK_SECONDS)


def measure_dream(folder: Path, sizes: Sizes) -> Iterator[Row]:
    """Dream on a neglected home that was checked before, then once more with nothing to do."""
    root = folder / "dreaming"
    write_home(root, sizes.notes, neglected=True)
    run_process(toolnexus("check", "--format", "json", str(root)), fails=True)
    first = run_process(task("dream", str(root)))
    idle = [run_process(task("dream", str(root))) for _ in range(sizes.tries + 1)]
    told = json.loads(first.output)
    what = (
        f"offline dream on {sizes.notes:,} notes ({told['changes']:,} changes, {told['outcome']})"
    )
    yield within(what, first.cost, DREAM_SECONDS)
    quiet = min((run.cost for run in idle), key=lambda cost: cost.wall)
    yield within(f"the same, {_outcome(idle[-1])} to do", quiet, IDLE_SECONDS)
    loaded = any(json.loads(run.output)["chromadb"] for run in (first, *idle))
    yield Row("Chroma is imported by a dream", "no", "yes" if loaded else "no", not loaded)


def _outcome(run: Ran) -> str:
    return str(json.loads(run.output)["outcome"])
