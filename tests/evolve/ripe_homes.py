"""Homes on the disk for the tests of memory that ripens."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from toolnexus.app import Home
from toolnexus.clock import FixedClock, parse_instant

if TYPE_CHECKING:
    from pathlib import Path

CLOCK = FixedClock(parse_instant("2026-11-29T03:00:12Z"))


def made_home(root: Path, files: dict[str, str]) -> Home:
    """Write a home and open it."""
    for path, text in {"SOUL.md": "You are Ava.\n", **files}.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(text.encode())
    return Home.open(root, clock=CLOCK, model="none")


def talk(*turns: str | tuple[str, str]) -> str:
    """Write a transcript: what the user says, or a role and what it says."""
    lines = []
    for number, turn in enumerate(turns):
        role, text = ("user", turn) if isinstance(turn, str) else turn
        ts = f"2026-11-20T14:{number:02}:00Z"
        lines.append(json.dumps({"role": role, "content": text, "ts": ts}))
    return "".join(f"{line}\n" for line in lines)
