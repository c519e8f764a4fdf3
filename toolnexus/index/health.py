"""How the index is, for `doctor`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolnexus.errors import ToolnexusError
from toolnexus.index.hit import IndexHealth

if TYPE_CHECKING:
    from pathlib import Path

    from toolnexus.index.database import Database
    from toolnexus.index.manifest import Manifest
    from toolnexus.index.vector_side import VectorSide
    from toolnexus.index.vectors import Reach

_FIX = "run 'toolnexus index' to repair it"


def nothing_there(problem: str = "") -> IndexHealth:
    """Describe an index that is not there, or cannot be opened: the next refresh makes it.

    Example:
        >>> nothing_there().ok
        True
    """
    problems = (f"{problem}: {_FIX}",) if problem else ()
    return IndexHealth(not problem, 0, 0, None, None, 0, 0, "", 0, problems)


def measure_health(
    folder: Path, database: Database, manifest: Manifest, side: VectorSide
) -> IndexHealth:
    """Measure an index that is there.

    Args:
        folder: Where it lives.
        database: Its SQLite file, open.
        manifest: What it holds.
        side: Its vectors.
    """
    try:
        problems = _check_database(database)
        files, chunks = manifest.count_files(), manifest.count_chunks()
        behind, embedder = manifest.count_behind(), manifest.get("embedder")
    except ToolnexusError as error:
        return nothing_there(error.message)
    reach: Reach | None = None
    if embedder and embedder != side.key:
        problems.append(f"it was made with the embedding '{embedder.split(':')[0]}': {_FIX}")
    elif chunks:
        reach = _check_reach(manifest, side, chunks - behind, problems)
    if behind:
        problems.append(f"{behind} passages wait for their vectors: {_FIX}")
    return IndexHealth(
        ok=not problems,
        files=files,
        chunks=chunks,
        vectors=reach.count if reach else None,
        reachable=reach.reached if reach else None,
        probed=reach.probed if reach else 0,
        behind=behind,
        embedder=embedder,
        size_bytes=_size(folder),
        problems=tuple(problems),
    )


def glance(folder: Path, manifest: Manifest, key: str) -> IndexHealth:
    """Tell how an index is by what it says of itself, without asking for a single vector.

    Args:
        folder: Where it lives.
        manifest: What it holds.
        key: What the embedder that it should be made with is known by.
    """
    try:
        behind, embedder = manifest.count_behind(), manifest.get("embedder")
        files, chunks = manifest.count_files(), manifest.count_chunks()
    except ToolnexusError as error:
        return nothing_there(error.message)
    problems = [f"{behind} passages wait for their vectors: {_FIX}"] if behind else []
    if embedder and embedder != key:
        problems.append(f"it was made with the embedding '{embedder.split(':')[0]}': {_FIX}")
    told, size = tuple(problems), _size(folder)
    return IndexHealth(not told, files, chunks, None, None, 0, behind, embedder, size, told)


def _check_database(database: Database) -> list[str]:
    answers = [str(row[0]) for row in database.rows("PRAGMA quick_check(1)")]
    return [] if answers == ["ok"] else [f"its words are damaged ({answers[0]}): {_FIX}"]


def _check_reach(
    manifest: Manifest, side: VectorSide, expected: int, problems: list[str]
) -> Reach | None:
    try:
        reach = side.reach(manifest)
    except ToolnexusError as error:
        problems.append(f"{error.message}: {error.hint or _FIX}")
        return None
    if not reach.ok:
        problems.append(f"a query reaches {reach.reached} of {reach.probed} vectors: {_FIX}")
    elif reach.count < expected:
        problems.append(f"Chroma holds {reach.count} of {expected} vectors: {_FIX}")
    return reach


def _size(folder: Path) -> int:
    total = 0
    for file in folder.rglob("*"):
        try:
            total += file.stat().st_size if file.is_file() else 0
        except OSError:  # gone while we were counting
            continue
    return total
