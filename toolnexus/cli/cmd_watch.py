"""``watch``: the index kept fresh, and findings printed, as files are saved."""

from __future__ import annotations

import contextlib
import signal
import sys
from functools import partial
from typing import TYPE_CHECKING

from toolnexus.cli.arguments import add_homes
from toolnexus.cli.commands import Call, Command
from toolnexus.cli.console import Styled, print_json
from toolnexus.cli.documents import plain
from toolnexus.cli.failures import error_fields, say_error
from toolnexus.cli.findings import counted, finding_lines, summary
from toolnexus.cli.homes import open_home, shown_path
from toolnexus.errors import ToolnexusError

if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from toolnexus.app.watching import Moved, Seen, Watching
    from toolnexus.index.hit import Refreshed
    from toolnexus.index.watch import Watch

RECONCILE_SECONDS = 60.0
"""How long a change that nobody tells of may stay unseen."""
SETTLE_SECONDS = 0.02
"""An editor's save is several changes in a row: they are looked at together."""
MOST_SETTLING = 10


def _arguments(parser: ArgumentParser) -> None:
    add_homes(parser)
    parser.add_argument("--once", action="store_true", help="look once, then stop")


def _watch(call: Call) -> int:
    from toolnexus.app.watching import Watching
    from toolnexus.index.watch import Watch

    named = call.arguments.homes or ["."]
    several = len(named) > 1
    homes = {
        name: Watching(partial(open_home, call, name, several=several))
        for name in dict.fromkeys(named)
    }
    with _stopped_softly(), Watch(each.root for each in homes.values()) as watch:
        for name, watching in homes.items():
            _tell(call, name, watching, watching.reconcile)
        with contextlib.suppress(KeyboardInterrupt):
            while not call.arguments.once:
                _round(call, homes, watch)
    return 0


def _round(call: Call, homes: dict[str, Watching], watch: Watch) -> None:
    """Wait for a save and look at it; where none comes for long, look at everything."""
    paths = watch.wait(RECONCILE_SECONDS)
    if not paths:
        for name, watching in homes.items():
            _tell(call, name, watching, watching.reconcile)
        return
    paths |= _settled(watch)
    for name, watching in homes.items():
        own = [path for path in paths if path.is_relative_to(watching.root)]
        if own:
            _tell(call, name, watching, partial(watching.look, own))


def _settled(watch: Watch) -> frozenset[Path]:
    paths: frozenset[Path] = frozenset()
    for _ in range(MOST_SETTLING):
        more = watch.wait(SETTLE_SECONDS)
        if not more:
            break
        paths |= more
    return paths


def _tell(call: Call, name: str, watching: Watching, look: Callable[[], Seen]) -> None:
    """Look, print what is other than before, and index it; failures are told and survived."""
    try:
        seen = look()
        if seen.changed or seen.new or seen.gone:
            _show(call, name, watching, seen)
        _show_indexed(call, name, watching.index())
    except ToolnexusError as error:
        if call.console.as_json:
            _line({"home": name, "error": error_fields(error)})
        else:
            say_error(error, call.console)


def _show(call: Call, name: str, watching: Watching, seen: Seen) -> None:
    counts = summary(watching.findings)
    if call.console.as_json:
        fields = {"new": seen.new, "gone": seen.gone, "moved": seen.moved, "summary": counts}
        _line({"home": name, **fields})
        return
    for finding in seen.gone:
        place = f"{shown_path(name, finding.path)}: "
        mended = Styled("mended", "green")
        call.console.result(place, mended, f": {finding.message} [{finding.rule}]")
    *lines, _ = finding_lines(name, seen.new)
    call.console.results(lines)
    for moved in seen.moved:
        call.console.results(_moved_lines(name, moved))
    call.console.result(f"{shown_path(name, '')}: {counted(counts)}")
    sys.stdout.flush()


def _show_indexed(call: Call, name: str, done: Refreshed) -> None:
    for notice in done.notices:
        call.console.progress(notice)
    count = done.added + done.changed + done.removed
    if count and call.console.as_json:
        _line({"home": name, "indexed": count})
    elif count:
        call.console.detail(f"{name}: {count} files indexed")


def _line(fields: dict[str, object]) -> None:
    print_json(plain({"schema": "toolnexus/watch/1", **fields}), indent=None)
    sys.stdout.flush()


def _moved_lines(name: str, moved: Moved) -> Iterator[tuple[str]]:
    links = "1 link leads" if moved.links == 1 else f"{moved.links} links lead"
    yield (f"{shown_path(name, moved.old)} is {moved.new} now; {links} to the old name",)
    if moved.links:
        old, new = (path.rpartition("/")[2].removesuffix(".md") for path in (moved.old, moved.new))
        yield (f"  hint: 'toolnexus rename {name} {old} {new}' takes them along",)


@contextlib.contextmanager
def _stopped_softly() -> Iterator[None]:
    """Let SIGTERM and Ctrl-C end the loop, whatever the caller made of them."""

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    before = {number: signal.signal(number, stop) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


COMMANDS = (Command("watch", "toolnexus watch ava --once", _arguments, _watch),)
