"""A persona whose clock is moved by hand, and what it says."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from toolnexus.app import Home
from toolnexus.clock import parse_instant

if TYPE_CHECKING:
    from pathlib import Path

    from toolnexus.heartbeat.types import Beat


class HandClock:
    """A clock that stands still until it is moved."""

    def __init__(self, instant: datetime) -> None:
        self.instant = instant

    def now(self) -> datetime:
        """Return the instant it was moved to."""
        return self.instant


class Persona:
    """A home in a folder, opened anew for every beat, as a scheduler's processes do."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.clock = HandClock(datetime(2026, 11, 30, 8, tzinfo=UTC))
        self.said: list[str] = []
        root.mkdir()
        self.write("SOUL.md", "# Ava\n\nYou are Ava.\n")
        self.write("persona.yaml", "heartbeat: {timezone: UTC}\n")

    def write(self, path: str, text: str) -> None:
        """Write a file of the home."""
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_bytes(text.encode())

    def read(self, path: str) -> str:
        """Read a file of the home."""
        return (self.root / path).read_bytes().decode()

    def at(self, instant: str) -> Persona:
        """Set the clock."""
        self.clock.instant = parse_instant(instant)
        return self

    def later(self, **length: float) -> Persona:
        """Move the clock."""
        self.clock.instant += timedelta(**length)
        return self

    def open(self) -> Home:
        """Open the home."""
        return Home.open(self.root, clock=self.clock)

    def beat(self, model: Any = None, **options: Any) -> Beat:
        """Make a beat; what it says on standard output is kept in `said`."""
        return self.open().beat(model=model, say=self.said.append, **options)

    def state(self, name: str = "beat-last") -> Any:
        """Return a value of the state folder."""
        return self.open().store.read_state(name)

    def turns(self) -> list[Any]:
        """Return the turns of the heartbeat's conversation."""
        found = self.open().transcripts.get("heartbeat")
        return [] if found is None else list(found.turns)
