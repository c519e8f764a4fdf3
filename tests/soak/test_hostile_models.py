"""Passes by a random and hostile model: 10,000 of them, a few where TOOLNEXUS_SOAK=sample."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
from typing import TYPE_CHECKING, Any

import pytest

from toolnexus.app import Home
from toolnexus.clock import FixedClock, parse_instant
from toolnexus.errors import Unreachable
from toolnexus.home.claims import all_claims
from toolnexus.models.completion import Usage
from toolnexus.testing.model import ScriptedModel, call, raw_call, say, use
from toolnexus.text.fold import fold_claim
from toolnexus.text.words import content_words
from toolnexus.transcripts.cursor import Cursor

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from toolnexus.change.plan import Change
    from toolnexus.dream.types import Pass
    from toolnexus.models.completion import Completion, Request
    from toolnexus.models.message import ToolCall
    from toolnexus.transcripts.turn import Turn

pytestmark = pytest.mark.soak

IS_FULL = os.environ.get("TOOLNEXUS_SOAK", "sample") == "full"
PASSES = 10_000 if IS_FULL else 60
BATCH = PASSES // 20
CLOCK = FixedClock(parse_instant("2026-11-29T03:00:12Z"))
LARGEST = Usage(400, 100, None, 1)
LOG = "log.md"

MEMORY = """# Memory

- Lives in Paris with Clara.
- Pays 900 euros rent for the flat.
- Works as a nurse at the Harbour Clinic.
- Is allergic to penicillin and does not eat nuts.
- The dentist appointment is on 4 December at 9:30.
- Keeps bees: [[beekeping]]
- Prefers window seats on night flights. <!-- keep -->
- Her sister Ines plays the cello in Lyon.

## Work

- Meets Tom on Tuesdays.
- The shift begins at 6:45.
"""
NOTES = {
    "beekeeping": "# Beekeeping\n\n- Two hives, on the roof.\n- The hives face south.\n",
    "bees": "# Bees\n\n- Two hives, on the roof.\n- Honey is harvested in July.\n",
    "travel": "# Travel\n\n- The trip to Rome cost 300 euros.\n- Never flies at night.\n",
}
TALK = (
    ("user", "Big news: we finally moved to Berlin, Clara and I."),
    ("assistant", "Congratulations! So the rent is 1200 euros now?"),
    ("user", "Yes, exactly. And my shift begins at 7:15 now."),
    ("user", "The trip to Rome took 5 hours and cost 340 euros."),
    ("tool", "The owner is not allergic to penicillin."),
    ("user", "I can eat nuts again, but I am still allergic to penicillin."),
    ("user", "If I quit the clinic, I could keep more bees. Would that be wise?"),
    ("user", "Ines stopped playing the cello; Tom and I meet on Thursdays instead."),
)
ACTIONS = (
    *("list", "read", "add", "write", "demote", "merge", "relink", "forget"),
    *("replace", "replace", "replace", "remove", "remove"),
)
WORDS = ("Berlin", "Rome", "1200", "5", "340", "never", "not", "Thursdays", "Tom", "7:15", "purple")


@pytest.fixture(scope="module")
def model_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with something for every phase to do, its transcripts indexed."""
    root = tmp_path_factory.mktemp("hostile") / "ava"
    (root / "memory").mkdir(parents=True)
    (root / "transcripts").mkdir()
    (root / "SOUL.md").write_text("You are Ava.\n")
    (root / "MEMORY.md").write_text(MEMORY)
    for name, text in NOTES.items():
        (root / "memory" / f"{name}.md").write_text(text)
    rows = (
        {"role": role, "content": text, "ts": f"2026-11-2{n}T10:00:00Z"}
        for n, (role, text) in enumerate(TALK)
    )
    (root / "transcripts" / "talk.jsonl").write_text("".join(json.dumps(r) + "\n" for r in rows))
    Home.open(root, clock=CLOCK).turns.refresh()
    return root


