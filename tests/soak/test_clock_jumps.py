"""A clock that jumps: a year back, forward, twice the same second, over summer time's ends."""

from __future__ import annotations

import os
import random
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from verdict import Verdict, leftovers, plain, state_of
from work_under_fault import make_home, talker, thinker

from toolnexus.app import Home
from toolnexus.clock import parse_instant
from toolnexus.errors import ConflictError, ToolnexusError
from toolnexus.testing.clock import VirtualClock

if TYPE_CHECKING:
    from pathlib import Path

    from tally import Tally

pytestmark = pytest.mark.soak

IS_FULL = os.environ.get("TOOLNEXUS_SOAK", "sample") == "full"
LIVES = range(40 if IS_FULL else 4)
STEPS = 30
HARNESS = "clock jumps"
JUMPS = {
    "a year back": timedelta(days=-365),
    "a day back": timedelta(days=-1),
    "an hour back": timedelta(hours=-1),
    "a second back": timedelta(seconds=-1),
    "the same second": timedelta(),
    "an hour on": timedelta(hours=1),
    "a day on": timedelta(days=1),
    "a year on": timedelta(days=365),
}
# Berlin's clocks are put back at the first of these, and forward at the second.
SUMMER_TIME = {
    "the end of summer time": "2026-10-25T00:59:59Z",
    "its beginning": "2026-03-29T00:59:59Z",
}
MAY_CHANGE = frozenset({"lives in paris", "two hives, on the roof"})


class Life:
    """A home whose clock jumps, and what must be in it.

    Args:
        root: The home.
        chance: Decides what happens.
    """

    def __init__(self, root: Path, chance: random.Random) -> None:
        self.root = make_home(root)
        (root / "persona.yaml").write_text(
            (root / "persona.yaml").read_text().replace("UTC", "Europe/Berlin")
        )
        self.clock = VirtualClock(parse_instant("2026-11-29T03:00:12Z"))
        self.wanted = set(state_of(root).claims) - MAY_CHANGE
        self.turns = 0
        self.done: list[str] = []
        self._chance = chance
        self._number = 0

    def jump(self) -> str:
        """Set the clock; return what was done to it."""
        name = self._chance.choice([*JUMPS, *SUMMER_TIME])
        if name in JUMPS:
            self.clock.advance(seconds=JUMPS[name].total_seconds())
        else:
            self.clock.move_to(parse_instant(SUMMER_TIME[name]))
        return name

    def act(self) -> None:
        """Do something, in a home that is opened for it."""
        home = Home.open(self.root, clock=self.clock, model="none")
        known = {record.id for record in home.log()}
        acts = (self._remember, self._turn, self._dream, self._beat, self._decide, self._revert)
        self._chance.choice(acts)(home)
        new = [record.id for record in home.store.history() if record.id not in known]
        self.done += [record_id for record_id in new if record_id not in self.done]

    def _remember(self, home: Home) -> None:
        self._number += 1
        claim = f"Saw ship {self._number} in the harbour."
        if home.remember(claim).wrote:
            self.wanted.add(plain(claim))

    def _turn(self, home: Home) -> None:
        self.turns += 1
        home.transcripts.append("said", {"role": "user", "content": f"Turn {self.turns}."})

    def _dream(self, home: Home) -> None:
        home.dream(model=thinker() if self._chance.random() < 1 / 2 else None)

    def _beat(self, home: Home) -> None:
        home.beat(model=talker(), say=lambda _: None)

    def _decide(self, home: Home) -> None:
        home.dream(propose=True)
        for proposal in home.proposals():
            decide = home.apply if self._chance.random() < 1 / 2 else home.discard
            try:
                decide(proposal.id)
            except ConflictError:  # the one before it changed what this one is about
                home.discard(proposal.id)

    def _revert(self, home: Home) -> None:
        if any(entry.job == "dream" for entry in home.store.history()):
            newest = next(id_ for id_ in reversed(self.done) if self._is_dream(home, id_))
            assert home.store.record("last").id == newest
            home.revert("last")

    @staticmethod
    def _is_dream(home: Home, wanted: str) -> bool:
        return any(entry.id == wanted and entry.job == "dream" for entry in home.store.history())

    def judge(self) -> Verdict:
        """Say what is wrong by now."""
        home = Home.open(self.root, clock=self.clock)
        verdict = Verdict(half=leftovers(self.root))
        history = [entry.id for entry in home.store.history()]
        if history != self.done:
            verdict.half.append(f"the history tells {history[-3:]}, done was {self.done[-3:]}")
        logged = [record.id for record in home._logged()]
        if logged != [record_id for record_id in self.done if record_id in logged]:
            verdict.half.append(f"the log tells another order: {logged[-3:]}")
        if len(set(history)) < len(history):
            verdict.half.append("an id stands twice")
        verdict.lost += sorted(self.wanted - state_of(self.root).claims)
        found = home.transcripts.get("said")
        if len(found.turns if found else ()) != self.turns:
            verdict.lost.append("a turn")
        return verdict


@pytest.mark.parametrize("seed", LIVES)
def test_a_clock_that_jumps_loses_nothing(seed: int, tmp_path: Path, tally: Tally) -> None:
    """Whatever the clock says: no claim is lost, no id stands twice, history is in its order."""
    life = Life(tmp_path.resolve() / "ava", random.Random(seed))
    wrong = []
    for step in range(STEPS):
        jumped = life.jump()
        verdict = Verdict()
        try:
            life.act()
        except ToolnexusError as error:
            verdict.mistold.append(f"{type(error).__name__}: {error}")
        now = life.judge()
        verdict.half, verdict.lost = now.half, now.lost
        tally.count(HARNESS, "beats, dreams, reviews, reverts, turns", jumped, verdict)
        if not verdict.survived:
            wrong.append(f"step {step}, {jumped}: {verdict}")
            break
    assert not wrong, wrong
