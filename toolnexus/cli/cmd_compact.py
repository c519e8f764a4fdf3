"""``compact``: the memory of homes made smaller and riper."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolnexus.cli.changes import change_fields, change_hunks
from toolnexus.cli.commands import FAILED_JOB, Call, Command
from toolnexus.cli.console import Styled
from toolnexus.cli.homes import Report, run_homes, shown_path, undo_hint
from toolnexus.cli.jobs import add_job, show_changes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolnexus.app import Home
    from toolnexus.cli.console import Line
    from toolnexus.evolve.compacting.types import Compacted

_CODES = {"failed": 69, "held": 3}
_SHOWN_DUE = 10


def _compact(call: Call) -> int:
    options = call.arguments

    def work(home: Home, named: str) -> Report:
        done = home.compact(dry_run=options.dry_run, scope=options.scope)
        for notice in (*home.store.notices, *done.notices):
            call.console.progress(f"{named}: {notice}")
        code = _CODES.get(done.outcome, 0)
        return Report(named, compacted_fields(done, named), code, lambda: _show(call, named, done))

    return run_homes(call, work, model=options.model)


def compacted_fields(done: Compacted, named: str) -> dict[str, object]:
    """Return a compaction as a document's fields."""
    review = f"decide it with: toolnexus review {named}"
    return {
        "id": done.id,
        "outcome": done.outcome,
        "wrote": done.wrote,
        "reply": done.reply,
        "changes": [change_fields(change) for change in done.changes],
        "waiting": [{**change_fields(change), "next": review} for change in done.waiting],
        "due": done.due,
        "refused": done.refused,
        "notices": done.notices,
        "stats": done.stats,
    }


def _show(call: Call, named: str, done: Compacted) -> None:
    show_changes(call.console, named, done)
    call.console.results(_last_lines(named, done))


def _last_lines(named: str, done: Compacted) -> Iterator[Line]:
    if done.waiting:
        yield (Styled("Waiting for you", "bold"), f" (decide with: toolnexus review {named})")
        yield from change_hunks(done.waiting)
    for refusal in done.refused:
        yield (Styled("refused", "yellow"), f" {refusal.action}: {refusal.reason}")
    for due in done.due[:_SHOWN_DUE]:
        yield (Styled("due", "yellow"), f" {due.kind} {', '.join(due.refs)}: {due.reason}")
    if len(done.due) > _SHOWN_DUE:
        yield (f"and {len(done.due) - _SHOWN_DUE} more are due",)
    undo = undo_hint(named, done.id if done.wrote else "")
    yield (f"{shown_path(named, '')}: {done.reply}{undo}",)


COMMANDS = (
    Command("compact", "toolnexus compact ava --dry-run", add_job, _compact, failed=FAILED_JOB),
)
