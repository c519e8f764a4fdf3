"""Compacting, wired to a home: its index, its journal of uses, its old sources and its model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolnexus.app.dreaming import DreamOptions
from toolnexus.app.feedback import uses_of
from toolnexus.app.model_dreaming import (
    changed_at,
    choose_model,
    keep_hand,
    said_before,
    spared_by,
    stored_hand,
)
from toolnexus.app.old_sources import Ground, OldSources
from toolnexus.evolve.compacting.run import run_compaction
from toolnexus.evolve.compacting.types import CompactOptions
from toolnexus.evolve.compacting.work import Means, Thinker
from toolnexus.home.scope import parse_scope
from toolnexus.store.notes import paused_collection
from toolnexus.text.fold import fold_claim

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from toolnexus.app.host import ModelLike
    from toolnexus.app.memory import Memory
    from toolnexus.evolve.compacting.memory import Looked
    from toolnexus.evolve.compacting.nearby import FindNear
    from toolnexus.evolve.compacting.types import Compacted
    from toolnexus.home.snapshot import Snapshot
    from toolnexus.models.model import Model


def compact(
    home: Memory, *, dry_run: bool = False, scope: str = "", model: ModelLike | None = None
) -> Compacted:
    """Compact a home; see `Home.compact`."""
    settings = home.settings
    folder = parse_scope(scope, home.store.layout, home.read().notes) if scope else ""
    hand = stored_hand(home)
    options = CompactOptions(
        dry_run=dry_run,
        scope=folder,
        likeness=settings.compact.likeness,
        max_change=settings.dream.max_change,
        spared=spared_by(home.proposals(), hand),
    )
    thinker = choose_model(home, DreamOptions(dry_run=dry_run, model=model))
    preparing = _Preparing(home, thinker, folder, keep=not dry_run)
    with paused_collection():
        done = run_compaction(home.store, home.clock, options, preparing)
    if done.wrote and hand.known is not None and preparing.found is not None:
        # What a person wrote before is still theirs; what was moved or drawn out, no person wrote.
        seen = hand.seen(preparing.found, lambda path: changed_at(home, path))
        keep_hand(home, home.steady(seen.left))
    return done


class _Preparing:
    """Gathers what a compaction has at hand, once the home is read.

    Args:
        home: The home.
        model: Who thinks; None works offline.
        scope: The folder that is looked at.
        keep: Whether anything may be kept: runs of the model, in a file of their own.
    """

    def __init__(self, home: Memory, model: Model | None, scope: str, *, keep: bool) -> None:
        self._home = home
        self._model = model
        self._scope = scope
        self._keep = keep
        self.found: Snapshot | None = None

    def __call__(self, snapshot: Snapshot, looked: Looked) -> Means:
        self.found = snapshot
        home, settings, now = self._home, self._home.settings, self._home.clock.now()
        return Means(
            now=now,
            near=self._near(snapshot),
            uses=uses_of(home, snapshot),
            compact=settings.compact,
            evolve=settings.evolve,
            teacher=self._sources(snapshot, looked),
            thinker=self._thinker(),
        )

    def _near(self, snapshot: Snapshot) -> FindNear:
        def near(groups: Sequence[Sequence[str]], least: float) -> Iterable[tuple[str, str, float]]:
            return self._home.searching.near(snapshot, groups, least)

        return near

    def _sources(self, snapshot: Snapshot, looked: Looked) -> OldSources:
        from toolnexus.dream.turn_source import SearchedTurns

        home, settings = self._home, self._home.settings
        home.turns.refresh()
        kinds = {"added", "extracted"}
        waiting = (change for proposal in home.proposals() for change in proposal.changes)
        ground = Ground(
            turns=SearchedTurns(home.turns, tuple(settings.transcripts.evidence_roles)),
            owner=settings.owner or snapshot.owner,
            past=tuple(said_before(home.store)) if self._model is not None else (),
            waiting=frozenset(fold_claim(c.after) for c in waiting if c.kind in kinds),
        )
        return OldSources(
            snapshot,
            ground,
            home.clock.now(),
            settings.compact.extract_after,
            kept=looked.learnt,
            scope=self._scope,
        )

    def _thinker(self) -> Thinker | None:
        if self._model is None:
            return None
        from toolnexus.agent.budget import Budget, Meter
        from toolnexus.agent.run_file import new_run_file

        spend = self._home.settings.dream
        meter = Meter(Budget(spend.tokens, spend.usd, spend.calls, spend.seconds))
        runs = self._home.store.state / "runs"
        run_file = new_run_file(runs, self._home.clock, job="compact") if self._keep else None
        return Thinker(self._model, meter, run_file)
