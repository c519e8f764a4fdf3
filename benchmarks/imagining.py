"""Imagining on a large home, offline, and on one of a tenth of its size."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from benchmarks.generate import NOTES_PER_TOPIC, write_home
from benchmarks.measure import Ran, run_process, toolnexus
from benchmarks.table import Row, compare, within

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from benchmarks.sizes import Sizes

IMAGINE_SECONDS = 10.0
GROWTH_LIMIT = 12.0
"""Times what a tenth of the notes takes: near linear."""
_KINDS = 7


def measure_imagine(folder: Path, sizes: Sizes) -> Iterator[Row]:
    """Imagine in a home whose notes are tagged by topic, and across topics; it was read before."""
    large = _imagine(folder / "imagining", sizes.notes, sizes.tries)
    small = _imagine(folder / "imagining-small", max(10, sizes.notes // 10), sizes.tries)
    made = len(json.loads(large.output)["imagined"])
    what = f"`imagine` offline on {sizes.notes:,} notes ({made} guesses)"
    yield within(what, large.cost, IMAGINE_SECONDS)
    named = f"the same on {max(10, sizes.notes // 10):,} notes"
    yield compare("growth of that", large.cost, GROWTH_LIMIT, small.cost, named)


def _imagine(root: Path, notes: int, tries: int) -> Ran:
    for number, note in enumerate(write_home(root, notes)):
        path = root / note.path
        tags = f"tags: [topic-{number // NOTES_PER_TOPIC}, kind-{number % _KINDS}]"
        path.write_text(path.read_text("utf-8").replace("tags: [sample]", tags), "utf-8")
    run_process(toolnexus("check", "--format", "json", str(root)), fails=True)
    runs = [
        run_process(toolnexus("imagine", "--dry-run", "--json", str(root))) for _ in range(tries)
    ]
    return min(runs, key=lambda run: run.cost.cpu)
