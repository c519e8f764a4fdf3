"""``remember``: one more claim."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolnexus.cli.arguments import add_home
from toolnexus.cli.commands import Call, Command
from toolnexus.cli.homes import is_lone_folder, open_home, operand_missing, undo_command
from toolnexus.text.secrets.problems import secret_problems

if TYPE_CHECKING:
    from argparse import ArgumentParser

EXAMPLE = 'toolnexus remember ava "The spare key is under the blue pot."'


def _arguments(parser: ArgumentParser) -> None:
    add_home(parser)
    parser.add_argument("text", metavar="TEXT", help="what to remember, in a sentence")
    parser.add_argument(
        "--to",
        metavar="user|SLUG",
        default="self",
        help="USER.md or a note, instead of MEMORY.md",
    )


def _remember(call: Call) -> int:
    named, text = call.arguments.home, call.arguments.text
    if is_lone_folder(call, text):  # no sentence, in a home neither
        raise operand_missing(call, text, "TEXT")
    home = open_home(call, named)
    done = home.remember(text, to=call.arguments.to)
    if call.console.as_json:
        fields = {
            "reply": done.reply,
            "id": done.id or None,
            "path": done.path,
            "wrote": done.wrote,
        }
        call.console.document("remember", fields)
    else:
        call.console.result(done.reply)
        if done.id:
            call.console.detail(f"undo it with: {undo_command(named, done.id)}")
        for problem in secret_problems(text) if done.wrote else ():
            call.console.progress(f"{problem.message} now; {problem.hint}")
    return 0


COMMANDS = (Command("remember", EXAMPLE, _arguments, _remember),)
