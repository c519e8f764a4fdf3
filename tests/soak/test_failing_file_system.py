"""A file system that fails at every single operation in turn, for every command that writes."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from desk import FINE, desk_for, try_again
from interposer import KINDS, Fault
from verdict import copy_home, judge
from work_under_fault import CACHES, WORK, exports

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from desk import Desk
    from fork_server import CommandServer, Ended
    from tally import Tally
    from verdict import Verdict

pytestmark = pytest.mark.soak

IS_FULL = os.environ.get("TOOLNEXUS_SOAK", "sample") == "full"
HARNESS = "failing file system"
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
KINDS_OF_FAULTS = (("ENOSPC", "EACCES", "EDQUOT"), ("EIO", "EROFS"), tuple(FAULTS)[5:])
# Where the disk fails in the putting back as well, the next command does it, and the error says so.
DEAD = "EIO from then on"
SAID_OF_DEAD = "the next command finishes or removes what was begun"
# These take turns: of each group every call meets one.
IN_TURN = (
    ("EACCES", "EDQUOT", "EROFS", "ENOSPC from then on", "EIO from then on"),
    ("short write", "short write, then ENOSPC"),
)
TRIED_AGAIN = frozenset({"EIO", DEAD})


def chosen(desk: Desk, kinds: tuple[str, ...]) -> Iterator[tuple[str, int]]:
    """Yield which fault is brought about at which call."""
    for number, (name, fault) in enumerate(FAULTS.items()):
        if name not in kinds:
            continue
        turns = next((len(group) for group in IN_TURN if name in group), 1)
        step = (24 if desk.name in CACHES else turns) if IS_FULL else _sampled(desk.name)
        for at in range(number % step, desk.calls(fault.kinds), step):
            yield name, at


def _sampled(name: str) -> int:
    """Tell how many calls a sample passes over; primes meet all of a command's calls in time."""
    return 61 if name in CACHES else 13


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


@pytest.mark.parametrize("kinds", KINDS_OF_FAULTS, ids=lambda kinds: kinds[0])
@pytest.mark.parametrize("name", WORK)
def test_a_command_survives_a_failing_file_system(
    name: str, kinds: tuple[str, ...], server: CommandServer, tmp_path: Path, tally: Tally
) -> None:
    """Each call of a command fails once in each way: all of it or nothing, and it says so."""
    desk = desk_for(name, server, tmp_path.resolve())
    wrong = []
    for kind, at in chosen(desk, kinds):
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
