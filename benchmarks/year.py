"""A year in the life of the sample persona, on a clock of its own: what becomes of its memory.

Usage: python -m benchmarks.year [--weeks N] [--out FILE]

Each week something is said, some of it is remembered, the persona is asked something, and then it
dreams, compacts and imagines. Dreams have a scripted model that corrects what a turn overtook, and
nothing else; the rest goes without a model. Before and after each job all claims are compared: one
that is gone and that no change of the job explains counts as lost.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.year_story import THINGS, weeks
from toolnexus import Home, copy_sample
from toolnexus.clock import parse_instant
from toolnexus.home.operations.write import write_note
from toolnexus.home.ripening import is_archived, is_proposed
from toolnexus.testing.model import ScriptedModel, call, say, use
from toolnexus.testing.virtual_time import VirtualTime
from toolnexus.text.fold import fold_claim

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from datetime import datetime

    from benchmarks.year_story import Overtaken, Week
    from toolnexus.change.plan import Change
    from toolnexus.home.snapshot import Snapshot
    from toolnexus.models.completion import Completion, Request

BEGIN = "2026-12-01T09:00:00Z"
WEEKS = 52
WEEK_SECONDS = 7 * 86_400
_MONTH_WEEKS = 52 / 12
_LINK = re.compile(r"!?\[\[[^\[\]]*\]\]|\[[^\[\]]*\]\([^()]*\)")
_TAKING = frozenset({"corrected", "dropped", "merged", "demoted"})


@dataclass(frozen=True, slots=True)
class Month:
    """What there is at the end of a month.

    Attributes:
        name: Such as ``2026-12``.
        claims: Claims of the index and of notes, archived ones too; guesses claim nothing.
        stages: Live notes by stage.
        archived: Notes in the archive, faded guesses among them.
        guesses: Guesses that are live; `faded` are in the archive; `accepted` became notes.
        faded: See `guesses`.
        accepted: See `guesses`.
        index_lines: Lines of MEMORY.md; `index_bytes` its bytes.
        index_bytes: See `index_lines`.
        corrected: Claims that dreams corrected so far.
        waiting: Changes that wait for a person.
        lost: Claims that are gone without a change that explains it, so far.
    """

    name: str
    claims: int
    stages: dict[str, int]
    archived: int
    guesses: int
    faded: int
    accepted: int
    index_lines: int
    index_bytes: int
    corrected: int
    waiting: int
    lost: int

    def cells(self) -> tuple[str, ...]:
        """Return the month as a row."""
        stages = " / ".join(str(count) for count in self.stages.values())
        guesses = f"{self.guesses} / {self.faded} / {self.accepted}"
        index = f"{self.index_lines} / {self.index_bytes:,}"
        numbers = (self.claims, stages, self.archived, guesses, index, self.corrected, self.waiting)
        return (self.name, *map(str, numbers), str(self.lost))


HEAD = (
    "month",
    "claims",
    "raw / extracted / knowledge / skill",
    "archived",
    "guesses: live / faded / accepted",
    "index: lines / bytes",
    "corrected",
    "waiting",
    "lost",
)


@dataclass(slots=True)
class Year:
    """The persona's year, as it goes on.

    Attributes:
        root: The home's folder.
        asks: Whether something is asked each week.
        time: Its clock.
        begin: When it began.
        months: What there was at each month's end.
        lost: The claims that went without a change that explains it.
        guesses: The sources of each guess that was made.
        accepted: How many guesses were accepted.
        corrected: How many claims dreams corrected.
        cap: Lines and bytes that the index may have.
    """

    root: Path
    asks: bool = True
    time: VirtualTime = field(default_factory=lambda: VirtualTime(parse_instant(BEGIN)))
    begin: datetime = field(default_factory=lambda: parse_instant(BEGIN))
    months: list[Month] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    guesses: list[tuple[str, ...]] = field(default_factory=list)
    accepted: int = 0
    corrected: int = 0
    cap: tuple[int, int] = (200, 25_600)
    _touched: dict[Path, int] = field(default_factory=dict)

    def live(self, count: int = WEEKS) -> Year:
        """Live so many weeks."""
        copy_sample("ava", self.root)
        self._age()
        for week in weeks(self.begin, count):
            self._week(week)
            due = int((week.number + 1) / _MONTH_WEEKS)
            if due > len(self.months) or week.number + 1 == count:
                self.months.append(self._month())
            self.time.sleep(WEEK_SECONDS)
        return self

    def open(self) -> Home:
        """Open the home, as each job does in a process of its own."""
        return Home.open(self.root, clock=self.time, model="none")

    def _week(self, week: Week) -> None:
        home = self.open()
        for turn in week.turns:
            home.transcripts.append(week.conversation, turn)
        for fact in week.facts:
            self._job(lambda: home.remember(fact) and ())  # noqa: B023 - called at once
        self._job(lambda: home.perform("memory", lambda h: _new_note(h, week))[1].changes)
        self._age()
        if self.asks:
            self._ask(week)
        self._rate(week)
        dreamer = ScriptedModel(default=_Dreamer(self.open(), week))
        self._job(lambda: self._count(self.open().dream(model=dreamer).changes))
        self._job(lambda: self.open().compact().changes)
        self._job(self._imagine)
        self._age()

    def _ask(self, week: Week) -> None:
        """Ask something that the notes answer: what the answer drew on is a use."""
        thing = THINGS[week.number % len(THINGS)]
        query = use(call("note_search", query=f"who lent the {thing}", limit=2))
        self.open().ask(
            f"Who lent me the {thing}?", model=ScriptedModel(query, "It is in my notes.")
        )

    def _rate(self, week: Week) -> None:
        """Praise a guess each month, and accept one each season."""
        home = self.open()
        snapshot = home.read()
        live = sorted(path for path in snapshot.notes if _is_guess(snapshot, path))
        live = [path for path in live if not is_archived(path)]
        if live and week.number % 4 == 2:
            home.feedback(Path(live[0]).stem, 1, "worth a thought")
        if live and week.number % 13 == 11:
            path = self.root / live[-1]
            path.write_text(path.read_text("utf-8").replace("status: proposed\n", ""), "utf-8")
            self.accepted += 1

    def _imagine(self) -> Sequence[Change]:
        done = self.open().imagine()
        self.guesses += [tuple(sorted(guess.derived_from)) for guess in done.imagined]
        return done.changes

    def _count(self, changes: Sequence[Change]) -> Sequence[Change]:
        self.corrected += sum(change.kind == "corrected" for change in changes)
        return changes

    def _job(self, work: Callable[[], Iterable[Change]]) -> None:
        """Do something, and hold all claims before against all claims after."""
        before = claims_of(self.open().read())
        told = {key for c in work() if c.kind in _TAKING for key in _keys(c.before)}
        gone = before - claims_of(self.open().read())
        self.lost += [text for text in gone if text not in told]

    def _age(self) -> None:
        """Give what was written since the last time the time of the clock: it was written then."""
        now_ns = int(self.time.now().timestamp() * 1e9)
        for path in self.root.rglob("*.md"):
            seen = path.stat().st_mtime_ns
            if self._touched.get(path) != seen:
                os.utime(path, ns=(now_ns, now_ns))
                self._touched[path] = now_ns

    def _month(self) -> Month:
        home = self.open()
        seen, snapshot = home.overview(), home.read()
        guesses = [path for path in snapshot.notes if _is_guess(snapshot, path)]
        self.cap = (seen.cap_lines, seen.cap_bytes)
        return Month(
            name=f"{self.time.now():%Y-%m}",
            claims=seen.claims,
            stages=dict(seen.ripening.stages),
            archived=seen.ripening.archived,
            guesses=sum(not is_archived(path) for path in guesses),
            faded=sum(is_archived(path) for path in guesses),
            accepted=self.accepted,
            index_lines=seen.index_lines,
            index_bytes=seen.index_bytes,
            corrected=self.corrected,
            waiting=seen.waiting,
            lost=len(self.lost),
        )


class _Dreamer:
    """Corrects what the week's conversation overtook, once it is shown both, and nothing else."""

    def __init__(self, home: Home, week: Week) -> None:
        self._home = home
        self._week = week
        self._done: set[Overtaken] = set()

    def __call__(self, request: Request) -> Completion:
        shown = str(getattr(request.messages[-1], "text", ""))
        for each in self._week.overtaken:
            target = _where(self._home.read(), each.before)
            if each not in self._done and target and each.before in shown and each.quote in shown:
                self._done.add(each)
                cited = {"conversation": self._week.conversation, "turn": 1, "quote": each.quote}
                return use(
                    call(
                        "memory",
                        action="replace",
                        target=target,
                        text=each.before,
                        with_=each.after,
                        evidence=[cited],
                    )
                )
        return say("HEARTBEAT_OK")


