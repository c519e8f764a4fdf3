"""Two to eight processes of every kind of command at once on one home, some of them killed."""

from __future__ import annotations

import os
import random
import time
from typing import TYPE_CHECKING

import pytest
from interposer import NO_FAULT, Fault
from verdict import Verdict, held_locks, leftovers, plain, state_of
from work_under_fault import IMPORTED, exports, make_home, opened

if TYPE_CHECKING:
    from pathlib import Path

    from fork_server import CommandServer, Ended
    from tally import Tally

pytestmark = pytest.mark.soak

IS_FULL = os.environ.get("TOOLNEXUS_SOAK", "sample") == "full"
SECONDS = 45.0 if IS_FULL else 6.0
# A process that waits for longer than any lock may be waited for hangs.
DEADLINE_SECONDS = 300.0
# Done, found something, asked for what is no more, held, another one was quicker.
FINE = frozenset({0, 1, 2, 3, 75})


class Crowd:
    """What is going on in one home.

    Args:
        root: The home.
        server: What runs commands.
        kills: Which share of the commands is killed at some moment.
    """

    def __init__(self, root: Path, server: CommandServer, seed: int, kills: float) -> None:
        self.root = root
        self.told: dict[str, str] = {}
        self._server = server
        self._chance = random.Random(seed)
        self._kills = kills
        self._number = 0
        self._going: dict[int, tuple[str, str, Fault]] = {}

    def send(self) -> None:
        """Start one more process."""
        home = str(self.root)
        self._number += 1
        claim = f"Somebody saw ship {self._number} in the harbour."
        old, new = self._chance.sample(("tea", "green-tea", "bees", "hives", "honeycomb"), 2)
        words = self._chance.choice(
            (
                *[("remember", home, claim)] * 4,
                ("remember", home, claim, "--to", "bills-and-meters"),
                *[("dream", home)] * 2,
                ("dream", home, "--propose"),
                ("beat", home, "--force"),
                ("rename", home, old, new),
                ("review", home, "--apply"),
                ("review", home, "--discard"),
                ("revert", home, "last"),
                ("check", home),
                ("search", home, "ship"),
                ("transcripts", "search", home, "turn"),
                ("watch", home, "--once"),
                ("import", "jsonl", str(self.root.parent / IMPORTED), "--into", home),
                ("index", home, "--rebuild"),
                ("log", home),
                ("overview", home),
            )
        )
        fault = NO_FAULT
        if self._chance.random() < self._kills:
            fault = Fault(kill_in_microseconds=self._chance.randrange(1_000, 400_000))
        serial = self._server.start(
            "toolnexus", self.root, fault, words=words, seconds=DEADLINE_SECONDS
        )
        self._going[serial] = (words[0], claim if words[0] == "remember" else "", fault)

    def receive(self, tally: Tally, harness: str, wrong: list[str]) -> Ended:
        """Wait for the next process to end, and look at how it did."""
        ended = self._server.wait_any()
        name, claim, fault = self._going.pop(ended.serial)
        verdict = Verdict(hung=ended.hung)
        was_killed = ended.was_killed and fault.kill_in_microseconds > 0
        if ended.code not in FINE and not was_killed:
            verdict.mistold.append(f"{name} ended with {ended.code}: {ended.err[-500:]}")
        if "Traceback" in ended.err:
            verdict.mistold.append(f"{name}: {ended.err[-500:]}")
        if claim and ended.code == 0:
            self.told[plain(claim)] = claim
        tally.count(harness, name, "kill" if was_killed else "others at work", verdict)
        if not verdict.survived:
            wrong.append(f"{verdict}; {ended}")
        return ended

    @property
    def is_busy(self) -> bool:
        """Whether a process has not ended."""
        return bool(self._going)


@pytest.mark.parametrize("kills", [0.0, 0.25])
@pytest.mark.parametrize("lanes", [2, 8] if IS_FULL else [4])
def test_a_crowd_loses_nothing(
    lanes: int, kills: float, server: CommandServer, tmp_path: Path, tally: Tally
) -> None:
    """Nothing that anybody was told is lost, nobody waits for ever, and no lock stays taken."""
    root = make_home(tmp_path.resolve() / "ava")
    exports(root)
    before = state_of(root)
    harness = "a crowd, some killed" if kills else "a crowd"
    crowd = Crowd(root, server, lanes, kills)
    wrong: list[str] = []
    end = time.monotonic() + SECONDS
    for _ in range(lanes):
        crowd.send()
    while crowd.is_busy:
        crowd.receive(tally, harness, wrong)
        if time.monotonic() < end:
            crowd.send()
    verdict = Verdict(stale=held_locks(root))
    found = state_of(root)
    verdict.half += leftovers(root)
    verdict.half += [f"said twice: {line!r}" for line in repeated(found.turns)]
    verdict.lost += sorted((before.claims | crowd.told.keys()) - found.claims)
    verdict.half += [text for text in opened(root).store.notices if "damaged" in text]
    tally.count(harness, "all of them", "what is left at the end", verdict, faults=0)
    assert verdict.survived, verdict
    assert not wrong, "\n".join(wrong[:9])
    assert server.run("toolnexus", root, words=("search", str(root), "ship")).code == 0


def repeated(turns: dict[str, tuple[bytes, ...]]) -> list[bytes]:
    """List the turns of an import that were written more than once."""
    lines = [line for name, said in turns.items() if name != "talk.jsonl" for line in said]
    return sorted(line for line in set(lines) if lines.count(line) > 1)
