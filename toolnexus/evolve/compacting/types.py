"""What a compaction is asked for, and what it has to say for itself."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from toolnexus.home.drafts.spared import Spared

if TYPE_CHECKING:
    from toolnexus.change.plan import Change, FileWrite
    from toolnexus.home.drafts.draft import Refusal

Outcome = Literal["done", "nothing", "partial", "proposed", "held", "dry-run", "failed"]
DueKind = Literal["extract", "distil"]
NOTHING = "nothing to compact"


@dataclass(frozen=True, slots=True)
class CompactOptions:
    """How a home is compacted.

    Attributes:
        dry_run: Decide everything, write nothing.
        scope: Only this folder below the notes' own (see `home.scope`); empty for all of them.
        likeness: The cosine (0 to 1) from which two notes may be near-duplicates.
        max_change: The share of a file's claims that may change, and of the live notes that may be
            archived, unreviewed.
        spared: What is left alone: what waits for a person, and what one took back.
    """

    dry_run: bool = False
    scope: str = ""
    likeness: float = 0.72
    max_change: float = 0.3
    spared: Spared = field(default_factory=Spared)


@dataclass(frozen=True, slots=True)
class Due:
    """Something that only a model, or a person, can do.

    Attributes:
        kind: To extract from a source, or to distil a procedure.
        refs: What it is about: paths of notes, or ``transcript:conversation``.
        reason: Why it is due, and what would do it.
    """

    kind: DueKind
    refs: tuple[str, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class CompactStats:
    """What a compaction covered and cost.

    Attributes:
        notes: How many notes were looked at.
        clusters: How many clusters of near-duplicates were new.
        sources: How many sources were extracted from.
        model_calls: Replies of the model.
        tokens_in: Tokens that it read.
        tokens_out: Tokens that it wrote.
        usd: Money in US dollars, as far as prices are known.
        seconds: Wall time.
    """

    notes: int = 0
    clusters: int = 0
    sources: int = 0
    model_calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    usd: float = 0.0
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Compacted:
    """One compaction, told from the home before and after, never from a model's word.

    Attributes:
        id: Names it in the log and for `revert`; for what was only proposed, the proposal.
        outcome: How it ended.
        wrote: Whether a file of the home changed.
        reply: One sentence for a person.
        changes: What was done (or, in a dry run, would be).
        waiting: Changes that wait for a person, each with its reason.
        due: What only a model or a person can do.
        refused: What the guard or the conservation law did not let through.
        stats: What it covered and cost.
        writes: The files before and after, for diffs.
        notices: One line each: what was noticed on the way.
    """

    id: str = ""
    outcome: Outcome = "nothing"
    wrote: bool = False
    reply: str = NOTHING
    changes: tuple[Change, ...] = ()
    waiting: tuple[Change, ...] = ()
    due: tuple[Due, ...] = ()
    refused: tuple[Refusal, ...] = ()
    stats: CompactStats = field(default_factory=CompactStats)
    writes: tuple[FileWrite, ...] = ()
    notices: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.reply
