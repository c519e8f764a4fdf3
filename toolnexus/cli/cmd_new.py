"""``new`` and ``demo``: how a persona begins."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from toolnexus.cli.commands import Call, Command
from toolnexus.cli.homes import open_home
from toolnexus.cli.passes import exit_code, pass_fields, pass_lines

if TYPE_CHECKING:
    from argparse import ArgumentParser

SAMPLE = "ava"


def _new_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "dir", metavar="DIR", help="the folder to write; it must be empty or absent"
    )


def _new(call: Call) -> int:
    from toolnexus.app import create_home

    target = call.arguments.dir
    written = create_home(target)
    steps = _next_steps(target, "who it is: edit SOUL.md there", "remember", "check")
    if call.console.as_json:
        call.console.document("new", {"path": target, "files": written, "next": steps})
        return 0
    for path in written:
        call.console.result(f"{target}/{path}")
    if not call.console.quiet:
        call.console.result()
        call.console.result("next:")
        for step in steps:
            call.console.result(f"  {step}")
    return 0


def _demo_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--into", metavar="DIR", help="the folder to write (default: ./demo-ava-1, -2, …)"
    )


def _demo(call: Call) -> int:
    from toolnexus.app import copy_sample

    target = call.arguments.into or _free_folder(Path())
    call.console.progress(f"copying the sample persona {SAMPLE} to {target}")
    copy_sample(SAMPLE, Path(target))
    home = open_home(call, target, model="none")
    done = home.dream()
    steps = _next_steps(target, None, "check", "overview", "search", "log", "revert")
    if call.console.as_json:
        fields = {"path": target, **pass_fields(done, target), "next": steps}
        call.console.document("demo", fields)
        return exit_code(done)
    if not call.console.quiet:
        call.console.results(pass_lines(done, target))
        call.console.result()
        call.console.result("try next:")
        for step in steps:
            call.console.result(f"  {step}")
    else:
        call.console.result(f"{target}: {done.reply}")
    return exit_code(done)


def _free_folder(parent: Path) -> str:
    """Find the first demo folder that is not there yet."""
    number = 1
    while (parent / f"demo-{SAMPLE}-{number}").exists():
        number += 1
    return f"demo-{SAMPLE}-{number}"


def _next_steps(target: str, first: str | None, *names: str) -> list[str]:
    """Give the commands to try next on a home."""
    from shlex import quote

    home = quote(target)
    lines = {
        "check": f"toolnexus check {home}",
        "overview": f"toolnexus overview {home}",
        "search": f'toolnexus search {home} "when does the passport run out"',
        "log": f"toolnexus log {home}",
        "revert": f"toolnexus revert {home} last",
        "remember": f'toolnexus remember {home} "The spare key is under the blue pot."',
    }
    return [*filter(None, [first]), *(lines[name] for name in names)]


COMMANDS = (
    Command("new", "toolnexus new bo", _new_arguments, _new),
    Command("demo", "toolnexus demo", _demo_arguments, _demo),
)
