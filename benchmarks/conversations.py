"""Transcripts: appending, indexing and searching turns."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from benchmarks.generate import SEED, Language, turn_queries, write_conversations
from benchmarks.measure import Cost, cost_of, least_costs, run_process, task
from benchmarks.search import median_cost, walk
from benchmarks.table import Row, compare, format_cost, format_seconds, memory, within
from toolnexus.transcripts.search_index import TranscriptIndex
from toolnexus.transcripts.store import FileConversationStore

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from benchmarks.sizes import Sizes

APPEND_LIMIT = 1.5
TURNS_PER_SECOND = 20_000
REFRESH_SECONDS = 0.030
SEARCH_SECONDS = 0.020
DISK_LIMIT = 1.5
PEAK_MEBIBYTES = 500
_APPENDS = 200
_TRIES = 7


def measure_append(folder: Path, sizes: Sizes) -> Iterator[Row]:
    """Append to a long conversation, against appending to a short one."""
    short, long = sizes.short_turns, sizes.long_turns
    stores = []
    for turns in (long, short):
        place = folder / f"append-{turns}"
        write_conversations(place, turns, turns_each=turns)
        stores.append(FileConversationStore(place))

    def append(store: FileConversationStore) -> Cost:
        turn = {"role": "user", "content": "We moved to the house by the mill."}

        def append_some() -> None:
            for _ in range(_APPENDS):
                store.append("talk-000000", turn)

        return cost_of(append_some).over(_APPENDS)

    at_long, at_short = least_costs(_TRIES, *(partial(append, store) for store in stores))
    yield compare(
        f"append to {long:,} turns", at_long, APPEND_LIMIT, at_short, f"to {short:,}", by="wall"
    )


def measure_transcripts(folder: Path, sizes: Sizes) -> Iterator[Row]:
    """Index many conversations, refresh after one append, search."""
    place, database = folder / "transcripts", folder / "transcripts.sqlite"
    said = write_conversations(place, sizes.turns)
    first = run_process(task("index_turns", str(place), str(database)))
    added = json.loads(first.output)["turns"]
    rate = added / first.cost.cpu
    yield Row(
        f"first index of {added:,} turns",
        f"≥ {TURNS_PER_SECOND:,} turns/s",
        f"{rate:,.0f} turns/s: {format_cost(first.cost, 'cpu')}",
        rate >= TURNS_PER_SECOND,
    )
    yield memory("peak memory of that", first.cost, PEAK_MEBIBYTES)
    size = database.stat().st_size
    ratio = size / said
    yield Row(
        "its size on disk",
        f"≤ {DISK_LIMIT:g} ×",
        f"{size / 1e6:.1f} MB",
        ratio <= DISK_LIMIT,
        f"{said / 1e6:.1f} MB of text",
        ratio,
    )
    index = TranscriptIndex(place, database)
    yield _refreshed(index, place)
    yield from _found(index, place, sizes)
    index.close()


def _refreshed(index: TranscriptIndex, place: Path) -> Row:
    store = FileConversationStore(place)

    def append_and_refresh() -> Cost:
        store.append("talk-000000", {"role": "user", "content": "And then we moved again."})
        return cost_of(index.refresh)

    cost, floor = least_costs(_TRIES, append_and_refresh, lambda: cost_of(lambda: walk(str(place))))
    files = sum(1 for _ in place.iterdir())
    row = within(f"refresh after one appended turn, {files:,} files", cost, REFRESH_SECONDS)
    baseline = f"{format_cost(floor)}: scandir and stat of the same files"
    return replace(row, baseline=baseline, ratio=cost.cpu / floor.cpu)


def _found(index: TranscriptIndex, place: Path, sizes: Sizes) -> Iterator[Row]:
    """Search, and say from which size on that beats reading all files at once."""
    asked = turn_queries(sizes.turns, sizes.searches)
    cost = median_cost(index.search, asked)
    yield within(f"search, median of {sizes.searches} queries of 2–3 words", cost, SEARCH_SECONDS)
    rare = Language(1, SEED).common[-1].encode()
    (scanned,) = least_costs(3, lambda: cost_of(lambda: _scan(place, rare)))
    even = sizes.turns * cost.wall / scanned.wall
    yield Row(
        f"search against a plain scan, even at {even:,.0f} turns",
        "–",
        format_seconds(cost.wall),
        None,
        f"{format_seconds(scanned.wall)}: reading every file for one word",
        cost.wall / scanned.wall,
    )


def _scan(place: Path, word: bytes) -> int:
    """Count the files that hold a word, as a tool like grep does: no parsing, one pass in C."""
    return sum(word in path.read_bytes() for path in place.iterdir())
