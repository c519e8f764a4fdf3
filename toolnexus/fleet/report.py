"""Reports: what the fleet says, one entry for each thing that happens, for people and machines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from toolnexus.clock import format_instant

if TYPE_CHECKING:
    from datetime import datetime

    from toolnexus.fleet.job import Done, Failure, Job

Event = Literal["start", "job", "reply", "home", "notice", "stop"]


@dataclass(frozen=True, slots=True)
class Entry:
    """Something that happened.

    Attributes:
        time: When.
        event: ``start`` and ``stop`` of the whole; ``job``: one has ended; ``reply``: what a beat
            says; ``home``: one was added, changed or removed; ``notice``: what else to know.
        home: The home as it is shown; empty where it is about none.
        job: ``beat`` or ``dream``; empty where it is about neither.
        outcome: What became of it.
        reason: Why, or what there is to know.
        text: What a beat says.
        seconds: How long a job took; None where it is about none.
        usd: What it cost in US dollars; None where that is unknown, too.
        failure: What went wrong.
    """

    time: datetime
    event: Event
    home: str = ""
    job: str = ""
    outcome: str = ""
    reason: str = ""
    text: str = ""
    seconds: float | None = None
    usd: float | None = None
    failure: Failure | None = None

    def fields(self) -> dict[str, object]:
        """Return it as JSON values; what it does not speak of is left out."""
        found: dict[str, object] = {"time": format_instant(self.time), "event": self.event}
        for name in ("home", "job", "outcome", "reason", "text"):
            if getattr(self, name):
                found[name] = getattr(self, name)
        if self.event == "job":
            found |= {"seconds": self.seconds, "usd": self.usd, "error": None}
        if self.failure is not None:
            found["error"] = {"message": self.failure.message, "exit_code": self.failure.exit_code}
        return found


def job_entry(done: Done, now: datetime) -> Entry:
    """Tell of a job that has ended."""
    return Entry(
        now,
        "job",
        home=done.job.name,
        job=done.job.kind,
        outcome=done.outcome,
        reason=done.reason,
        seconds=done.seconds,
        usd=done.usd,
        failure=done.failure,
    )


def reply_entry(job: Job, text: str, now: datetime) -> Entry:
    """Tell what a beat has to say."""
    return Entry(now, "reply", home=job.name, job=job.kind, text=text)
