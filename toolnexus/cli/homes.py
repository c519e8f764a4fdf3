"""Opening homes, and doing one thing to several: each is done, the worst exit code wins."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from toolnexus.cli.failures import as_known, failure_fields, say_error
from toolnexus.cli.progress import Progress
from toolnexus.errors import HomeError, UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from toolnexus.app import Home
    from toolnexus.cli.commands import Call
    from toolnexus.errors import ToolnexusError


@dataclass(frozen=True, slots=True)
class Report:
    """What came of a command on one home.

    Attributes:
        home: The home as the caller named it.
        fields: The result's fields in the JSON document.
        code: The exit code that it alone would give.
        show: Prints it in any other format.
        error: What stopped it; None when nothing did.
    """

    home: str
    fields: Mapping[str, object]
    code: int
    show: Callable[[], None]
    error: ToolnexusError | None = None


def open_home(call: Call, named: str, *, model: str | None = None, several: bool = False) -> Home:
    """Open a home as the caller named it.

    Args:
        call: The call, for its clock and state folder.
        named: The home's path.
        model: A model that goes before the home's own.
        several: Whether other homes share the state folder.

    Raises:
        HomeError: when it is no home.
        ConfigError: when its settings are wrong.
    """
    from toolnexus.app import Home

    state = state_folder(call.state, named, several=several) if call.state else None
    home = Home.open(named, state_dir=state, clock=call.clock, model=model)
    call.console.detail(f"{named}: state is kept in {home.store.state}")
    return home


def open_home_before(call: Call, word: str, *operands: str) -> Home:
    """Open the HOME of a command that takes other words behind it.

    Args:
        call: The call.
        word: The first word behind HOME, which was meant as the home where it stands alone.
        operands: What the command calls the words behind HOME.

    Raises:
        UsageError: when `word` stands alone, is a folder, and the current folder is no home.
        HomeError: when HOME is no home.
        ConfigError: when its settings are wrong.
    """
    try:
        return open_home(call, call.arguments.home)
    except HomeError as error:
        if is_lone_folder(call, word):
            raise operand_missing(call, word, *operands) from error
        raise


def is_lone_folder(call: Call, word: str) -> bool:
    """Whether no HOME was given, and the word in its place is a folder."""
    return bool(call.arguments.home == "." and word.strip() and os.path.isdir(word))  # noqa: PTH112 -- any text at all


def operand_missing(call: Call, word: str, *operands: str) -> UsageError:
    """Return the complaint that a home alone was given, without what comes after it."""
    which = f"one of {' and '.join(operands)}" if len(operands) > 1 else f"the {operands[0]}"
    whole = " ".join(("toolnexus", call.command.name, shlex.quote(word), *operands))
    return UsageError(f"{which} is missing", hint=f"it comes after the home: {whole}")


def state_folder(base: str, named: str, *, several: bool) -> str:
    """Find a home's state folder in the one that was named: it, or a folder of its own below.

    Several homes in one call must not share their state; where one of them has its own folder
    already, it keeps it when it comes alone.

    Example:
        >>> state_folder("s", "/homes/ava", several=False)
        's'
        >>> state_folder("s", "/homes/ava", several=True).startswith("s/ava-")
        True
    """
    from hashlib import blake2b

    root = Path(named).resolve()
    digest = blake2b(os.fsencode(root), digest_size=4).hexdigest()
    own = Path(base) / f"{root.name}-{digest}"
    return str(own) if several or own.is_dir() else base


Work = Callable[["Home", str], Report]
Shortcut = Callable[[str, "Path | None"], "Report | None"]


def run_homes(
    call: Call,
    work: Work,
    *,
    model: str | None = None,
    shortcut: Shortcut | None = None,
    announce: bool = True,
) -> int:
    """Do one thing to every home that was named, and show what came of it.

    Args:
        call: The call.
        work: Does it to one home.
        model: A model that goes before the homes' own.
        shortcut: Answers for a home, given its name and state folder, without opening it; or
            gives None to have it opened.
        announce: Whether each of several homes is announced.

    Returns:
        The worst exit code.
    """
    reports = reports_of(call, work, model=model, shortcut=shortcut, announce=announce)
    if call.console.as_json and len(reports) == 1:
        call.console.document(call.command.name, reports[0].fields)
    elif call.console.as_json:
        homes = [{"home": report.home, **report.fields} for report in reports]
        call.console.document(call.command.name, {"homes": homes})
    return max(report.code for report in reports)


def reports_of(
    call: Call,
    work: Work,
    *,
    model: str | None = None,
    shortcut: Shortcut | None = None,
    announce: bool = True,
) -> list[Report]:
    """Do one thing to every home; all but JSON is shown as soon as it is there.

    Raises:
        ToolnexusError: when there is one home alone and something stops the work on it.
    """
    named = call.arguments.homes or ["."]
    if len(named) > 1:
        return _each(call, named, work, model, shortcut, announce=announce)
    report = _do(call, named[0], work, model, shortcut, several=False)
    if not call.console.as_json:
        report.show()
    return [report]


def _each(
    call: Call,
    named: list[str],
    work: Work,
    model: str | None,
    shortcut: Shortcut | None,
    *,
    announce: bool,
) -> list[Report]:
    progress = Progress(call.console if announce else replace(call.console, quiet=True), len(named))
    reports = []
    for home in named:
        progress.step(f"{call.command.name} {home}")
        report = _attempt(call, home, work, model, shortcut)
        progress.clear()
        if report.error:
            say_error(report.error, call.console, home)
        elif not call.console.as_json:
            report.show()
        reports.append(report)
    return reports


def _attempt(
    call: Call, named: str, work: Work, model: str | None, shortcut: Shortcut | None
) -> Report:
    """Do one home of several; what stops it there is a part of the report."""
    try:
        return _do(call, named, work, model, shortcut, several=True)
    except BrokenPipeError:
        raise
    except Exception as error:  # noqa: BLE001 -- one home's trouble must not stop the next
        known = as_known(error)
        fields = failure_fields(known, call.command)
        return Report(named, fields, known.exit_code, lambda: None, known)


def _do(
    call: Call,
    named: str,
    work: Work,
    model: str | None,
    shortcut: Shortcut | None,
    *,
    several: bool,
) -> Report:
    """Do one home, without opening it where the shortcut can answer."""
    if shortcut is not None:
        state = state_folder(call.state, named, several=several) if call.state else None
        report = shortcut(named, None if state is None else Path(state))
        if report is not None:
            return report
    return work(open_home(call, named, model=model, several=several), named)


def undo_command(named: str, write_id: str) -> str:
    """Return the command that undoes a write."""
    return f"toolnexus revert {shlex.quote(named)} {write_id}"


def undo_hint(named: str, write_id: str) -> str:
    """Say how a write is undone, to stand behind what came of it; empty where there is none.

    Example:
        >>> undo_hint("ava", "20261130T081151Z-ce91")
        ' (undo it with: toolnexus revert ava 20261130T081151Z-ce91)'
    """
    return f" (undo it with: {undo_command(named, write_id)})" if write_id else ""


def shown_path(named: str, path: str) -> str:
    """Name a home's file as the caller could open it: relative to here where it lies below.

    Example:
        >>> shown_path(".", "MEMORY.md"), shown_path("homes/ava/", "memory/tea.md")
        ('MEMORY.md', 'homes/ava/memory/tea.md')
    """
    whole = os.path.normpath(os.path.join(named, path))  # noqa: PTH118 -- as named, links unresolved
    if os.path.isabs(whole):  # noqa: PTH117
        here = os.getcwd().rstrip("/") + "/"  # noqa: PTH109
        return whole.removeprefix(here)
    return whole
