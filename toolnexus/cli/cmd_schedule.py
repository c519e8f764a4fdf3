"""``schedule``: the entry of a scheduler that runs a home's beats and dreams."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

from toolnexus.cli.arguments import add_home
from toolnexus.cli.commands import Call, Command
from toolnexus.cli.homes import open_home

if TYPE_CHECKING:
    from argparse import ArgumentParser
    from pathlib import Path

KINDS = ("cron", "systemd", "k8s", "github")


def _arguments(parser: ArgumentParser) -> None:
    add_home(parser)
    parser.add_argument("kind", metavar="KIND", choices=KINDS, help=" | ".join(KINDS))


def _schedule(call: Call) -> int:
    from toolnexus.cli.schedule_entries import ENTRIES, plan_schedule

    home = open_home(call, call.arguments.home)
    program = shutil.which("toolnexus") or "toolnexus"
    root = home.root.resolve()
    plan = plan_schedule(home.settings, home.name, str(root), program, inside_repository(root))
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


def inside_repository(root: Path) -> str:
    """Return a home's path in the git repository that it lies in; ``.`` where there is none.

    Args:
        root: The home's real path.
    """
    repository = next((one for one in (root, *root.parents) if (one / ".git").exists()), root)
    return root.relative_to(repository).as_posix()


COMMANDS = (Command("schedule", "toolnexus schedule ava cron", _arguments, _schedule),)
