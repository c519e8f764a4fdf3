"""``feedback``: how well a note served."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolnexus.cli.arguments import add_home, add_scope
from toolnexus.cli.commands import Call, Command
from toolnexus.cli.documents import plain
from toolnexus.cli.homes import open_home_before, shown_path
from toolnexus.errors import UsageError

if TYPE_CHECKING:
    from argparse import ArgumentParser

EXAMPLE = 'toolnexus feedback ava balcony 0.5 --reason "had the right week for the basil"'


def _arguments(parser: ArgumentParser) -> None:
    add_home(parser)
    parser.add_argument("slug", metavar="SLUG", help="the note's slug, path or title")
    parser.add_argument(
        "score", metavar="SCORE", type=_score, help="how well it served, from -1 to 1"
    )
    parser.add_argument("--reason", default="", metavar="T", help="why, in words; it is kept")
    add_scope(parser)


def _score(text: str) -> float:
    """Read a score.

    Raises:
        UsageError: when it is no number, as where the last word is the note's.
    """
    try:
        return float(text)
    except ValueError:
        hint = f"after the note comes a number from -1 (bad) to 1 (good), as in: {EXAMPLE}"
        raise UsageError(f"'{text}' is no score", hint=hint) from None


def _feedback(call: Call) -> int:
    options = call.arguments
    home = open_home_before(call, options.slug, "SLUG", "SCORE")
    done = home.feedback(options.slug, options.score, options.reason, scope=options.scope)
    if call.console.as_json:
        fields = plain(done)
        assert isinstance(fields, dict)
        call.console.document("feedback", fields)
        return 0
    told = "; it needs review" if done.needs_review else ""
    path = shown_path(options.home, done.path)
    call.console.result(f"{path}: {done.score:+g}, its boost is {done.boost:g}{told}")
    return 0


COMMANDS = (Command("feedback", EXAMPLE, _arguments, _feedback),)
