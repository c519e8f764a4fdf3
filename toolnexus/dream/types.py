"""What a pass has to say for itself."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from toolnexus.change.plan import Change, Evidence, FileWrite
    from toolnexus.home.drafts.draft import Refusal
    from toolnexus.home.finding import Finding

Outcome = Literal["done", "nothing", "partial", "held", "proposed", "dry-run", "failed"]
HEARTBEAT_OK = "HEARTBEAT_OK"


@dataclass(frozen=True, slots=True)
class Suspicion:
    """A claim that a transcript seems to contradict; shown, never acted on."""

    path: str
    line: int
    claim: str
    evidence: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True)
class Unresolved:
    """A link that leads nowhere and that nothing repairs for certain."""

    path: str
    line: int
    link: str
    candidates: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PassStats:
    """What a pass covered and cost.

    Attributes:
        claims: Claims that the home holds.
        checked: Claims that were put to turns, in this pass.
        turns: Turns that were considered: all there are, the older ones by earlier passes.
        turns_new: Turns that were new.
        claims_left: Claims that are due and left for the next pass.
        turns_left: Turns that are left for the next pass to learn from.
        model_calls: Replies of the model.
        tokens_in: Tokens that it read.
        tokens_out: Tokens that it wrote.
        usd: Money in US dollars, as far as prices are known.
        seconds: Wall time.
    """

    claims: int = 0
    checked: int = 0
    turns: int = 0
    turns_new: int = 0
    claims_left: int = 0
    turns_left: int = 0
    model_calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    usd: float = 0.0
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Pass:
    """One pass over a home, told from the home before and after, never from a model's word.

    Attributes:
        id: Names the pass in the log and for `revert`; for a held one, names its proposal.
        outcome: How it ended.
        wrote: Whether a file of the home changed.
        reply: One sentence for a person; ``HEARTBEAT_OK`` when there was nothing to do.
        changes: What was done (or, in a dry run, would be).
        waiting: Changes that wait for a person, each with its reason.
        suspected: Claims that a transcript seems to contradict.
        refused: What the guard or the conservation law did not let through.
        unresolved: Links that stay broken.
        findings: What else a person should know, such as an index that stays over its cap.
        stats: What it covered and cost.
        writes: The files before and after, for diffs.
        notices: One line each: what was noticed on the way.
        commit: The git commit that was made of it (`dream.commit`); empty without one.
    """

    id: str
    outcome: Outcome
    wrote: bool = False
    reply: str = HEARTBEAT_OK
    changes: tuple[Change, ...] = ()
    waiting: tuple[Change, ...] = ()
    suspected: tuple[Suspicion, ...] = ()
    refused: tuple[Refusal, ...] = ()
    unresolved: tuple[Unresolved, ...] = ()
    findings: tuple[Finding, ...] = ()
    stats: PassStats = field(default_factory=PassStats)
    writes: tuple[FileWrite, ...] = ()
    notices: tuple[str, ...] = ()
    commit: str = ""

    def __str__(self) -> str:
        return self.reply
