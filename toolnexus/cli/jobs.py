"""Jobs on a home's memory: how they are asked for, and how what they changed is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolnexus.cli.arguments import add_homes, add_scope
from toolnexus.cli.changes import change_hunks

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from toolnexus.cli.console import Console
    from toolnexus.evolve.compacting.types import Compacted
    from toolnexus.evolve.imagining.types import Imagining


def add_job(parser: ArgumentParser) -> None:
    """Add HOME … and how a job goes about it: dry, in one folder, with which model."""
    add_homes(parser)
    parser.add_argument(
        "--dry-run", action="store_true", help="show what would be written, as a diff"
    )
    add_scope(parser)
    parser.add_argument(
        "--model", metavar="M", help="a litellm model instead of the home's; none works offline"
    )


def show_changes(console: Console, named: str, done: Compacted | Imagining) -> None:
    """Show what a job changed; of a dry run the patch that it would be.

    Args:
        console: Where.
        named: The home as the caller named it.
        done: What came of the job.
    """
    if done.outcome == "dry-run" and done.writes:
        from toolnexus.cli.patches import unified_patch

        patch = unified_patch(named, done.writes, done.changes).decode("utf-8", "replace")
        console.block(patch.removesuffix("\n"))
    else:
        console.results(change_hunks(done.changes))
