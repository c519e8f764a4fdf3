"""The roster: which folders are homes, and what is as it was."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from toolnexus.app.scheduled import Place
from toolnexus.clock import SystemClock
from toolnexus.errors import HomeError
from toolnexus.fleet.roster import Survey, Surveyor, find_homes, require_folders, roots_of


@pytest.fixture
def homes(tmp_path, monkeypatch):
    """Two homes, one of them deeper, among folders that are none."""
    monkeypatch.chdir(tmp_path)
    for name in ("ava", "team/bo", "team/bo/memory/inner", ".hidden/cy", "plain/empty"):
        (tmp_path / "homes" / name).mkdir(parents=True)
    for name in ("ava", "team/bo", ".hidden/cy", "team/bo/memory/inner"):
        (tmp_path / "homes" / name / "SOUL.md").write_text("# Soul\n")
    return tmp_path / "homes"


def names(*folders: str, **options) -> list[str]:
    return sorted(find_homes(folders, **options).values())


def test_homes_are_found_at_any_depth_but_not_in_each_other(homes):
    """Hidden folders and folders of a home are left out."""
    assert names("homes") == ["homes/ava", "homes/team/bo"]
    assert names("homes/team") == ["homes/team/bo"]
    assert names("homes/ava") == ["homes/ava"]
    assert names("homes/plain", "nowhere") == []


def test_names_are_as_they_were_reached(homes, monkeypatch):
    """Without a folder in front where the current one was named, and whole where it was."""
    monkeypatch.chdir(homes)
    assert names(".") == ["ava", "team/bo"]
    assert names(str(homes)) == [str(homes / "ava"), str(homes / "team/bo")]


def test_a_home_that_is_reached_twice_is_one(homes):
    """By two folders, or by a link; and links that go round in circles end."""
    (homes / "again").symlink_to(homes / "ava")
    (homes / "plain" / "round").symlink_to(homes)
    assert len(find_homes(["homes", "homes/team", "homes/again"])) == 2


def test_what_is_known_is_not_looked_into(homes):
    """A known home stays one while its folder is there; a link may lead elsewhere meanwhile."""
    known = find_homes(["homes"])
    (homes / "new").mkdir()
    (homes / "new" / "USER.md").write_text("")
    assert names("homes", known=known) == ["homes/ava", "homes/new", "homes/team/bo"]
    shutil.rmtree(homes / "ava")
    assert names("homes", known=known) == ["homes/new", "homes/team/bo"]
    (homes / "ava").symlink_to(homes / "new")
    assert len(find_homes(["homes"], known)) == 2


def test_folders_have_to_be_there(homes):
    """A folder without homes is fine, for they may come; one that is not there is an error."""
    require_folders(["homes", "homes/plain"])
    with pytest.raises(HomeError, match="no such folder"):
        require_folders(["homes", "nowhere"])


def test_a_survey_reads_what_has_changed_alone(homes):
    """New homes, other settings and edits of HEARTBEAT.md are changes; notes are none."""
    surveyor = Surveyor(["homes"], Place, SystemClock())
    first = surveyor.look(Survey())
    assert len(first.changed) == 2
    (homes / "ava" / "MEMORY.md").write_text("- A claim.\n")
    second = surveyor.look(first)
    assert (second.changed, second.gone) == ({}, frozenset())
    (homes / "ava" / "persona.yaml").write_text("name: Ava\n")
    (homes / "team" / "bo" / "HEARTBEAT.md").write_text("Look.\n")
    third = surveyor.look(second)
    ava, bo = (homes / "ava").resolve(), (homes / "team" / "bo").resolve()
    assert set(third.changed) == {ava, bo}
    assert (third.news_of(ava, second), third.news_of(bo, second)) == ("changed", "")
    shutil.rmtree(ava)
    assert surveyor.look(third).gone == {ava}
    (bo / "persona.yaml").write_text("name: Bo\n")
    assert set(surveyor.look(third, frozenset({bo, ava})).changed) == {bo}


@pytest.mark.parametrize(
    ("paths", "roots"),
    [
        (["ava/HEARTBEAT.md"], {"ava"}),
        (["ava/persona.yaml", "bo/persona.yaml"], {"ava", "bo"}),
        (["ava/memory/tea.md", "ava/memory/HEARTBEAT.md"], set()),
        (["ava"], None),
        (["ava/HEARTBEAT.md", "new"], None),
        ([], set()),
    ],
)
def test_a_hint_is_traced_to_its_home(paths, roots):
    """A file that matters to a known home is looked at alone; anything else may be a new home."""
    known = {Path("/h/ava"): "ava", Path("/h/bo"): "bo"}
    found = roots_of([Path("/h") / path for path in paths], known)
    assert found == (None if roots is None else {Path("/h") / root for root in roots})
