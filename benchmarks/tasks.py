"""Work that is measured as a process of its own: `python -m benchmarks.tasks TASK ARGUMENTS`."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.measure import tell_peak

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

BATCH = 5_000


def parse_all(home: str) -> None:
    """Read all notes and parse them on all cores, and nothing else."""
    from toolnexus.store.parse_pool import parse_encoded

    parse_encoded([path.read_text("utf-8") for path in sorted(Path(home).rglob("*.md"))])


def cut(home: str, out: str) -> None:
    """Write the passages that the index cuts a home into, for `embed_and_add`."""
    from toolnexus.app.home import Home
    from toolnexus.app.searching import is_indexed
    from toolnexus.index import chunk_document

    read = Home.open(home, state_dir=f"{out}.state").read()
    passages = {
        chunk.id: chunk.embedding_text()
        for note in read.notes.values()
        if is_indexed(note.path)
        for chunk in chunk_document(note.path, note.title, note.document, read.text(note.path))
    }
    Path(out).write_text(json.dumps(passages), "utf-8")


def embed_and_add(home: str, passages_file: str, folder: str) -> None:
    """Parse all notes, embed the passages, and let Chroma itself add the vectors."""
    parse_all(home)
    from toolnexus.index import make_embedder
    from toolnexus.index.vendor import quiet_vendors

    quiet_vendors()
    import chromadb
    from chromadb.config import Settings

    passages = json.loads(Path(passages_file).read_text("utf-8"))
    ids = list(passages)
    rows = make_embedder("default").embed(list(passages.values()))
    client = chromadb.PersistentClient(folder, settings=Settings(anonymized_telemetry=False))
    collection = client.create_collection(
        "baseline", embedding_function=None, configuration={"hnsw": {"space": "cosine"}}
    )
    for start in range(0, len(ids), BATCH):
        batch = slice(start, start + BATCH)
        collection.add(ids[batch], embeddings=rows[batch])


def index(home: str, state: str) -> None:
    """Index a home; tell how many passages it has."""
    from toolnexus.app.home import Home

    opened = Home.open(home, state_dir=state)
    print(json.dumps({"passages": opened.reindex().chunks_embedded}))


def dream(home: str) -> None:
    """Run an offline pass; tell how it ended and whether Chroma was imported."""
    from toolnexus.app.home import Home

    done = Home.open(home).dream()
    print(
        json.dumps(
            {
                "outcome": done.outcome,
                "changes": len(done.changes),
                "chromadb": "chromadb" in sys.modules,
            }
        )
    )


def use_all_notes(home: str) -> None:
    """Write down three uses of every note, as answers do, and feedback on some of them."""
    from toolnexus.app.home import Home
    from toolnexus.store.uses import Use

    ava = Home.open(home)
    paths, now = sorted(ava.read().notes), ava.clock.now()
    for _ in range(3):
        for start in range(0, len(paths), BATCH):
            ava.uses.append(*(Use(path, now) for path in paths[start : start + BATCH]))
    ava.uses.append(*(Use(path, now, "feedback", 0.1, "it was right") for path in paths[::10]))


def feedback(home: str) -> None:
    """Give feedback on a note of an opened home, and print what that cost on average."""
    from benchmarks.measure import cost_of
    from toolnexus.app.home import Home

    slugs = [path.stem for path in sorted((Path(home) / "memory").glob("*.md"))[:50]]
    ava = Home.open(home)
    ava.feedback(slugs[0], 0.1)  # modules are loaded
    given = cost_of(lambda: [ava.feedback(slug, 0.1, "it was right") for slug in slugs])
    print(json.dumps({"wall": given.wall / len(slugs), "cpu": given.cpu / len(slugs)}))


def why(home: str) -> None:
    """Ask why a note of an opened home is believed, and print what that cost beyond opening it."""
    import toolnexus.app.chains  # noqa: F401 - modules are loaded
    from benchmarks.measure import cost_of
    from toolnexus.app.home import Home

    ava = Home.open(home)
    ava.turns.cursors()  # opened as well
    snapshot = ava.read()
    vars(ava)["steady"] = lambda look: look(snapshot)  # opened once, and not looked at anew
    chain = ava.evidence_chain
    first = cost_of(lambda: chain("why-0"))
    share = cost_of(lambda: ava.chain_confidence("why-0"))
    told = {
        "nodes": len(chain("why-0").nodes),
        "chain_wall": first.wall,
        "chain_cpu": first.cpu,
        "confidence_wall": share.wall,
        "confidence_cpu": share.cpu,
    }
    print(json.dumps(told))


def plug(home: str, count: str) -> None:
    """Stream records of four kilobytes into a fresh home."""
    from toolnexus.app.home import Home
    from toolnexus.evolve.plugging.event import PlugEvent

    class Records:
        name = "records"

        def events(self) -> Iterator[PlugEvent]:
            for number in range(int(count)):  # none is made before it is asked for
                text = f"Record {number}. " + "It says a little more. " * 170
                yield PlugEvent(f"record-{number}", text, title=f"Record {number}")

    root = Path(home)
    root.mkdir()
    (root / "SOUL.md").write_text("You are Ava.\n")
    print(json.dumps({"added": Home.open(root).plug(Records()).added}))


def index_turns(folder: str, database: str) -> None:
    """Make the search over transcripts."""
    from toolnexus.transcripts.search_index import TranscriptIndex

    print(json.dumps({"turns": TranscriptIndex(folder, database).refresh().turns_added}))


TASKS: dict[str, Callable[..., None]] = {
    task.__name__: task
    for task in (
        parse_all,
        cut,
        embed_and_add,
        index,
        dream,
        use_all_notes,
        feedback,
        why,
        plug,
        index_turns,
    )
}

if __name__ == "__main__":
    TASKS[sys.argv[1]](*sys.argv[2:])
    tell_peak()
