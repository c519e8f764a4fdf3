"""One contender at one size: every row that it has, in an order that leaves none in the way."""

from __future__ import annotations

import contextlib
import os
import shutil
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING

from benchmarks.generate import queries, write_home
from benchmarks.measure import Cost, environment
from benchmarks.peers.contenders import OFFLINE, Contender
from benchmarks.peers.figures import Figure, figure_of
from benchmarks.peers.talk import DriverError, OverBudgetError, Talk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from benchmarks.generate import NoteFile
    from benchmarks.peers.talk import Answer

ENOUGH_SECONDS = 10.0
"""So long a row is measured again and again, for a median."""
SEARCHES = 50
TRIES = 3
ADDS = 10
APPENDS = 50
_KEPT_VARIABLES = ("PATH", "LANG", "LC_ALL", "TMPDIR", "LD_LIBRARY_PATH")
_TURN = "We moved to the house by the mill."


@dataclass(slots=True)
class Bench:
    """A contender with its vault at one size.

    Args:
        contender: Who.
        python: Its interpreter.
        size: How many notes the vault has.
        folder: Where vault and state go.
        budget_seconds: The time for each step.
        remark: Is told what went wrong.
    """

    contender: Contender
    python: Path
    size: int
    folder: Path
    budget_seconds: float
    remark: Callable[[str], None]
    peak_bytes: int = 0
    _notes: list[NoteFile] = field(default_factory=list)
    _talk: Talk | None = None

    def measure(self) -> Iterator[Figure]:
        """Yield every figure that can be had."""
        try:
            yield from self._index()
            yield from self._median("unchanged", "refresh", [[]] * TRIES)
            yield from self._edited()
            asked = [[query] for query in queries(self._notes, SEARCHES)]
            claims = [[_claim(number)] for number in range(ADDS + 1)]
            self._warm("search", asked[0])
            yield from self._median("search", "search", asked)
            yield from self._median("find", "find", asked[:TRIES])
            self._warm("add", claims[0])
            yield from self._median("add", "add", claims[1:])
            yield from self._append()
            yield from self._median("dream", "dream", [[]])
            if self.peak_bytes:
                yield self._bytes("memory", self.peak_bytes)
            yield self._bytes("disk", self._disk_bytes())
            yield from self._start(str(asked[0][0]))
        finally:
            self._leave()

    def _index(self) -> Iterator[Figure]:
        """Index from nothing, in a fresh process; where that cannot be, fill it some other way."""
        self._make_vault()
        try:
            opened, answer = self._open(), self._ask("index")
        except OverBudgetError as error:
            yield figure_of(self.contender.name, self.size, "cold", error.cost, over=True)
            answer = None
        else:
            if answer is not None:
                cost = Cost(opened.wall + answer.median.wall, opened.cpu + answer.median.cpu)
                yield figure_of(self.contender.name, self.size, "cold", cost)
        if answer is None:
            self._leave()
            self._make_vault()
            if self._ask("fill") is None:
                raise DriverError("without an index there is nothing more to measure")

    def _edited(self) -> Iterator[Figure]:
        """Change a note and have it indexed, as often as a median needs."""
        costs: list[Cost] = []
        for number in range(TRIES):
            path = self._vault / self._notes[number * 7 % len(self._notes)].path
            with path.open("a", encoding="utf-8") as out:
                out.write(f"- The quizzaciously{number} lantern hangs behind the door.\n")
            figures = list(self._median("edited", "refresh", [[]]))
            if not figures or figures[0].over:
                yield from figures
                return
            costs.append(Cost(figures[0].wall, figures[0].cpu))
            if sum(cost.wall for cost in costs) > ENOUGH_SECONDS:
                break
        middle = sorted(costs, key=lambda cost: cost.cpu)[len(costs) // 2]
        yield figure_of(self.contender.name, self.size, "edited", middle)

    def _append(self) -> Iterator[Figure]:
        try:
            self._ask("converse", [[self.size]])
        except DriverError as error:
            self.remark(f"no conversation: {error}")
            return
        yield from self._median("append", "append", [[_TURN]] * APPENDS)

    def _start(self, query: str) -> Iterator[Figure]:
        """Start the process anew and ask it something."""
        costs: list[Cost] = []
        for _ in range(TRIES):
            self._leave()
            try:
                if self._ask("search", [[query]]) is None and self._ask("find", [[query]]) is None:
                    return
            except OverBudgetError as error:
                yield figure_of(self.contender.name, self.size, "start", error.cost, over=True)
                return
            except DriverError as error:
                self.remark(f"no first answer: {error}")
                return
            assert self._talk is not None
            costs.append(self._talk.close())
            self._talk = None
        middle = sorted(costs, key=lambda cost: cost.cpu)[len(costs) // 2]
        yield figure_of(self.contender.name, self.size, "start", middle)

    def _warm(self, operation: str, arguments: Sequence[object]) -> None:
        """Do it once unmeasured, so that imports are not counted; what fails is told later."""
        with contextlib.suppress(DriverError):
            self._ask(operation, [arguments])

    def _median(
        self, row: str, operation: str, calls: Sequence[Sequence[object]]
    ) -> Iterator[Figure]:
        """Measure a row by its median; nothing where the contender does not have it."""
        try:
            answer = self._ask(operation, calls)
        except OverBudgetError as error:
            yield figure_of(self.contender.name, self.size, row, error.cost, over=True)
        except DriverError as error:
            self.remark(f"no figure for '{row}': {error}")
        else:
            if answer is not None:
                yield figure_of(self.contender.name, self.size, row, answer.median)

    def _ask(self, operation: str, calls: Sequence[Sequence[object]] = ((),)) -> Answer | None:
        """Ask the contender; a process that is not there is started, and the vault opened."""
        if self._talk is None:
            self._open()
        assert self._talk is not None
        answer = self._asked(self._talk, operation, calls)
        if answer is not None:
            self.peak_bytes = max(self.peak_bytes, answer.median.peak_bytes)
        return answer

    def _asked(
        self, talk: Talk, operation: str, calls: Sequence[Sequence[object]]
    ) -> Answer | None:
        try:
            return talk.ask(
                operation, calls, budget_seconds=self.budget_seconds, enough_seconds=ENOUGH_SECONDS
            )
        except DriverError:
            self._leave()
            raise

    def _open(self) -> Cost:
        """Start the contender on its vault; return what opening cost, its imports included."""
        self._leave()
        self._talk = talk = Talk(self.python, self.contender.driver, self._environment())
        answer = self._asked(talk, "open", [[str(self._vault), str(self._state)]])
        assert answer is not None
        return answer.median

    def _leave(self) -> None:
        talk, self._talk = self._talk, None
        if talk is not None:
            talk.close()

    @property
    def _vault(self) -> Path:
        return self.folder / "vault"

    @property
    def _state(self) -> Path:
        return self.folder / "state"

    def _make_vault(self) -> None:
        shutil.rmtree(self._vault, ignore_errors=True)
        shutil.rmtree(self._state, ignore_errors=True)
        self._state.mkdir(parents=True)
        self._notes = write_home(self._vault, self.size)

    def _environment(self) -> Mapping[str, str]:
        """Return its variables: nothing of ours for a peer, and no way to the network."""
        if not self.contender.requirements:
            return {**environment(), **OFFLINE}
        kept = {name: os.environ[name] for name in _KEPT_VARIABLES if name in os.environ}
        places = {"state": str(self._state), "vault": str(self._vault)}
        own = {name: value.format(**places) for name, value in self.contender.variables}
        return {**kept, **OFFLINE, **own}

    def _disk_bytes(self) -> int:
        places = [self._state] if self.contender.keeps_texts else [self._vault, self._state]
        return sum(
            file.lstat().st_size for place in places for file in place.rglob("*") if file.is_file()
        )

    def _bytes(self, row: str, count: int) -> Figure:
        return Figure(self.contender.name, self.size, row, count, count)


def _claim(number: int) -> str:
    words = islice(("lantern", "mill", "door", "garden", "stair"), number % 5 + 1)
    return f"Number {number} hangs by the {' and the '.join(words)}."
