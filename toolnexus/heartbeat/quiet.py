"""Quiet spells: until when the answer of a skipped beat stands, so that the next costs nothing.

A beat that was skipped because nothing is due notes when that ends, and what the files looked like
that it rests on. As long as they look the same the next beat need not read anything else, not even
the settings. The note is a cache: whatever is odd about it, the beat is made in full.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from toolnexus.clock import format_instant, parse_instant
from toolnexus.heartbeat.types import Beat
from toolnexus.store.state import StateFolder

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime
    from pathlib import Path

LAST = "beat-last"
STATE_SUBFOLDER = "state"

_FILES = ("HEARTBEAT.md", "persona.yaml")
_VARIABLES = ("TZ", "TOOLNEXUS_MODEL")
_SECOND_NS = 1_000_000_000
_TICK_NS = 100_000_000  # stamps move on at a kernel's tick, on old file systems every other second


def fingerprint(root: Path, environ: Mapping[str, str] | None = None) -> dict[str, object]:
    """Return what the answer of a skipped beat rests on: two files' stamps, two variables.

    Args:
        root: The home.
        environ: The environment; None stands for the process's own.

    Raises:
        OSError: when the home cannot be looked at.
    """
    variables = os.environ if environ is None else environ
    root.stat()
    found: dict[str, object] = {name: variables.get(name) for name in _VARIABLES}
    return found | {name: _stamp(root / name) for name in _FILES}


def is_settled(found: Mapping[str, object], now_ns: int) -> bool:
    """Whether no file of a fingerprint is so fresh that a later save could bear the same stamp.

    Args:
        found: From `fingerprint`.
        now_ns: The present, in the file system's time.
    """
    stamps = [stamp for name in _FILES if isinstance(stamp := found.get(name), list)]
    times = [time_ns for _, *times, _ in stamps for time_ns in times]
    is_coarse = not any(time_ns % _SECOND_NS for time_ns in times)
    racy_ns = 2 * _SECOND_NS if is_coarse else _TICK_NS
    return all(time_ns < now_ns - racy_ns for time_ns in times)


def still_quiet(root: Path, state: Path, now: datetime) -> Beat | None:
    """Answer for a home where nothing has changed since a beat was skipped; None to look.

    Args:
        root: The home.
        state: Its state folder.
        now: The moment.

    Raises:
        DiskError: when the answer cannot be noted.
    """
    values = StateFolder(state / STATE_SUBFOLDER)
    last = values.read(LAST)
    try:
        quiet = last["quiet"]
        since, until = parse_instant(quiet["since"]), quiet["until"]
        stands = since <= now and (until is None or now < parse_instant(until))
        if not stands or quiet["rests_on"] != fingerprint(root):
            return None
        next_due = last["next_due"]
        beat = Beat(
            "skipped",
            skipped_because=last["skipped_because"],
            reason=str(last["reason"]),
            next_due=None if next_due is None else parse_instant(next_due),
        )
    except (KeyError, TypeError, ValueError, AttributeError, OSError):
        return None
    after = {**last, "at": format_instant(now), "before": last.get("at")}
    values.write(LAST, after, durable=False)
    return beat


def _stamp(path: Path) -> list[int] | None:
    try:
        seen = path.stat()  # a link's target is what counts
    except FileNotFoundError:
        return None
    return [seen.st_size, seen.st_mtime_ns, seen.st_ctime_ns, seen.st_ino]


def render_last(beat: Beat) -> dict[str, Any]:
    """Write how a beat went, as JSON values; a reply is in the transcripts and not here."""
    return {
        "outcome": beat.outcome,
        "skipped_because": beat.skipped_because or None,
        "reason": beat.reason or None,
        "exit_code": beat.exit_code,
        "notices": list(beat.notices),
        "tasks": list(beat.tasks),
        "next_due": None if beat.next_due is None else format_instant(beat.next_due),
    }


def render_quiet(
    rests_on: Mapping[str, object], since: datetime, until: datetime | None
) -> dict[str, object]:
    """Write a quiet spell, as JSON values."""
    end = None if until is None else format_instant(until)
    return {"since": format_instant(since), "until": end, "rests_on": dict(rests_on)}
