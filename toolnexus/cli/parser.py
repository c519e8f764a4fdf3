"""From the words of a command line to a `Call`."""

from __future__ import annotations

import argparse
import os
import re
from typing import TYPE_CHECKING, Any, NoReturn

from toolnexus.cli.commands import GROUPS, SUMMARIES, Call, Command, load_command
from toolnexus.cli.console import Console
from toolnexus.clock import FixedClock, SystemClock, parse_instant
from toolnexus.errors import UsageError

if TYPE_CHECKING:
    from datetime import datetime

STATE_VARIABLE = "TOOLNEXUS_STATE"
SET_UP = "toolnexus demo --into ava --quiet"
FIRST_YEAR, LAST_YEAR = 1970, 9000
"""What ``--now`` may be: schedules look ahead of it and back, and dates end with the year 9999."""

_VALUED = ("--now", "--state")  # common options that take a word
_REQUIRED = "the following arguments are required: "
_NUMBER = re.compile(r"-\.?[0-9]")
"""How a word begins that is a number below 0 and no option: none of ours begins with a digit."""
_EPILOG = """\
a HOME is a persona's folder; where it may be left out it is the current one.

exit codes:
  0 done   1 findings, or something would change   2 wrong usage   3 left for a person
  65 no home   69 no model   70 a bug of ours   74 disk   75 locked   78 settings   130 interrupted

'toolnexus COMMAND --help' tells more, with an example."""


class Parser(argparse.ArgumentParser):
    """An argument parser that raises what it has to complain about.

    Args:
        example: A line that makes sense, for whoever left something out.
        options: What an `argparse.ArgumentParser` takes.
    """

    def __init__(self, example: str, **options: Any) -> None:
        super().__init__(**options)
        self._example = example
        self._negative_number_matcher = _NUMBER  # argparse's own knows no exponent before 3.14

    def error(self, message: str) -> NoReturn:
        """Raise the complaint."""
        if message.startswith(_REQUIRED):
            missing = message.removeprefix(_REQUIRED).split(", ")
            told = f"{' and '.join(missing)} {'is' if len(missing) == 1 else 'are'} missing"
            raise UsageError(told, hint=f"give it as in: {self._example}")
        text = message.replace("argument ", "", 1) if message.startswith("argument ") else message
        raise UsageError(text, hint=f"'{self.prog} --help' shows its arguments and an example")


def parse(argv: list[str]) -> Call | None:
    """Read a command line; None when its help was all that was asked for.

    Raises:
        UsageError: when it makes no sense.
    """
    words = _command_first([*argv[1:], "--help"] if argv[:1] == ["help"] else argv)
    name = find_command(words)
    if name is None:
        return None
    command = load_command(name)
    parser = command_parser(command)
    if any(word in {"-h", "--help"} for word in _before_separator(words)):
        print(parser.format_help(), end="")
        return None
    arguments = parser.parse_intermixed_args(words[len(name.split()) :])
    return Call(
        command=command,
        arguments=arguments,
        console=Console.from_options(arguments),
        clock=FixedClock(arguments.now) if arguments.now else SystemClock(),
        state=arguments.state or os.environ.get(STATE_VARIABLE) or None,
    )


def command_parser(command: Command) -> Parser:
    """Make the parser of one command.

    Example:
        >>> command_parser(load_command("check")).prog
        'toolnexus check'
    """
    summary = SUMMARIES[command.name]
    parser = Parser(
        command.example,
        prog=f"toolnexus {command.name}",
        description=f"{summary[0].upper()}{summary[1:]}.",
        epilog=f"example:\n  {SET_UP}\n  {command.example}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    command.add_arguments(parser)
    _add_common(parser)
    return parser


def find_command(words: list[str]) -> str | None:
    """Find which command a line begins with; None when help was printed instead.

    Raises:
        UsageError: when there is no such command, with the nearest.
    """
    if not words or words[0] in {"-h", "--help"}:
        print(_overall_help(), end="")
        return None
    first = words[0]
    if first in GROUPS:
        second = next((word for word in words[1:] if not word.startswith("-")), "")
        if not second and {"-h", "--help"} & set(words):
            print(_group_help(first), end="")
            return None
        first = f"{first} {words[1]}" if len(words) > 1 else first
    if first in SUMMARIES:
        return first
    raise _unknown(first)


def _command_first(argv: list[str]) -> list[str]:
    """Move common options that stand before the command behind it."""
    at = 0
    while at < len(argv) and argv[at].startswith("-") and argv[at] not in {"-h", "--help", "--"}:
        at += 2 if argv[at] in _VALUED else 1
    if at >= len(argv):
        return argv
    name = argv[at : at + (2 if argv[at] in GROUPS else 1)]
    return [*name, *argv[:at], *argv[at + len(name) :]]


def _before_separator(words: list[str]) -> list[str]:
    return words[: words.index("--")] if "--" in words else words


def _unknown(name: str) -> UsageError:
    from difflib import get_close_matches

    known = [*SUMMARIES, *GROUPS]
    nearest = get_close_matches(name, known, n=1)
    if name in GROUPS:
        kinds = ", ".join(one for one in SUMMARIES if one.startswith(f"{name} "))
        return UsageError(f"'{name}' needs to know what to do", hint=f"one of: {kinds}")
    listed = "'toolnexus --help' lists the commands"
    if name.startswith("-"):
        return UsageError(f"there is no command beside '{name}'", hint=listed)
    hint = f"did you mean '{nearest[0]}'?" if nearest else listed
    return UsageError(f"there is no command '{name}'", hint=hint)


def _overall_help() -> str:
    lines = ["usage: toolnexus COMMAND [HOME …] [options]", "", "commands:"]
    lines += [f"  {name:<19} {summary}" for name, summary in SUMMARIES.items()]
    lines += ["", "options:", "  --version           print the version", "", _EPILOG, ""]
    return "\n".join(lines)


def _group_help(group: str) -> str:
    lines = [f"usage: toolnexus {group} COMMAND HOME …", "", f"{GROUPS[group]}", ""]
    lines += [
        f"  {name:<19} {summary}"
        for name, summary in SUMMARIES.items()
        if name.startswith(f"{group} ")
    ]
    return "\n".join([*lines, ""])


def _add_common(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("common options")
    group.add_argument("--json", action="store_true", help="one JSON document on standard output")
    group.add_argument("--quiet", action="store_true", help="no progress, no notices")
    group.add_argument("--verbose", action="store_true", help="say more about what was done")
    group.add_argument("--debug", action="store_true", help="show the traceback of an error")
    group.add_argument(
        "--now", type=_instant, metavar="RFC3339", help="run as if it were this instant"
    )
    group.add_argument(
        "--state",
        metavar="DIR",
        help=f"keep state there instead of in HOME/.toolnexus (also ${STATE_VARIABLE})",
    )


def _instant(text: str) -> datetime:
    try:
        instant = parse_instant(text)
    except (ValueError, OverflowError):
        message = f"'{text}' is no instant such as 2026-11-29T03:00:00Z"
        raise argparse.ArgumentTypeError(message) from None
    if not FIRST_YEAR <= instant.year <= LAST_YEAR:
        message = f"'{text}' is no instant of the years {FIRST_YEAR} to {LAST_YEAR}"
        raise argparse.ArgumentTypeError(message)
    return instant
