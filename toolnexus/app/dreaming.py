"""Dreaming: a pass, wired to a home."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING

from toolnexus.dream.passes import PassOptions, run_pass
from toolnexus.dream.suspect import Checked, find_suspicions
from toolnexus.settings import resolve_model

if TYPE_CHECKING:
    from toolnexus.app.home import Home
    from toolnexus.dream.types import Pass, Suspicion
    from toolnexus.home.snapshot import Snapshot


_LEDGER = "verified"


def dream(home: Home, *, dry_run: bool, propose: bool, full: bool = False) -> Pass:
    """Run one pass over a home.

    Args:
        home: The home.
        dry_run: Decide everything, write nothing.
        propose: Leave the changes for `review`.
        full: Verify every claim, whatever earlier passes have verified.
    """
    settings = home.settings
    options = PassOptions(dry_run=dry_run, propose=propose, max_change=settings.dream.max_change)
    verified = Checked()

    def suspect(snapshot: Snapshot) -> tuple[Suspicion, ...]:
        nonlocal verified
        verified = _verify(home, snapshot, full=full, keep=not dry_run)
        return verified.suspicions

    done = run_pass(home.store, home.clock, options, suspect)
    stats = replace(done.stats, checked=verified.checked, turns_new=verified.turns_new)
    notices = (*_model_notice(home), *home.store.notices, *done.notices)
    return replace(done, stats=stats, notices=notices)


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


def _model_notice(home: Home) -> tuple[str, ...]:
    model = resolve_model(home.settings, os.environ, home.model)
    if model is None:
        return ()
    notice = (
        f"this version dreams without a model: '{model}' was not asked, and claims are only "
        "compared with the transcripts by rule"
    )
    return (notice,)
