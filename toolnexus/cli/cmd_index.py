"""``index``: the search index, refreshed or rebuilt."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolnexus.cli.arguments import add_home
from toolnexus.cli.commands import Call, Command
from toolnexus.cli.homes import open_home

if TYPE_CHECKING:
    from argparse import ArgumentParser


def _arguments(parser: ArgumentParser) -> None:
    add_home(parser)
    parser.add_argument(
        "--rebuild",
        action="store_true",
        help="make it anew; this also forgets for good what was deleted",
    )


def _index(call: Call) -> int:
    home = open_home(call, call.arguments.home)
    done = home.reindex(rebuild=call.arguments.rebuild)
    for notice in done.notices:
        call.console.progress(notice)
    if call.console.as_json:
        fields = {
            "added": done.added,
            "changed": done.changed,
            "removed": done.removed,
            "chunks": done.chunks_embedded,
            "notices": done.notices,
        }
        call.console.document("index", fields)
        return 0
    counts = f"{done.added} added, {done.changed} changed, {done.removed} removed"
    call.console.result(f"{home.name}: {counts}, {done.chunks_embedded} passages embedded")
    return 0


COMMANDS = (Command("index", "toolnexus index ava", _arguments, _index),)
