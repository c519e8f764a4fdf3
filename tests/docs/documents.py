"""The project's documents, read: their fenced blocks and their links."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")])
NAMES = [page.relative_to(ROOT).as_posix() for page in PAGES]

_FENCE = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```\s*$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, its text, and the line that its text begins on."""

    language: str
    text: str
    line: int


def read_page(name: str) -> str:
    """Return a document's text."""
    return (ROOT / name).read_text("utf-8")


def read_blocks(text: str) -> list[Block]:
    """Return a document's fenced blocks in order."""
    return [
        Block(found[1], found[2], text.count("\n", 0, found.start(2)) + 1)
        for found in _FENCE.finditer(text)
    ]
