"""Bringing the search up to date with the files, in small transactions that can be resumed."""

from __future__ import annotations

import os
from collections import deque
from dataclasses import replace
from typing import TYPE_CHECKING, BinaryIO

from toolnexus.transcripts.batch import Batch, forget, note_duplicate_ids, remove
from toolnexus.transcripts.lines import Line, read_lines, with_newline
from toolnexus.transcripts.plain_turn import ROLE_NUMBERS, parse_plain
from toolnexus.transcripts.progress import (
    NEVER,
    Progress,
    is_continued,
    load_progress,
    new_progress,
    store_progress,
    tail_digest,
)
from toolnexus.transcripts.reader import open_transcript, parse_physical, problem_of, read_id
from toolnexus.transcripts.scan import Difference, Stamp
from toolnexus.transcripts.secret_turns import secret_kinds, secret_problem
from toolnexus.transcripts.timestamp import from_microseconds, to_microseconds

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from toolnexus.transcripts.database import Database


class Refresher:
    """Applies a difference between the folder and the search.

    Args:
        database: The search's database.
        folder: The transcripts folder.
        root: Links may lead anywhere below this folder.
    """

    def __init__(self, database: Database, folder: Path, root: Path) -> None:
        self._database = database
        self._folder = folder
        self._root = root
        self.turns_added = 0

    def apply(self, difference: Difference) -> None:
        """Bring the search up to date; each transaction leaves it whole.

        Raises:
            DamagedError: when the database is damaged.
            DiskError: when the disk is full or failing.
            LockedError: when another process keeps the database locked.
        """
        if difference.gone:
            with self._database.transaction() as connection:
                for name in difference.gone:
                    remove(connection, name)
        pending = deque(difference.changed)
        while pending:
            with self._database.transaction() as connection:
                batch = Batch(connection)
                while pending and not batch.is_full():
                    if self._read(batch, pending[0]):
                        pending.popleft()
                batch.finish()
            self.turns_added += batch.turns

    def _read(self, batch: Batch, name: str) -> bool:
        """Read what is new in a file, as far as the batch goes; tell whether that was all."""
        known = load_progress(batch.connection, name)
        if known is None:
            conversation = read_id(self._folder / name, self._root)
            known = (new_progress(batch.connection, name, conversation), conversation)
        progress, conversation = known
        try:
            with open_transcript(self._folder / name, self._root) as file:
                return _read_on(batch, progress, conversation, file)
        except FileNotFoundError:
            remove(batch.connection, name)
        except OSError as error:
            batch.flush()
            forget(batch.connection, progress.key, after_line=-1)
            batch.note(progress.key, [problem_of(error, name)])
            # With this stamp the next refresh tries again.
            store_progress(batch.connection, Progress(progress.key, NEVER))
        return True


def _read_on(batch: Batch, progress: Progress, conversation: str, file: BinaryIO) -> bool:
    """Read an open file from where it was left, or from its start where that fell."""
    stamp = Stamp.of(os.fstat(file.fileno()))
    if stamp == progress.stamp:
        return True  # another process was faster
    if not is_continued(progress, stamp, file):
        forget(batch.connection, progress.key, after_line=-1)
        progress = Progress(progress.key, NEVER)
    if forget(batch.connection, progress.key, after_line=progress.lines):
        batch.turns -= 1  # the line that was not whole yet is read once more
    reading = _Reading(batch, progress, conversation)
    complete = reading.run(file)
    # A size of -1 is no file's: one that is not read to its end is due again.
    seen = stamp if complete else Stamp(-1, 0, stamp.inode)
    store_progress(batch.connection, reading.progress(seen, file))
    return complete


class _Reading:
    """One file's new lines on their way into a batch."""

    def __init__(self, batch: Batch, progress: Progress, conversation: str) -> None:
        self._batch = batch
        self._before = progress
        self._conversation = conversation
        self._last_whole: Line | None = None
        self._last_ts = progress.last_ts
        self._ids: set[str] = set()
        self._has_repeats = False

    def run(self, file: BinaryIO) -> bool:
        """Read on from where the file's progress stands; tell whether its end was reached."""
        first_key = self._batch.next_key
        lines = read_lines(
            file,
            offset=self._before.offset,
            number=self._before.lines + 1,
            checksum=self._before.checksum,
        )
        complete = True
        for line in lines:
            self._take(line)
            if self._batch.is_full():
                complete = not line.whole  # such a line is the last: there is no more behind it
                break
        if self._before.lines or self._has_repeats:
            self._batch.flush()
            note_duplicate_ids(self._batch.connection, self._before.key, first_key)
        return complete

    def _take(self, line: Line) -> None:
        plain = None if line.too_long else parse_plain(line.data)
        if plain is None:
            ts = self._take_other(line)
        else:
            ts = self._last_ts if plain.ts is None else plain.ts
            self._add(line, ts, plain.id, ((plain.role, plain.text),))
        if line.whole:
            self._last_whole = line
            self._last_ts = ts
        self._batch.count_line(line.end - line.offset)

    def _take_other(self, line: Line) -> int | None:
        """Take a line that is no plain turn; return the instant that the next turn may take."""
        last_ts = None if self._last_ts is None else from_microseconds(self._last_ts)
        turn, problems = parse_physical(line, self._conversation, last_ts)
        if problems:
            self._batch.note(self._before.key, problems)
        if turn is None:
            return self._last_ts
        ts = None if turn.ts is None else to_microseconds(turn.ts)
        speeches = [(ROLE_NUMBERS[speech.role], speech.text) for speech in turn.speeches()]
        self._add(line, ts, turn.id, speeches)
        return ts

    def _add(
        self, line: Line, ts: int | None, identity: str, speeches: Sequence[tuple[int, str]]
    ) -> None:
        if identity:
            self._has_repeats = self._has_repeats or identity in self._ids
            self._ids.add(identity)
        self._batch.add(self._before.key, line, ts, identity, speeches)
        told = [kind for _, text in speeches for kind in secret_kinds(text)]
        if told:
            self._batch.note(self._before.key, [secret_problem(line.number, told)])

    def progress(self, stamp: Stamp, file: BinaryIO) -> Progress:
        """Return how far the file is read now."""
        line = self._last_whole
        if line is None:
            return replace(self._before, stamp=stamp, tail=tail_digest(file, self._before.offset))
        return Progress(
            key=self._before.key,
            stamp=stamp,
            offset=line.end,
            lines=line.number,
            checksum=with_newline(line.checksum),
            tail=tail_digest(file, line.end),
            last_ts=self._last_ts,
        )
