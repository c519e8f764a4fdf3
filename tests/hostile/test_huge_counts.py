"""Huge counts: they work in bounded memory, or they are findings."""

from __future__ import annotations

import json
import os
import resource

import pytest

from toolnexus.app import Home

pytestmark = pytest.mark.soak
IS_FULL = os.environ.get("TOOLNEXUS_SOAK") == "full"
NOTES, LINKS, SPARSE_MIB = (100_000, 1_000_000, 1024) if IS_FULL else (5_000, 20_000, 64)
MIB = 1024 * 1024


def peak_mib() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def rules(home) -> set[str]:
    return {found.rule for found in Home.open(home).check()}


def test_a_hundred_thousand_notes(home):
    """A home of 100,000 notes (in a sample 5,000) is checked in bounded memory."""
    for number in range(NOTES):
        (home / "memory" / f"n{number}.md").write_text(f"- Note {number}: [[n{number // 2}]].\n")
    assert "broken-link" not in rules(home)
    assert peak_mib() < 4096


def test_a_million_links_in_one_file(home):
    """A file of 1,000,000 links is read to 2 MiB, told as too large, and its links are resolved."""
    (home / "memory" / "links.md").write_text("- [[tea]]\n" * LINKS)
    found = rules(home)
    assert "duplicate-claim" in found
    assert ("soul-too-large" in found) == IS_FULL


def test_a_line_of_ten_megabytes(home):
    """A line of 10 MB in a note, or as a turn, is cut or left out, and told."""
    (home / "memory" / "line.md").write_text("- " + "tea " * 2_500_000)
    turn = json.dumps({"role": "user", "content": "tea " * 2_500_000})
    (home / "transcripts" / "talk.jsonl").write_text(f"{turn}\n")
    assert "soul-too-large" in rules(home)
    assert Home.open(home).remember("Still works.", "tea").wrote


@pytest.mark.parametrize("mark", ["- ", "> ", "  ", "[", "*", "1. ", "<!--", "![["])
def test_fifty_thousand_levels(home, mark):
    """50,000 nested lists, quotes or brackets are read without a traceback."""
    (home / "memory" / "deep.md").write_text(mark * 50_000 + "tea\n")
    assert Home.open(home).check() is not None


def test_a_sparse_file_of_a_gibibyte(home):
    """A note of 1 GiB of holes (in a sample 64 MiB) is a finding that takes no such memory."""
    with (home / "memory" / "sparse.md").open("wb") as file:
        file.truncate(SPARSE_MIB * MIB)
    assert "soul-too-large" in rules(home)
    assert peak_mib() < 4096
