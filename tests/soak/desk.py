"""A command and the home that it is done to: what comes of it, and whether it can be done again."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from interposer import ALL_KINDS, Fault
from verdict import State, Verdict, copy_home, state_of
from work_under_fault import WORK, exports, make_home, opened

if TYPE_CHECKING:
    from pathlib import Path

    from fork_server import CommandServer, Ended
    from work_under_fault import Work

# What a command may end with when its disk fails; 0 and 3 where it could do without.
FINE = frozenset({0, 3})


@dataclass(frozen=True, slots=True)
class Desk:
    """A command, the home it is done to, and what comes of it.

    Attributes:
        name: The command's.
        work: The command.
        home: A home that it has not been done to; copies of it are worked on.
        before: That home's state.
        after: Its state when the command has been done.
        server: What runs commands.
    """

    name: str
    work: Work
    home: Path
    before: State
    after: State
    server: CommandServer
    _counts: dict[int, int] = field(default_factory=dict)

    def calls(self, kinds: int = ALL_KINDS) -> int:
        """Tell how many calls of some kinds the command makes when nothing fails."""
        if kinds not in self._counts:
            counted = copy_home(self.home, self.home.parent.parent / "counted" / "ava")
            exports(counted)
            self._counts[kinds] = self.server.run(self.name, counted, Fault(kinds=kinds)).met
        return self._counts[kinds]


def prepared(name: str, folder: Path) -> Path:
    """Make a home that a command can be done to."""
    home = make_home(folder / "prepared" / "ava")
    exports(home)
    opened(home).dream(dry_run=True)  # warms what is kept beside the home
    if (before := WORK[name].before) is not None:
        before(home)
    return home


def desk_for(name: str, server: CommandServer, folder: Path, *, trace: str = "") -> Desk:
    """Prepare a home for a command, and see what the command does when nothing fails.

    Args:
        name: The command's.
        server: What runs it.
        folder: Where homes are made.
        trace: Where to write down what it changes in ``whole/ava``; empty for nowhere.
    """
    home = prepared(name, folder)
    before = state_of(home)
    whole = copy_home(home, folder / "whole" / "ava")
    exports(whole)
    done = server.run(name, whole, trace=trace)
    assert done.code in FINE, done
    return Desk(name, WORK[name], home, before, state_of(whole), server)


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
