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


@pytest.mark.parametrize(
    "text",
    ["..", "../x", "a/../b", "/etc", "a//b", "a\\b", ".toolnexus", "a/.git", "a\0b", "C:", "a/ b"],
)
def test_what_could_lead_elsewhere_is_refused(text):
    """A scope that climbs, is absolute, hidden or no folder's name is wrong usage."""
    with pytest.raises(UsageError):
        parse_scope(PERSONA, text)


def test_a_layout_without_folders_has_no_scopes():
    """Only the whole home is a scope where notes lie in no folders."""
    assert parse_scope(LAYOUTS["claude"], " ") == ""
    with pytest.raises(UsageError):
        parse_scope(LAYOUTS["claude"], "work")


@given(st.sampled_from(FOLDERS), st.sampled_from(FOLDERS), st.sampled_from(["x", "a", "é"]))
@settings(max_examples=60)
def test_a_scope_holds_exactly_what_lies_below_it(scope, folder, slug):
    """A note is in a scope when its folder is that one or lies in it, by whole names."""
    below = folder.split("/")[: len(scope.split("/"))] == scope.split("/")
    assert in_scope(PERSONA, f"memory/{folder}/{slug}.md", parse_scope(PERSONA, scope)) == below
    assert in_scope(PERSONA, f"memory/{folder}/{slug}.md", "")
    assert in_scope(LAYOUTS["vault"], f"{folder}/{slug}.md", scope) == below


def test_a_name_is_the_same_however_its_accents_are_encoded():
    """A folder that a disk gives decomposed is the one that was typed composed."""
    assert in_scope(PERSONA, "memory/cafe\u0301/tea.md", parse_scope(PERSONA, "caf\u00e9"))
