"""Recovering: a commit that was cut short is finished or removed, whoever opens the home next.

It may be cut short itself at any point, and is then simply run again.
"""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING

from toolnexus.change.plan import FileWrite
from toolnexus.errors import UsageError
from toolnexus.files import disk_errors, sweep_orphans
from toolnexus.store.history import DAMAGED_PREFIX, STAGING_PREFIX
from toolnexus.store.record import DamagedRecordError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from toolnexus.store.journal import Journal
    from toolnexus.store.record import Record


def recover(journal: Journal) -> list[str]:
    """Finish or remove every commit that was cut short. The caller holds the write lock.

    Returns:
        A sentence for each thing that a person should know of.

    Raises:
        DiskError: when the disk is full or failing; the next open tries again.
    """
    notices: list[str] = []
    with disk_errors(journal.root):
        for record_id in journal.history.staged():
            journal.abandon(record_id, _load(journal, STAGING_PREFIX + record_id))
        for record_id in journal.history.unfinished():
            notices += _finish(journal, record_id)
        _sweep(journal)
    return notices


def _sweep(journal: Journal) -> None:
    """Remove old temporary files of processes that died while keeping a value of ours."""
    state = journal.history.folder.parent
    for folder in (state, *(path for path in state.iterdir() if path.is_dir())):
        sweep_orphans(folder, journal.disk)


def _finish(journal: Journal, record_id: str) -> list[str]:
    """Roll one committed record forward; set it aside when it cannot be read back."""
    record = _load(journal, record_id)
    if record is None:
        return _set_aside(journal, record_id)
    try:
        current = {spot.write.path: spot.read() for spot in journal.spots(record)}
    except UsageError:
        return _set_aside(journal, record_id)
    left = 0
    edited = [write for write in record.writes if _is_edited(write, current[write.path])]
    if edited:
        record, left = _rebased(record, current)
        journal.write_record(journal.history.folder / record_id, record)
    journal.roll_forward(record)
    journal.finish(record)
    notice = f"finished the {record.entry.job} {record_id}, which had been cut short"
    return [notice + (f"; {left} of its changes gave way to later edits" if left else "")]


def _rebased(record: Record, current: dict[str, bytes | None]) -> tuple[Record, int]:
    """Carry a record over onto files that people edited since; their words win.

    A file that holds our new content already is taken as if it still held the old one, so that a
    claim that cannot arrive in one file is not missing from the other.
    """
    found = {
        write.path: current[write.path] if _is_edited(write, current[write.path]) else write.before
        for write in record.writes
    }
    from toolnexus.change.rebase import rebase  # takes time to load, and is seldom needed

    done = rebase(record.writes, found)
    if _loses(done.writes, found, current, record):
        done = rebase(record.writes, found, keep_both=True)
    after = {write.path: write.after for write in done.writes}
    writes = tuple(
        FileWrite(write.path, found[write.path], after.get(write.path, found[write.path]))
        for write in record.writes
    )
    images = f"images-{os.urandom(4).hex()}.bin"
    return replace(record, writes=writes, images=images), len(done.left)


def _loses(
    writes: Iterable[FileWrite],
    found: Mapping[str, bytes | None],
    current: Mapping[str, bytes | None],
    record: Record,
) -> bool:
    """Whether a claim that stands on the disk now would stand nowhere afterwards.

    That is so where the commit had put it in the place of one that cannot leave any more.
    """
    after = {**found, **{write.path: write.after for write in writes}}
    meant_to_go = _folds(w.before for w in record.writes) - _folds(w.after for w in record.writes)
    return bool(_folds(current.values()) - _folds(after.values()) - meant_to_go)


def _folds(files: Iterable[bytes | None]) -> set[str]:
    from toolnexus.change.rebase import count_folds

    return {fold for data in files for fold in count_folds(data)}


def _is_edited(write: FileWrite, now: bytes | None) -> bool:
    return now not in (write.before, write.after)


def _load(journal: Journal, name: str) -> Record | None:
    try:
        return journal.history.load(name)
    except (OSError, DamagedRecordError):
        return None


def _set_aside(journal: Journal, record_id: str) -> list[str]:
    """Keep a record that makes no sense out of the way: the home is left as it stands."""
    folder = journal.history.folder
    journal.disk.replace(folder / record_id, folder / f"{DAMAGED_PREFIX}{record_id}")
    return [f"the record {record_id} is damaged; it was set aside and the home left as it is"]
