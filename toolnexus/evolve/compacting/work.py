"""The work of one compaction: what it has at hand, and what it has come to so far."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from toolnexus.evolve.compacting.types import CompactOptions, CompactStats, Due
from toolnexus.home.drafts.draft import Draft
from toolnexus.home.scope import in_scope
from toolnexus.models.completion import Usage

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime, timedelta

    from toolnexus.agent.budget import Meter
    from toolnexus.agent.run_file import RunFile
    from toolnexus.evolve.compacting.extract import Teacher
    from toolnexus.evolve.compacting.memory import Looked, Mode
    from toolnexus.evolve.compacting.nearby import FindNear
    from toolnexus.home.drafts.draft import Refusal, TakenStep
    from toolnexus.home.operations.step import Step
    from toolnexus.home.snapshot import Snapshot
    from toolnexus.models.model import Model
    from toolnexus.settings.types import CompactSettings, EvolveSettings
    from toolnexus.store.uses import NoteUses, Uses


@dataclass(frozen=True, slots=True)
class Thinker:
    """Who thinks, and what it may spend.

    Attributes:
        model: The model.
        meter: Counts what is spent, over all its runs.
        run_file: Where each step is written as it happens; None writes nothing.
    """

    model: Model
    meter: Meter
    run_file: RunFile | None = None


@dataclass(frozen=True, slots=True)
class Means:
    """What a compaction has at hand.

    Attributes:
        now: The moment that ages are counted to.
        near: Finds near notes by the vectors of the index.
        uses: The journal of uses.
        compact: The settings of compacting.
        evolve: The half-lives.
        teacher: Knows the old sources, and judges what is drawn out of them.
        thinker: Who thinks; None works offline.
    """

    now: datetime
    near: FindNear
    uses: Uses
    compact: CompactSettings
    evolve: EvolveSettings
    teacher: Teacher
    thinker: Thinker | None = None

    @property
    def mode(self) -> Mode:
        """Whether there is a model."""
        return "offline" if self.thinker is None else "model"

    @property
    def age(self) -> timedelta:
        """The age from which sources are extracted."""
        return self.compact.extract_after


@dataclass(slots=True)
class Work:
    """One compaction as it grows.

    Attributes:
        draft: The home as it would be.
        options: How it is done.
        means: What is at hand.
        looked: What earlier ones looked at.
        waiting: Steps that wait for a person.
        reasons: Why steps wait, where that is not the steps' own kind.
        due: What only a model or a person can do.
        refused: What was not let through, the draft's own refusals left out.
        undone: The notes that near-duplicates were not sought for, because it was stopped.
        distilled: The digests of procedures that the model was asked about by now.
        clusters: How many clusters were new; `sources` how many sources were extracted from.
        usage: What the model cost.
        stopped: Why it ended early; empty when it did not.
        failed: What made the model fail; empty when nothing did. `hint` says what helps.
    """

    draft: Draft
    options: CompactOptions
    means: Means
    looked: Looked
    waiting: list[TakenStep] = field(default_factory=list)
    reasons: list[str] = field(default_factory=list)
    due: list[Due] = field(default_factory=list)
    refused: list[Refusal] = field(default_factory=list)
    undone: set[str] = field(default_factory=set)
    distilled: dict[str, str] = field(default_factory=dict)
    clusters: int = 0
    sources: int = 0
    usage: Usage = field(default_factory=Usage)
    stopped: str = ""
    failed: str = ""
    hint: str = ""

    @property
    def home(self) -> Snapshot:
        """The home as it would be after the steps taken so far."""
        return self.draft.home

    @property
    def is_over(self) -> bool:
        """Whether the model has had its last word."""
        return bool(self.stopped or self.failed)

    def covers(self, path: str) -> bool:
        """Whether a file is looked at at all."""
        return in_scope(path, self.options.scope)

    def is_waiting(self, paths: Sequence[str]) -> bool:
        """Whether a change of one of some notes waits for a person already."""
        waiting = {path for path, _ in self.draft.spared.waiting}
        return not waiting.isdisjoint(paths)

    def let_wait(self, step: Step) -> bool:
        """Leave a step to a person, if it could be taken; tell whether it waits now."""
        trial = Draft(self.draft.home, self.draft.spared)
        if not trial.take(step):
            self.refused += trial.refused
            return False
        self._wait_for(trial.steps)
        return True

    def leave(self, trial: Draft, reason: str) -> None:
        """Leave all that a draft made of this one's home to a person, and say why."""
        self.refused += trial.refused
        if trial.steps:
            self.reasons.append(reason)
            self._wait_for(trial.steps)

    def _wait_for(self, steps: Sequence[TakenStep]) -> None:
        self.waiting += steps
        self.draft.spared = self.draft.spared.with_waiting(steps)

    def uses_of(self, path: str) -> NoteUses:
        """Return the uses of a note, with those of what was merged into it."""
        return self.uses().of(path)

    def stats(self) -> CompactStats:
        """Count what was covered."""
        notes = sum(1 for path in self.draft.before.notes if self.covers(path))
        usage = self.usage
        return CompactStats(
            notes,
            self.clusters,
            self.sources,
            usage.calls,
            usage.tokens_in,
            usage.tokens_out,
            usage.usd or 0.0,
        )

    def uses(self) -> Uses:
        """Return the journal of uses, those of what was merged with what it became."""
        return self.means.uses.following(self.draft.moved, self.draft.home.notes)
