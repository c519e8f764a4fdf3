"""Dreaming: a pass, wired to a home."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from toolnexus.app.git_commit import commit_pass
from toolnexus.app.model_dreaming import (
    ModelSide,
    changed_at,
    choose_model,
    keep_hand,
    said_before,
    spared_by,
    stored_hand,
)
from toolnexus.dream.passes import PassOptions, run_pass
from toolnexus.dream.recalled import recalled_of
from toolnexus.dream.suspect import Checked, find_suspicions
from toolnexus.store.notes import paused_collection
from toolnexus.store.state import kept_beside

if TYPE_CHECKING:
    from pathlib import Path

    from toolnexus.app.host import ModelLike
    from toolnexus.app.parts import Parts
    from toolnexus.app.view import View
    from toolnexus.dream.types import Pass, Suspicion
    from toolnexus.home.snapshot import Snapshot


_LEDGER = "verified"
_MISTAKEN = "what this pass wrote may be taken for a person's words: that it is not was not kept"
_ASKED_AGAIN = "the next pass asks again what this one did: what it found out could not be kept"


@dataclass(frozen=True, slots=True)
class DreamOptions:
    """How a caller wants one pass.

    Attributes:
        dry_run: Decide everything, write nothing.
        propose: Leave the changes for `review`.
        full: Verify every claim, whatever earlier passes have verified.
        instructions: The host's guidance for a model.
        model: Who thinks, in place of the model that the settings name.
        budget_usd: Money, in US dollars, that the pass may cost; None leaves it to the settings.
        record: Where what the model is asked and replies is written down; None nowhere.
        replay: A recording that replies in the model's place; None asks the model.
        soul: The dreamer's soul, where that was composed before; empty composes it now.
        commit: Whether a git commit is made of it; None leaves it to the settings.
    """

    dry_run: bool = False
    propose: bool = False
    full: bool = False
    instructions: str = ""
    model: ModelLike | None = None
    budget_usd: float | None = None
    record: str | Path | None = None
    replay: str | Path | None = None
    soul: str = ""
    commit: bool | None = None


def dream(home: View, wanted: DreamOptions) -> Pass:
    """Run one pass over a home.

    Args:
        home: The home.
        wanted: How.

    Raises:
        UsageError: when there is no model to record, or a recording does not fit the pass.
    """
    settings = home.settings
    hand = stored_hand(home)
    spared = spared_by(home.proposals(), hand)
    options = PassOptions(wanted.dry_run, wanted.propose, settings.dream.max_change, spared)
    verified = Checked()

    def suspect(snapshot: Snapshot) -> tuple[Suspicion, ...]:
        nonlocal verified, hand
        if thinker is None:
            hand = hand.seen(snapshot, partial(changed_at, home))
        verified = _verify(home, snapshot, full=wanted.full, keep=not wanted.dry_run)
        return verified.suspicions

    thinker = choose_model(home, wanted)
    notices: tuple[str, ...] = ()
    if thinker is None:
        with paused_collection():
            done = run_pass(home.store, home.clock, options, suspect)
        done = _with_stats(done, checked=verified.checked, turns_new=verified.turns_new)
        if not wanted.dry_run:  # what the pass moved, no person wrote; what comes next, one did
            with kept_beside(home.store.notices, _MISTAKEN):
                keep_hand(home, home.steady(hand.left) if done.wrote else hand)
        if done.wrote:  # what moved is known under its new place, for whoever asks why it is held
            with kept_beside(home.store.notices, _ASKED_AGAIN):
                home.steady(partial(_verify, home, full=False, keep=True))
    else:
        side = ModelSide(home, thinker, wanted)
        done = run_pass(home.store, home.clock, options, suspect, side.ask)
        kept = kept_beside(home.store.notices, _ASKED_AGAIN)
        with kept if done.wrote else contextlib.nullcontext():
            side.finish(wrote=done.wrote)
        notices = side.notices
    done = _with_stats(done, turns=sum(home.turns.stats().turns.values()))
    done = replace(done, notices=(*home.store.notices, *done.notices, *notices))
    commits = settings.dream.commit if wanted.commit is None else wanted.commit
    return commit_pass(home, done) if commits else done


def _with_stats(done: Pass, **counts: int) -> Pass:
    return replace(done, stats=replace(done.stats, **counts))


def _verify(home: Parts, snapshot: Snapshot, *, full: bool, keep: bool) -> Checked:
    """Compare the claims with the transcripts; keep what was found out for the next pass."""
    settings = home.settings
    home.turns.refresh()
    known = home.store.read_state(_LEDGER)
    found = find_suspicions(
        snapshot,
        home.turns,
        evidence_roles=settings.transcripts.evidence_roles,
        owner=settings.owner or "",
        known=None if full else known,
        recalled=recalled_of(snapshot, partial(said_before, home.store)),
    )
    if keep and found.ledger != known:
        home.store.write_state(_LEDGER, found.ledger)
    return found
