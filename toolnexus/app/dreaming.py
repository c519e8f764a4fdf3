"""Dreaming: a pass, wired to a home."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from toolnexus.app.model_dreaming import ModelSide, dream_model, load_model
from toolnexus.dream.passes import PassOptions, run_pass
from toolnexus.dream.suspect import Checked, find_suspicions
from toolnexus.store.notes import paused_collection

if TYPE_CHECKING:
    from toolnexus.app.home import Home
    from toolnexus.dream.types import Pass, Suspicion
    from toolnexus.home.snapshot import Snapshot
    from toolnexus.models.model import Model


_LEDGER = "verified"


def dream(
    home: Home,
    *,
    dry_run: bool,
    propose: bool,
    full: bool = False,
    instructions: str = "",
    model: Model | None = None,
) -> Pass:
    """Run one pass over a home.

    Args:
        home: The home.
        dry_run: Decide everything, write nothing.
        propose: Leave the changes for `review`.
        full: Verify every claim, whatever earlier passes have verified.
        instructions: The host's guidance for a model.
        model: Who thinks, in place of the model that the settings name.
    """
    settings = home.settings
    options = PassOptions(dry_run=dry_run, propose=propose, max_change=settings.dream.max_change)
    verified = Checked()

    def suspect(snapshot: Snapshot) -> tuple[Suspicion, ...]:
        nonlocal verified
        verified = _verify(home, snapshot, full=full, keep=not dry_run)
        return verified.suspicions

    name = dream_model(home)
    thinker = model or (load_model(name) if name is not None else None)
    if thinker is None:
        with paused_collection():
            done = run_pass(home.store, home.clock, options, suspect)
        stats = replace(done.stats, checked=verified.checked, turns_new=verified.turns_new)
        return replace(done, stats=stats, notices=(*home.store.notices, *done.notices))
    side = ModelSide(home, thinker, full=full, instructions=instructions, keep=not dry_run)
    done = run_pass(home.store, home.clock, options, suspect, side.ask)
    side.finish()
    return replace(done, notices=(*home.store.notices, *done.notices))


def _verify(home: Home, snapshot: Snapshot, *, full: bool, keep: bool) -> Checked:
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
    )
    if keep and found.ledger != known:
        home.store.write_state(_LEDGER, found.ledger)
    return found
