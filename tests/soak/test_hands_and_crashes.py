"""Hand edits, commands and crashes in any order, against a simple model of what must be there."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from interposer import Fault
from verdict import STATE, Verdict, held_locks, leftovers, plain, state_of
from work_under_fault import exports, make_home

if TYPE_CHECKING:
    from pathlib import Path

    from fork_server import CommandServer
    from tally import Tally

pytestmark = pytest.mark.soak

IS_FULL = os.environ.get("TOOLNEXUS_SOAK", "sample") == "full"
LIVES, STEPS = (40, 25) if IS_FULL else (6, 12)
HARNESS = "hand edits, work and crashes"
# What the scripted model corrects, with evidence.
MAY_CHANGE = frozenset({"lives in paris", "two hives, on the roof"})
COMMANDS = (
    "dream",
    "dream with a model",
    "dream --propose",
    "review --apply",
    "review --discard",
    "revert",
    "ask, with the memory tool",
    "beat",
    "a turn",
    "import",
    "transcripts search",
)
# Done, nothing to do it to, held, the disk failed.
FINE = frozenset({0, 2, 3, 74})

faults = st.one_of(
    st.just(Fault()),
    st.builds(Fault, st.just("kill"), st.integers(0, 70)),
    st.builds(Fault, st.just("kill half-way"), st.integers(0, 15), kinds=st.just(1)),
    st.builds(
        Fault,
        st.just("fail"),
        st.integers(0, 70),
        st.sampled_from(["EIO", "ENOSPC", "EACCES"]),
        st.booleans(),
    ),
)


class HandsAndCrashes(RuleBasedStateMachine):
    """A home that people and commands change, and that things happen to."""

    server: CommandServer
    tally: Tally
    folder: Path

    @initialize()
    def begin(self) -> None:
        """Make the home."""
        self.root = self.folder / "ava"
        shutil.rmtree(self.folder, ignore_errors=True)
        make_home(self.root)
        exports(self.root)
        self.wanted = set(state_of(self.root).claims) - MAY_CHANGE
        self.turns = 0
        self.number = 0

    def new_claim(self) -> str:
        """Return a claim that nobody has made."""
        self.number += 1
        return f"Saw ship {self.number} in the harbour."

    def notes(self) -> list[Path]:
        """List the notes that a person may edit, MEMORY.md among them."""
        found = [path for path in (self.root / "memory").rglob("[!.]*.md") if path.name != "log.md"]
        return sorted([*found, *self.root.glob("MEMORY.md")])

    @rule(at=st.integers(0, 99), atomic=st.booleans())
    def add_by_hand(self, at: int, atomic: bool) -> None:
        """Add a line in an editor, which puts a new file in place or writes into the old one."""
        notes = self.notes() or [self.root / "MEMORY.md"]
        path, claim = notes[at % len(notes)], self.new_claim()
        text = path.read_bytes() if path.exists() else b"# Memory\n"
        newline = b"" if text.endswith(b"\n") else b"\n"
        data = text + newline + f"- {claim}\n".encode()
        if atomic:
            (path.parent / "4913~").write_bytes(data)
            (path.parent / "4913~").replace(path)
        else:
            path.write_bytes(data)
        self.wanted.add(plain(claim))

    @rule(at=st.integers(0, 99))
    @precondition(lambda self: self.number > 1)
    def strike_out_by_hand(self, at: int) -> None:
        """Strike a claim out, wherever it stands."""
        ships = sorted(claim for claim in self.wanted if claim.startswith("saw ship"))
        if not ships:
            return
        gone = ships[at % len(ships)]
        for path in self.notes():
            lines = path.read_bytes().splitlines(keepends=True)
            kept = [line for line in lines if plain(line.decode().lstrip("- ")) != gone]
            if kept != lines:
                path.write_bytes(b"".join(kept))
        self.wanted.discard(gone)

    @rule(at=st.integers(0, 99))
    def delete_by_hand(self, at: int) -> None:
        """Delete a note: what it alone says is meant to go."""
        notes = [path for path in self.notes() if path.name != "MEMORY.md"]
        if notes:
            notes[at % len(notes)].unlink()
            self.wanted &= state_of(self.root).claims

    @rule(at=st.integers(0, 99))
    def rename_by_hand(self, at: int) -> None:
        """Rename a note in the file manager."""
        notes = [path for path in self.notes() if path.name != "MEMORY.md"]
        if notes:
            self.number += 1
            path = notes[at % len(notes)]
            path.rename(path.with_name(f"renamed-{self.number}.md"))

    @rule(fault=faults)
    def remember(self, fault: Fault) -> None:
        """Remember something, perhaps on a failing disk or to be killed."""
        claim = self.new_claim()
        self.work("remember", fault, ("toolnexus", "remember", str(self.root), claim), claim)

    @rule(name=st.sampled_from(COMMANDS), fault=faults)
    def command(self, name: str, fault: Fault) -> None:
        """Run a command, perhaps on a failing disk or to be killed."""
        self.work(name, fault, (name,), "")

    def work(self, name: str, fault: Fault, words: tuple[str, ...], claim: str) -> None:
        """Run a command, and see how it ended."""
        ended = self.server.run(words[0], self.root, fault, words=words[1:])
        verdict = Verdict(hung=ended.hung)
        if ended.code not in FINE and not ended.was_killed:
            verdict.mistold.append(f"exit {ended.code}: {ended.err[-400:]}")
        claims = state_of(self.root).claims
        if claim and ended.code == 0:
            self.wanted.add(plain(claim))
        elif claim and plain(claim) in claims:
            self.wanted.add(plain(claim))
            if ended.code == 74 and not fault.lasting:
                verdict.mistold.append("exit 74, and it is remembered")
        verdict.stale += held_locks(self.root)
        verdict.lost += sorted(self.wanted - claims)
        verdict.half += leftovers(self.root)
        kind = f"{fault.how} {fault.error}" if fault.how == "fail" else fault.how
        self.tally.count(HARNESS, name, kind, verdict, faults=min(1, ended.injected))
        assert verdict.survived, (name, fault, verdict, ended)

    @invariant()
    def nothing_is_lost(self) -> None:
        """Every claim that was made and not struck out by hand stands in the home."""
        if hasattr(self, "wanted"):
            assert self.wanted <= state_of(self.root).claims
            assert not leftovers(self.root)
            assert (self.root / STATE).is_dir()


def test_hands_work_and_crashes_lose_nothing(
    server: CommandServer, tmp_path: Path, tally: Tally
) -> None:
    """Whatever people, commands and crashes do to a home, no claim is lost and nothing is half."""
    HandsAndCrashes.server, HandsAndCrashes.tally = server, tally
    HandsAndCrashes.folder = tmp_path.resolve() / "life"
    run_state_machine_as_test(
        HandsAndCrashes,
        settings=settings(
            max_examples=LIVES,
            stateful_step_count=STEPS,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
