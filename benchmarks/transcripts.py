"""Does the search over turns find the evidence, and what does it cost? Prints two tables.

Usage: python -m benchmarks.transcripts [--eval FOLDER] [--turns N] [--out FILE]

FOLDER holds sets of claims: SET/NAME.json with `claims: [{text, kind, evidence: [turn ids]}]`, and
its conversations as SET/NAME/*.jsonl.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import defaultdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.conversations import measure_append, measure_transcripts
from benchmarks.generate import SEED, Language
from benchmarks.report import summary
from benchmarks.search import median_cost
from benchmarks.sizes import Sizes
from benchmarks.table import within
from toolnexus.app.turns import closeness_of
from toolnexus.index.embedder import make_embedder
from toolnexus.transcripts.candidates import candidates
from toolnexus.transcripts.cursor import Cursor
from toolnexus.transcripts.fused import search_fused
from toolnexus.transcripts.search_index import TranscriptIndex

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from benchmarks.table import Row

    Finder = Callable[[str], Sequence[str]]

CANDIDATE_SECONDS = 0.150
_CUTS = (1, 5, 10)
_PAGE = """\
# Searching transcripts, measured

<!-- Written by `python -m benchmarks.transcripts --out FILE`; change benchmarks/transcripts.py. -->

## Is the evidence found?

Labelled claims from real conversations are searched for; of the turns that are the evidence for
each, so many are among the first 1, 5 and 10 hits, and among the candidates of a claim.

{recall}
*Stale* claims are those that a later turn changed: their evidence is the turn that changed them.

## What does it cost?

An invented language with topics, 100 turns a conversation, 40 words a turn.

{costs}
- *First index* is by words alone, in one process, from an empty state folder.
- A *refresh* asks the system for the status of every file, because an append by another program
  shows nowhere else; the baseline is that question alone, asked by Python's own walk.
- The *plain scan* reads every file for one word, as grep does, with no parsing. Below the size at
  which both are even, a scan would do; above it the search wins, and it alone ranks and filters.
"""
_CLAIMS = 60
_CLAIM_WORDS = 14


def main(argv: Sequence[str]) -> int:
    """Measure what was asked for, and print it."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.transcripts")
    parser.add_argument("--eval", type=Path, metavar="FOLDER", help="sets of labelled claims")
    parser.add_argument("--turns", type=int, default=100_000, metavar="N")
    parser.add_argument("--out", type=Path, metavar="FILE", help="write the page with the tables")
    options = parser.parse_args(argv)
    if options.eval is not None and options.eval.is_dir():
        recall = _recall_table(options.eval)
    else:
        recall = "Recall was left out: --eval names a folder of labelled claims.\n"
    with tempfile.TemporaryDirectory(prefix="toolnexus-bench-") as folder:
        costs = summary(list(_costs(Path(folder), Sizes(turns=options.turns))))
    print(f"{recall}\n{costs}", end="")
    if options.out is not None:
        options.out.write_text(_PAGE.format(recall=recall, costs=costs), "utf-8")
    return 0


def _recall_table(folder: Path) -> str:
    ranks: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
    firsts: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
    for path in sorted(folder.glob("*/*.json")):
        with tempfile.TemporaryDirectory(prefix="toolnexus-bench-") as state:
            index = TranscriptIndex(path.with_suffix(""), Path(state, "turns.sqlite"))
            index.refresh()
            finders = _finders(index)
            for claim in json.loads(path.read_text("utf-8"))["claims"]:
                kind = "stale" if claim["kind"] == "stale" else "others"
                for name, find in finders.items() if claim["evidence"] else ():
                    found = list(find(claim["text"].replace('"', " ")))
                    places = [
                        found.index(turn) + 1 if turn in found else sys.maxsize
                        for turn in claim["evidence"]
                    ]
                    ranks[f"{path.parent.name}, {kind}", name] += places
                    firsts[f"{path.parent.name}, {kind}", name].append(min(places))
            index.close()
    head = "| claims | by | evidence turns | recall@1 | @5 | @10 | claims with one of theirs @10 |"
    lines = [head, "|" + " --- |" * 7]
    for (claims, name), places in sorted(ranks.items()):
        cells = [f"{sum(at <= cut for at in places) / len(places):.3f}" for cut in _CUTS]
        if name == "candidates":  # they stand in time order
            cells[:2] = "–", "–"
        best = firsts[claims, name]
        reached = f"{sum(at <= _CUTS[-1] for at in best)} of {len(best)}"
        lines.append(f"| {claims} | {name} | {len(places)} | {' | '.join([*cells, reached])} |")
    return "\n".join(lines) + "\n"


def _finders(index: TranscriptIndex) -> dict[str, Finder]:
    embedder = make_embedder("default")
    closeness = closeness_of(embedder)
    turns = [turn for cursor in index.cursors() for turn in _all_turns(index, cursor.conversation)]
    vectors = embedder.embed([said for _, said in turns])

    def by_vector(text: str) -> list[str]:
        close = (vectors @ embedder.embed([text])[0]).tolist()
        order = sorted(range(len(turns)), key=lambda at: -close[at])
        return [turns[at][0] for at in order[: _CUTS[-1]]]

    return {
        "words": lambda text: [hit.id for hit in index.search(text, limit=_CUTS[-1])],
        "vectors": by_vector,
        "fused": lambda text: [
            hit.id for hit in search_fused(index, text, closeness, limit=_CUTS[-1])
        ],
        "candidates": lambda text: [
            each.turn.id for each in candidates(index, text) if each.why != "answer"
        ],
    }


def _all_turns(index: TranscriptIndex, conversation: str) -> Iterator[tuple[str, str]]:
    for turn in index.turns_since(Cursor(conversation)).turns:
        yield turn.id, turn.text


def _costs(folder: Path, sizes: Sizes) -> Iterator[Row]:
    yield from measure_append(folder / "append", sizes)
    yield from measure_transcripts(folder, sizes)
    index = TranscriptIndex(folder / "transcripts", folder / "transcripts.sqlite")
    language = Language(max(1, sizes.turns // 2_000), SEED)
    topics = len(language.topics)
    claims = [language.sentence(number % topics, _CLAIM_WORDS) for number in range(_CLAIMS)]
    cost = median_cost(partial(candidates, index), claims)
    yield within(f"candidates, median of {_CLAIMS} claims", cost, CANDIDATE_SECONDS)
    index.close()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
