"""Scopes: how they are named, and that one never reaches into another."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolnexus.errors import UsageError
from toolnexus.home.layout import LAYOUTS
from toolnexus.home.scope import in_scope, parse_scope

PERSONA = LAYOUTS["persona"]
FOLDERS = ["a", "ab", "a/b", "b", "archive", "café"]
NOTES = [f"memory/{folder}/x.md" for folder in FOLDERS]


@pytest.mark.parametrize(
    "text",
    ["..", "../x", "a/../b", "/etc", "a//b", "a\\b", ".toolnexus", "a/.git", "a\0b", "nowhere"],
)
def test_what_could_lead_elsewhere_is_refused(text):
    """A scope that climbs, is absolute, hidden or no folder of notes is wrong usage."""
    with pytest.raises(UsageError):
        parse_scope(text, PERSONA, [*NOTES, "memory/nowhere.md"])


@pytest.mark.parametrize("text", ["a/b", "a/b/", "memory/a/b", " a/b "])
def test_a_scope_may_be_named_from_the_home_or_from_the_notes(text):
    """However it is written, it is one folder; nothing, or a point, is the whole home."""
    assert parse_scope(text, PERSONA, NOTES) == "memory/a/b"
    assert parse_scope("", PERSONA, NOTES) == parse_scope(".", PERSONA, NOTES) == ""


@given(st.sampled_from(FOLDERS), st.sampled_from(FOLDERS), st.sampled_from(["x", "a", "é"]))
@settings(max_examples=60)
def test_a_scope_holds_exactly_what_lies_below_it(scope, folder, slug):
    """A note is in a scope when its folder is that one or lies in it, by whole names."""
    below = folder.split("/")[: len(scope.split("/"))] == scope.split("/")
    path = f"memory/{folder}/{slug}.md"
    assert in_scope(path, parse_scope(scope, PERSONA, NOTES)) == below
    assert in_scope(path, "")
