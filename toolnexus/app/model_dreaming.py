"""The model's side of a dream: who thinks, what it may spend, what is kept for the next pass."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from toolnexus.app.thinker import load_model, thinker_of
from toolnexus.dream.asked import asked_value, read_asked
from toolnexus.dream.hand import Hand, hand_value, read_hand
from toolnexus.dream.learning.learnt import learnt_value, read_learnt
from toolnexus.errors import UsageError
from toolnexus.home.drafts.spared import Spared, at_stake
from toolnexus.settings import resolve_model
from toolnexus.text.fold import fold_claim

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from toolnexus.app.dreaming import DreamOptions
    from toolnexus.app.memory import Memory
    from toolnexus.app.parts import Parts
    from toolnexus.change.plan import Change
    from toolnexus.dream.model_phases import ModelJob, ModelWork
    from toolnexus.home.drafts.draft import Draft
    from toolnexus.home.drafts.proposal import Proposal
    from toolnexus.home.snapshot import Snapshot
    from toolnexus.models.model import Model
    from toolnexus.settings.types import Settings
    from toolnexus.store.door import Store

_ASKED = "asked"
_HAND = "hand"
_LEARNT = "learnt"


def dream_model(home: Parts) -> str | None:
    """Decide which model a home dreams with: the call's, the dream's, the home's, $TOOLNEXUS_MODEL.

    Returns:
        A litellm model's name; None to dream without one.
    """
    own = home.settings.dream.model
    override = home.model or (None if own == "inherit" else own)
    return resolve_model(home.settings, os.environ, override)


def said_before(store: Store) -> Iterator[str]:
    """Yield the claims that stood in memory before, as far back as the history goes."""
    for entry in store.history():
        yield from (change.before for change in entry.changes if change.before)


def spared_by(proposals: Sequence[Proposal], hand: Hand) -> Spared:
    """Return what a pass leaves alone: what waits, and what a person took back."""
    waiting = frozenset(claim for proposal in proposals for claim in at_stake(proposal.steps))
    kinds = {change.kind for proposal in proposals for change in proposal.changes}
    return Spared(waiting, hand.unmade, "demoted" in kinds)


def stored_hand(home: Parts) -> Hand:
    """Read what a person did, as far as it was kept."""
    return read_hand(home.store.read_state(_HAND))


def keep_hand(home: Parts, hand: Hand) -> None:
    """Keep what a person did, with what they took back while the pass was going on."""
    stored = home.store.read_state(_HAND)
    if (value := hand_value(hand.joined(read_hand(stored)))) != stored:
        home.store.write_state(_HAND, value)


def changed_at(home: Parts, path: str) -> datetime:
    """Return when a file changed last; one that cannot be asked changed now."""
    try:
        return datetime.fromtimestamp((home.root / path).stat().st_mtime, UTC)
    except (OSError, OverflowError, ValueError):
        return home.clock.now()


def remember_undone(home: Parts, changes: Iterable[Change]) -> None:
    """Keep that a person took changes back, so that no pass makes them again on old evidence."""
    hand = stored_hand(home).without(changes, home.clock.now())
    home.store.write_state(_HAND, hand_value(hand))


class ModelSide:
    """What a pass with a model needs of a home, and what it leaves there.

    Args:
        home: The home.
        model: Who thinks.
        wanted: How the caller wants the pass; a dry run keeps nothing.
    """

    def __init__(self, home: Memory, model: Model, wanted: DreamOptions) -> None:
        self._home = home
        self._model = model
        self._wanted = wanted
        self._keep = not wanted.dry_run
        self._hand = Hand()
        self._found: Snapshot | None = None
        self._work: ModelWork | None = None

    def ask(self, draft: Draft) -> ModelWork:
        """Do the phases that need a model, on the draft."""
        from toolnexus.dream.model_phases import dream_with_model

        self._home.turns.refresh()
        self._found = draft.home
        self._hand = stored_hand(self._home).seen(draft.home, partial(changed_at, self._home))
        self._work = dream_with_model(draft, self._job(draft.home))
        return self._work

    @property
    def notices(self) -> tuple[str, ...]:
        """What is worth knowing about the model's part."""
        left = getattr(self._model, "left", 0)
        return (f"{left} replies of the recording were not asked for",) if left else ()

    def finish(self, *, wrote: bool) -> None:
        """Keep what was found out for the next pass, once this one is over.

        Args:
            wrote: Whether the pass changed the home; else it is taken as it was found.
        """
        if self._work is None or self._found is None or not self._keep:
            return
        remember = partial(self._remember, self._work)
        if wrote:
            self._home.steady(remember)
        else:
            remember(self._found)

    def _remember(self, work: ModelWork, home: Snapshot) -> None:
        store, asked = self._home.store, work.keep(home)
        known = store.read_state(_ASKED)
        if (value := asked_value(asked, self._basis())) != known:
            store.write_state(_ASKED, value)
        if work.learnt is not None:
            store.write_state(_LEARNT, learnt_value(work.learnt))
        keep_hand(self._home, self._hand.left(home))

    def _job(self, snapshot: Snapshot) -> ModelJob:
        from toolnexus.agent.budget import Budget, Meter
        from toolnexus.agent.run_file import new_run_file
        from toolnexus.dream.model_phases import ModelJob
        from toolnexus.dream.recalled import recalled_of
        from toolnexus.dream.turn_source import SearchedTurns

        home, settings = self._home, self._home.settings
        spend, wanted = settings.dream, self._wanted
        usd = spend.usd if wanted.budget_usd is None else wanted.budget_usd
        run_file = None
        if self._keep:
            run_file = new_run_file(home.store.state / "runs", home.clock, job="dream")
        return ModelJob(
            model=self._model,
            meter=Meter(Budget(spend.tokens, usd, spend.calls, spend.seconds)),
            turns=SearchedTurns(home.turns, tuple(settings.transcripts.evidence_roles)),
            asked=read_asked(home.store.read_state(_ASKED), self._basis()),
            hand=self._hand,
            owner=settings.owner or snapshot.owner,
            recalled=recalled_of(snapshot, partial(said_before, home.store)),
            waiting=spared_by(self._home.proposals(), self._hand).waiting,
            waiting_facts=frozenset(fold_claim(c.after) for c in self._proposed({"added"})),
            learns=spend.learn,
            learnt=read_learnt(home.store.read_state(_LEARNT)) if spend.learn else None,
            full=wanted.full,
            instructions=wanted.instructions,
            soul=wanted.soul,
            run_file=run_file,
        )

    def _proposed(self, kinds: Collection[str]) -> Iterator[Change]:
        """Yield the changes of some kinds that wait in a proposal."""
        for proposal in self._home.proposals():
            yield from (change for change in proposal.changes if change.kind in kinds)

    def _basis(self) -> tuple[str, ...]:
        settings: Settings = self._home.settings
        return (*sorted(settings.transcripts.evidence_roles), settings.owner or "")


