"""A state folder outside the home serves one home."""

from __future__ import annotations

import shutil

import pytest

from toolnexus.errors import UsageError
from toolnexus.store.door import Store


def make_home(folder):
    """Make a small home."""
    folder.mkdir()
    (folder / "SOUL.md").write_text("You are Ava.\n")
    (folder / "MEMORY.md").write_text("- Tea.\n")
    return folder


def test_two_homes_cannot_share_a_state_folder(tmp_path):
    """A second home is refused, so that no journal is ever put to the wrong files."""
    ava, otto = make_home(tmp_path / "ava"), make_home(tmp_path / "otto")
    Store(ava, tmp_path / "state").read()
    with pytest.raises(UsageError, match="another home"):
        Store(otto, tmp_path / "state")
    assert Store(ava, tmp_path / "state").read().memory is not None


def test_a_cached_state_may_follow_its_home(tmp_path):
    """A state whose home is gone, as after a fresh checkout elsewhere, is taken over."""
    ava = make_home(tmp_path / "ava")
    Store(ava, tmp_path / "state").read()
    shutil.move(ava, tmp_path / "checkout")
    assert Store(tmp_path / "checkout", tmp_path / "state").read().memory is not None


def test_a_home_that_is_moved_keeps_its_own_state(tmp_path):
    """The state in the home itself moves along and belongs to whoever copies it."""
    ava = make_home(tmp_path / "ava")
    Store(ava).read()
    shutil.copytree(ava, tmp_path / "copy")
    assert Store(tmp_path / "copy").read().memory is not None
    assert not (ava / ".toolnexus" / "home").exists()


@pytest.mark.parametrize("held", ["SOUL.md", "MEMORY.md", "thesis.tex"])
def test_a_folder_of_something_else_is_no_state_folder(tmp_path, held):
    """A home, or anybody's folder, is refused and left as it is: ours keeps itself out of git."""
    ava, other = make_home(tmp_path / "ava"), tmp_path / "other"
    other.mkdir()
    (other / held).write_text("mine\n")
    with pytest.raises(UsageError, match="no state folder"):
        Store(ava, other)
    assert [path.name for path in other.iterdir()] == [held]


def test_an_empty_folder_becomes_a_state_folder(tmp_path):
    """A folder that was made for it beforehand will do, and goes on doing so."""
    ava, state = make_home(tmp_path / "ava"), tmp_path / "state"
    state.mkdir()
    for _ in range(2):
        Store(ava, state).write_state("cursor", 1)
    assert Store(ava, state).read_state("cursor") == 1
