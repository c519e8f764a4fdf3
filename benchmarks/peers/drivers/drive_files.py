"""A yardstick: plain files, as durable as a file can be, and ripgrep (or grep) over them."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path


class Driver:
    """A vault without an index."""

    def open(self, vault: str, state: str) -> None:
        """There is nothing to open."""
        Path(state).mkdir(parents=True, exist_ok=True)
        self.vault = Path(vault)
        self.talk = Path(state) / "talk.jsonl"
        self.notes = 0

    def fill(self) -> None:
        """There is nothing to index."""

    def search(self, query: str) -> int:
        """List the files that hold any of the words."""
        words = [part for word in query.replace('"', " ").split() for part in ("-e", word)]
        program = shutil.which("rg")
        command = [program, "-liF"] if program else ["grep", "-rliF", "--include=*.md"]
        done = subprocess.run(
            [*command, *words, str(self.vault)], capture_output=True, text=True, check=False
        )
        return len(done.stdout.splitlines())

    find = search

    def add(self, text: str) -> None:
        """Write a file so that it is there, whole, after a power cut: temp, fsync, rename."""
        self.notes += 1
        place = self.vault / "memory" / f"added-{self.notes}.md"
        temporary = place.with_suffix(".tmp")
        with temporary.open("w", encoding="utf-8") as out:
            out.write(text)
            out.flush()
            os.fsync(out.fileno())
        temporary.rename(place)

    def converse(self, turns: int) -> None:
        """Make a conversation of so many turns."""
        self.talk.write_text('{"role": "user", "content": "We moved."}\n' * turns, "utf-8")

    def append(self, text: str) -> None:
        """Append a line to a file."""
        with self.talk.open("a", encoding="utf-8") as out:
            out.write(f'{{"role": "user", "content": "{text}"}}\n')
