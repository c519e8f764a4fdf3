"""What an imagining has to say for itself."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from toolnexus.models.completion import Usage

if TYPE_CHECKING:
    from datetime import datetime, timedelta

    from toolnexus.change.plan import Change, FileWrite
    from toolnexus.errors import ModelError
    from toolnexus.evolve.imagining.idea import Idea, Phase
    from toolnexus.home.drafts.draft import Refusal

Outcome = Literal["done", "nothing", "partial", "dry-run", "failed"]


@dataclass(frozen=True, slots=True)
class ImagineOptions:
    """How a run is wanted.

    Attributes:
        cooldown: How long after something was tried nothing is imagined.
        scope: The folder of notes that it stays in, from the home; empty for the whole home.
        dry_run: Decide everything, write and keep nothing.
        has_model: Whether a model tells: what was looked at by rule may be looked at by it.
    """

    cooldown: timedelta
    scope: str = ""
    dry_run: bool = False
    has_model: bool = False


@dataclass(frozen=True, slots=True)
class Telling:
    """What became of ideas: the sentences for those that may be kept.

    Attributes:
        told: Ideas with their sentences.
        tried: All that were looked at; those that a budget left out are not among them.
        refused: What may not be kept, and why.
        usage: What it cost.
        stopped: Why it ended early; empty when it did not.
        error: What made the model fail; None when nothing did.
    """

    told: tuple[tuple[Idea, str], ...] = ()
    tried: tuple[Idea, ...] = ()
    refused: tuple[Refusal, ...] = ()
    usage: Usage = field(default_factory=Usage)
    stopped: str = ""
    error: ModelError | None = None


@dataclass(frozen=True, slots=True)
class ImaginedNote:
    """A guess.

    Attributes:
        path: The note that holds it.
        title: The note's title.
        phase: ``consolidation`` or ``divergence``.
        text: The guess.
        confidence: How sure one may be of it, 0 to 1.
        derived_from: The notes that it is made of, as the front matter names them.
    """

    path: str
    title: str
    phase: Phase
    text: str
    confidence: float
    derived_from: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Imagining:
    """One run.

    Attributes:
        id: What `revert` undoes it by; empty when nothing was written.
        outcome: How it ended.
        wrote: Whether a note was written.
        reply: One sentence for a person.
        imagined: The guesses (or, in a dry run, those that there would be).
        changes: The same as changes.
        refused: What the model wrote and may not be kept, and why.
        notes: How many live notes there are to imagine of.
        topics: How many tags two of them or more carry.
        next_due: When something may be imagined again; None for now.
        usage: What the model cost.
        writes: The files before and after, for diffs.
        notices: One line each: what was noticed on the way.
    """

    id: str = ""
    outcome: Outcome = "nothing"
    wrote: bool = False
    reply: str = ""
    imagined: tuple[ImaginedNote, ...] = ()
    changes: tuple[Change, ...] = ()
    refused: tuple[Refusal, ...] = ()
    notes: int = 0
    topics: int = 0
    next_due: datetime | None = None
    usage: Usage = field(default_factory=Usage)
    writes: tuple[FileWrite, ...] = ()
    notices: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.reply
