"""What a home's methods answer with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime

    from toolnexus.change.plan import Change
    from toolnexus.heartbeat.types import BeatUsage
    from toolnexus.index.hit import Hit
    from toolnexus.transcripts.hit import TurnHit


@dataclass(frozen=True, slots=True)
class Remembered:
    """What became of a claim that was to be remembered.

    Attributes:
        reply: One sentence for a person.
        path: The file that it went to.
        id: What `revert` undoes it by; empty when it stood there already.
        wrote: Whether the file changed.
    """

    reply: str
    path: str
    id: str = ""
    wrote: bool = False


@dataclass(frozen=True, slots=True)
class SearchResult:
    """Hits, best first, and what was noticed on the way."""

    hits: tuple[Hit | TurnHit, ...]
    notices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reply:
    """What the persona replied; as a text it is that.

    Attributes:
        text: Its words.
        usage: What it cost.
        conversation: The id of the conversation that it is recorded in.
        cut: Why its words end before their end: ``length`` when the model may not say more at
            once, ``interrupted`` when it was stopped; empty when they are whole.
        notices: What was noticed on the way.
    """

    text: str
    usage: BeatUsage
    conversation: str = ""
    cut: str = ""
    notices: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class ConversationInfo:
    """A conversation in a list.

    Attributes:
        id: Its id.
        updated_at: When its last turn was said; where no turn tells, when its file last changed.
        turns: How many lines it has.
    """

    id: str
    updated_at: datetime
    turns: int


@dataclass(frozen=True, slots=True)
class Reviewed:
    """What became of a proposal.

    Attributes:
        id: What `revert` undoes it by; empty when nothing was written.
        applied: The changes that were made.
        left: The numbers of changes that no longer fit the home and go on waiting.
        discarded: The numbers of changes that were discarded.
        numbers: The numbers of the changes that still wait: they keep them until they are decided.
    """

    id: str
    applied: tuple[Change, ...] = ()
    left: tuple[int, ...] = ()
    discarded: tuple[int, ...] = ()
    numbers: tuple[int, ...] = ()

    @property
    def waiting(self) -> int:
        """How many changes of the proposal still wait."""
        return len(self.numbers)


@dataclass(frozen=True, slots=True)
class LogRecord:
    """One write to the home, as the history has it."""

    id: str
    time: str
    job: str
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class Left:
    """Something that was left as it is, where, and why."""

    path: str
    line: int
    text: str
    reason: str


@dataclass(frozen=True, slots=True)
class Reverted:
    """What was undone, and what was left because it was changed since.

    Attributes:
        id: What `revert` undoes it by; empty when nothing was written.
        undone: What was undone.
        left: What was changed since, and stays.
        target: The write that was to be undone.
        later: Writes after it that stand, oldest first: no reverts, and none that was reverted.
    """

    id: str
    undone: tuple[Change, ...]
    left: tuple[Left, ...]
    target: LogRecord
    later: tuple[LogRecord, ...] = ()


@dataclass(frozen=True, slots=True)
class Renamed:
    """A note's new path, and how many links followed it."""

    id: str
    path: str
    links: int


@dataclass(frozen=True, slots=True)
class Feedback:
    """What feedback made of a note.

    Attributes:
        path: The note.
        score: What it was given, -1 to 1.
        boost: What all its feedback comes to, .1 to 5; 1 is neither good nor bad.
        feedbacks: How often it got feedback.
        needs_review: Whether `check` now asks a person to look at it.
    """

    path: str
    score: float
    boost: float
    feedbacks: int
    needs_review: bool = False


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """One thing that was looked at: how it is, and what mends it."""

    name: str
    ok: bool
    message: str
    fix: str = ""
