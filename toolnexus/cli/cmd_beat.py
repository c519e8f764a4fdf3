"""``beat``: one heartbeat; quiet unless there is something to say."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from toolnexus.cli.arguments import add_homes
from toolnexus.cli.commands import Call, Command
from toolnexus.cli.homes import Report, run_homes
from toolnexus.cli.termination import unwound_by_sigterm

if TYPE_CHECKING:
    from argparse import ArgumentParser
    from pathlib import Path

    from toolnexus.app import Home
    from toolnexus.heartbeat.types import Beat


def _arguments(parser: ArgumentParser) -> None:
    add_homes(parser)
    parser.add_argument(
        "--force", action="store_true", help="beat now, unless another beat is under way"
    )


def _beat(call: Call) -> int:
    def say(reply: str) -> None:
        call.console.block(reply)
        sys.stdout.flush()  # only what has left is delivered

    def work(home: Home, named: str) -> Report:
        beat = home.beat(force=call.arguments.force, say=None if call.console.as_json else say)
        return _report(call, beat, named)

    def shortcut(named: str, state: Path | None) -> Report | None:
        from pathlib import Path

        from toolnexus.app.beating import quiet_beat

        beat = None if call.arguments.force else quiet_beat(Path(named), state, call.clock)
        return None if beat is None else _report(call, beat, named)

    with unwound_by_sigterm():
        return run_homes(call, work, shortcut=shortcut, announce=False)


def _report(call: Call, beat: Beat, named: str) -> Report:
    """Tell what became of a beat; its reply was said when it was delivered."""
    for line in _notices(beat):
        call.console.progress(f"{named}: {line}")
    call.console.detail(f"{named}: {beat.outcome}{f': {beat.reason}' if beat.reason else ''}")
    if beat.error is not None:
        from toolnexus.cli.failures import say_error

        is_one_of_several = len(call.arguments.homes) > 1
        say_error(beat.error, call.console, named if is_one_of_several else "toolnexus")
    return Report(named, beat_fields(beat), beat.exit_code, lambda: None)


def _notices(beat: Beat) -> tuple[str, ...]:
    """Return what has to be known even without ``--verbose``."""
    said = beat.notices
    if beat.skipped_because == "backing off":
        said = (*said, f"skipped: {beat.reason}")
    if beat.outcome == "failed" and beat.reply:
        said = (*said, f"this reply could not be delivered:\n{beat.reply}")
    return said


def beat_fields(beat: Beat) -> dict[str, object]:
    """Return a beat as the fields of a JSON document."""
    fields: dict[str, object] = {
        "outcome": beat.outcome,
        "reply": beat.reply,
        "skipped_because": beat.skipped_because or None,
        "reason": beat.reason or None,
        "tasks": beat.tasks,
        "usage": beat.usage,
        "next_due": beat.next_due,
        "notices": beat.notices,
    }
    if beat.error is not None:
        from toolnexus.cli.failures import error_fields

        fields["error"] = error_fields(beat.error)
    return fields


COMMANDS = (
    Command(
        "beat",
        "toolnexus beat ava --json",
        _arguments,
        _beat,
        failed={"outcome": "failed", "reply": ""},
    ),
)
