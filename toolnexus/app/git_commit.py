"""The git commit of a pass (`dream.commit`): its files, under the words of the log."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from toolnexus.errors import ToolnexusError
from toolnexus.store.git import commit_files

if TYPE_CHECKING:
    from toolnexus.app.parts import Parts
    from toolnexus.dream.types import Pass
    from toolnexus.store.record import Record


def commit_pass(home: Parts, done: Pass) -> Pass:
    """Commit the files that a pass wrote, its log among them; what kept git from it is a notice.

    Args:
        home: The home.
        done: The pass; one that wrote nothing is returned as it is.
    """
    if not done.wrote:
        return done
    try:
        record = home.store.record(done.id)
    except ToolnexusError as error:
        return replace(done, notices=(*done.notices, f"no git commit was made: {error}"))
    made = commit_files(home.root, record.entry.paths, message_of(record))
    return replace(done, commit=made.id, notices=(*done.notices, made.notice))


def message_of(record: Record) -> str:
    """Return the log's entry for a pass as a commit's message: its top line, then its changes."""
    written = next(write for write in record.writes if write.path == record.entry.log_path)
    entry = (written.after or b"")[len(written.before or b"") :].decode("utf-8", "replace")
    head, *changes = entry.strip().splitlines()
    return "\n".join([head.removeprefix("- "), "", *(line.strip() for line in changes), ""])
