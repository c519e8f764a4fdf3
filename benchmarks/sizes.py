"""How large the sample data is, and how often each thing is measured."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Sizes:
    """The sizes of one run.

    Attributes:
        notes: Notes of the large home.
        turns: Turns of all conversations together.
        long_turns: Turns of the long conversation, which is appended to.
        short_turns: Turns of the short one.
        tries: How often a process is measured; the least counts.
        searches: How many queries are asked.
        homes: Homes of the fleet.
        idle_seconds: How long nothing is due in them.
        saves: How often a note is saved under `watch`, at least twice.
    """

    notes: int = 10_000
    turns: int = 100_000
    long_turns: int = 100_000
    short_turns: int = 1_000
    tries: int = 3
    searches: int = 200
    homes: int = 1_000
    idle_seconds: float = 60.0
    saves: int = 11


QUICK = Sizes(
    notes=1_000, turns=10_000, long_turns=10_000, tries=2, searches=50, homes=100, idle_seconds=20.0
)
FULL = Sizes(turns=1_000_000)
