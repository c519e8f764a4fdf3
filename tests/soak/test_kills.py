"""kill -9 of every command that writes: at each of its calls, and at moments that nobody chose."""

from __future__ import annotations

import os
import random
import time
from typing import TYPE_CHECKING

import pytest
from desk import desk_for, try_again
from interposer import KINDS, Fault
from verdict import copy_home, judge
from work_under_fault import CACHES, WORK, exports

if TYPE_CHECKING:
    from pathlib import Path

    from desk import Desk
    from fork_server import CommandServer
    from tally import Tally
    from verdict import Verdict

pytestmark = pytest.mark.soak

IS_FULL = os.environ.get("TOOLNEXUS_SOAK", "sample") == "full"
MOMENTS = 1000 if IS_FULL else 60
AT_A_CALL, IN_A_WRITE, AT_ANY_TIME = "kill at a call", "kill half-way", "kill at a random moment"


def moments(name: str) -> int:
    """Tell how many moments of a command there are: fewer of those that keep a cache alone."""
    few = MOMENTS // 60
    others = len(WORK) - len(CACHES)
    return few if name in CACHES else -(-(MOMENTS - few * len(CACHES)) // others)


def kill(desk: Desk, fault: Fault, server: CommandServer, folder: Path) -> Verdict | None:
    """Kill a command, and judge what is left; None where it was quicker."""
    home = copy_home(desk.home, folder / "killed" / "ava")
    exports(home)
    ended = server.run(desk.name, home, fault)
    if not ended.was_killed:
        return None
    verdict = judge(home, desk.before, desk.after)
    if verdict.survived and not verdict.is_whole:
        try_again(desk, home, server, ended, verdict)
    return verdict


@pytest.mark.parametrize("name", WORK)
def test_a_command_survives_a_kill_at_any_call(
    name: str, server: CommandServer, tmp_path: Path, tally: Tally
) -> None:
    """A process that dies at any single call leaves all of it or nothing, and can be run again."""
    folder = tmp_path.resolve()
    desk = desk_for(name, server, folder)
    step = (16 if name in CACHES else 1) if IS_FULL else (47 if name in CACHES else 7)
    kills = [(AT_A_CALL, Fault("kill", at)) for at in range(0, desk.calls(), step)]
    writes = KINDS["write"]
    kills += [
        (IN_A_WRITE, Fault("kill half-way", at, kinds=writes))
        for at in range(0, desk.calls(writes), step)
    ]
    wrong = []
    for kind, fault in kills:
        verdict = kill(desk, fault, server, folder)
        if verdict is not None:
            tally.count("kill -9", name, kind, verdict)
            if not verdict.survived:
                wrong.append(f"{kind} {fault.at}: {verdict}")
    assert not wrong, "\n".join(wrong[:9])


@pytest.mark.parametrize("name", WORK)
def test_a_command_survives_a_kill_at_any_moment(
    name: str, server: CommandServer, tmp_path: Path, tally: Tally
) -> None:
    """The same at random moments, between calls and within them: a thousand over all commands."""
    folder, chance = tmp_path.resolve(), random.Random(name)
    desk = desk_for(name, server, folder)
    begun = time.perf_counter()
    kill(desk, Fault(), server, folder)
    longest = max(2_000, int((time.perf_counter() - begun) * 900_000))
    wanted = moments(name)
    wrong = []
    for _ in range(wanted * 4):
        moment = chance.randrange(100, longest)
        verdict = kill(desk, Fault(kill_in_microseconds=moment), server, folder)
        if verdict is None:  # it had ended by then
            longest = max(2_000, longest * 9 // 10)
            continue
        tally.count("kill -9", name, AT_ANY_TIME, verdict)
        wanted -= 1
        if not verdict.survived:
            wrong.append(f"after {moment} microseconds: {verdict}")
        if not wanted:
            break
    assert not wrong, "\n".join(wrong[:9])
