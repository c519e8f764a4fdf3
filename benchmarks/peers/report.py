"""The document that tells the figures, and whether the targets are met."""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchmarks.peers.contenders import CONTENDERS
from benchmarks.peers.figures import BYTES, ROWS
from benchmarks.peers.judge import OURS, format_figure, judge, ratio

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from benchmarks.peers.figures import Results

_DOCUMENT = """\
# Beside the peers

<!-- Written by `make bench-peers`; change benchmarks/peers/. -->

{targets}
{tables}
Measured on: {machine}. One step of a contender had {budget:,.0f} s.

{remarks}## Who was measured

{contenders}

## How to read it

- All figures are of one machine. Every contender had a vault of its own with the same bytes: notes
  of 150 words and 5 links in an invented language, as many as the table says.
- *×* is how many times our figure the other's is, by the less favourable of processor time and the
  clock: above 1 we are ahead. *≥* stands where the other was not done when its time was up, or was
  not measured at this size but at a smaller one, which counts as the least that it can be.
- *A cold index* counts from the start of the process, its imports included. The other rows but the
  start are asked of a process that is warm, several times, and the median counts.
- *Search* is of what is indexed. *Look for changes, then search* sees what was saved the moment
  before; a contender that looks at no folder has nothing to look for.
- *From a process's start to its first answer*: a fresh Python, the contender's own imports, its
  index opened, one search of what is indexed.
- *Add one* is a claim with us: with its way back, all or nothing, and on the disk when it returns.
  With SQLite it is a row, with files a file that is written, synced and renamed.
- A dash: the contender has no such thing, or not without a model or a network.
- A *yardstick* does less than we do, on purpose: it shows what the machine itself takes.

## Where others are ahead

- *Memory.* A process that indexes holds the embedding's weights and Chroma, 230 MB before it has
  many notes. One that only searches needs half of that.
- *The first answer.* It takes the embedding's weights, which those who search by words alone have
  no need of, and the imports of the whole API.
- *Adding one.* A claim is on the disk, with its way back and nothing half done, when `remember`
  returns: ten syncs of files and folders. Files that are written over without one are quicker, and
  are lost with the power.
- *A tidying pass.* Ours holds every claim and link of the home against the law that nothing is
  lost, before and after.
- *Disk.* Vectors are kept twice, in Chroma and beside the words.

## Measure it yourself

```
python -m benchmarks.peers --sizes 100 --budget-seconds 30      # a first impression
make bench-peers      # what this page tells and the curves of performance.md; more than an hour
```

Peers are installed from the package index into environments of their own, in a folder that is kept
(`--environments`). While they are measured they have no way to the network.
"""


def document(results: Results) -> str:
    """Write the document.

    Args:
        results: What was measured.
    """
    remarks = "".join(f"- {remark}\n" for remark in results.remarks)
    return _DOCUMENT.format(
        targets=targets(results),
        tables="\n".join(tables(results)),
        machine=results.machine,
        budget=results.budget_seconds,
        remarks=f"What could not be measured:\n\n{remarks}\n" if remarks else "",
        contenders=_contenders(results),
    )


def targets(results: Results) -> str:
    """Return the judged targets as a Markdown table; empty where the run is too small for any."""
    names = _names(results)
    peers = [name for name, kind in names.items() if kind == "peer"]
    yardsticks = [name for name, kind in names.items() if kind == "yardstick"]
    lines = [
        (verdict.what, verdict.target, verdict.measured, _MET[verdict.met])
        for verdict in judge(results, peers, yardsticks)
    ]
    return _table(("what", "target", "measured", "verdict"), lines) if lines else ""


_MET = {True: "met", False: "**missed**", None: "not shown"}


def tables(results: Results) -> Iterator[str]:
    """Yield a table for each size, by processor time and then by the clock."""
    for size in results.sizes():
        yield f"## {size:,} notes\n"
        yield _sized(results, size, "cpu", "processor time", ROWS)
        yield _sized(
            results, size, "wall", "on the clock", [row for row in ROWS if row not in BYTES]
        )


def _sized(results: Results, size: int, by: str, named: str, rows: Iterable[str]) -> str:
    names = [name for name in _names(results) if size in results.sizes(contender=name)]
    lines = []
    for row in rows:
        cells = [_cell(results, name, size, row, by) for name in names]
        if any(cell != "–" for cell in cells):
            lines.append((ROWS[row], *cells))
    return _table((named, *names), lines)


def _cell(results: Results, name: str, size: int, row: str, by: str) -> str:
    figure = results.get(name, size, row)
    if figure is None:
        return "–"
    told = format_figure(figure, by)
    times = None if name == OURS else ratio(results, name, size, row)
    return told if times is None else f"{told} · {times}"


def _names(results: Results) -> dict[str, str]:
    """Return who was measured and what they are to us, ours first."""
    kinds = {contender.name: contender.kind for contender in CONTENDERS}
    measured = results.contenders()
    known = [name for name in kinds if name in measured]
    others = [name for name in measured if name not in kinds]
    return {name: kinds.get(name, "peer") for name in (*known, *others)}


def _contenders(results: Results) -> str:
    measured = results.contenders()
    lines = [
        (each.name, ", ".join(each.requirements) or each.kind, each.remark)
        for each in CONTENDERS
        if each.name in measured
    ]
    return _table(("name", "what it is", "how it was set up"), lines).rstrip("\n")


def _table(head: tuple[str, ...], lines: Iterable[tuple[str, ...]]) -> str:
    rule = tuple("---" for _ in head)
    return "".join(f"| {' | '.join(cells)} |\n" for cells in (head, rule, *lines))
