"""What was measured: figures by contender, size and row, kept as JSON between runs."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from benchmarks.measure import Cost

ROWS = {
    "cold": "cold index",
    "unchanged": "refresh, nothing changed",
    "edited": "refresh after one edit",
    "search": "search, median",
    "find": "look for changes, then search",
    "start": "from a process's start to its first answer",
    "add": "add one",
    "append": "append a turn to a conversation of as many turns",
    "dream": "a pass that tidies, without a model",
    "memory": "peak memory",
    "disk": "disk, notes included",
}
BYTES = frozenset({"memory", "disk"})


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure.

    Attributes:
        contender: Whose.
        size: Notes in the vault.
        row: What was measured, a key of `ROWS`.
        wall: Seconds on the clock; for a row in `BYTES`, bytes.
        cpu: Seconds of processor time; for a row in `BYTES`, bytes.
        over: Whether it was not done when the time was up, so that it is more than this.
    """

    contender: str
    size: int
    row: str
    wall: float
    cpu: float
    over: bool = False


@dataclass(slots=True)
class Results:
    """All figures of a run.

    Attributes:
        machine: Where and when they were measured.
        budget_seconds: The time that one step of a contender had.
        figures: By contender, size and row.
        remarks: What went wrong, a line each.
    """

    machine: str = ""
    budget_seconds: float = 0.0
    figures: dict[tuple[str, int, str], Figure] = field(default_factory=dict)
    remarks: list[str] = field(default_factory=list)

    def add(self, figure: Figure) -> None:
        """Take a figure in."""
        self.figures[figure.contender, figure.size, figure.row] = figure

    def get(self, contender: str, size: int, row: str) -> Figure | None:
        """Return a figure, if it was measured."""
        return self.figures.get((contender, size, row))

    def at_least(self, contender: str, size: int, row: str) -> Figure | None:
        """Return a figure, or the one of the largest smaller size: a lower bound.

        Nothing that is measured here gets cheaper as a vault grows.
        """
        sizes = [each for each in self.sizes(row, contender) if each <= size]
        return self.get(contender, max(sizes), row) if sizes else None

    def sizes(self, row: str | None = None, contender: str | None = None) -> list[int]:
        """List the sizes that were measured, of a row or a contender where one is given."""
        found = {
            size
            for name, size, of in self.figures
            if row in {None, of} and contender in {None, name}
        }
        return sorted(found)

    def contenders(self) -> list[str]:
        """List who was measured, in the order that they were."""
        return list(dict.fromkeys(name for name, _, _ in self.figures))

    def save(self, path: Path) -> None:
        """Write them down."""
        kept = {
            "schema": "toolnexus/benchmarks-peers/1",
            "machine": self.machine,
            "budget_seconds": self.budget_seconds,
            "remarks": self.remarks,
            "figures": [asdict(figure) for figure in self.figures.values()],
        }
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(kept, indent=1) + "\n", "utf-8")

    @classmethod
    def load(cls, path: Path) -> Results:
        """Read what `save` wrote."""
        kept = json.loads(path.read_text("utf-8"))
        results = cls(kept["machine"], kept["budget_seconds"], remarks=kept["remarks"])
        for fields in kept["figures"]:
            results.add(Figure(**fields))
        return results


def figure_of(contender: str, size: int, row: str, cost: Cost, *, over: bool = False) -> Figure:
    """Make a figure of a cost."""
    return Figure(contender, size, row, cost.wall, cost.cpu, over)
