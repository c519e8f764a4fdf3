"""Matching claims before and after: nothing is lost or doubled, and lawful steps compose."""

from __future__ import annotations

from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from toolnexus.change.matching import keeps_context, settle

contexts = st.lists(st.sampled_from("ab"), max_size=3).map(tuple)


@given(st.sets(contexts, max_size=5), st.sets(contexts, max_size=5))
def test_room_is_found_whenever_there_is_some(guests, places):
    """As many find room as in the best of all arrangements."""
    left = settle(dict.fromkeys(guests, 1), dict.fromkeys(places, 1), keeps_context)
    few, many = sorted([list(guests), list(places)], key=len)
    is_guests_few = len(few) == len(guests) and set(few) == guests
    best = max(
        sum(
            keeps_context(*pair) if is_guests_few else keeps_context(*pair[::-1])
            for pair in zip(few, order, strict=False)
        )
        for order in permutations(many)
    )
    assert len(guests) - len(left) == best


def test_a_full_place_makes_room():
    """Who has a choice moves on for who has none, and a place holds as many as it has beds."""
    may_be = {("a", "x"), ("a", "y"), ("b", "x")}.__contains__
    asked = settle({("a",): 1, ("b",): 1}, {("x",): 1, ("y",): 1}, lambda g, p: may_be((*g, *p)))
    assert asked == {}
    assert settle({(): 3}, {("a",): 2}, keeps_context) == {(): 1}


def test_ten_thousand_equal_claims_take_no_time():
    """Equal claims are counted, not compared with each other."""
    assert settle({(): 10_000}, {("a",): 9_999}, keeps_context) == {(): 1}
