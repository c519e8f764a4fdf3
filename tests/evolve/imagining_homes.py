"""Homes with enough in them to imagine of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolnexus.app import Home
from toolnexus.clock import parse_instant
from toolnexus.testing.clock import VirtualClock

if TYPE_CHECKING:
    from pathlib import Path

NOW = parse_instant("2026-11-30T08:00:00Z")


def note(tag: str, *claims: str) -> str:
    return f"---\ntags: [{tag}]\n---\n" + "".join(f"- {claim}\n" for claim in claims)


NOTES = {
    "lisbon": note(
        "travel", "Slept badly near the harbour of Lisbon.", "The lantern was too bright."
    ),
    "ghent": note("travel", "Slept badly in Ghent, above the harbour.", "Took the bicycle along."),
    "bergen": note("travel", "Slept badly in Bergen: the harbour is loud.", "It rained."),
    "packing": note("travel", "Forgets the charger each time."),
    "buns": note("kitchen", "Cardamom buns want a slow dough.", "Baked by lantern light."),
    "soup": note("kitchen", "Lentil soup keeps for three days."),
    "tea": note("kitchen", "Green tea at 70 degrees."),
    "knee": note("health", "The knee hurts after rowing."),
    "dentist": note("health", "The dentist is in Moor Street."),
    "piano": note("music", "Practises scales before breakfast."),
    "choir": note("music", "The choir meets on Thursdays."),
}
FILES = {
    "SOUL.md": "# Soul\n\nI am Bo.\n",
    "MEMORY.md": "# Memory\n\n" + "".join(f"- See [[{slug}]]\n" for slug in NOTES),
    **{f"memory/{slug}.md": text for slug, text in NOTES.items()},
}


def write(root: Path, files: dict[str, str]) -> Path:
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(text.encode())
    return root


def open_home(root: Path, files: dict[str, str] | None = None, **options: object) -> Home:
    """Write a home and open it, on a clock that stands still until it is moved."""
    clock = VirtualClock(NOW)
    return Home.open(write(root, FILES if files is None else files), clock=clock, **options)


def later(home: Home, **length: float) -> Home:
    """Open a home anew, so much later, as another process would."""
    now = home.clock.now()
    opened = Home.open(home.root, clock=VirtualClock(now), model=home.host.model)
    opened.clock.advance(**length)
    return opened


def files_of(root: Path) -> dict[str, tuple[bytes, int]]:
    """Return each file's bytes and time; the state folder and the log are left out."""
    return {
        path.relative_to(root).as_posix(): (path.read_bytes(), path.stat().st_mtime_ns)
        for path in sorted(root.rglob("*"))
        if path.is_file() and ".toolnexus" not in path.parts and path.name != "log.md"
    }


def imagined_in(root: Path) -> dict[str, str]:
    """Return the notes that were imagined, by path."""
    found = sorted(root.rglob("imagined*.md"))
    return {path.relative_to(root).as_posix(): path.read_text("utf-8") for path in found}
