"""Slugs."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolnexus.text.slug import RESERVED, fold_name, is_safe_slug, slugify


@pytest.mark.parametrize(
    ("title", "slug"),
    [
        ("Travel preferences", "travel-preferences"),
        ("Café & Crème!", "café-crème"),
        ("  __init__  ", "init"),
        ("日本 旅行", "日本-旅行"),
        ("../../etc/passwd", "etc-passwd"),
        ("", "note"),
        ("???", "note"),
        ("LOG", "log-note"),
        ("word " * 40, "-".join(["word"] * 12)),
        ("x" * 300, "x" * 60),
        ("C:\\temp\x00.md", "c-temp-md"),
    ],
)
def test_slugify(title: str, slug: str) -> None:
    """Titles become readable file names, cut at a word's end."""
    assert slugify(title) == slug


def test_taken_slugs_get_a_number() -> None:
    """A clash is seen after folding and counted on from 2."""
    assert slugify("Tea time", taken={"TEA_time", "tea-time-2"}) == "tea-time-3"


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=120), st.sets(st.text(max_size=6), max_size=4))
def test_a_slug_is_always_safe_and_new(title: str, taken: set[str]) -> None:
    """Whatever the title, its slug is a safe file stem, is not reserved and is not taken."""
    slug = slugify(title, taken)
    assert is_safe_slug(slug)
    assert fold_name(slug) not in RESERVED | {fold_name(each) for each in taken}


@pytest.mark.parametrize(
    ("slug", "safe"),
    [
        ("a", True),
        ("Ünï code", True),
        ("v1.2", True),
        *(
            (bad, False)
            for bad in ("", ".", "..", ".a", "a.", "a/b", "a\\b", "a..b", "a\n", "\x7f")
        ),
        *((bad, False) for bad in (" a", "a ", "a:b", "é" * 101, "a\u202eb", "\ud800", "a\0")),
    ],
)
def test_is_safe_slug(slug: str, *, safe: bool) -> None:
    """No separator, control character or dot can lead out of a folder."""
    assert is_safe_slug(slug) is safe


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=20))
def test_folding_a_name_twice_is_folding_it_once(name: str) -> None:
    """Folded names are stable, so that they can be keys."""
    assert fold_name(fold_name(name)) == fold_name(name)


def test_folding_ignores_case_form_and_gaps_but_not_accents() -> None:
    """Composed and decomposed letters are one; accented and bare letters are two."""
    assert fold_name("Cafe\u0301_Notes") == fold_name("CAFÉ notes")
    assert fold_name("cafe") != fold_name("café")
