"""``schedule``: the entry of a scheduler that runs a home's beats and dreams."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

from toolnexus.cli.arguments import add_home
from toolnexus.cli.commands import Call, Command
from toolnexus.cli.homes import open_home

if TYPE_CHECKING:
    from argparse import ArgumentParser

KINDS = ("cron", "systemd", "k8s", "github")


def _arguments(parser: ArgumentParser) -> None:
    add_home(parser)
    parser.add_argument("kind", metavar="KIND", choices=KINDS, help=" | ".join(KINDS))


def _schedule(call: Call) -> int:
    from toolnexus.cli.schedule_entries import ENTRIES, plan_schedule

    home = open_home(call, call.arguments.home)
    program = shutil.which("toolnexus") or "toolnexus"
    plan = plan_schedule(home.settings, home.name, str(home.root.resolve()), program)
    files = ENTRIES[call.arguments.kind](plan)
    if call.console.as_json:
        call.console.document("schedule", {"kind": call.arguments.kind, "files": files})
        return 0
    for number, file in enumerate(files):
        if len(files) > 1:
            if number:
                call.console.result()
            call.console.result(f"# {file.path}")
        call.console.block(file.text.removesuffix("\n"))
    return 0


COMMANDS = (Command("schedule", "toolnexus schedule ava cron", _arguments, _schedule),)
