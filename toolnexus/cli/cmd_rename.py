"""``rename``: a note's new name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolnexus.cli.arguments import add_home
from toolnexus.cli.commands import Call, Command
from toolnexus.cli.homes import open_home_before, shown_path

if TYPE_CHECKING:
    from argparse import ArgumentParser


def _arguments(parser: ArgumentParser) -> None:
    add_home(parser)
    parser.add_argument("old", metavar="OLD", help="the note's slug or path")
    parser.add_argument("new", metavar="NEW", help="its new slug")


def _rename(call: Call) -> int:
    options = call.arguments
    done = open_home_before(call, options.old, "OLD", "NEW").rename(options.old, options.new)
    if call.console.as_json:
        fields = {"id": done.id, "path": done.path, "links": done.links}
        call.console.document("rename", fields)
        return 0
    links = "1 link follows" if done.links == 1 else f"{done.links} links follow"
    call.console.result(f"{shown_path(options.home, done.path)}: {links}")
    return 0


COMMANDS = (Command("rename", "toolnexus rename ava balcony balcony-garden", _arguments, _rename),)
