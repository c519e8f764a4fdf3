"""The document that holds the table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchmarks.measure import PROJECT
from benchmarks.peers.figures import ROWS
from benchmarks.table import machine, render

if TYPE_CHECKING:
    from collections.abc import Iterable

    from benchmarks.table import Row

PLOTS = PROJECT / "docs" / "plots"
_DOCUMENT = """\
# Performance

<!-- Written by `python -m benchmarks --out docs/performance.md`; change benchmarks/report.py. -->

{table}
{machine}

## How to read it

- Every row was measured in one run, on one machine, with sample data that the command makes in a
  temporary folder: an invented language with topics, the same bytes each time. Notes have 150 words
  and 5 links, turns 40 words.
- A *ratio* is the measured time over its baseline's, both from this run. Processor time decides
  where it says so first, because it disregards what else the machine does; targets in seconds and
  milliseconds are judged by the clock, so a busy machine may miss them.
- Short things are measured several times, in turn with their baseline, and the least counts.
  Searches are the exception: their median counts. Indexing from nothing is measured once.
- Files are in the operating system's cache. *Warm* means that toolnexus has read the home before,
  *cold* that its state folder was empty. Start-up, `check` and dreams are whole processes.
- Passes with a model run in one process, with a model that answers at once: what is left is
  toolnexus. Its claims, calls and tokens are counted; the least of the three ratios decides.
- A cold index runs the baseline's parts itself; its excess is reading, cutting notes into passages,
  the search by words, and checking that everything can be found.
- A beat that is due costs Python time of its own, which one core at a time can spend. A rush of
  beats is bound by that, and not by the model, where the model answers in less than the number of
  jobs times as much: its row shows by how far. A provider's model takes a second and more, so that
  the jobs wait for it most of the time.

- `watch` is measured from the moment before a save, by an atomic replace as editors make it, until
  the findings of it are known or printed, and until what was saved can be found. The command waits
  20 ms for the other changes of a save before it looks.

## Cost curves

How cost grows with the vault, by processor time, ours beside [the peers'](peers.md) and the
yardsticks'. A hollow point was not done when its time was up.

{curves}
## Measure it yourself

```
make bench                            # print the table
python -m benchmarks --quick          # a tenth of the size, for a first impression
python -m benchmarks --only search    # or start, check, dream, passes, append, transcripts, fleet …
python -m benchmarks --full           # a million turns
python -m benchmarks.peers --sizes 100,1000,10000,100000 --plots docs/plots   # the curves
```
"""


def summary(rows: Iterable[Row], remark: str = "") -> str:
    """Return the table and the line that names the machine, as Markdown.

    Args:
        rows: What was measured.
        remark: What else to know of the run.
    """
    return f"{render(rows)}\nMeasured on: {machine()}.{remark and ' '}{remark}\n"


def document(told: str) -> str:
    """Return the whole document around a summary."""
    table, _, machine_line = told.rstrip("\n").rpartition("\n")
    return _DOCUMENT.format(table=table, machine=machine_line, curves=curves())


def curves() -> str:
    """Return the cost curves that there are, as Markdown images."""
    kept = [(row, title) for row, title in ROWS.items() if (PLOTS / f"{row}.svg").exists()]
    return "\n".join(f"![{title}](plots/{row}.svg)\n" for row, title in kept)
