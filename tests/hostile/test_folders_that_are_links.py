"""Folders of a home that are links out of it: nothing is read there, and nothing written."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from toolnexus.app import Home, create_home
from toolnexus.clock import FixedClock, parse_instant
from toolnexus.errors import HomeError, ToolnexusError

if TYPE_CHECKING:
    from pathlib import Path

SECRET = "the safe is behind the clock"


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """A folder beside the home with a note, a turn and a log."""
    folder = tmp_path / "outside"
    folder.mkdir()
    (folder / "diary.md").write_text(f"# Diary\n\n- {SECRET}.\n- {SECRET}.\n- See [[dairy]].\n")
    (folder / "t.jsonl").write_text(f'{{"role": "user", "content": "{SECRET}"}}\n')
    (folder / "log.md").write_text("- mine\n")
    return folder


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A home with two notes that are alike, old and forgotten enough to be archived."""
    root = tmp_path / "ava"
    create_home(root)
    (root / "memory").mkdir(exist_ok=True)
    (root / "transcripts").mkdir(exist_ok=True)
    for name in ("tea", "teas"):
        (root / "memory" / f"{name}.md").write_text(
            "---\ntitle: Tea\ncreated: 2020-01-01\n---\n# Tea\n\n- Likes green tea.\n"
        )
    (root / "MEMORY.md").write_text("- Tea: [[tea]]\n- Drinks: [[taes]]\n")
    return root


def opened(root: Path) -> Home:
    return Home.open(root, clock=FixedClock(parse_instant("2026-11-29T03:00:00Z")))


def link(path: Path, outside: Path) -> None:
    """Put a link out of the home where a folder of it stands."""
    if path.is_dir():
        path.rename(path.with_name(f"{path.name}-before"))
    path.symlink_to(outside)


def contents(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def use(root: Path) -> str:
    """Do all that reads and writes; return what came out."""
    told = []
    for job in (
        lambda: opened(root).dream(),
        lambda: opened(root).compact(),
        lambda: opened(root).imagine(),
        lambda: opened(root).remember("Likes cake."),
        lambda: opened(root).remember("Likes cake.", to="diary"),
        lambda: opened(root).rename("tea", "green-tea"),
        lambda: opened(root).search(SECRET, where="all"),
        lambda: opened(root).transcripts.append("t", {"role": "user", "content": "hi"}),
        lambda: opened(root).transcripts.get("t"),
        lambda: opened(root).check(),
        lambda: opened(root).overview(),
    ):
        try:
            told.append(repr(job()))
        except ToolnexusError as error:
            told.append(str(error))
    return "\n".join(told)


@pytest.mark.slow
@pytest.mark.parametrize(
    "folder",
    [
        "memory",
        "memory/archive",
        "memory/imagined",
        "memory/deep",
        "transcripts",
        "transcripts/sub",
    ],
)
def test_nothing_is_read_or_written_through_a_link(root: Path, outside: Path, folder: str) -> None:
    """Each folder that we look into or write to, as a link out of the home."""
    link(root / folder, outside)
    before = contents(outside)
    told = use(root)
    assert contents(outside) == before
    assert SECRET not in told.replace(repr(SECRET), "")


def test_the_state_folder_is_no_link_out_of_the_home(root: Path, outside: Path) -> None:
    """A home that came with such a link is not opened, and nothing lands where it leads."""
    link(root / ".toolnexus", outside)
    with pytest.raises(HomeError, match="not followed") as refused:
        opened(root)
    assert "--state" in (refused.value.hint or "")
    before = contents(outside)
    assert SECRET not in use(root)
    assert contents(outside) == before


@pytest.mark.parametrize("name", ["history", "state", "locks", "proposals", "runs", "index"])
def test_nothing_in_the_state_folder_is_one(root: Path, outside: Path, name: str) -> None:
    """Neither is what lies right in it, such as the history."""
    (root / ".toolnexus").mkdir(exist_ok=True)
    link(root / ".toolnexus" / name, outside)
    with pytest.raises(HomeError, match="not followed"):
        opened(root)


def test_a_state_folder_elsewhere_is_the_owners_word(root: Path, tmp_path: Path) -> None:
    """Named when the home is opened, it may lie anywhere, behind a link as well."""
    (tmp_path / "kept").mkdir()
    (tmp_path / "door").symlink_to(tmp_path / "kept")
    home = Home.open(root, state_dir=tmp_path / "door")
    home.remember("Likes cake.")
    assert any((tmp_path / "kept").iterdir())


def test_a_link_within_the_home_is_followed(root: Path) -> None:
    """What stays inside is no escape."""
    (root / "memory" / "deep").mkdir()
    (root / "memory" / "door").symlink_to(root / "memory" / "deep")
    (root / "state").mkdir()
    (root / ".toolnexus").symlink_to(root / "state")
    assert opened(root).remember("Likes cake.").wrote
