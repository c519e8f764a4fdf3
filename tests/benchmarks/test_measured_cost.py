"""Costs that were measured, and what becomes of several."""

from __future__ import annotations

from benchmarks.measure import Cost, median_of


def test_the_median_is_of_each_time_by_itself():
    """A call that was slow on the clock alone does not pull its processor time in."""
    costs = [Cost(9.0, 1.0), Cost(2.0, 3.0), Cost(1.0, 2.0)]
    assert median_of(costs) == Cost(2.0, 2.0)
