"""``run``: the beats and dreams of all homes under some folders, until SIGTERM."""

from __future__ import annotations

import argparse
import sys
import threading
from typing import TYPE_CHECKING

from toolnexus.cli.arguments import whole_number
from toolnexus.cli.commands import Call, Command
from toolnexus.cli.console import Styled, one_line, print_json

if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Callable
    from datetime import timedelta
    from pathlib import Path

    from toolnexus.cli.console import Console, Part
    from toolnexus.fleet.report import Entry

_JOBS, _JITTER, _GRACE, _LOOK = 8, "1m", "30s", "1m"


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "folders", metavar="DIR", nargs="*", help="folders that homes lie in (default: .)"
    )
    parser.add_argument(
        "--jobs", type=whole_number(1, 1000), default=_JOBS, metavar="N",
        help=f"how many beats and dreams may run at once (default: {_JOBS})",
    )  # fmt: skip
    parser.add_argument(
        "--jitter", type=_duration, default=_JITTER, metavar="TIME",
        help=f"spread jobs that fall due together over so long, 0 for not at all "
        f"(default: {_JITTER})",
    )  # fmt: skip
    parser.add_argument(
        "--listen", metavar="HOST:PORT",
        help="answer GET /healthz and /metrics there; a port alone is this machine's own",
    )  # fmt: skip
    parser.add_argument(
        "--look-every", type=_duration, default=_LOOK, metavar="TIME",
        help=f"how often to look for changes that the system did not tell of (default: {_LOOK})",
    )  # fmt: skip
    parser.add_argument(
        "--grace", type=_duration, default=_GRACE, metavar="TIME",
        help=f"how long running jobs may take to end after SIGTERM (default: {_GRACE})",
    )  # fmt: skip
    parser.add_argument("--once", action="store_true", help="do what is due now, then stop")


def _run(call: Call) -> int:
    import asyncio

    from toolnexus.clock import RunningClock
    from toolnexus.fleet.health import parse_address
    from toolnexus.fleet.report import reply_entry
    from toolnexus.fleet.runner import Options, Runner
    from toolnexus.fleet.work import Worker

    options = call.arguments
    clock = RunningClock(options.now) if options.now else call.clock
    log = Log(call.console)
    worker = Worker(clock, lambda job, text: log.tell(reply_entry(job, text, clock.now())))
    wanted = Options(
        folders=tuple(options.folders or ["."]),
        jobs=options.jobs,
        spread=options.jitter,
        listen=parse_address(options.listen) if options.listen else None,
        once=options.once,
        look_seconds=max(1.0, options.look_every.total_seconds()),
        grace_seconds=options.grace.total_seconds(),
    )
    runner = Runner(wanted, clock, worker.do, log.tell, state_of=_states(call))
    return asyncio.run(runner.run(signals=threading.current_thread() is threading.main_thread()))


class Log:
    """Writes entries: JSON lines for machines, short lines for a person at a terminal.

    Args:
        console: Says how much a person wants to know.
    """

    def __init__(self, console: Console) -> None:
        self._console = console
        self._lock = threading.Lock()
        self._as_json = console.as_json or not sys.stdout.isatty()

    def tell(self, entry: Entry) -> None:
        """Write one entry, and see to it that it has left.

        Raises:
            OSError: when nobody takes it.
        """
        with self._lock:
            if self._as_json:
                print_json({"schema": "toolnexus/run/1", **entry.fields()}, indent=None)
            else:
                self._show(entry)
            sys.stdout.flush()

    def _show(self, entry: Entry) -> None:
        if entry.event == "reply":
            self._console.result(f"{_time(entry)} ", Styled(f"{entry.home}:", "bold"))
            self._console.block(entry.text)
        elif entry.failure is not None or self._is_wanted(entry):
            self._console.result(*_line(entry))
            if entry.failure is not None and entry.failure.hint:
                self._console.result(f"  hint: {entry.failure.hint}")

    def _is_wanted(self, entry: Entry) -> bool:
        """Whether a person wants to see it: not that nothing was due, unless asked for."""
        is_idle = entry.event == "job" and entry.outcome in {"skipped", "silent", "nothing"}
        return self._console.verbose or not (self._console.quiet or is_idle)


def _line(entry: Entry) -> tuple[Part, ...]:
    subject = " ".join(filter(None, (entry.home, entry.job))) or entry.event
    failed = entry.failure is not None
    parts: list[Part] = [f"{_time(entry)} {subject}"]
    if entry.outcome:
        parts += [" ", Styled(entry.outcome, "red" if failed else "green")]
    if entry.seconds is not None:
        parts.append(f" in {entry.seconds:.1f} s")
    if entry.usd:
        parts.append(f", {entry.usd:.4f} US dollars")
    why = entry.failure.message if entry.failure is not None else entry.reason
    if why:
        parts.append(f": {one_line(why)}")
    return tuple(parts)


def _time(entry: Entry) -> str:
    return f"{entry.time.astimezone():%H:%M:%S}"


def _states(call: Call) -> Callable[[Path], Path | None]:
    from pathlib import Path

    from toolnexus.cli.homes import state_folder

    def state_of(root: Path) -> Path | None:
        return Path(state_folder(call.state, str(root), several=True)) if call.state else None

    return state_of


def _duration(text: str) -> timedelta:
    from datetime import timedelta

    from toolnexus.settings import parse_duration

    try:
        return timedelta(0) if text.strip() == "0" else parse_duration(text)
    except ValueError:
        message = f"'{text}' is no length of time such as 30s or 5m"
        raise argparse.ArgumentTypeError(message) from None


COMMANDS = (Command("run", "toolnexus run . --once", _arguments, _run),)
