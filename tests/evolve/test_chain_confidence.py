"""How far each thing can be believed, given what it rests on."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolnexus.evolve.chains.circles import find_circles
from toolnexus.evolve.chains.confidence import FACTORS, Believed, Rests, noisy_or, propagate

SUPPORTS = [kind for kind, factor in FACTORS.items() if factor > 0]
shares = st.floats(0, 1, allow_nan=False)


@st.composite
def graphs(draw, *, circles: bool = False, refuted: bool = True):
    """Draw things and what they rest on: without circles each rests on later ones alone."""
    count = draw(st.integers(1, 7))
    things = [
        Believed(draw(shares), draw(st.booleans()), draw(st.one_of(st.just(1.0), shares)))
        for _ in range(count)
    ]
    kinds = [*SUPPORTS, "refuted_by"] if refuted else SUPPORTS
    pairs = [
        (child, parent)
        for child in range(count)
        for parent in range(0 if circles else child + 1, count)
    ]
    chosen = draw(st.lists(st.sampled_from(pairs), max_size=14)) if pairs else []
    links = [Rests(*pair, draw(st.sampled_from(kinds)), draw(shares)) for pair in chosen]
    return things, links


@pytest.mark.parametrize(
    ("kind", "factor"),
    [
        ("derived_from", 0.9),
        ("supported_by", 0.7),
        ("merged_from", 0.85),
        ("distilled_from", 0.95),
    ],
)
def test_each_kind_of_link_has_its_factor(kind, factor):
    """One link brings its parent's confidence times its strength times its kind's factor."""
    things = [Believed(1.0), Believed(0.8)]
    outcome = propagate(things, [Rests(0, 1, kind, 0.5)])
    assert outcome.confidence[0] == pytest.approx(0.8 * 0.5 * factor)


def test_independent_parents_are_a_noisy_or():
    """Two parents that share no origin bring the chance that at least one of them holds."""
    things = [Believed(1.0), Believed(0.8), Believed(0.5)]
    links = [Rests(0, 1, "derived_from"), Rests(0, 2, "supported_by")]
    expected = 1 - (1 - 0.72) * (1 - 0.35)
    assert propagate(things, links).confidence[0] == pytest.approx(expected)


def test_a_refutation_takes_half_of_its_confidence():
    """What refutes a thing is subtracted at half its confidence, never below zero."""
    things = [Believed(0.9), Believed(0.6)]
    assert propagate(things, [Rests(0, 1, "refuted_by")]).confidence[0] == pytest.approx(0.6)
    many = [Believed(0.9)] + [Believed(1.0)] * 3
    against = [Rests(0, number, "refuted_by") for number in (1, 2, 3)]
    assert propagate(many, against).confidence[0] == 0.0


@given(shares, shares, shares, shares, shares)
def test_a_diamond_brings_what_its_best_path_brings(origin, a, b, c, d):
    """An origin that is reached over two paths counts once, by the better of them."""
    things = [Believed(1.0), Believed(1.0), Believed(1.0), Believed(origin)]
    left = [Rests(0, 1, "derived_from", a), Rests(1, 3, "supported_by", b)]
    right = [Rests(0, 2, "merged_from", c), Rests(2, 3, "distilled_from", d)]
    whole = propagate(things, [*left, *right]).confidence[0]
    one, other = (propagate(things, way).confidence[0] for way in (left, right))
    alone = [0.9 * a * 0.7 * b * origin, 0.85 * c * 0.95 * d * origin]
    assert whole == pytest.approx(max(alone))
    assert whole <= max(one, other) + 1e-12


def test_a_shared_origin_beside_others_counts_once():
    """Of two notes that share one turn and have one each of their own, three turns speak."""
    things = [Believed(1.0)] * 3 + [Believed(0.5)] * 3
    links = [
        Rests(0, 1, "derived_from"),
        Rests(0, 2, "derived_from"),
        *(Rests(1, turn, "supported_by") for turn in (3, 4)),
        *(Rests(2, turn, "supported_by") for turn in (4, 5)),
    ]
    by_origins = noisy_or([0.9 * 0.7 * 0.5] * 3)
    assert propagate(things, links).confidence[0] == pytest.approx(by_origins)


def test_no_parent_brings_more_than_it_is_believed():
    """A guess with five sources stays a guess for what is derived from it."""
    things = [Believed(1.0), Believed(0.35, cap=0.35)] + [Believed(1.0)] * 5
    links = [Rests(0, 1, "derived_from")]
    links += [Rests(1, source, "derived_from") for source in range(2, 7)]
    confidence = propagate(things, links).confidence
    assert confidence[1] == pytest.approx(0.35)
    assert confidence[0] == pytest.approx(0.9 * 0.35)


@pytest.mark.slow
@given(graphs(circles=True))
def test_confidence_is_a_share(graph):
    """Whatever the links, circles included, confidence lies between 0 and 1."""
    things, links = graph
    assert all(0.0 <= share <= 1.0 for share in propagate(things, links).confidence)


@given(graphs(circles=True), st.randoms(use_true_random=False))
def test_the_order_of_links_does_not_count(graph, dice):
    """Shuffled links give the very same numbers."""
    things, links = graph
    shuffled = list(links)
    dice.shuffle(shuffled)
    assert propagate(things, shuffled) == propagate(things, links)


@given(graphs(refuted=False), st.data())
def test_more_belief_in_a_parent_never_lowers_a_child(graph, data):
    """Where nothing is refuted, a thing that can be believed more lowers nothing else."""
    things, links = graph
    number = data.draw(st.integers(0, len(things) - 1))
    old = things[number]
    raised = [*things]
    raised[number] = Believed(
        data.draw(st.floats(old.own, 1)), old.stands, data.draw(st.floats(old.cap, 1))
    )
    before = propagate(things, links).confidence
    after = propagate(raised, links).confidence
    assert all(new >= low - 1e-12 for low, new in zip(before, after, strict=True))


@given(graphs(refuted=False), shares, shares)
def test_a_refutation_never_raises_what_it_refutes(graph, own, strength):
    """Something more that speaks against a thing lowers it or leaves it."""
    things, links = graph
    before = propagate(things, links).confidence[0]
    against = Rests(0, len(things), "refuted_by", strength)
    assert propagate([*things, Believed(own)], [*links, against]).confidence[0] <= before + 1e-12


@given(graphs(circles=True))
def test_nothing_supports_itself(graph):
    """Links within a circle may be taken out, and every number stays."""
    things, links = graph
    outcome = propagate(things, links)
    rest = [link for link in links if outcome.counts(link)]
    again = propagate(things, rest)
    assert again.confidence == outcome.confidence
    assert again.circles == ()


@given(st.integers(1, 8), st.data())
def test_circles_are_what_can_be_reached_from_itself(count, data):
    """Two things are in one circle exactly where each rests on the other, over any way."""
    numbers = st.integers(0, count - 1)
    pairs = data.draw(st.lists(st.tuples(numbers, numbers), max_size=16))
    order, circles = find_circles(count, pairs)
    reached = {n: _reached(n, pairs) for n in range(count)}
    assert sorted(order) == list(range(count))
    assert {n for circle in circles for n in circle} == {n for n in reached if n in reached[n]}
    for circle in circles:
        assert all(other in reached[n] for n in circle for other in circle)
    place = {number: at for at, number in enumerate(order)}
    for child, parent in pairs:
        assert place[parent] < place[child] or child in reached[parent] or child == parent


def _reached(start: int, pairs: list[tuple[int, int]]) -> set[int]:
    found: set[int] = set()
    waiting = [start]
    while waiting:
        number = waiting.pop()
        new = {parent for child, parent in pairs if child == number} - found
        found |= new
        waiting += new
    return found


@pytest.mark.slow
def test_a_chain_may_be_longer_than_the_stack():
    """Ten thousand things in a row are no recursion."""
    count = 10_000
    links = [Rests(number, number + 1, "distilled_from") for number in range(count - 1)]
    random.Random(1).shuffle(links)
    outcome = propagate([Believed(1.0)] * count, links)
    assert outcome.confidence[count - 11] == pytest.approx(0.95**10)
    assert outcome.circles == ()
