"""The schedule: decides which job of which home starts when. It touches nothing."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from toolnexus.fleet.due_queue import DueQueue
from toolnexus.fleet.job import KINDS, Job, Kind
from toolnexus.fleet.pace import Pace, beat_pace, dream_pace

if TYPE_CHECKING:
    from pathlib import Path

    from toolnexus.app.scheduled import Last, Place, Standing

_NEVER_MADE = datetime(1970, 1, 1, tzinfo=UTC)

Key = tuple["Path", Kind]


@dataclass(slots=True)
class Track:
    """One kind of job of one home.

    Attributes:
        pace: When it comes round; None where the settings are wrong.
        last: When it was last made.
        slot: What the job that is planned or runs stands for.
    """

    pace: Pace | None
    last: Last
    slot: datetime = _NEVER_MADE


@dataclass(slots=True)
class Member:
    """A home that is looked after."""

    place: Place
    name: str
    tracks: dict[Kind, Track] = field(default_factory=dict)


def next_slot(pace: Pace, last: Last, now: datetime) -> datetime | None:
    """Return the slot of a job's next turn, which may be past: then it is due, once.

    Args:
        pace: When it comes round.
        last: When it was last made.
        now: The moment; a job that was made later than that was made by a clock that was wrong.
    """
    if last.at is None:
        return _NEVER_MADE
    base = min(last.at, now)
    slots = [None if last.rests else pace.after(base)]
    if last.wake is not None and last.wake > base:
        slots.append(last.wake)
    return min((slot for slot in slots if slot is not None), default=None)


class Schedule:
    """Homes, and when the next job of each is due.

    Args:
        jobs: How many may run at once. Dreams take long: with two or more, one is left to beats.
        spread: How long a job may be put off, so that not all start at once.
    """

    def __init__(self, jobs: int, spread: timedelta) -> None:
        self._jobs = jobs
        self._spread = spread
        self._members: dict[Path, Member] = {}
        self._queue: DueQueue[Key] = DueQueue()
        self._running: dict[Key, Job] = {}

    @property
    def homes(self) -> int:
        """How many homes there are."""
        return len(self._members)

    @property
    def broken(self) -> int:
        """How many of them have settings that are wrong."""
        return sum(member.tracks["beat"].pace is None for member in self._members.values())

    @property
    def running(self) -> tuple[Job, ...]:
        """The jobs that run."""
        return tuple(self._running.values())

    def welcome(self, place: Place, name: str, standing: Standing, now: datetime) -> None:
        """Take a home in, or take note that its settings or files have changed.

        Args:
            place: The home.
            name: How it is shown.
            standing: How it was found.
            now: The moment.
        """
        member = self._members.setdefault(place.root, Member(place, name))
        settings = standing.settings
        for kind in KINDS:
            pace = None
            if settings is not None:
                pace = beat_pace(settings) if kind == "beat" else dream_pace(settings)
            last = standing.beat if kind == "beat" else standing.dream
            track = member.tracks.setdefault(kind, Track(pace, last))
            track.pace, track.last = pace, last
            self._plan(member, kind, now)

    def dismiss(self, root: Path) -> None:
        """Forget a home that is gone; a job of it that runs comes to its end."""
        self._members.pop(root, None)
        for kind in KINDS:
            self._queue.remove((root, kind))

    def start(self, now: datetime) -> list[Job]:
        """Take the jobs that are to start now.

        Returns:
            The jobs, which count as running from here on; see `finish`.
        """
        started: list[Job] = []
        put_off: list[tuple[Key, datetime]] = []
        while len(self._running) < self._jobs:
            found = self._queue.pop(now)
            if found is None:
                break
            key, _ = found
            if key[1] == "dream" and self._dreams() >= max(1, self._jobs - 1):
                put_off.append(found)
                continue
            member = self._members[key[0]]
            track = member.tracks[key[1]]
            self._running[key] = job = Job(key[1], member.place, member.name, track.slot)
            started.append(job)
        for key, since in put_off:
            self._queue.put(key, since)
        return started

    def finish(self, job: Job, last: Last, now: datetime) -> None:
        """Take note that a job has ended.

        Args:
            job: The job.
            last: What its home's state says of it.
            now: The moment.
        """
        key = (job.place.root, job.kind)
        self._running.pop(key, None)
        member = self._members.get(key[0])
        if member is not None:
            track = member.tracks[job.kind]
            track.last = last
            self._plan(member, job.kind, now)

    def replan(self, now: datetime) -> None:
        """Plan every job anew, after somebody has set the clock."""
        for member in self._members.values():
            for kind in KINDS:
                self._plan(member, kind, now)

    def next_at(self, now: datetime) -> datetime | None:
        """Return when there may be a job to start, if none ends before; None: not before one does.

        Args:
            now: The moment, at which everything was started that could be.
        """
        return None if len(self._running) >= self._jobs else self._queue.soonest_after(now)

    def waiting(self, now: datetime) -> int:
        """Count the jobs that are due and wait for their turn."""
        return self._queue.due(now)

    def overdue(self, now: datetime) -> timedelta:
        """Tell how long the job that has waited longest has been due."""
        soonest = self._queue.soonest()
        return max(timedelta(0), now - soonest) if soonest is not None else timedelta(0)

    def _plan(self, member: Member, kind: Kind, now: datetime) -> None:
        """Put a job where its next turn is, unless it runs or is due already."""
        track = member.tracks[kind]
        key = (member.place.root, kind)
        if key in self._running:  # also where the home was gone for a while
            return
        self._queue.remove(key)
        slot = None if track.pace is None else next_slot(track.pace, track.last, now)
        if track.pace is None or slot is None:
            return
        track.slot = slot
        key_of_spread = f"{member.place.root} {kind}"
        put_off = track.pace.spread(key_of_spread, slot, self._spread)
        self._queue.put(key, max(now, slot + put_off))

    def _dreams(self) -> int:
        return sum(kind == "dream" for _, kind in self._running)
