"""How errors are told: one line and a hint on standard error, a document for ``--json``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from toolnexus.cli.console import Console, inert, print_json, visible, visible_line
from toolnexus.errors import DiskError, ToolnexusError

if TYPE_CHECKING:
    from toolnexus.cli.commands import Call, Command

_STOPPED_FROM_OUTSIDE = frozenset({69, 74, 75, 78})
"""Exit codes of what is no mistake in the call: model, disk, lock and settings."""


def report_failure(error: Exception, argv: list[str], call: Call | None) -> int:
    """Tell a person, and with ``--json`` also a program, what stopped a command.

    Args:
        error: What stopped it; one that is none of ours is a bug, or the disk's.
        argv: The command line, for errors that come before it could be read.
        call: The call, when it could be read.

    Returns:
        The exit code.
    """
    console = call.console if call else Console(as_json="--json" in argv, debug="--debug" in argv)
    known = as_known(error)
    say_error(known, console)
    if console.as_json:
        from toolnexus.cli.documents import schema_of

        if call:
            name, fields = call.command.name, failure_fields(known, call.command)
        else:
            name, fields = _named(argv), {"error": error_fields(known)}
        print_json({"schema": schema_of(name), **fields})
    return known.exit_code


def _named(argv: list[str]) -> str:
    """Find the command in a line that could not be read; ``error`` when there is none."""
    from toolnexus.cli.commands import SUMMARIES

    words = [word for word in argv if not word.startswith("-")]
    for name in (" ".join(words[:2]), *words[:1]):
        if name in SUMMARIES:
            return name
    return "error"


def as_known(error: Exception) -> ToolnexusError:
    """Turn any exception into one of our errors; the cause is kept for ``--debug``."""
    if isinstance(error, ToolnexusError):
        return error
    known: ToolnexusError
    if isinstance(error, OSError):
        path = error.filename if isinstance(error.filename, str) else None
        hint = "check that it exists and that its permissions allow this"
        known = DiskError(error.strerror or str(error), path=path, hint=hint)
    else:
        first = (str(error).splitlines() or [""])[0][:300]
        told = f"{type(error).__name__}: {first}".rstrip(": ")
        hint = "run it again with --debug and report what it prints"
        known = ToolnexusError(f"this is a bug in toolnexus: {told}", hint=hint)
    known.__cause__ = error
    return known


def say_error(error: ToolnexusError, console: Console, speaker: str = "toolnexus") -> None:
    """Print an error, its hint and, under ``--debug``, its traceback on standard error.

    Args:
        error: The error.
        console: Says whether a traceback is wanted.
        speaker: What stands before an error that names no file: one of several homes, by name.
    """
    from toolnexus.models.redact import Redactor

    hide = Redactor.from_environment().text
    if console.debug:
        import traceback

        cause = error.__cause__ if error.__traceback__ is None and error.__cause__ else error
        told = hide("".join(traceback.format_exception(cause)))
        print(inert(visible(told)), end="", file=sys.stderr)
    told = hide(str(error) if error.path else f"{speaker}: {error}")
    print(inert(visible_line(told)), file=sys.stderr)
    if error.hint:
        print(visible_line(f"  hint: {hide(error.hint)}"), file=sys.stderr)


def failure_fields(error: ToolnexusError, command: Command) -> dict[str, object]:
    """Return what the document of a command tells of what stopped it.

    Args:
        error: What stopped it.
        command: Which one; where its documents tell an outcome, this one tells it too.
    """
    outcome = command.failed if error.exit_code in _STOPPED_FROM_OUTSIDE else {}
    return {**outcome, "error": error_fields(error)}


def error_fields(error: ToolnexusError) -> dict[str, object]:
    """Return an error as a document's field."""
    from toolnexus.models.redact import Redactor

    hide = Redactor.from_environment().text
    return {
        "message": hide(error.message),
        "hint": hide(error.hint),
        "path": error.path,
        "line": error.line,
        "exit_code": error.exit_code,
    }
