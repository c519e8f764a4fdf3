"""Imagining, wired to a home: the scope, the model and what it may spend."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolnexus.app.thinker import thinker_of
from toolnexus.evolve.imagining.run import run_imagining, tell_offline
from toolnexus.evolve.imagining.types import ImagineOptions
from toolnexus.home.scope import parse_scope
from toolnexus.store.notes import paused_collection

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from toolnexus.app.host import ModelLike
    from toolnexus.app.parts import Parts
    from toolnexus.evolve.imagining.idea import Idea
    from toolnexus.evolve.imagining.types import Imagining, Telling
    from toolnexus.home.snapshot import Snapshot
    from toolnexus.models.model import Model


def imagine(
    home: Parts, *, dry_run: bool = False, scope: str = "", model: ModelLike | None = None
) -> Imagining:
    """Imagine of a home's notes; see `Home.imagine`."""
    settings = home.settings
    folder = parse_scope(scope, home.store.layout, home.read().notes) if scope else ""
    make = thinker_of(home, model)
    options = ImagineOptions(settings.imagine.cooldown, folder, dry_run, make is not None)
    with paused_collection():
        tell = tell_offline if make is None else _telling(home, make, keep=not dry_run)
        return run_imagining(home.store, home.clock, options, tell)


def _telling(
    home: Parts, make: Callable[[], Model], *, keep: bool
) -> Callable[[Snapshot, Sequence[Idea]], Telling]:
    """Return what puts ideas to a model, within the budget of a dream."""

    def tell(snapshot: Snapshot, ideas: Sequence[Idea]) -> Telling:
        from toolnexus.agent.budget import Budget, Meter
        from toolnexus.agent.run_file import new_run_file
        from toolnexus.evolve.imagining.asking import ask_model

        spend = home.settings.dream
        meter = Meter(Budget(spend.tokens, spend.usd, spend.calls, spend.seconds))
        runs = home.store.state / "runs"
        run_file = new_run_file(runs, home.clock, job="imagine") if keep else None
        return ask_model(snapshot, ideas, make(), meter, run_file)

    return tell
