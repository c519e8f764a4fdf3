"""Homes under a folder, looked after in virtual time."""

from __future__ import annotations

import asyncio
import json
from datetime import timedelta
from typing import TYPE_CHECKING

from toolnexus.clock import format_instant, parse_instant
from toolnexus.fleet.report import Entry, reply_entry
from toolnexus.fleet.runner import Options, Runner
from toolnexus.fleet.work import Worker
from toolnexus.testing.virtual_time import VirtualTime

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

START = "2026-11-30T08:10:00Z"


class Fleet:
    """Homes under a folder, and a clock that a run over them moves on."""

    def __init__(self, root: Path, start: str = START) -> None:
        self.root = root
        self.time = VirtualTime(parse_instant(start))
        self.entries: list[Entry] = []
        self.runner: Runner | None = None
        self.dreams = False
        root.mkdir(exist_ok=True)

    def add(self, name: str, heartbeat: str = "", settings: str = "timezone: UTC") -> Path:
        """Make a home, which has dreamt for long unless dreams are asked for."""
        home = self.root / name
        home.mkdir(parents=True)
        (home / "SOUL.md").write_text(f"# {name}\n")
        self.set(home, settings)
        if heartbeat:
            (home / "HEARTBEAT.md").write_text(heartbeat)
        if not self.dreams:
            state = home / ".toolnexus" / "state"
            state.mkdir(parents=True)
            last = {"at": format_instant(self.time.now())}
            (state / "dream-last.json").write_text(json.dumps(last))
        return home

    def set(self, home: Path, settings: str) -> None:
        """Write a home's settings of the heartbeat."""
        dream = "" if self.dreams else "dream: {every: 500w}\n"
        (home / "persona.yaml").write_text(f"heartbeat: {{{settings}}}\n{dream}")

    def make(self, model=None, **options) -> Runner:
        """Make a run over the homes."""
        wanted = {"spread": timedelta(0), "watch": False, "look_seconds": 600.0, **options}
        tell = self.entries.append
        worker = Worker(
            self.time,
            lambda job, text: tell(reply_entry(job, text, self.time.now())),
            model,
            self.time.monotonic,
        )
        return Runner(
            Options((str(self.root),), **wanted),
            self.time,
            worker.do,
            tell,
            aside=self.time.aside,
        )

    def run(self, hours: float, *steps: tuple[float, Callable[[], object]], **options) -> int:
        """Run for some hours of virtual time; each step is done when its hours have passed."""

        async def run() -> int:
            runner = self.runner = self.make(**options)

            async def end() -> None:
                passed = 0.0
                for hour, step in sorted((*steps, (hours, runner.stop)), key=lambda one: one[0]):
                    await asyncio.sleep((hour - passed) * 3600)
                    passed = hour
                    step()

            ending = asyncio.ensure_future(end())
            try:
                return await runner.run()
            finally:
                ending.cancel()

        return self.time.run(run())

    def jobs(self, kind: str = "beat", home: str = "") -> list[Entry]:
        """Return what was told of jobs."""
        return [
            entry
            for entry in self.entries
            if entry.event == "job" and entry.job == kind and entry.home.endswith(home)
        ]

    def times(self, *outcomes: str, home: str = "") -> list[str]:
        """Return when beats ended, as hours and minutes."""
        return [
            f"{entry.time:%H:%M}"
            for entry in self.jobs(home=home)
            if not outcomes or entry.outcome in outcomes
        ]

    def said(self) -> list[str]:
        """Return what beats said, with the time."""
        return [f"{e.time:%H:%M} {e.text}" for e in self.entries if e.event == "reply"]
