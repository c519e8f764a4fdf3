"""Homes that have something to compact, and what is asked of them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from toolnexus.app import Home
from toolnexus.clock import FixedClock, parse_instant

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from toolnexus.evolve.compacting.types import Compacted
    from toolnexus.home.snapshot import Snapshot

NOW = "2026-11-30T08:00:00Z"
SAID = "I sold my old piano to Marta."
QUOTE = [{"conversation": "2026-01-05-piano", "turn": 1, "quote": SAID}]
BARE = {"MEMORY.md": "# Memory\n\n- Plans: [[plans]]\n", "SOUL.md": "You are Ava.\n"}
ALIKE = {
    "memory/tea.md": "# Tea\n\n- Ines drinks green tea in the morning.\n",
    "memory/ines-tea.md": "# Ines and tea\n\n- In the morning Ines drinks green tea.\n",
}
FADED = {
    "memory/plans.md": "---\ncreated: 2024-01-01\n---\n# Plans\n\n- The bike: [[bike]]\n",
    "memory/bike.md": "---\ncreated: 2024-01-01\n---\n# Bike\n\n- It was blue.\n",
}
STEPS = "---\ntags: [procedure]\n---\n# Brewing tea\n\n1. Boil water.\n2. Wait 3 minutes.\n"


def lay_out(root: Path, *parts: dict[str, str], settings: str = "") -> Path:
    """Write a home's files."""
    text = f"name: ava\nowner: Ines\nmodel: none\n{settings}"
    for path, content in {**BARE, "persona.yaml": text, **dict(_all(parts))}.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content)
    return root


def _all(parts: tuple[dict[str, str], ...]) -> Any:
    return (pair for part in parts for pair in part.items())


def add_talk(root: Path, name: str, *turns: str, day: str = "2026-01-05") -> None:
    """Write a conversation of the user's."""
    folder = root / "transcripts"
    folder.mkdir(exist_ok=True)
    lines = [
        json.dumps({"role": "user", "content": text, "ts": f"{day}T10:{minute:02}:00Z"})
        for minute, text in enumerate(turns)
    ]
    (folder / f"{name}.jsonl").write_text("".join(f"{line}\n" for line in lines))


def opened(root: Path, now: str = NOW) -> Home:
    """Open a home at a moment."""
    return Home.open(root, clock=FixedClock(parse_instant(now)))


def files(root: Path) -> dict[str, bytes]:
    """Return every file of a home by path, our own state left out."""
    found = (path for path in root.rglob("*") if path.is_file())
    return {
        str(path.relative_to(root)): path.read_bytes()
        for path in found
        if ".toolnexus" not in path.parts
    }


def kinds(done: Compacted) -> list[str]:
    """Return what was done, kind by kind."""
    return [change.kind for change in done.changes]


class NothingToLearn:
    """A teacher without sources; see `extract.Teacher`."""

    def due(self, _home: Snapshot) -> Sequence[str]:
        """Return no source."""
        return ()

    def learnt(self) -> None:
        """Return that nothing is kept."""
        return
