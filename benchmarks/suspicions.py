"""How long it takes to find suspected contradictions: first, with nothing new, with 100 new turns.

python benchmarks/suspicions.py [--claims N] [--turns N]
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from toolnexus.dream.suspect import Checked, find_suspicions
from toolnexus.home.snapshot import Snapshot
from toolnexus.transcripts.search_index import TranscriptIndex

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

CLAIMS_PER_NOTE = 10
TURNS_PER_CONVERSATION = 200
NEW_TURNS = 100
VOCABULARY = 12_000
Result = TypeVar("Result")
SYLLABLES = [consonant + vowel for consonant in "bdfgklmnprstvz" for vowel in "aeiou"]


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--claims", type=int, default=10_000)
    parser.add_argument("--turns", type=int, default=100_000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        measure(Path(folder), options.claims, options.turns)


def measure(folder: Path, claims: int, turns: int) -> None:
    """Make a home and its transcripts, and measure three checks of them."""
    chance = random.Random(20261129)  # noqa: S311 - sample data, no secret
    words = ["".join(chance.choices(SYLLABLES, k=chance.randint(2, 4))) for _ in range(VOCABULARY)]
    transcripts = folder / "transcripts"
    transcripts.mkdir()
    for number in range(max(1, turns // TURNS_PER_CONVERSATION)):
        write_turns(transcripts / f"talk-{number:05}.jsonl", chance, words, TURNS_PER_CONVERSATION)
    home = Snapshot(name="ava").with_texts(dict(notes(chance, words, claims)))
    index = TranscriptIndex(transcripts, folder / "transcripts.sqlite")
    measured("refresh of the search", index.refresh)
    first = measured(
        f"first: {claims:,} claims, {turns:,} turns", lambda: find_suspicions(home, index)
    )
    kept = json.loads(json.dumps(first.ledger))
    measured("nothing new", lambda: find_suspicions(home, index, known=kept))
    write_turns(transcripts / "talk-00000.jsonl", chance, words, NEW_TURNS)
    index.refresh()
    measured("100 new turns", lambda: find_suspicions(home, index, known=kept))


def notes(chance: random.Random, words: list[str], claims: int) -> Iterator[tuple[str, str]]:
    """Yield notes of ten claims, each with a number or a name that a turn may contradict."""
    for number in range(claims // CLAIMS_PER_NOTE):
        lines = [f"- {sentence(chance, words)}" for _ in range(CLAIMS_PER_NOTE)]
        yield f"memory/note-{number:06}.md", f"# Note {number}\n\n" + "\n".join(lines) + "\n"


def write_turns(path: Path, chance: random.Random, words: list[str], count: int) -> None:
    """Append turns, the person's and the assistant's in turn."""
    with path.open("a", encoding="utf-8") as out:
        for number in range(count):
            role = "assistant" if number % 2 else "user"
            said = f"{sentence(chance, words)} {sentence(chance, words)}"
            turn = {"role": role, "content": said, "ts": f"2026-05-{1 + number % 28:02}T10:00:00Z"}
            out.write(json.dumps(turn) + "\n")


def sentence(chance: random.Random, words: list[str]) -> str:
    """Return a sentence of everyday shape; some words are common, most are rare."""
    picked = [words[int(len(words) * chance.random() ** 2)] for _ in range(6)]
    return (
        f"I {picked[0]} the {picked[1]} {picked[2]} with {picked[3].title()} for"
        f" {chance.randint(2, 900)} {picked[4]} in {picked[5]}."
    )


def measured(what: str, action: Callable[[], Result]) -> Result:
    """Do something, print a line of the table, and return what it gives."""
    wall, cpu = time.perf_counter(), time.process_time()
    done = action()
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    told = ""
    if isinstance(done, Checked):
        told = f"{done.checked:>8,} checked {len(done.suspicions):>6,} suspected"
    print(f"{what:<44}{wall:>8.2f} s wall {cpu:>8.2f} s CPU {told}", flush=True)
    return done


if __name__ == "__main__":
    main()
