"""Dreaming with a model: what a pass costs after new turns, against a pass over everything."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from benchmarks.generate import CLAIMS_PER_NOTE, write_conversations, write_home
from benchmarks.measure import Cost, cost_of
from benchmarks.table import Row, format_cost, within
from toolnexus.app import Home
from toolnexus.models.completion import Usage
from toolnexus.models.estimate import estimate_messages, estimate_tools
from toolnexus.testing.model import ScriptedModel, say

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from benchmarks.sizes import Sizes
    from toolnexus.dream.types import PassStats
    from toolnexus.models.completion import Completion, Request

NEW_TURNS = 100
PASS_SECONDS = 5.0
FEWER = 20.0
"""How many times less a pass after new turns asks than a full one."""


@dataclass(frozen=True, slots=True)
class Pass:
    """A pass that was measured."""

    cost: Cost
    stats: PassStats

    @property
    def told(self) -> str:
        """What it asked of the model."""
        stats = self.stats
        return f"{stats.checked:,} claims, {stats.model_calls:,} calls, {stats.tokens_in:,} tokens"


def measure_dreams(folder: Path, sizes: Sizes) -> Iterator[Row]:
    """Dream over a large home from nothing, after 100 new turns, and with nothing new.

    The model answers at once, so that what is measured is all but the model.
    """
    root = folder / "dreamt"
    notes = max(1, sizes.notes // CLAIMS_PER_NOTE)
    write_home(root, notes)
    write_conversations(root / "transcripts", sizes.turns)
    full = _dream(root)
    claims = f"{full.stats.claims:,} claims, {sizes.turns:,} turns"
    yield Row(f"first pass with a model over {claims}", "–", format_cost(full.cost), None)
    _add_turns(root, sizes)
    new = _dream(root)
    yield within(f"a pass after {NEW_TURNS} new turns, beyond the model", new.cost, PASS_SECONDS)
    yield _compared(new, full)
    idle = _dream(root)
    calls = idle.stats.model_calls
    what = "a pass with nothing new, beyond the model"
    yield within(what, idle.cost, PASS_SECONDS)
    yield Row("its model calls", "0", str(calls), calls == 0)


def _dream(root: Path) -> Pass:
    """Make one pass, with a home that was opened for it."""
    stats: list[PassStats] = []

    def dream() -> None:
        home = Home.open(root)
        stats.append(home.dream(model=ScriptedModel(default=_reply)).stats)

    return Pass(cost_of(dream), stats[0])


def _reply(request: Request) -> Completion:
    """Find nothing to change, and count the tokens of the question."""
    tokens = estimate_messages(request.messages) + estimate_tools(request.tools)
    return say("HEARTBEAT_OK", usage=Usage(tokens, 6, None, 1))


def _add_turns(root: Path, sizes: Sizes) -> None:
    """Write a conversation of another day, in the same language, beside the others."""
    place = root.parent / "new"
    write_conversations(place, NEW_TURNS, said=sizes.turns)
    (written,) = place.iterdir()
    text = written.read_text("utf-8")
    (root / "transcripts" / "talk-new.jsonl").write_text(text, "utf-8")


def _compared(new: Pass, full: Pass) -> Row:
    """Compare what two passes asked; the least of claims, calls and tokens decides."""
    pairs = [
        (getattr(full.stats, name), getattr(new.stats, name))
        for name in ("checked", "model_calls", "tokens_in")
    ]
    fewer = min(old / max(fresh, 1) for old, fresh in pairs)
    what = "what it asks of the model, against that first pass"
    return Row(what, f"≥ {FEWER:g} × fewer", new.told, fewer >= FEWER, full.told, fewer)
