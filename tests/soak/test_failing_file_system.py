"""A file system that fails at every single operation in turn, for every command that writes."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest
from interposer import KINDS, Fault
from verdict import State, Verdict, copy_home, judge, state_of
from work_under_fault import WORK, exports, make_home, opened

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from fork_server import CommandServer, Ended
    from tally import Tally
    from work_under_fault import Work

pytestmark = pytest.mark.soak

IS_FULL = os.environ.get("TOOLNEXUS_SOAK", "sample") == "full"
HARNESS = "failing file system"
# What a command may end with when its disk fails; 0 where it could do without.
FINE = frozenset({0, 3})
FAILED = 74
# What takes space: on a full disk the others still work.
SPACE = sum(KINDS[name] for name in ("write", "fsync", "link", "mkdir", "open"))
FAULTS: dict[str, Fault] = {
    **{error: Fault("fail", 0, error) for error in ("ENOSPC", "EIO", "EACCES", "EDQUOT", "EROFS")},
    "ENOSPC from then on": Fault("fail", 0, "ENOSPC", lasting=True, kinds=SPACE),
    "EIO from then on": Fault("fail", 0, "EIO", lasting=True),
    "short write": Fault("short", 0, kinds=KINDS["write"]),
    "short write, then ENOSPC": Fault("short", 0, "ENOSPC", lasting=True, kinds=KINDS["write"]),
}
# Where the disk fails in the putting back as well, the next command does it, and the error says so.
DEAD = "EIO from then on"
SAID_OF_DEAD = "the next command finishes or removes what was begun"
TRIED_AGAIN = frozenset({"EIO", DEAD})
# Commands that keep a cache alone: many calls, of SQLite and Chroma, and nothing at stake.
CACHES = frozenset({"search", "index --rebuild", "transcripts search"})


@dataclass(frozen=True, slots=True)
class Desk:
    """A command, the home it is done to, and what comes of it."""

    name: str
    work: Work
    home: Path
    before: State
    after: State
    calls: dict[int, int]


def desk_for(name: str, server: CommandServer, folder: Path) -> Desk:
    """Prepare a home for a command, and see what the command does when nothing fails."""
    work = WORK[name]
    home = make_home(folder / "prepared" / "ava")
    exports(home)
    opened(home).dream(dry_run=True)  # warms what is kept beside the home
    if work.before is not None:
        work.before(home)
    before = state_of(home)
    whole = copy_home(home, folder / "whole" / "ava")
    exports(whole)
    done = server.run(name, whole)
    assert done.code in FINE, done
    after = state_of(whole)
    calls = {}
    for kinds in {fault.kinds for fault in FAULTS.values()}:
        counted = copy_home(home, folder / "counted" / "ava")
        calls[kinds] = server.run(name, counted, Fault(kinds=kinds)).met
    return Desk(name, work, home, before, after, calls)


def chosen(desk: Desk) -> Iterator[tuple[str, int]]:
    """Yield which fault is brought about at which call."""
    for number, (name, fault) in enumerate(FAULTS.items()):
        step = (len(FAULTS) if desk.name in CACHES else 1) if IS_FULL else 37
        for at in range(number % step, desk.calls[fault.kinds], step):
            yield name, at


def tell_fault(ended: Ended, desk: Desk, kind: str, verdict: Verdict) -> None:
    """Say where the exit code and the message do not fit what is there."""
    if ended.code not in {*FINE, FAILED}:
        verdict.mistold.append(f"exit {ended.code}")
    if ended.code == FAILED and "hint: " not in ended.err:
        verdict.mistold.append("it does not say what to do")
    if ended.code == FAILED and str(desk.home.parent.parent) not in ended.err:
        verdict.mistold.append("it does not say where")
    if "Traceback" in ended.err:
        verdict.mistold.append("a traceback")
    changed = desk.before.notes != desk.after.notes
    is_put_off = kind == DEAD and SAID_OF_DEAD in ended.err
    as_it_was = desk.work.is_atomic and not is_put_off
    if as_it_was and changed and ended.code == FAILED and verdict.is_whole:
        verdict.mistold.append("exit 74, and the home is not as it was")
    if changed and ended.code in FINE and not verdict.is_whole:
        verdict.mistold.append(f"exit {ended.code}, and nothing was done")


def try_again(
    desk: Desk, home: Path, server: CommandServer, ended: Ended, verdict: Verdict
) -> None:
    """Do the same on a sound disk: it comes to what it would have been without the fault."""
    if verdict.is_whole and (ended.code in FINE or not desk.work.repeats):
        return
    again = server.run(desk.name, home)
    found = state_of(home)
    if again.code not in FINE or found.unlogged != desk.after.unlogged:
        verdict.half.append(f"a second try ends with {again.code}: {again.err[-300:]}")


@pytest.mark.parametrize("name", WORK)
def test_a_command_survives_a_failing_file_system(
    name: str, server: CommandServer, tmp_path: Path, tally: Tally
) -> None:
    """Each call of a command fails once in each way: all of it or nothing, and it says so."""
    desk = desk_for(name, server, tmp_path.resolve())
    wrong = []
    for kind, at in chosen(desk):
        home = copy_home(desk.home, tmp_path.resolve() / "failing" / "ava")
        exports(home)
        fault = FAULTS[kind]
        fault = Fault(fault.how, at, fault.error, fault.lasting, fault.kinds)
        ended = server.run(name, home, fault)
        verdict = judge(home, desk.before, desk.after)
        verdict.hung = ended.hung
        tell_fault(ended, desk, kind, verdict)
        if kind in TRIED_AGAIN and verdict.survived:
            try_again(desk, home, server, ended, verdict)
        tally.count(HARNESS, name, kind, verdict, faults=min(1, ended.injected))
        if not verdict.survived:
            wrong.append(f"{kind} at call {at} ({ended.kind}): {verdict}; {ended}")
    assert not wrong, "\n".join(wrong[:9])
