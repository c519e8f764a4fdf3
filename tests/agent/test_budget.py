"""Budgets."""

from __future__ import annotations

import pytest

from toolnexus.agent.budget import TOKENS_PER_USD, Budget, Meter
from toolnexus.models.completion import Usage


@pytest.mark.parametrize(
    ("budget", "left"),
    [
        (Budget(calls=2), ["", "2 of 2 calls"]),
        (Budget(tokens=240), ["", "240 of 240 tokens"]),
        (Budget(usd=0.03), ["", "0.0400 of 0.0300 US dollars"]),
        (Budget(), ["", ""]),
    ],
)
def test_each_bound_is_kept(budget, left):
    """A bound is spent when it is reached, not before, and says which one it is."""
    meter = Meter(budget)
    said = []
    for _ in range(2):
        meter.add(Usage(100, 20, 0.02, 1))
        said.append(meter.spent())
    assert said == left


def test_time_is_a_bound():
    """Seconds count from the meter's start on the clock that it is given."""
    now = 5.0
    meter = Meter(Budget(seconds=10), lambda: now)
    assert meter.seconds_left() == 10
    now = 15.0
    assert meter.spent() == "10 of 10 seconds"
    assert meter.seconds_left() == 0


def test_an_unknown_price_counts_by_tokens():
    """A bound in money holds on a model whose price nobody knows, and the usage says unknown."""
    meter = Meter(Budget(usd=0.5))
    meter.add(Usage(TOKENS_PER_USD // 2 - 10, 0, None, 1))
    assert meter.spent() == ""
    meter.add(Usage(10, 0, 0.0, 1))
    meter.add(Usage(10, 0, None, 1))
    assert "US dollars" in meter.spent()
    assert meter.usage.usd is None


def test_what_comes_next_counts():
    """A question that would go over the bound is not asked."""
    meter = Meter(Budget(tokens=1_000))
    meter.add(Usage(500, 100, None, 1))
    assert meter.spent(300) == ""
    assert meter.spent(400) == "600 of 1,000 tokens"
    assert meter.tokens_left() == 400