def _thinker(home: Parts, wanted: DreamOptions) -> Model | None:
    given = wanted.model or home.host.thinker
    if given is not None:
        make = thinker_of(home, given)
        return None if make is None else make()
    name = dream_model(home)
    return None if name is None else load_model(name)


def choose_model(home: Parts, wanted: DreamOptions) -> Model | None:
    """Return who thinks in a pass; None when it goes without a model.

    A recording needs no model, no key and no network.

    Raises:
        UsageError: when there is no model to record, or the recording cannot be read.
        DiskError: when the recording cannot be written.
    """
    from toolnexus.models.record import RecordingModel, ReplayModel

    if wanted.record is not None and wanted.replay is not None:
        raise UsageError("a pass is recorded or replayed, not both", hint="give one of the two")
    if wanted.replay is not None:
        return ReplayModel(Path(wanted.replay))
    model = _thinker(home, wanted)
    if wanted.record is None:
        return model
    if model is None:
        raise UsageError("there is no model to record", hint="name one: --model M")
    return RecordingModel(model, _outside_memory(home, Path(wanted.record)))


def _outside_memory(home: Parts, path: Path) -> Path:
    """Return where to record, unless it would be read as a note or a conversation afterwards."""
    file, root = path.resolve(), home.root.resolve()
    if file.is_relative_to(root) and (
        file.suffix == ".md" or file.is_relative_to(root / home.store.layout.transcripts_path)
    ):
        raise UsageError(
            f"{path}: a recording there would become a part of the memory",
            hint="name a file outside the home, such as dream.jsonl",
        )
    return path
