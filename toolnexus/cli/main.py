"""Where the command line begins and ends: one dispatcher and one handler for all errors."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

INTERRUPTED = 130
BROKEN_PIPE = 141
BUG = 70


def run() -> None:
    """Run the command line of this process and exit with its code."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # a terminal in an odd encoding must not stop the work
            stream.reconfigure(errors="backslashreplace")
    sys.exit(main(sys.argv[1:]))


def main(argv: Sequence[str]) -> int:
    """Run one command.

    Args:
        argv: The words behind ``toolnexus``.

    Returns:
        The exit code; everything that can go wrong is turned into one.

    Example:
        >>> main(["--version"])
        toolnexus 1.0.0.dev0
        0
    """
    try:
        code = _dispatch(list(argv))
        sys.stdout.flush()
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        return _leave_quietly()
    except OSError as error:
        if sys.stdout.closed:
            raise
        print(f"toolnexus: cannot write the result: {error.strerror or error}", file=sys.stderr)
        return _leave_quietly(74)
    return code


def _dispatch(argv: list[str]) -> int:
    """Find the command, run it, and turn what stops it into a message and a code."""
    if argv[:1] in (["--version"], ["-V"]):  # before argparse is even imported
        from toolnexus import __version__

        print(f"toolnexus {__version__}")
        return 0
    from toolnexus.cli.failures import report_failure
    from toolnexus.cli.parser import parse

    call = None
    try:
        call = parse(argv)
        return call.command.run(call) if call else 0
    except BrokenPipeError:
        raise
    except Exception as error:  # noqa: BLE001 -- the one place where everything ends
        return report_failure(error, argv, call)


def _leave_quietly(code: int = BROKEN_PIPE) -> int:
    """Keep Python from failing once more on the closed pipe when it exits."""
    try:
        sink = os.open(os.devnull, os.O_WRONLY)
        os.dup2(sink, sys.stdout.fileno())
        os.close(sink)
    except (OSError, ValueError):
        pass
    return code
