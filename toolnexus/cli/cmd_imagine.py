"""``imagine``: guesses made of a home's notes, for a person to judge."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolnexus.cli.arguments import add_homes, add_scope
from toolnexus.cli.changes import change_fields, change_hunks
from toolnexus.cli.commands import Call, Command
from toolnexus.cli.console import Styled
from toolnexus.cli.homes import Report, run_homes, shown_path, undo_hint

if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Iterator

    from toolnexus.app import Home
    from toolnexus.cli.console import Line
    from toolnexus.evolve.imagining.types import Imagining

FAILED = 69


def _arguments(parser: ArgumentParser) -> None:
    add_homes(parser)
    parser.add_argument(
        "--dry-run", action="store_true", help="show what would be written, as a diff"
    )
    add_scope(parser)
    parser.add_argument(
        "--model", metavar="M", help="a litellm model instead of the home's; none works offline"
    )


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
    if done.outcome == "dry-run":
        from toolnexus.cli.patches import unified_patch

        patch = unified_patch(named, done.writes, done.changes).decode("utf-8", "replace")
        call.console.block(patch.removesuffix("\n"))
    else:
        call.console.results(change_hunks(done.changes))
    call.console.results(_last_lines(named, done))


def _last_lines(named: str, done: Imagining) -> Iterator[Line]:
    for refusal in done.refused:
        yield (Styled("refused", "yellow"), f" {refusal.action}: {refusal.reason}")
    yield (f"{shown_path(named, '')}: {done.reply}{undo_hint(named, done.id)}",)


COMMANDS = (Command("imagine", "toolnexus imagine ava --dry-run", _arguments, _imagine),)
