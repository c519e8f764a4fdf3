"""Importing: other tools' transcripts into a home, one import at a time."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import TYPE_CHECKING

from toolnexus.errors import UsageError
from toolnexus.transcripts.importers.landing import Landing
from toolnexus.transcripts.importers.memory import ImportMemory
from toolnexus.transcripts.importers.registry import load_importer
from toolnexus.transcripts.importers.run import ImportRun

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from toolnexus.app.parts import Parts
    from toolnexus.transcripts.importers.summary import Imported

STATE_NAME = "imports"
WAIT_SECONDS = 60.0
"""How long an import waits for another one into the same home."""


def import_transcripts(
    home: Parts,
    tool: str,
    sources: Sequence[str | Path],
    *,
    dry_run: bool = False,
    progress: Callable[[int, int], None] = lambda _sessions, _turns: None,
) -> Imported:
    """Add to a home's transcripts what is new in those of another tool.

    The sources are only read. A conversation is added to as a whole or not at all.

    Args:
        home: The home.
        tool: The importer's name: ``claude-code``, ``codex``, ``chatgpt``, ``openclaw``, ``jsonl``,
            or one that an installed package brings.
        sources: Files and folders of that tool.
        dry_run: Read and count, write nothing.
        progress: Is told now and then how many conversations and new turns were met so far.

    Raises:
        UsageError: when there is no such importer, or no such file or folder.
        HomeError: when a conversation's file is a link that leads out of the home.
        LockedError: when another import goes on for a minute.
        DiskError: when the disk is full or failing; running it again goes on from there.

    Example:
        >>> done = import_transcripts(home, "codex", ["~/.codex"])  # doctest: +SKIP
        >>> done.turns.user  # doctest: +SKIP
        12
    """
    importer = load_importer(tool)
    paths = [_existing(source) for source in sources]
    with _only_one(home, dry_run=dry_run):
        memory = ImportMemory(tool, home.store.read_state(STATE_NAME))
        landing = Landing(home.transcripts.folder, root=home.root, dry_run=dry_run)
        run = ImportRun(tool, importer, landing, memory, progress)
        try:
            run.read(paths)
        finally:
            if memory.changed and not dry_run:
                landing.settle()
                home.store.write_state(STATE_NAME, memory.value)
    return run.tally.imported(dry_run=dry_run)


def _existing(source: str | Path) -> Path:
    path = Path(source).expanduser()
    if not os.path.lexists(path):
        raise UsageError(
            "there is no such file or folder", path=str(path), hint="name what is to be imported"
        )
    return path


@contextlib.contextmanager
def _only_one(home: Parts, *, dry_run: bool) -> Iterator[None]:
    """Keep a second import waiting; one that writes nothing need not."""
    if dry_run:
        yield
        return
    with home.store.hold("transcript_import", timeout_seconds=WAIT_SECONDS):
        yield
