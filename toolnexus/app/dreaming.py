"""Dreaming: a pass, wired to a home."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING

from toolnexus.dream.passes import PassOptions, run_pass
from toolnexus.settings import resolve_model

if TYPE_CHECKING:
    from toolnexus.app.home import Home
    from toolnexus.dream.types import Pass, Suspicion
    from toolnexus.home.snapshot import Snapshot


def dream(home: Home, *, dry_run: bool, propose: bool) -> Pass:
    """Run one pass over a home."""
    settings = home.settings
    options = PassOptions(dry_run=dry_run, propose=propose, max_change=settings.dream.max_change)

    def suspect(snapshot: Snapshot) -> tuple[Suspicion, ...]:
        return ()

    done = run_pass(home.store, home.clock, options, suspect)
    return replace(done, notices=(*_model_notice(home), *home.store.notices, *done.notices))


def _model_notice(home: Home) -> tuple[str, ...]:
    model = resolve_model(home.settings, os.environ, home.model)
    if model is None:
        return ()
    return (
        f"this version dreams without a model: '{model}' was not asked, and claims are only "
        "compared with the transcripts by rule",
    )
