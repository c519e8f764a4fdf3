"""Jobs: one beat or dream of one home, to be made, and what became of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from datetime import datetime

    from toolnexus.app.scheduled import Last, Place

Kind = Literal["beat", "dream"]
KINDS: tuple[Kind, ...] = ("beat", "dream")


@dataclass(frozen=True, slots=True)
class Job:
    """A beat or dream to be made.

    Attributes:
        kind: Which of the two.
        place: The home.
        name: The home as it is shown: its path from where the folder that was named lies.
        slot: The moment that it stands for; a whole second.
    """

    kind: Kind
    place: Place
    name: str
    slot: datetime


@dataclass(frozen=True, slots=True)
class Failure:
    """What went wrong, without secrets."""

    message: str
    exit_code: int
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Done:
    """What became of a job.

    Attributes:
        job: The job.
        last: What the home's state says after it.
        outcome: As `Beat.outcome` and `Pass.outcome` have it.
        reason: Why it was skipped or failed; empty where there is nothing to say.
        seconds: How long it took.
        usd: What it cost in US dollars; None where the model's price is unknown.
        exit_code: What ``toolnexus beat`` or ``dream`` would have ended with.
        failure: What went wrong; None when nothing did.
        notices: What else there is to know.
    """

    job: Job
    last: Last
    outcome: str
    reason: str = ""
    seconds: float = 0.0
    usd: float | None = 0.0
    exit_code: int = 0
    failure: Failure | None = None
    notices: tuple[str, ...] = field(default=())
