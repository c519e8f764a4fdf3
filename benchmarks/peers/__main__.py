"""Measure toolnexus beside its peers, and write what came of it.

Usage: python -m benchmarks.peers [--sizes N,N…] [--peers NAME,NAME…] [--budget-seconds N]
       [--out FILE] [--plots DIR] [--figures FILE] [--from FILE]
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.peers.contenders import CONTENDERS
from benchmarks.peers.environments import NoEnvironmentError, interpreter_of
from benchmarks.peers.figures import ROWS, Results
from benchmarks.peers.judge import format_figure
from benchmarks.peers.plots import write_plots
from benchmarks.peers.report import document
from benchmarks.peers.run import Bench
from benchmarks.peers.talk import DriverError
from benchmarks.table import machine

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.peers.contenders import Contender

SIZES = (100, 1_000, 10_000)
BUDGET_SECONDS = 900.0
ENVIRONMENTS = Path("build") / "peers"


def main(argv: Sequence[str]) -> int:
    """Measure what was asked for.

    Args:
        argv: The words behind ``python -m benchmarks.peers``.

    Returns:
        The exit code: 0, whatever was measured; 2 from argparse when the call is wrong.
    """
    options = _parser().parse_args(argv)
    if options.out is not None:
        options.plots = options.plots or options.out.parent / "plots"
        options.figures = options.figures or options.plots / "peers.json"
    if options.read is not None:
        results = Results.load(options.read)
    else:
        results = Results(machine(), options.budget_seconds)
        measure(results, options)
    told = document(results)
    if options.out is None:
        print(told, end="")
    else:
        options.out.write_text(told, "utf-8")
        results.save(options.figures)
    if options.plots is not None:
        write_plots(results, options.plots)
    return 0


def measure(results: Results, options: argparse.Namespace) -> None:
    """Measure every contender at every size; what is there is kept after each figure."""
    slow: set[str] = set()
    for size in sorted(options.sizes):
        for contender in CONTENDERS:
            if contender.name not in options.peers or contender.name in slow:
                continue
            _say(f"{contender.name}, {size:,} notes …")
            _measure_one(results, contender, size, options)
            cold = results.get(contender.name, size, "cold")
            if cold is not None and cold.over:
                slow.add(contender.name)
                results.remarks.append(
                    f"{contender.name} had not indexed {size:,} notes when its time was up, "
                    "and was not tried at more."
                )


def _measure_one(
    results: Results, contender: Contender, size: int, options: argparse.Namespace
) -> None:
    def remark(text: str) -> None:
        told = f"{contender.name}, {size:,} notes: {' '.join(text.split())}"
        _say(f"  {told}")
        results.remarks.append(told)

    with tempfile.TemporaryDirectory(prefix="toolnexus-peers-") as folder:
        try:
            python = interpreter_of(contender, options.environments)
            bench = Bench(contender, python, size, Path(folder), options.budget_seconds, remark)
            for figure in bench.measure():
                results.add(figure)
                if options.figures is not None:  # a run that is ended loses nothing
                    results.save(options.figures)
                _say(f"  {ROWS[figure.row]}: {format_figure(figure, 'cpu')}")
        except (NoEnvironmentError, DriverError) as error:
            remark(str(error))


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _parser() -> argparse.ArgumentParser:
    names = [contender.name for contender in CONTENDERS]
    parser = argparse.ArgumentParser(prog="python -m benchmarks.peers", description=__doc__)
    parser.add_argument("--sizes", type=_sizes, default=SIZES, metavar="N,N…", help="notes")
    parser.add_argument(
        "--peers",
        type=_names,
        default=names,
        metavar="NAME,NAME…",
        help=f"only these; toolnexus is always measured: {', '.join(names)}",
    )
    parser.add_argument(
        "--budget-seconds",
        type=float,
        default=BUDGET_SECONDS,
        metavar="N",
        help="the time that one step of a contender has (900)",
    )
    parser.add_argument("--out", type=Path, metavar="FILE", help="write the document there")
    parser.add_argument(
        "--plots", type=Path, metavar="DIR", help="the cost curves (plots/ beside FILE)"
    )
    parser.add_argument(
        "--figures", type=Path, metavar="FILE", help="all figures (peers.json in there)"
    )
    parser.add_argument(
        "--from", dest="read", type=Path, metavar="FILE", help="measure nothing, read figures"
    )
    parser.add_argument(
        "--environments",
        type=Path,
        default=ENVIRONMENTS,
        metavar="DIR",
        help="where the peers are installed, and found the next time (build/peers)",
    )
    return parser


def _sizes(text: str) -> tuple[int, ...]:
    sizes = tuple(int(part) for part in text.split(","))
    if min(sizes) < 10:
        raise argparse.ArgumentTypeError("at least 10 notes are needed to measure anything")
    return sizes


def _names(text: str) -> list[str]:
    known = [contender.name for contender in CONTENDERS]
    names = [part.strip() for part in text.split(",")]
    for name in names:
        if name not in known:
            raise argparse.ArgumentTypeError(f"'{name}' is none of: {', '.join(known)}")
    return [CONTENDERS[0].name, *names]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
