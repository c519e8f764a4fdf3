"""Notes that are symbolic links to other notes of the same home."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from toolnexus.app import Home
from toolnexus.clock import FixedClock, parse_instant
from toolnexus.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path

TEA = "---\ntitle: Tea\n---\n- Green, without sugar, see [[cups]].\n- Black in winter.\n"


@pytest.fixture
def ava(tmp_path: Path) -> Home:
    """A home whose note `drinks` is a symbolic link to its note `tea`."""
    root = tmp_path / "ava"
    (root / "memory").mkdir(parents=True)
    (root / "MEMORY.md").write_text("- [[tea]], [[drinks]], [[cups]]\n")
    (root / "SOUL.md").write_text("You are Ava.\n")
    (root / "persona.yaml").write_text("model: none\n")
    (root / "memory/tea.md").write_text(TEA)
    (root / "memory/cups.md").write_text("- Blue ones.\n")
    (root / "memory/drinks.md").symlink_to("tea.md")
    return Home.open(root, clock=FixedClock(parse_instant("2026-11-30T08:00:00Z")))


def text_of(home: Home, path: str) -> str:
    return (home.root / path).read_text()


def test_a_linked_note_is_merged_with_nothing(ava: Home):
    """A note and the link to it say the same and are one file, so that no job folds them."""
    assert ava.dream().outcome == "nothing"
    assert ava.compact().outcome == "nothing"
    assert (ava.root / "memory/drinks.md").is_symlink()
    assert text_of(ava, "memory/tea.md") == TEA


def test_what_is_remembered_by_the_name_of_a_link_goes_to_its_target(ava: Home):
    """The link stays one, and the note behind it has the claim once."""
    ava.remember("Oolong on Sundays.", to="drinks")
    assert (ava.root / "memory/drinks.md").is_symlink()
    assert text_of(ava, "memory/tea.md") == TEA + "- Oolong on Sundays.\n"


def test_links_follow_once_in_a_note_of_two_names(ava: Home):
    """A rename rewrites the links in the note itself, and the link to it shows that too."""
    ava.rename("cups", "mugs")
    assert text_of(ava, "memory/drinks.md") == TEA.replace("cups", "mugs")
    assert (ava.root / "memory/drinks.md").is_symlink()
    assert text_of(ava, "MEMORY.md") == "- [[tea]], [[drinks]], [[mugs]]\n"


def test_a_link_is_not_renamed(ava: Home):
    """Its new name would be a copy: the error names the note behind it."""
    with pytest.raises(UsageError, match=r"symbolic link to memory/tea\.md"):
        ava.rename("drinks", "beverages")
    assert text_of(ava, "memory/tea.md") == TEA
