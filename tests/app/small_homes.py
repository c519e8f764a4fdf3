"""Small homes on the disk for the tests of `Home`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolnexus.app import Home
from toolnexus.clock import FixedClock, parse_instant

if TYPE_CHECKING:
    from pathlib import Path

CLOCK = FixedClock(parse_instant("2026-11-29T03:00:12Z"))
DETAIL = "".join(f"- Prefers window seat number {n} on night flights.\n" for n in range(12))
FILES = {
    "SOUL.md": "You are Ava.\n",
    "MEMORY.md": f"# Memory\n\n- Likes tea: [[tea]]\n\n## Travel\n\n{DETAIL}",
    "memory/tea.md": "# Tea\n\n- Green.\n- green\n- See [[bills-and-metres]].\n",
    "memory/bills-and-meters.md": "# Bills\n\n- 4 euros.\n",
    "persona.yaml": "memory: {cap: {lines: 10, bytes: 25600}}\n",
}


def write_files(root: Path, files: dict[str, str]) -> Path:
    """Write files below a folder, byte for byte."""
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(text.encode())
    return root


def make_home(root: Path, files: dict[str, str] = FILES) -> Home:
    """Write a home and open it."""
    return Home.open(write_files(root, files), clock=CLOCK)


def files_of(root: Path) -> dict[str, bytes]:
    """Return every file of a home with its bytes; the state folder is left out."""
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and ".toolnexus" not in path.parts
    }
