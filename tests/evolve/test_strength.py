"""Strength: it fades by half-lives, is refreshed by use, and asking for it changes nothing."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolnexus.evolve.strength import strength
from toolnexus.home.ripening import STABILITIES, Ripening, Stability, ripening_of
from toolnexus.home.snapshot import Snapshot
from toolnexus.settings import EvolveSettings
from toolnexus.store.uses import NoteUses, Use, Uses

if TYPE_CHECKING:
    from toolnexus.home.note import Note

PATH = "memory/tea.md"
MADE = datetime(2026, 3, 1, tzinfo=UTC)
spans = st.integers(0, 40_000_000).map(lambda seconds: timedelta(seconds=seconds))
stabilities = st.sampled_from(STABILITIES)


def note_of(text: str = "- Green.\n") -> Note:
    """Return a note of this text."""
    return Snapshot(name="ava").with_texts({PATH: text}).notes[PATH]


def used(*uses: Use) -> Uses:
    """Sum up some uses of the note."""
    found = NoteUses()
    for use in uses:
        found = found.after(use)
    return Uses({PATH: found})


def at(stability: Stability, age: timedelta, uses: Uses = Uses()) -> float:  # noqa: B008
    """Return the strength of a note of this age."""
    return strength(note_of(), Ripening(stability=stability, created=MADE), uses, MADE + age)


@pytest.mark.parametrize(
    ("stability", "half_life"),
    [
        ("stable", timedelta(days=70)),
        ("transient", timedelta(days=7)),
        ("ephemeral", timedelta(hours=1)),
    ],
)
def test_strength_halves_with_each_half_life(stability: Stability, half_life: timedelta):
    """After one half-life a half is left, after three an eighth."""
    assert at(stability, timedelta()) == 1
    assert at(stability, half_life) == pytest.approx(1 / 2)
    assert at(stability, 3 * half_life) == pytest.approx(1 / 8)


def test_what_is_permanent_never_fades():
    """A permanent note is as strong after a century as on its first day."""
    assert at("permanent", timedelta(days=36_500)) == 1


def test_the_settings_say_the_half_lives():
    """A home may let its notes fade faster."""
    ripe = Ripening(stability="stable", created=MADE)
    fast = EvolveSettings(stable_half_life=timedelta(days=1))
    now = MADE + timedelta(days=2)
    assert strength(note_of(), ripe, Uses(), now, fast) == pytest.approx(1 / 4)


def test_use_and_praise_refresh_and_blame_does_not():
    """A note is as strong as on its first day when it was just used or praised."""
    week = MADE + timedelta(days=7)
    assert at("transient", timedelta(days=7), used(Use(PATH, week))) == 1
    assert at("transient", timedelta(days=7), used(Use(PATH, week, "feedback", 0.2))) == 1
    assert at("transient", timedelta(days=7), used(Use(PATH, week, "feedback", -0.2))) == 0.5


def test_looking_after_a_note_refreshes_it():
    """The later of `created` and `updated` counts."""
    note = note_of("---\ncreated: 2026-01-01\nupdated: 2026-03-01\n---\n- Green.\n")
    assert strength(note, ripening_of(note), Uses(), MADE + timedelta(days=70)) == 0.5


def test_a_note_without_a_date_does_not_fade():
    """Nobody can tell its age; and a use must never be what makes a note fade."""
    late = MADE + timedelta(days=9_999)
    for uses in (Uses(), used(Use(PATH, MADE))):
        assert strength(note_of(), Ripening(stability="ephemeral"), uses, late) == 1


def test_a_date_to_come_is_no_age():
    """A note that was made tomorrow, by a clock that is wrong, is as strong as can be."""
    assert at("ephemeral", timedelta(days=-1)) == 1


@given(stabilities, spans, spans)
def test_fading_composes(stability: Stability, first: timedelta, second: timedelta):
    """What is left after two spans is what each leaves, multiplied: when one asks is no matter."""
    together = at(stability, first + second)
    assert together == pytest.approx(at(stability, first) * at(stability, second), abs=1e-12)


@given(stabilities, st.lists(spans, max_size=10), spans)
def test_asking_changes_nothing(stability: Stability, asked: list[timedelta], age: timedelta):
    """Asking hourly or yearly, in any order, gives the same answer."""
    fresh = at(stability, age)
    for span in asked:
        at(stability, span)
    assert at(stability, age) == fresh


@given(stabilities, spans, spans, st.lists(spans, max_size=5))
def test_strength_is_bounded_and_only_falls(
    stability: Stability, age: timedelta, more: timedelta, uses: list[timedelta]
):
    """It lies within 0 and 1, falls as time goes by, and no use ever lowers it."""
    before = used(*(Use(PATH, MADE + min(span, age)) for span in uses))
    one, later = at(stability, age, before), at(stability, age + more, before)
    assert 0 <= later <= one <= 1
    assert at(stability, age) <= one
