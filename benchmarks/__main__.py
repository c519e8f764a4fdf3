"""Measure toolnexus, and print a table.

Usage: python -m benchmarks [--only NAME]... [--notes N] [--out FILE] [--quick | --full]
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.conversations import measure_append, measure_transcripts
from benchmarks.dreams import measure_dreams
from benchmarks.fleet import measure_fleet
from benchmarks.report import document, summary
from benchmarks.ripening import measure_ripening
from benchmarks.search import measure_search
from benchmarks.sizes import FULL, QUICK, Sizes
from benchmarks.start import measure_start
from benchmarks.tidy import measure_check, measure_dream
from benchmarks.watching import measure_watch

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from benchmarks.table import Row

MEASURES: dict[str, Callable[[Path, Sizes], Iterator[Row]]] = {
    "start": measure_start,
    "search": measure_search,
    "check": measure_check,
    "dream": measure_dream,
    "passes": measure_dreams,
    "append": measure_append,
    "transcripts": measure_transcripts,
    "ripening": measure_ripening,
    "fleet": measure_fleet,
    "watch": measure_watch,
}
QUICK_REMARK = "A quick run: its sizes are smaller than those that the targets are meant for."


def main(argv: Sequence[str]) -> int:
    """Measure what was asked for.

    Args:
        argv: The words behind ``python -m benchmarks``.

    Returns:
        The exit code: 0, whatever was measured; 2 from argparse when the call is wrong.
    """
    options = _parser().parse_args(argv)
    sizes = FULL if options.full else QUICK if options.quick else Sizes()
    if options.notes is not None:
        sizes = replace(sizes, notes=options.notes)
    rows = [row for name in options.only or MEASURES for row in _measure(name, sizes)]
    told = summary(rows, QUICK_REMARK if options.quick else "")
    print(told, end="")
    if options.out is not None:
        options.out.write_text(document(told), "utf-8")
    return 0


def _measure(name: str, sizes: Sizes) -> Iterator[Row]:
    """Measure one group of rows in a folder of its own, and tell each on stderr."""
    print(f"{name} …", file=sys.stderr, flush=True)
    with tempfile.TemporaryDirectory(prefix="toolnexus-bench-") as folder:
        for row in MEASURES[name](Path(folder), sizes):
            print("  " + " | ".join(row.cells()), file=sys.stderr, flush=True)
            yield row


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument(
        "--only",
        action="append",
        choices=list(MEASURES),
        metavar="NAME",
        help=f"measure only this group of rows, may be repeated: {', '.join(MEASURES)}",
    )
    parser.add_argument("--notes", type=_count, metavar="N", help="notes of the large home (10000)")
    parser.add_argument("--out", type=Path, metavar="FILE", help="also write the document there")
    size = parser.add_mutually_exclusive_group()
    size.add_argument("--quick", action="store_true", help="a tenth of the size")
    size.add_argument("--full", action="store_true", help="a million turns")
    return parser


def _count(text: str) -> int:
    count = int(text)
    if count < 10:
        raise argparse.ArgumentTypeError("at least 10 notes are needed to measure anything")
    return count


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
