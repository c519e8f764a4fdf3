"""Where a search looks: scopes, tags and the archive."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest
from small_homes import make_home, write_files

from toolnexus.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path

    from toolnexus.app import Home

FACT = "- The bicycle stands in the cellar.\n"
FILES = {
    "SOUL.md": "You are Ava.\n",
    "MEMORY.md": f"{FACT}- [[x]]\n",
    "USER.md": FACT,
    "memory/x.md": FACT,
    "memory/a/one.md": f"---\ntags: [home, wheels]\n---\n{FACT}",
    "memory/ab/two.md": f"---\ntags: [home]\n---\n{FACT}",
    "memory/a/b/three.md": f"---\ntags: [wheels, home/cellar]\n---\n{FACT}",
    "memory/archive/old.md": FACT,
    "memory/archive/a/older.md": FACT,
    "transcripts/t.jsonl": '{"role":"user","content":"The bicycle stands in the cellar."}\n',
}
WHOLE = {
    "MEMORY.md",
    "USER.md",
    "memory/x.md",
    "memory/a/one.md",
    "memory/ab/two.md",
    "memory/a/b/three.md",
}


@pytest.fixture
def ava(tmp_path: Path) -> Home:
    """Return a home whose every file says the same."""
    return make_home(tmp_path / "ava", FILES)


def found_in(home: Home, **options) -> set[str]:
    """Return the files that a search finds."""
    hits = home.search("bicycle cellar", k=50, **options).hits
    return {hit.path for hit in hits}  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("scope", "files"),
    [
        ("", WHOLE),
        (".", WHOLE),
        ("a", {"memory/a/one.md", "memory/a/b/three.md"}),
        ("memory/a/", {"memory/a/one.md", "memory/a/b/three.md"}),
        ("ab", {"memory/ab/two.md"}),
        ("a/b", {"memory/a/b/three.md"}),
    ],
)
def test_a_scope_never_finds_its_sibling(ava: Home, scope: str, files: set[str]):
    """A scope finds what lies in its folder and below, and nothing beside it."""
    assert found_in(ava, scope=scope) == files


@pytest.mark.parametrize("scope", ["..", "a/../ab", "/etc", "nowhere", "a*", "x", "x.md", ".git"])
def test_what_is_no_scope_is_wrong_usage(ava: Home, scope: str):
    """A folder that is not there, or that leads elsewhere, is refused and not searched."""
    with pytest.raises(UsageError):
        ava.search("bicycle", scope=scope)


def test_what_is_the_whole_home_s_is_in_no_scope(ava: Home):
    """MEMORY.md and USER.md are in no scope, and conversations cannot be searched in one."""
    assert found_in(ava, scope="memory") == WHOLE - {"MEMORY.md", "USER.md"}
    for where in ("transcripts", "all"):
        with pytest.raises(UsageError, match="conversations"):
            ava.search("bicycle", where=where, scope="a")


def test_all_tags_must_be_there(ava: Home):
    """Several tags find what has all of them; a tag covers those nested in it."""
    assert found_in(ava, tags=["wheels", "home"]) == {"memory/a/one.md", "memory/a/b/three.md"}
    assert found_in(ava, tags=["wheels", "home"], scope="a/b") == {"memory/a/b/three.md"}
    assert found_in(ava, tags=["wheels"], scope="ab") == set()


def test_a_text_is_one_tag(ava: Home):
    """A tag need not stand in a list; an empty one is none, and what is no text is refused."""
    assert found_in(ava, tags="wheels") == found_in(ava, tags=["wheels"]) != set()
    assert found_in(ava, tags="") == found_in(ava)
    with pytest.raises(UsageError, match="a tag is a text"):
        ava.search("bicycle", tags=[3])


@pytest.mark.parametrize("scope", [3, ["a"], b"a"])
def test_a_scope_that_is_no_text_is_wrong_usage(ava: Home, scope):
    """Whatever takes a scope refuses what is none, before it does anything."""
    events = SimpleNamespace(name="facts", events=list)
    for ask in (
        lambda: ava.search("bicycle", scope=scope),
        lambda: ava.overview(scope=scope),
        lambda: ava.compact(scope=scope),
        lambda: ava.imagine(scope=scope),
        lambda: ava.plug(events, scope=scope),
    ):
        with pytest.raises(UsageError, match="a scope is the name of a folder"):
            ask()
    assert ava.log() == []


def test_the_archive_is_searched_on_request(ava: Home):
    """Archived notes are found when they are asked for, beside the others or alone."""
    archive = {"memory/archive/old.md", "memory/archive/a/older.md"}
    assert found_in(ava, archived=True) == WHOLE | archive
    assert found_in(ava, scope="archive") == archive


def test_the_archive_of_a_scope_belongs_to_it(ava: Home):
    """On request a scope is searched with what was archived of it, and of no sibling."""
    write_files(
        ava.root, {"memory/archive/ab/oldest.md": FACT, "memory/archive/gone/last.md": FACT}
    )
    own = found_in(ava, scope="a")
    assert found_in(ava, scope="a", archived=True) == own | {"memory/archive/a/older.md"}
    assert found_in(ava, scope="gone", archived=True) == {"memory/archive/gone/last.md"}
    with pytest.raises(UsageError, match="no notes in"):
        found_in(ava, scope="gone")


@pytest.mark.parametrize("most", [24, 400, 2_000])
def test_the_archive_hides_nothing_else(ava: Home, monkeypatch: pytest.MonkeyPatch, most: int):
    """However many archived notes fit better, and however they are passed over, all is found."""
    monkeypatch.setattr("toolnexus.index.search.NARROW", most)
    write_files(
        ava.root,
        {f"memory/archive/old-{n}.md": f"# Bicycle cellar\n\n{FACT}" for n in range(200)},
    )
    hits = ava.search("bicycle cellar", k=6).hits
    assert {hit.path for hit in hits} == WHOLE  # type: ignore[union-attr]
    assert found_in(ava, tags=["wheels"]) == {"memory/a/one.md", "memory/a/b/three.md"}
    many = ava.search("bicycle cellar", k=1_000, tags=["home", "wheels"]).hits
    assert {hit.path for hit in many} == {"memory/a/one.md", "memory/a/b/three.md"}  # type: ignore[union-attr]