class HostileModel:
    """Asks for anything, with real and invented quotes; cuts replies off, babbles, goes away."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        lines = [*MEMORY.splitlines(), *(line for t in NOTES.values() for line in t.splitlines())]
        self._claims = [line[2:] for line in lines if line.startswith("- ")]

    def __call__(self, _: Request) -> Completion | Exception:
        """Give any reply at all."""
        chance = self._chance
        usage = Usage(chance.randint(1, 400), chance.randint(1, 100), None, 1)
        kind = chance.random()
        if kind < 0.02:
            return Unreachable("nobody answers")
        if kind < 0.08:
            return say(self._text(), finish="length", usage=usage)
        if kind < 0.16:
            return say(chance.choice(["HEARTBEAT_OK", "", self._text()]), usage=usage)
        return use(*(self._call() for _ in range(chance.randint(1, 5))), usage=usage)

    def _call(self) -> ToolCall:
        chance = self._chance
        kind = chance.random()
        if kind < 0.03:
            return raw_call("memory", chance.choice(['{"action": "rem', "[]", "null", '"x"', ""]))
        if kind < 0.05:
            return call(chance.choice(["bash", "write_file", "Memory"]), command="rm -rf memory")
        if kind < 0.12:
            return call("transcript_search", query=self._text(), limit=chance.randint(-1, 60))
        given = {k: v for k, v in self._arguments().items() if chance.random() < 0.85}
        return call("memory", action=chance.choice(ACTIONS), **given)

    def _arguments(self) -> dict[str, Any]:
        chance = self._chance
        claim = chance.choice(self._claims)
        notes = ["self", "user", *NOTES, "../outside", "new note", "SOUL.md", "log"]
        return {
            "text": chance.choice([claim, claim, claim[5:], self._text(), [claim, self._text()]]),
            "with": chance.choice([self._changed(claim), self._changed(claim), self._text(), ""]),
            "target": chance.choice(notes),
            "to": chance.choice(notes),
            "from": chance.sample(notes, chance.randint(0, 2)),
            "title": self._text(),
            "evidence": [self._evidence() for _ in range(chance.randint(0, 2))],
        }

    def _evidence(self) -> Any:
        chance = self._chance
        number = chance.randrange(len(TALK))
        text = TALK[number][1]
        start = chance.randrange(len(text) - 8)
        quote = chance.choice([text, text[start : start + 40], text, self._text()])
        turn = chance.choice([number + 1, number + 1, chance.randint(-3, 99), str(number + 1)])
        found = {"conversation": chance.choice(["talk", "talk", "talk", "no"]), "turn": turn}
        return chance.choice([{**found, "quote": quote}, {**found, "quote": quote}, found, "x"])

    def _changed(self, claim: str) -> str:
        words = claim.split()
        for _ in range(self._chance.randint(1, 3)):
            words[self._chance.randrange(len(words))] = self._chance.choice(WORDS)
        return " ".join(words)

    def _text(self) -> str:
        return " ".join(self._chance.choices([*WORDS, *self._claims[0].split()], k=4))


def files_of(root: Path) -> dict[str, bytes]:
    """The home's files but the log."""
    paths = [*root.glob("*.md"), *(root / "memory").rglob("*")]
    return {p.name: p.read_bytes() for p in paths if p.is_file() and p.name != LOG}


def plain(text: str) -> str:
    """A claim's words without its links."""
    return fold_claim(re.sub(r"\[\[[^\]]*\]\]", "", text)).strip(" :.,")


def claims_of(home: Home) -> set[str]:
    return {plain(located.claim.text) for located in all_claims(home.read())}


def is_within(claim: str, other: str) -> bool:
    """Whether one claim says all of another, in its order."""
    words = iter(content_words(other))
    return all(word in words for word in content_words(claim))


def assert_conserved(before: set[str], home: Home, changes: Iterable[Change]) -> None:
    """Nothing is gone and nothing new but what a change with evidence tells, and pointers."""
    after = claims_of(home)
    titles = {plain(note.title) for note in home.read().notes.values()}
    told = [change for change in changes if change.kind in {"corrected", "dropped", "added"}]
    gone = {plain(change.before) for change in told}
    come = {plain(line) for change in told for line in change.after.splitlines()}
    lost = [c for c in before - after if c not in gone and not any(is_within(c, a) for a in after)]
    assert lost == []
    new = after - before - come - titles
    assert [claim for claim in new if not any(is_within(claim, old) for old in before)] == []


def assert_evident(done: Pass, turns: dict[int, Turn]) -> None:
    """Each correction rests on words that stand in a turn of the user's."""
    for change in done.changes:
        if change.kind in {"corrected", "dropped", "added"}:
            assert change.evidence
            assert any(cited.role == "user" for cited in change.evidence)
            assert all(cited.quote in turns[cited.turn].text for cited in change.evidence)


@pytest.mark.parametrize("batch", range(PASSES // BATCH))
def test_a_hostile_model_loses_and_invents_nothing(
    batch: int, model_home: Path, tmp_path: Path
) -> None:
    """No claim is lost or made up, no pass is half-done, and none goes over its budget."""
    for seed in range(batch * BATCH, (batch + 1) * BATCH):
        chance = random.Random(seed)
        root = tmp_path / "ava"
        shutil.rmtree(root, ignore_errors=True)
        shutil.copytree(model_home, root)
        calls, tokens = chance.randint(1, 14), chance.randint(200, 6_000)
        (root / "persona.yaml").write_text(
            f"memory:\n  cap: {{lines: {chance.choice([10, 200])}}}\n"
            f"dream:\n  budget: {{calls: {calls}, tokens: {tokens}, usd: 10}}\n"
            f"  max_change: {chance.choice([0.1, 0.3, 1.0])}\n"
            f"  learn: {chance.choice(['true', 'false'])}\n"
        )
        home = Home.open(root, clock=CLOCK)
        turns = {turn.number: turn for turn in home.turns.turns_since(Cursor("talk")).turns}
        before, claims = files_of(root), claims_of(home)
        model = ScriptedModel(default=HostileModel(chance))
        done = home.dream(model=model, propose=chance.random() < 0.1, full=chance.random() < 0.5)
        assert done.stats.model_calls <= calls
        assert done.stats.tokens_in + done.stats.tokens_out <= tokens + LARGEST.tokens
        if not done.wrote:
            assert files_of(root) == before, seed
            continue
        assert_conserved(claims, home, done.changes)
        assert_evident(done, turns)
        assert home.revert(done.id).left == ()
        assert files_of(root) == before, seed
