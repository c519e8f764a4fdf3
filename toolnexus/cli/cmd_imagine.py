"""``imagine``: guesses made of a home's notes, for a person to judge."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolnexus.cli.changes import change_fields
from toolnexus.cli.commands import FAILED_JOB, Call, Command
from toolnexus.cli.console import Styled
from toolnexus.cli.homes import Report, run_homes, shown_path, undo_hint
from toolnexus.cli.jobs import add_job, show_changes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolnexus.app import Home
    from toolnexus.cli.console import Line
    from toolnexus.evolve.imagining.types import Imagining

FAILED = 69


def _imagine(call: Call) -> int:
    options = call.arguments

    def work(home: Home, named: str) -> Report:
        done = home.imagine(dry_run=options.dry_run, scope=options.scope)
        for notice in (*home.store.notices, *done.notices):
            call.console.progress(f"{named}: {notice}")
        code = FAILED if done.outcome == "failed" else 0
        return Report(named, imagining_fields(done), code, lambda: _show(call, named, done))

    return run_homes(call, work, model=options.model)


def imagining_fields(done: Imagining) -> dict[str, object]:
    """Return an imagining as a document's fields."""
    return {
        "id": done.id,
        "outcome": done.outcome,
        "wrote": done.wrote,
        "reply": done.reply,
        "imagined": done.imagined,
        "changes": [change_fields(change) for change in done.changes],
        "refused": done.refused,
        "notes": done.notes,
        "topics": done.topics,
        "next_due": done.next_due,
        "notices": done.notices,
        "usage": {
            "model_calls": done.usage.calls,
            "tokens_in": done.usage.tokens_in,
            "tokens_out": done.usage.tokens_out,
            "usd": done.usage.usd,
        },
    }


def _show(call: Call, named: str, done: Imagining) -> None:
    show_changes(call.console, named, done)
    call.console.results(_last_lines(named, done))


def _last_lines(named: str, done: Imagining) -> Iterator[Line]:
    for refusal in done.refused:
        yield (Styled("refused", "yellow"), f" {refusal.action}: {refusal.reason}")
    yield (f"{shown_path(named, '')}: {done.reply}{undo_hint(named, done.id)}",)


COMMANDS = (
    Command("imagine", "toolnexus imagine ava --dry-run", add_job, _imagine, failed=FAILED_JOB),
)