def claims_of(home: Snapshot) -> set[str]:
    """Return all that a home says, guesses and the archive included, links aside."""
    return {
        key for note in home.notes.values() for c in note.document.claims for key in _keys(c.text)
    }


def _keys(text: str) -> list[str]:
    key = fold_claim(_LINK.sub("", text)).strip(" :,.–—-")
    return [key] if key else []


def _where(home: Snapshot, text: str) -> str:
    """Name the file that a claim stands in, as the memory tool does; empty when it is gone."""
    for path, note in home.notes.items():
        if any(claim.text == text for claim in note.document.claims):
            return "self" if path == "MEMORY.md" else note.slug
    return ""


def _is_guess(home: Snapshot, path: str) -> bool:
    return is_proposed(home.notes[path]) and "dreamed" in home.notes[path].tags


def _new_note(home: Snapshot, week: Week) -> object:
    return write_note(home, week.slug, week.note_text)


def page(year: Year, count: int) -> str:
    """Write the year as a page."""
    lines = [HEAD, tuple("---" for _ in HEAD), *(month.cells() for month in year.months)]
    table = "".join(f"| {' | '.join(cells)} |\n" for cells in lines)
    repeated = len(year.guesses) - len(set(year.guesses))
    most = max(month.index_lines for month in year.months)
    return (
        "# A simulated year\n\n"
        "The sample persona Ava, on a clock of its own. Each week Maria says something, some of "
        "it is\nremembered, one note is written, a question is answered, and then the home dreams, "
        "compacts and\nimagines. Now and then a price changes. Dreams have a scripted model that "
        "corrects what a turn\novertook; all else goes without a model. A guess is praised each "
        "month, and one accepted each season.\n\n"
        "*Claims* are those of MEMORY.md, USER.md and notes, the archive included, guesses left "
        "out. *Lost* counts\nclaims that are gone from the home, its archive included, without a "
        "change in the log that explains it.\n\n"
        "Made by `python -m benchmarks.year --out docs/ripening-year.md`; the first weeks are a "
        "test:\n[`test_year.py`](../tests/evolve/test_year.py).\n\n"
        f"{table}\n"
        f"- {count} weeks, {len(year.guesses)} guesses, {repeated} of them of the same notes as "
        "one before.\n"
        f"- {year.corrected} claims corrected, each on the words that overtook it; "
        f"{len(year.lost)} lost.\n"
        f"- The index had {most} lines at the most at a month's end; its cap is "
        f"{year.cap[0]} lines or {year.cap[1]:,} bytes.\n"
    )


def main(argv: Sequence[str]) -> int:
    """Live a year, and print it."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.year", description=__doc__)
    parser.add_argument("--weeks", type=int, default=WEEKS, metavar="N")
    parser.add_argument("--out", type=Path, metavar="FILE", help="also write the page there")
    options = parser.parse_args(argv)
    with tempfile.TemporaryDirectory(prefix="toolnexus-year-") as folder:
        year = Year(Path(folder, "ava")).live(options.weeks)
    told = page(year, options.weeks)
    print(told, end="")
    if options.out is not None:
        options.out.write_text(told, "utf-8")
    return 1 if year.lost else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
