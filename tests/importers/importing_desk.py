"""A home to import into, and files of other tools to import from, for the tests here."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from toolnexus.app.home import Home
from toolnexus.app.importing import import_transcripts
from toolnexus.clock import FixedClock, parse_instant

if TYPE_CHECKING:
    from pathlib import Path

    from toolnexus.transcripts.importers.summary import Imported


class Desk:
    """A folder with the home `ava` in it, and files beside it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.home = folder / "ava"
        self.home.mkdir(exist_ok=True)
        (self.home / "SOUL.md").write_text("# Ava\n\nI am Ava.\n")

    def open(self, state: Path | None = None) -> Home:
        """Open the home at a fixed time."""
        clock = FixedClock(parse_instant("2026-11-29T03:00:00Z"))
        return Home.open(self.home, state_dir=state, clock=clock)

    def run(self, tool: str, *sources: Path, dry_run: bool = False) -> Imported:
        """Import into the home."""
        return import_transcripts(self.open(), tool, sources, dry_run=dry_run)

    def write(self, path: str, *rows: Any) -> Path:
        """Write JSON lines; text and bytes stand for themselves."""
        target = self.folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(b"".join(_line(row) for row in rows))
        return target

    def append(self, path: str, *rows: Any) -> None:
        """Add JSON lines to a file."""
        with (self.folder / path).open("ab") as file:
            file.write(b"".join(_line(row) for row in rows))

    def talks(self) -> dict[str, list[tuple[str, str]]]:
        """Return who says what in each conversation of the home."""
        store = self.open().transcripts
        return {
            record.id: [(turn.role, turn.text) for turn in store.get(record.id).turns]
            for record in store.list()
        }

    def talk(self) -> list[tuple[str, str]]:
        """Return who says what in the home's only conversation."""
        (talk,) = self.talks().values()
        return talk

    def files(self) -> dict[str, bytes]:
        """Return the transcripts' files."""
        return {path.name: path.read_bytes() for path in (self.home / "transcripts").glob("*")}


def _line(row: Any) -> bytes:
    if isinstance(row, bytes):
        return row
    return (row if isinstance(row, str) else json.dumps(row)).encode() + b"\n"


def reasons(done: Imported) -> dict[str, int]:
    """Return how often what was skipped, by reason."""
    return {skip.reason: skip.count for skip in done.skipped}
