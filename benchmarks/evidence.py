"""Evidence chains and plugs: why something is believed in a large home, and streaming into one."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from benchmarks.measure import Cost, run_process, task
from benchmarks.table import Row, within

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from benchmarks.sizes import Sizes

WHY_SECONDS = 0.02
CHAIN_NOTES = 20
CHAIN_TURNS = 20
CHAIN_NODES = 30
GROWN = 1.5
"""How many times the memory may be that ten times as many records take."""


def write_chain(root: Path) -> None:
    """Write a chain of 30 nodes into a home: notes that rest on notes, and those on turns."""
    turns = [
        {"role": "user", "content": f"Turn {number} tells.", "ts": f"2026-11-20T10:{number:02}:00Z"}
        for number in range(CHAIN_TURNS)
    ]
    (root / "transcripts").mkdir(exist_ok=True)
    lines = "".join(f"{json.dumps(turn)}\n" for turn in turns)
    (root / "transcripts" / "why.jsonl").write_text(lines, "utf-8")
    for number in range(CHAIN_NOTES):
        below = [at for at in (2 * number + 1, 2 * number + 2) if at < CHAIN_NOTES]
        links = [f"why-{at}" for at in below] or [f"transcript:why#{number}"]
        front = f"---\nderived_from: {json.dumps(links)}\n---\n"
        note = root / "memory" / f"why-{number}.md"
        note.write_text(f"{front}# Why {number}\n\n- Claim {number}.\n", "utf-8")


def measure_chain(root: Path, sizes: Sizes) -> Iterator[Row]:
    """Ask why one note of a large home is believed, as a fresh process does."""
    write_chain(root)
    told = [json.loads(run_process(task("why", str(root))).output) for _ in range(2 * sizes.tries)]
    where = f"in {sizes.notes:,} notes, beyond opening the home"
    chain = _least(told, "chain")
    yield within(f"`Home.evidence_chain` of {told[0]['nodes']} nodes {where}", chain, WHY_SECONDS)
    share = _least(told, "confidence")
    yield within(f"`Home.chain_confidence` there, {where}", share, WHY_SECONDS)


def measure_plug(folder: Path, sizes: Sizes) -> Iterator[Row]:
    """Stream records into fresh homes, ten times as many into the second."""
    few, many = max(sizes.notes // 10, 1), sizes.notes
    small = run_process(task("plug", str(folder / "plug-few"), str(few))).cost
    large = run_process(task("plug", str(folder / "plug-many"), str(many))).cost
    ratio = large.peak_bytes / max(small.peak_bytes, 1)
    mebibyte = 1024 * 1024
    yield Row(
        f"peak memory of `Home.plug` with {many:,} records of 4 kB",
        f"≤ {GROWN:g} ×",
        f"{large.peak_bytes / mebibyte:.0f} MB, {large.over(many).cpu * 1e3:.1f} ms CPU a record",
        ratio <= GROWN,
        f"{small.peak_bytes / mebibyte:.0f} MB: {few:,} records",
        ratio,
    )


def _least(told: list[dict[str, float]], name: str) -> Cost:
    """Return the least that a part of the task cost."""
    return Cost(
        min(each[f"{name}_wall"] for each in told), min(each[f"{name}_cpu"] for each in told)
    )
