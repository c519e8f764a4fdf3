"""Arguments that several commands share, and readers of single words."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from toolnexus.clock import parse_instant

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime


def add_home(parser: argparse.ArgumentParser) -> None:
    """Add one HOME, the current folder by default."""
    parser.add_argument(
        "home", metavar="HOME", nargs="?", default=".", help="the persona's folder (default: .)"
    )


def add_homes(parser: argparse.ArgumentParser) -> None:
    """Add HOME …, the current folder by default."""
    parser.add_argument("homes", metavar="HOME", nargs="*", help="folders of personas (default: .)")


def add_format(parser: argparse.ArgumentParser, formats: Sequence[str]) -> None:
    """Add ``--format``."""
    parser.add_argument(
        "--format", choices=formats, help=f"how to print the result (default: {formats[0]})"
    )


def chosen_format(arguments: argparse.Namespace) -> str:
    """Return the format that ``--format`` and ``--json`` ask for together.

    Raises:
        UsageError: when they ask for two different ones.
    """
    from toolnexus.errors import UsageError

    if arguments.json and arguments.format not in {None, "json"}:
        hint = "give one of the two"
        raise UsageError(f"--json and --format {arguments.format} exclude each other", hint=hint)
    return "json" if arguments.json else arguments.format or "text"


def whole_number(low: int, high: int | None = None) -> Callable[[str], int]:
    """Make a reader of whole numbers from `low` up to `high`."""

    def read(text: str) -> int:
        bounds = f"{low} or more" if high is None else f"from {low} to {high}"
        try:
            number = int(text)
        except ValueError:
            number = low - 1
        if number < low or (high is not None and number > high):
            raise argparse.ArgumentTypeError(f"'{text}' is no whole number {bounds}")
        return number

    return read


def share(text: str) -> float:
    """Read a number from 0 to 1."""
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 <= number <= 1:
        raise argparse.ArgumentTypeError(f"'{text}' is no number from 0 to 1")
    return number


def amount(text: str) -> float:
    """Read an amount of money: a number, 0 or more."""
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 <= number < float("inf"):
        raise argparse.ArgumentTypeError(f"'{text}' is no amount such as 0.50")
    return number


def moment(text: str) -> datetime:
    """Read a date or an instant."""
    try:
        return parse_instant(text)
    except (ValueError, OverflowError):
        message = f"'{text}' is no date such as 2026-11-29"
        raise argparse.ArgumentTypeError(message) from None


def add_scope(parser: argparse.ArgumentParser) -> None:
    """Add the option that keeps a command to one folder of notes."""
    parser.add_argument(
        "--scope",
        default="",
        metavar="FOLDER",
        help="only notes in this folder below the notes' own, such as 'projects/garden'",
    )
