"""The search over notes: indexing, refreshing, finding."""

from __future__ import annotations

import json
import os
import shutil
from functools import partial
from typing import TYPE_CHECKING

from benchmarks.generate import queries, write_home
from benchmarks.measure import Cost, cost_of, least_costs, median_of, run_process, task
from benchmarks.table import Row, compare, memory, within
from toolnexus.app.home import Home
from toolnexus.index import Hit, NoteIndex, make_embedder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from benchmarks.generate import NoteFile
    from benchmarks.sizes import Sizes

COLD_LIMIT = 1.5
REFRESH_LIMIT = 3
CHANGED_SECONDS = 0.150
SEARCH_SECONDS = 0.010
PEAK_MEBIBYTES = 500
_TRIES = 7


def measure_search(folder: Path, sizes: Sizes) -> Iterator[Row]:
    """Measure the index of a large home, from nothing to a search."""
    root = folder / "vault"
    notes = write_home(root, sizes.notes)
    yield from _cold(folder, root, sizes)
    home = Home.open(root, state_dir=folder / "state")
    yield _unchanged(home, sizes)
    yield _changed(home, notes, sizes)
    yield _search(folder / "state", notes, sizes)


def _cold(folder: Path, root: Path, sizes: Sizes) -> Iterator[Row]:
    """Index in a fresh process, against its parts in another; each once, as they take long."""
    passages, chroma = folder / "passages.json", folder / "chroma"
    run_process(task("cut", str(root), str(passages)))
    baseline = run_process(task("embed_and_add", str(root), str(passages), str(chroma)))
    cold = run_process(task("index", str(root), str(folder / "state")))
    shutil.rmtree(chroma)
    made = json.loads(cold.output)["passages"]
    what = f"cold index of {sizes.notes:,} notes ({made:,} passages)"
    named = "parse, embed, Chroma's own add"
    yield compare(what, cold.cost, COLD_LIMIT, baseline.cost, named)
    yield memory("peak memory of that", cold.cost, PEAK_MEBIBYTES)


def _unchanged(home: Home, sizes: Sizes) -> Row:
    """Refresh where nothing has changed, against a bare walk that asks each file's stat."""

    def refresh() -> None:
        home.searching.refresh(home.read())

    refresh()
    refreshed, walked = least_costs(
        _TRIES, partial(cost_of, refresh), partial(cost_of, lambda: walk(str(home.root)))
    )
    what = f"refresh of {sizes.notes:,} notes, nothing changed"
    return compare(what, refreshed, REFRESH_LIMIT, walked, "scandir and stat of the same tree")


def _changed(home: Home, notes: list[NoteFile], sizes: Sizes) -> Row:
    """Change a note and search for what is new in it, in a process that has searched before."""
    home.search("what is known here")

    def change_and_find(number: int) -> Cost:
        path, word = notes[number * 7 % len(notes)].path, f"quizzaciously{number}"
        with (home.root / path).open("a", encoding="utf-8") as out:
            out.write(f"- The {word} lantern hangs behind the door.\n")

        def find() -> None:
            hits = home.search(f"where is the {word} lantern").hits
            if not hits or not isinstance(hits[0], Hit) or hits[0].path != path:
                raise RuntimeError(f"{path} was not found")

        return cost_of(find)

    cost = _least(change_and_find(number) for number in range(_TRIES))
    return within(f"one of {sizes.notes:,} notes changed and found", cost, CHANGED_SECONDS)


def _search(state: Path, notes: list[NoteFile], sizes: Sizes) -> Row:
    with NoteIndex(state, make_embedder("default")) as index:
        index.search("what is known here")
        cost = median_cost(index.search, queries(notes, sizes.searches))
    return within(f"search, median of {sizes.searches} queries", cost, SEARCH_SECONDS)


def median_cost(search: Callable[[str], object], asked: Iterable[str]) -> Cost:
    """Ask each query once; return the median of wall time and that of processor time."""
    return median_of([cost_of(partial(search, query)) for query in asked])


def walk(folder: str) -> int:
    """Ask the stat of each file below a folder, hidden folders left out; return their count."""
    count = 0
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                count += 0 if entry.name.startswith(".") else walk(entry.path)
            else:
                entry.stat()
                count += 1
    return count


def _least(costs: Iterable[Cost]) -> Cost:
    first, *others = costs
    for cost in others:
        first = first.least(cost)
    return first
