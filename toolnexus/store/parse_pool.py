"""Many texts parsed on all cores, by worker processes that cost nothing when there are few.

A worker is a fresh interpreter that reads texts and writes encoded documents. It is no
`multiprocessing` child: such a child would run the user's main script once more.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from toolnexus.text.cache import document_to_json
from toolnexus.text.document import parse_document

if TYPE_CHECKING:
    from collections.abc import Sequence

POOL_FROM = 400
_WORKERS_CAP = 16


def parse_encoded(texts: Sequence[str], *, workers: int | None = None) -> list[str]:
    r"""Parse texts into encoded documents, in their order.

    Args:
        texts: What to parse.
        workers: How many processes take part, this one included; None means one for each core
            when there are at least `POOL_FROM` texts. Where no process can be started, this one
            does it all.

    Example:
        >>> len(parse_encoded(["- Tea\\n", "- Coffee\\n"]))
        2
    """
    if workers is None:
        workers = _cores() if len(texts) >= POOL_FROM else 1
    workers = max(1, min(workers, _WORKERS_CAP, len(texts)))
    return _parse_here(texts) if workers == 1 else _parse_on_all(texts, workers)


def _parse_on_all(texts: Sequence[str], workers: int) -> list[str]:
    from concurrent.futures import ThreadPoolExecutor

    shares = [texts[start::workers] for start in range(workers)]
    with ThreadPoolExecutor(max_workers=workers) as threads:
        others = [threads.submit(_parse_elsewhere, share) for share in shares[1:]]
        parsed = [_parse_here(shares[0]), *(other.result() for other in others)]
    merged = [""] * len(texts)
    for start, share in enumerate(parsed):
        merged[start::workers] = share
    return merged


def _parse_here(texts: Sequence[str]) -> list[str]:
    return [encode(text) for text in texts]


def encode(text: str) -> str:
    """Parse one text and encode its document."""
    return json.dumps(
        document_to_json(parse_document(text)), ensure_ascii=False, separators=(",", ":")
    )


def _parse_elsewhere(texts: Sequence[str]) -> list[str]:
    """Parse in a worker process; in this one when that fails in any way."""
    import subprocess

    try:
        done = subprocess.run(
            [sys.executable, "-m", "toolnexus.store.parse_pool"],
            input=json.dumps(list(texts)).encode(),
            capture_output=True,
            check=True,
            env=_environment(),
        )
        bodies = json.loads(done.stdout)
    except (OSError, ValueError, subprocess.SubprocessError):
        return _parse_here(texts)
    return bodies if len(bodies) == len(texts) else _parse_here(texts)


def _environment() -> dict[str, str]:
    """Let the worker find this very package, however it was found here."""
    package = str(Path(__file__).resolve().parents[2])
    inherited = os.environ.get("PYTHONPATH")
    return {
        **os.environ,
        "PYTHONPATH": package if not inherited else package + os.pathsep + inherited,
    }


def _cores() -> int:
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # macOS
        return os.cpu_count() or 1


if __name__ == "__main__":
    json.dump(_parse_here(json.load(sys.stdin)), sys.stdout)
