"""``dream``: one pass over the memory of homes."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from toolnexus.cli.arguments import add_format, add_homes, amount, chosen_format
from toolnexus.cli.commands import FAILED_JOB, Call, Command
from toolnexus.cli.console import uses_colour, visible
from toolnexus.cli.homes import Report, run_homes
from toolnexus.cli.passes import exit_code, pass_annotations, pass_fields, pass_lines
from toolnexus.errors import UsageError

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from toolnexus.app import Home
    from toolnexus.dream.types import Pass


def _arguments(parser: ArgumentParser) -> None:
    add_homes(parser)
    parser.add_argument("--dry-run", action="store_true", help="show the pass and write nothing")
    parser.add_argument(
        "--check",
        action="store_true",
        help="write nothing; exit 1 if the pass would change something",
    )
    parser.add_argument(
        "--propose", action="store_true", help="write every change into a proposal for review"
    )
    parser.add_argument(
        "--full", action="store_true", help="look at every claim, not at what is new alone"
    )
    parser.add_argument(
        "--strict", action="store_true", help="exit 3 also when single changes wait for review"
    )
    parser.add_argument(
        "--model", metavar="M", help="a litellm model instead of the home's; none works offline"
    )
    parser.add_argument(
        "--instructions", metavar="T", help="guidance for this pass, after DREAM.md's"
    )
    parser.add_argument(
        "--budget-usd", metavar="N", type=amount, help="what the pass may cost, in US dollars"
    )
    parser.add_argument(
        "--commit", action="store_true", help="make a git commit of exactly the pass's files"
    )
    tape = parser.add_mutually_exclusive_group()
    tape.add_argument(
        "--record", metavar="FILE", help="write down what the model is asked and replies"
    )
    tape.add_argument(
        "--replay", metavar="FILE", help="take the replies from a recording; asks no model"
    )
    add_format(parser, ("text", "json", "github", "patch", "markdown"))


def _dream(call: Call) -> int:
    options = call.arguments
    chosen = chosen_format(options)
    if options.propose and (options.dry_run or options.check):
        other = "--check" if options.check else "--dry-run"
        raise UsageError(f"--propose and {other} exclude each other", hint="give one of the two")
    if (options.record or options.replay) and len(options.homes) > 1:
        raise UsageError("a recording is of one home", hint="dream the homes one by one")

    def work(home: Home, named: str) -> Report:
        done = home.dream(
            dry_run=options.dry_run,
            propose=options.propose,
            full=options.full,
            instructions=options.instructions,
            check=options.check,
            budget_usd=options.budget_usd,
            record=options.record,
            replay=options.replay,
            commit=options.commit or None,
        )
        for notice in done.notices:
            call.console.progress(f"{named}: {notice}")
        code = exit_code(done, check=options.check, strict=options.strict)
        return Report(
            named, pass_fields(done, named), code, lambda: _show(call, chosen, named, done)
        )

    return run_homes(call, work, model=options.model)


def _show(call: Call, chosen: str, named: str, done: Pass) -> None:
    if chosen == "patch":
        _print_patch(named, done)
    elif chosen == "markdown":
        from toolnexus.cli.pass_markdown import pass_markdown

        print(pass_markdown(done, named))
    elif chosen == "github":
        for line in pass_annotations(done, named):
            print(line)
    else:
        call.console.results(pass_lines(done, named, verbose=call.console.verbose))


def _print_patch(named: str, done: Pass) -> None:
    """Print a patch byte for byte, unless a terminal is what reads it."""
    from toolnexus.cli.patches import unified_patch

    patch = unified_patch(named, done.writes, done.changes)
    if uses_colour(sys.stdout) or not hasattr(sys.stdout, "buffer"):
        print(visible(patch.decode("utf-8", "surrogateescape")), end="")
        return
    sys.stdout.flush()
    sys.stdout.buffer.write(patch)
    sys.stdout.buffer.flush()


COMMANDS = (
    Command("dream", "toolnexus dream ava --dry-run", _arguments, _dream, failed=FAILED_JOB),
)
