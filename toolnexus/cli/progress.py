"""How far a long command is: a bar on a terminal, a line a step elsewhere."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from toolnexus.cli.console import one_line, uses_colour

if TYPE_CHECKING:
    from toolnexus.cli.console import Console

WIDTH = 24
_CLEAR = "\r\x1b[2K"


class Progress:
    """Tells on standard error which of several steps is under way.

    Args:
        console: Says nothing when it is quiet.
        total: How many steps there are.
    """

    def __init__(self, console: Console, total: int) -> None:
        self._console = console
        self._total = total
        self._done = 0
        self._bar = uses_colour(sys.stderr) and not console.quiet

    def step(self, label: str) -> None:
        """Begin the next step."""
        self._done += 1
        count = f"{self._done}/{self._total}"
        if not self._bar:
            self._console.progress(f"{count} {label}")
            return
        filled = WIDTH * (self._done - 1) // self._total
        bar = "█" * filled + "░" * (WIDTH - filled)
        print(f"{_CLEAR}{bar} {count} {one_line(label, 40)}", end="", file=sys.stderr, flush=True)

    def clear(self) -> None:
        """Take the bar away, so that other words can be printed."""
        if self._bar:
            print(_CLEAR, end="", file=sys.stderr, flush=True)
