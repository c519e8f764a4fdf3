"""The runner: one loop that starts what is due, looks for changes, and stops in good order."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Protocol, TypeVar

from toolnexus.agent.calls import on_thread
from toolnexus.app.scheduled import Place
from toolnexus.errors import DiskError
from toolnexus.fleet.health import serve_health
from toolnexus.fleet.job import Failure
from toolnexus.fleet.report import Entry, job_entry
from toolnexus.fleet.roster import Survey, Surveyor, require_folders, roots_of
from toolnexus.fleet.schedule import Schedule
from toolnexus.fleet.status import Status, Tally

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from datetime import datetime
    from pathlib import Path

    from toolnexus.app.scheduled import Standing
    from toolnexus.clock import Clock
    from toolnexus.fleet.health import Address
    from toolnexus.fleet.job import Done, Job
    from toolnexus.index.watch import Watch

_T = TypeVar("_T")
_LONGEST_PAUSE = 60.0  # a machine may have slept, or its clock have been set
_JUMP = timedelta(seconds=2)
_HINT_SECONDS = 0.5  # editors save in several steps
_SETTLE_SECONDS = 2.0  # whoever makes a home writes its files one after the other


class Aside(Protocol):
    """Calls a function where it does not hold up the loop, and awaits what it returns."""

    def __call__(self, function: Callable[[], _T], /) -> Awaitable[_T]:
        """Call it."""
        ...


@dataclass(frozen=True, slots=True)
class Options:
    """How a fleet is run.

    Attributes:
        folders: Where the homes lie.
        jobs: How many jobs may run at once.
        spread: How long a job may be put off, so that not all start at once.
        listen: Where to answer questions about health; None answers none.
        once: Do what is due now, then stop.
        watch: Whether to have changes hinted at; else they are found by looking.
        look_seconds: How often to look for changes that nobody hinted at.
        grace_seconds: How long jobs may go on when it is to stop.
    """

    folders: tuple[str, ...]
    jobs: int = 8
    spread: timedelta = timedelta(seconds=60)
    listen: Address | None = None
    once: bool = False
    watch: bool = True
    look_seconds: float = 60.0
    grace_seconds: float = 30.0


class Runner:
    """Runs the beats and dreams of all homes under some folders.

    Args:
        options: How.
        clock: Tells the time.
        do: Does a job, on a thread.
        tell: Is given what happens, from this and other threads.
        state_of: Tells a home's state folder by its path; None keeps each in the home.
        aside: Calls what would hold up the loop.
    """

    def __init__(
        self,
        options: Options,
        clock: Clock,
        do: Callable[[Job], Done],
        tell: Callable[[Entry], None],
        *,
        state_of: Callable[[Path], Path | None] = lambda _root: None,
        aside: Aside = on_thread,
    ) -> None:
        self._options = options
        self._clock = clock
        self._do = do
        self._tell = tell
        self._aside = aside
        self._state_of = state_of
        self._surveyor = Surveyor(options.folders, self._place_of, clock)
        self._survey = Survey()
        self._schedule = Schedule(options.jobs, timedelta(0) if options.once else options.spread)
        self._tally = Tally()
        self._jobs: dict[Job, asyncio.Task[None]] = {}
        self._looking: asyncio.Task[None] | None = None
        self._looked_at = 0.0
        self._watch: Watch | None = None
        self._drift: timedelta | None = None
        self._loop: asyncio.AbstractEventLoop
        self._wake: asyncio.Event
        self._is_stopping = False
        self._abort_code = 0
        self._error: BaseException | None = None
        self.address: Address | None = None

    async def run(self, *, signals: bool = False) -> int:
        """Run until `stop` is called.

        Args:
            signals: Whether SIGTERM and SIGINT stop it; a second one ends it at once.

        Returns:
            The exit code: 0; with `Options.once` the worst of its jobs; 128 and the signal's number
            where a second one ended it.

        Raises:
            HomeError: when a folder is not there.
            ConfigError: when nobody can listen at the address.
        """
        require_folders(self._options.folders)
        self._loop = asyncio.get_running_loop()
        self._wake = asyncio.Event()
        async with contextlib.AsyncExitStack() as stack:
            if self._options.listen is not None:
                server = serve_health(self._options.listen, self.status)
                self.address = await stack.enter_async_context(server)
            if signals:
                self._handle_signals(stack)
            await self._begin(stack)
            await self._turn()
            await self._end()
        return self._abort_code or (self._tally.worst_code if self._options.once else 0)

    def stop(self) -> None:
        """Begin nothing new, and end when what runs has come to its end."""
        self._is_stopping = True
        self._wake.set()

    def status(self) -> Status:
        """Return how it is."""
        now = self._clock.now()
        return Status(
            homes=self._schedule.homes,
            broken=self._schedule.broken,
            running=len(self._schedule.running),
            waiting=self._schedule.waiting(now),
            overdue_seconds=self._schedule.overdue(now).total_seconds(),
            done=dict(self._tally.done),
            is_stopping=self._is_stopping,
        )

    async def _begin(self, stack: contextlib.AsyncExitStack) -> None:
        if self._options.watch and not self._options.once:
            self._watch = await self._start_watch()
            if self._watch is not None:
                stack.callback(self._watch.close)
        await self._look(is_first=True)
        where = "" if self.address is None else f"; http://{self._shown_address()}/healthz"
        count = self._schedule.homes
        homes = "1 home" if count == 1 else f"{count} homes"
        found = f"{homes} in {', '.join(self._options.folders)}{where}"
        self._tell(Entry(self._clock.now(), "start", reason=found))

    async def _turn(self) -> None:
        """Start what is due and wait for what comes, over and over."""
        begun = self._clock.now()
        while not self._is_stopping:
            if self._error is not None:
                raise self._error
            now = self._clock.now()
            self._heed_clock(now)
            due_by = begun if self._options.once else now
            for job in self._schedule.start(due_by):
                self._jobs[job] = self._loop.create_task(self._make(job))
            if self._options.once and not self._jobs and not self._schedule.waiting(due_by):
                return
            self._look_if_due()
            await self._pause(now)

    async def _pause(self, now: datetime) -> None:
        """Wait until something is due or has happened."""
        waits = [_LONGEST_PAUSE]
        if not self._is_looking:
            waits.append(self._looked_at + self._options.look_seconds - self._loop.time())
        next_at = self._schedule.next_at(now)
        if next_at is not None:
            waits.append((next_at - now).total_seconds())
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(max(0.0, min(waits))):
                await self._wake.wait()
        self._wake.clear()

    async def _make(self, job: Job) -> None:
        """Make one job and take note of it."""
        try:
            done = await self._aside(lambda: self._do(job))
            now = self._clock.now()
            self._schedule.finish(job, done.last, now)
            self._tally.add(done)
            self._tell(job_entry(done, now))
            for notice in done.notices:
                self._tell(Entry(now, "notice", home=job.name, job=job.kind, reason=notice))
        except Exception as error:  # noqa: BLE001 - the log cannot be written: the loop ends with it
            self._error = error
        del self._jobs[job]
        self._wake.set()

    def _heed_clock(self, now: datetime) -> None:
        """Plan anew when the clock was set, or the machine has slept."""
        drift = timedelta(seconds=now.timestamp() - self._loop.time())
        if self._drift is not None and abs(drift - self._drift) > _JUMP:
            self._schedule.replan(now)
        self._drift = drift

    def _look_if_due(self) -> None:
        """Look for changes where some were hinted at, and now and then without."""
        if self._is_looking:
            return
        if self._loop.time() >= self._looked_at + self._options.look_seconds:
            self._looking = self._loop.create_task(self._look_safely(hinted=False))
        elif self._watch is not None and self._watch.has_changes:
            self._looking = self._loop.create_task(self._look_safely(hinted=True))

    @property
    def _is_looking(self) -> bool:
        return self._looking is not None and not self._looking.done()

    async def _look_safely(self, *, hinted: bool) -> None:
        try:
            only: frozenset[Path] | None = None
            if hinted and self._watch is not None:
                await asyncio.sleep(_HINT_SECONDS)
                only = roots_of(self._watch.take(), self._survey.homes)
            added = await self._look(only)
            if added:  # what was written before the system watched them was not hinted at
                await asyncio.sleep(_SETTLE_SECONDS)
                await self._look(added)
        except Exception as error:  # noqa: BLE001 - a bug of ours must not go unnoticed
            self._error = error
        self._wake.set()

    async def _look(
        self, only: frozenset[Path] | None = None, *, is_first: bool = False
    ) -> frozenset[Path]:
        """Look at homes, take note of what is new, changed or gone, and return what is new."""
        before = self._survey
        found = await self._aside(lambda: self._surveyor.look(before, only))
        now = self._clock.now()
        for root in found.gone:
            self._schedule.dismiss(root)
            self._tell(Entry(now, "home", home=before.homes[root], outcome="removed"))
        for root, standing in found.changed.items():
            self._schedule.welcome(self._place_of(root), found.homes[root], standing, now)
            news = found.news_of(root, before)
            if standing.error is not None or (news and not is_first):
                self._tell_of(found.homes[root], news, standing, now)
        self._survey = found
        if only is None:
            self._looked_at = self._loop.time()
        return frozenset(found.homes.keys() - before.homes.keys())

    def _tell_of(self, name: str, news: str, standing: Standing, now: datetime) -> None:
        error, failure = standing.error, None
        if error is not None:
            news = "wrong settings"
            failure = Failure(str(error), error.exit_code, error.hint)
        self._tell(Entry(now, "home", home=name, outcome=news, failure=failure))

    async def _start_watch(self) -> Watch | None:
        from toolnexus.index.watch import Watch

        def wake() -> None:
            with contextlib.suppress(RuntimeError):  # the loop has ended
                self._loop.call_soon_threadsafe(self._wake.set)

        watch = Watch(self._options.folders, wake)
        try:
            await self._aside(watch.__enter__)
        except DiskError as error:
            told = f"{error}; looking every {self._options.look_seconds:g} s instead"
            self._tell(Entry(self._clock.now(), "notice", reason=told))
            return None
        return watch

    async def _end(self) -> None:
        """Wait for what runs, within bounds, and say what was left."""
        deadline = self._loop.time() + self._options.grace_seconds
        while self._jobs and not self._abort_code and (left := deadline - self._loop.time()) > 0:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(left):
                    await self._wake.wait()
            self._wake.clear()
        now = self._clock.now()
        for job in self._jobs:
            told = "left unfinished; it is made anew by the next run"
            self._tell(Entry(now, "notice", home=job.name, job=job.kind, reason=told))
        self._tell(Entry(now, "stop", reason=f"jobs made: {sum(self._tally.done.values())}"))
        for task in (*self._jobs.values(), *filter(None, [self._looking])):
            task.cancel()

    def _handle_signals(self, stack: contextlib.AsyncExitStack) -> None:
        for number in (signal.SIGTERM, signal.SIGINT):
            self._loop.add_signal_handler(number, self._on_signal, number)
            stack.callback(self._loop.remove_signal_handler, number)

    def _on_signal(self, number: int) -> None:
        if self._is_stopping:
            self._abort_code = 128 + number
        self.stop()

    def _place_of(self, root: Path) -> Place:
        return Place(root, self._state_of(root))

    def _shown_address(self) -> str:
        assert self.address is not None
        host = f"[{self.address.host}]" if ":" in self.address.host else self.address.host
        return f"{host}:{self.address.port}"
