"""``log`` and ``revert``: what was done, and undoing it."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from typing import TYPE_CHECKING

from toolnexus.cli.arguments import add_home, whole_number
from toolnexus.cli.changes import change_fields, change_line
from toolnexus.cli.commands import Call, Command
from toolnexus.cli.console import Styled, how_many, one_line
from toolnexus.cli.homes import open_home, open_home_before, shown_path, undo_hint

if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Iterator

    from toolnexus.app.results import LogRecord, Reverted

LEFT = 3
MEND = "it was changed since: edit it by hand if it should go"


def _log_arguments(parser: ArgumentParser) -> None:
    add_home(parser)
    parser.add_argument(
        "--limit", type=whole_number(1), metavar="N", help="only the newest N entries"
    )


def _log(call: Call) -> int:
    records = open_home(call, call.arguments.home).log(limit=call.arguments.limit)
    if call.console.as_json:
        entries = [
            {
                "id": record.id,
                "time": record.time,
                "job": record.job,
                "changes": [change_fields(change) for change in record.changes],
            }
            for record in records
        ]
        call.console.document("log", {"entries": entries})
        return 0
    for record in records:
        call.console.result(Styled(record.id, "bold"), f"  {record.time}  {record.job}")
        for change in record.changes:
            call.console.result(f"  {change_line(change)}")
    if not records:
        call.console.progress("nothing was done yet")
    return 0


def _revert_arguments(parser: ArgumentParser) -> None:
    add_home(parser)
    parser.add_argument("wanted", metavar="PASS", help="an id as 'log' shows it, or last")


def _revert(call: Call) -> int:
    named = call.arguments.home
    home = open_home_before(call, call.arguments.wanted, "PASS")
    done = home.revert(call.arguments.wanted)
    for notice in (*home.store.notices, *_about_last(call, done)):
        call.console.progress(notice)
    code = LEFT if done.left else 0
    if call.console.as_json:
        undone = [change_fields(change) for change in done.undone]
        unfinished = [{**asdict(item), "next": MEND} for item in done.left]
        told = {"id": done.id or None, "undone": undone, "left": unfinished}
        target, later = _named(done.target), [_named(record) for record in done.later]
        call.console.document("revert", {**told, "target": target, "later": later})
        return code
    back = [change for change in done.undone if change.kind == "renamed"]
    for change in back:
        call.console.result(f"brought back {shown_path(named, change.to)}")
    edited = Counter(change.path for change in done.undone if change not in back)
    for path, count in edited.items():
        call.console.result(f"undone {shown_path(named, path)}: {how_many(count, 'change')}")
    for change in done.undone if call.console.verbose else ():
        call.console.result(f"  {change_line(change)}")
    for left in done.left:
        place = shown_path(named, left.path)
        where = f"{place}:{left.line}" if left.line else place
        call.console.result(f"left {where}: {one_line(left.text, 120)} — {left.reason}")
    if not done.undone and not done.left:
        before = f"before {_described(done.target)}"
        call.console.result(f"nothing to undo: the home is as it was {before}")
    else:
        call.console.result(f"{len(done.undone)} undone, {len(done.left)} left")
    return code


def _about_last(call: Call, done: Reverted) -> Iterator[str]:
    """Say which pass ``last`` was, and what is newer: a person may have meant that."""
    if call.arguments.wanted != "last":
        return
    yield f"last is {_described(done.target)}"
    if done.later:
        count, newest = len(done.later), done.later[-1]
        stand = "1 later write stands" if count == 1 else f"{count} later writes stand"
        undo = undo_hint(call.arguments.home, newest.id)
        yield f"{stand}, the newest from {newest.job}{undo}; 'toolnexus log' lists every write"


def _described(record: LogRecord) -> str:
    return f"the {record.job} of {record.time} ({record.id})"


def _named(record: LogRecord) -> dict[str, object]:
    return {"id": record.id, "time": record.time, "job": record.job}


COMMANDS = (
    Command("log", "toolnexus log ava", _log_arguments, _log),
    Command("revert", "toolnexus revert ava last", _revert_arguments, _revert),
)
