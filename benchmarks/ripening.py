"""Memory that ripens, on a large home: what is asked of it often has to be quick."""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING

from benchmarks.evidence import measure_chain, measure_plug
from benchmarks.generate import write_home
from benchmarks.imagining import measure_imagine
from benchmarks.measure import Cost, least_costs, run_process, task, toolnexus
from benchmarks.table import Row, within

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from benchmarks.sizes import Sizes

FEEDBACK_SECONDS = 0.02
OVERVIEW_SECONDS = 1.0
COMPACT_SECONDS = 10.0


def measure_ripening(folder: Path, sizes: Sizes) -> Iterator[Row]:
    """Give feedback in a large home all of whose notes were used, and look at it."""
    root = folder / "ripening"
    write_home(root, sizes.notes)
    run_process(toolnexus("check", "--format", "json", str(root)), fails=True)
    run_process(task("use_all_notes", str(root)))
    yield from _feedback(root, sizes)
    yield from _overview(root, sizes)
    yield from _compact(root, sizes)
    yield from measure_chain(root, sizes)
    yield from measure_plug(folder, sizes)
    yield from measure_imagine(folder, sizes)


def _feedback(root: Path, sizes: Sizes) -> Iterator[Row]:
    told = [json.loads(run_process(task("feedback", str(root))).output) for _ in range(sizes.tries)]
    quick = min((Cost(each["wall"], each["cpu"]) for each in told), key=lambda cost: cost.wall)
    what = f"`Home.feedback` on {sizes.notes:,} notes, all of them used before"
    yield within(what, quick, FEEDBACK_SECONDS)
    note = next((root / "memory").glob("*.md")).stem
    version, feedback = (
        partial(_run, *toolnexus("--version")),
        partial(_run, *toolnexus("feedback", str(root), note, "0.1")),
    )
    bare, whole = least_costs(2 * sizes.tries, version, feedback)
    beyond = Cost(whole.wall - bare.wall, whole.cpu - bare.cpu)
    yield Row(
        "`toolnexus feedback` there, beyond `--version`",
        "–",
        f"{beyond.wall * 1e3:.0f} ms ({beyond.cpu * 1e3:.0f} ms CPU)",
        None,
    )


def _overview(root: Path, sizes: Sizes) -> Iterator[Row]:
    (cost,) = least_costs(2 * sizes.tries, partial(_run, *toolnexus("overview", str(root))))
    yield within(f"`overview` of {sizes.notes:,} notes, warm", cost, OVERVIEW_SECONDS)


def _compact(root: Path, sizes: Sizes) -> Iterator[Row]:
    run_process(toolnexus("index", str(root)))
    (cost,) = least_costs(sizes.tries, partial(_run, *toolnexus("compact", "--dry-run", str(root))))
    yield within(f"`compact --dry-run` of {sizes.notes:,} notes, indexed", cost, COMPACT_SECONDS)


def _run(*arguments: str) -> Cost:
    return run_process(arguments).cost
