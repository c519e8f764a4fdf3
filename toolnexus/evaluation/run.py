"""The run: each home is written to a temporary folder, dreamt over, and judged."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from toolnexus.app.home import Home
from toolnexus.clock import FixedClock, parse_instant
from toolnexus.evaluation.card import Scorecard
from toolnexus.evaluation.score import score

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from toolnexus.evaluation.card import Scored
    from toolnexus.evaluation.case import Case
    from toolnexus.models.model import Model

DREAMT_AT = parse_instant("2026-12-01T03:00:00Z")
"""After all that is said in the cases: the clock of a scorecard stands still."""


def evaluate(
    cases: Sequence[Case],
    model_for: Callable[[Case], Model | None],
    *,
    name: str = "none",
    budget_usd: float | None = None,
    begin: Callable[[Case], object] = lambda _: None,
) -> Scorecard:
    """Make a scorecard of a model as a dreamer.

    Args:
        cases: The homes.
        model_for: Gives the model for a home; None dreams offline.
        name: What the card calls it.
        budget_usd: What all of it may cost, in US dollars; None is no bound.
        begin: Is told of each home before its pass.
    """
    homes: list[Scored] = []
    spent = 0.0
    for case in cases:
        if budget_usd is not None and spent >= budget_usd:
            stopped = f"{spent:.4f} of {budget_usd:.4f} US dollars are spent"
            return Scorecard(name, tuple(homes), stopped)
        begin(case)
        left = None if budget_usd is None else budget_usd - spent
        scored, failed = _score(case, model_for(case), left)
        if failed:
            return Scorecard(name, tuple(homes), failed)
        homes.append(scored)
        spent += scored.tally.usd
    return Scorecard(name, tuple(homes))


def _score(case: Case, model: Model | None, left_usd: float | None) -> tuple[Scored, str]:
    """Dream over one home; a model that fails is told in words."""
    with TemporaryDirectory(prefix="toolnexus-evaluate-") as folder:
        root = Path(folder) / "home"
        root.mkdir()
        case.write(root)
        home = Home.open(root, clock=FixedClock(DREAMT_AT), model="none")
        before = home.read()
        done = home.dream(model=model, budget_usd=left_usd, full=True)
        scored = score(case, before, home.read(), done)
    return scored, done.reply if done.outcome == "failed" else ""
