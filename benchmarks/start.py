"""Start-up: commands as whole processes, against a Python that does nothing."""

from __future__ import annotations

import shutil
import sys
from functools import partial
from typing import TYPE_CHECKING

from benchmarks.measure import PROJECT, Cost, least_costs, run_process, toolnexus
from benchmarks.table import Row, compare

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from benchmarks.sizes import Sizes

TRIES = 3
VERSION_LIMIT = 5
CHECK_LIMIT = 15
_BARE = "bare `python`"


def measure_start(folder: Path, sizes: Sizes) -> Iterator[Row]:
    """Measure `--version`, and `check` of the sample persona that was checked before."""
    ava = folder / "ava"
    shutil.copytree(PROJECT / "personas" / "ava", ava)

    def run(*arguments: str) -> Cost:
        return run_process(arguments, fails=True).cost

    bare, version, check = (
        partial(run, sys.executable, "-c", "pass"),
        partial(run, *toolnexus("--version")),
        partial(run, *toolnexus("check", str(ava))),
    )
    least_costs(1, bare, version, check)  # byte code and the parse cache are made
    bare_cost, version_cost, check_cost = least_costs(TRIES * sizes.tries, bare, version, check)
    yield compare("`toolnexus --version`", version_cost, VERSION_LIMIT, bare_cost, _BARE)
    yield compare("`toolnexus check` of ava, warm", check_cost, CHECK_LIMIT, bare_cost, _BARE)
