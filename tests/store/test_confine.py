from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from toolnexus.errors import DiskError, HomeError, UsageError
from toolnexus.store.confine import confine, open_folder


@pytest.mark.parametrize(
    "path",
    [
        "",
        "/etc/passwd",
        "../x.md",
        "memory/../../x.md",
        "a//b.md",
        "./x.md",
        "a\0b",
        "x" * 256 + ".md",
        "ä" * 128,
        "\ud800.md",
        ".toolnexus-tmp-1",
    ],
)
def test_bad_paths_are_refused(tmp_path, path):
    """What is no plain path inside the home is a usage error, never a path."""
    with pytest.raises(UsageError):
        confine(tmp_path, path)


def test_links_out_are_refused_wherever_they_stand(tmp_path):
    """A link out of the home is refused as a file, as a folder and as a chain."""
    home, outside = tmp_path / "home", tmp_path / "outside"
    home.mkdir()
    outside.mkdir()
    (outside / "secret.md").write_text("x")
    (home / "file.md").symlink_to(outside / "secret.md")
    (home / "folder").symlink_to(outside)
    (home / "chain").symlink_to(home / "folder")
    (home / "round.md").symlink_to(home / "round.md")
    for path in ("file.md", "folder/secret.md", "folder/new.md", "chain/new.md", "round.md"):
        with pytest.raises(HomeError):
            confine(home, path)


def test_a_home_beside_one_of_the_same_beginning_is_outside(tmp_path):
    """`/x/avatar` is not inside `/x/ava`."""
    (tmp_path / "ava").mkdir()
    (tmp_path / "avatar").mkdir()
    (tmp_path / "ava" / "x.md").symlink_to(tmp_path / "avatar" / "x.md")
    with pytest.raises(HomeError):
        confine(tmp_path / "ava", "x.md")


def test_links_inside_lead_to_their_target(tmp_path):
    """A link within the home is followed, also through a home that is itself a link."""
    home = tmp_path / "home"
    (home / "notes").mkdir(parents=True)
    (home / "notes" / "tea.md").write_text("x")
    (home / "alias.md").symlink_to("notes/tea.md")
    (tmp_path / "door").symlink_to(home)
    assert confine(tmp_path / "door", "alias.md") == (home / "notes" / "tea.md").resolve()


def test_a_folder_swapped_for_a_link_is_not_entered(tmp_path):
    """A folder that became a link after it was confined is refused when it is opened."""
    home = tmp_path / "home"
    (home / "notes").mkdir(parents=True)
    folder = confine(home, "notes/tea.md").parent
    (home / "notes").rename(home / "old")
    (home / "notes").symlink_to(tmp_path)
    with pytest.raises(DiskError), open_folder(home, folder):
        pass


@settings(
    max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.text(st.sampled_from("ab./\\~ \0\n"), max_size=12))
def test_no_name_leads_out(tmp_path, path):
    """Whatever is made of dots, slashes and the like stays inside or is refused."""
    try:
        real = confine(tmp_path, path)
    except UsageError:
        return
    assert real.is_relative_to(tmp_path.resolve())
    assert real != tmp_path.resolve()
