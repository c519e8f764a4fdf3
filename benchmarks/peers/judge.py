"""The targets, and whether the figures meet them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from benchmarks.peers.figures import BYTES, ROWS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from benchmarks.peers.figures import Figure, Results

OURS = "toolnexus"
FAR_PEERS = ("basic-memory", "memsearch")
FAR_ROWS = ("cold", "unchanged", "edited")
FAR_SIZES = (1_000, 10_000)
FAR = 20.0
AHEAD_SIZE = 10_000
AHEAD = 5.0
BESIDE_YARDSTICK = 2.0


@dataclass(frozen=True, slots=True)
class Ratio:
    """How many times ours another's figure is.

    Attributes:
        times: By the less favourable of processor time and the clock.
        at_least: Whether it may be more: the other was not done in time, or not measured at this
            size but at a smaller one.
    """

    times: float
    at_least: bool = False

    def __str__(self) -> str:
        """Write it for a table."""
        digits = 0 if self.times >= 10 else 1 if self.times >= 1 else 2
        return f"{'≥ ' if self.at_least else ''}{self.times:,.{digits}f} ×"


@dataclass(frozen=True, slots=True)
class Verdict:
    """A target, judged.

    Attributes:
        what: The row and the size.
        target: What was promised.
        measured: What it came to.
        met: Whether it holds; None when it cannot be told.
    """

    what: str
    target: str
    measured: str
    met: bool | None


def ratio(results: Results, other: str, size: int, row: str) -> Ratio | None:
    """Compare a figure with ours; None when either is missing."""
    ours = results.get(OURS, size, row)
    theirs = results.at_least(other, size, row)
    if ours is None or theirs is None or ours.over:
        return None
    times = min(_over(theirs.cpu, ours.cpu), _over(theirs.wall, ours.wall))
    return Ratio(times, theirs.over or theirs.size < size)


def judge(results: Results, peers: Sequence[str], yardsticks: Sequence[str]) -> Iterator[Verdict]:
    """Judge every target that the run has figures for.

    Args:
        results: What was measured.
        peers: Who is to be left behind.
        yardsticks: What is physically there to be had.
    """
    for row in FAR_ROWS:
        for peer in FAR_PEERS:
            if peer in peers:
                yield from _far(results, peer, row)
    if AHEAD_SIZE in results.sizes(contender=OURS):
        for row in ROWS:
            far = FAR_PEERS if row in FAR_ROWS else ()
            others = [peer for peer in peers if peer not in far]
            verdict = _ahead(results, row, others, yardsticks)
            if verdict is not None:
                yield verdict


def _far(results: Results, peer: str, row: str) -> Iterator[Verdict]:
    """Judge one of the rows that are to be far ahead, and farther as the vault grows."""
    ratios = [ratio(results, peer, size, row) for size in FAR_SIZES]
    small, large = ratios
    if small is not None:
        what = f"{ROWS[row]}, {FAR_SIZES[0]:,} notes, {peer}"
        yield Verdict(what, f"≥ {FAR:g} ×", str(small), _holds(small, FAR))
    if small is not None and large is not None:
        what = f"{ROWS[row]}, {FAR_SIZES[1]:,} notes, {peer}"
        target = f"> {small.times:,.0f} ×, as at {FAR_SIZES[0]:,}"
        yield Verdict(what, target, str(large), _holds(large, small.times * 1.000_1))


def _ahead(
    results: Results, row: str, peers: Sequence[str], yardsticks: Sequence[str]
) -> Verdict | None:
    """Judge a row that is to be ahead of every peer, or near the yardstick."""
    size = AHEAD_SIZE
    ahead = {peer: found for peer in peers if (found := ratio(results, peer, size, row))}
    beside = {
        name: 1 / found.times
        for name in yardsticks
        if (found := ratio(results, name, size, row)) and found.times
    }
    if not ahead and not beside:
        return None
    told = [f"{peer} {found}" for peer, found in ahead.items()]
    told += [f"{name}: ours {_times(times)} of it" for name, times in beside.items()]
    held = {_holds(found, AHEAD) for found in ahead.values()} or {False}
    is_ahead = False if False in held else None if None in held else True
    is_beside = bool(beside) and min(beside.values()) <= BESIDE_YARDSTICK
    return Verdict(
        f"{ROWS[row]}, {size:,} notes",
        f"≥ {AHEAD:g} × every peer, or ≤ {BESIDE_YARDSTICK:g} × the yardstick",
        "; ".join(told),
        is_beside or is_ahead,
    )


def _holds(found: Ratio, least: float) -> bool | None:
    """Judge a ratio; where it may be more than what is known of it, a miss cannot be told."""
    return True if found.times >= least else None if found.at_least else False


def _over(theirs: float, ours: float) -> float:
    return theirs / max(ours, 1e-9)


def _times(times: float) -> str:
    return f"{times:,.0f} ×" if times >= 10 else f"{times:.1f} ×"


def format_figure(figure: Figure, by: str) -> str:
    """Write one time of a figure, or its bytes."""
    from benchmarks.table import format_seconds

    value = getattr(figure, by)
    if figure.row in BYTES:
        return f"{value / 2**20:,.1f} MB" if value < 10 * 2**20 else f"{value / 2**20:,.0f} MB"
    return f"{'> ' if figure.over else ''}{format_seconds(value)}"
