"""Homes of many users: made of a template, safely named, and closed to each other."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_homes import write_files
from talking_homes import FILES, MORNING

from toolnexus import Home, Homes
from toolnexus.errors import HomeError, UsageError
from toolnexus.testing.clock import VirtualClock
from toolnexus.testing.model import ScriptedModel

if TYPE_CHECKING:
    from pathlib import Path

ODD = [
    *(
        "maria",
        "Maria",
        "MARIA",
        "mariá",
        "mari\u0301a",
        "mar\u0456a",
        "maria ",
        " maria",
        "maria.",
    ),
    *("..", "../maria", "/etc/passwd", "a/b", "a%2Fb", "a\\b", ".", "~", "*", "$HOME", "@maria"),
    *("con", "nul\0byte", "line\nbreak", "\u202eabc", "x" * 500, "x" * 501, "é" * 300, "template"),
    *(".toolnexus-tmp-1", "@", "%", "%~", "log"),
]


def names_in(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


@pytest.fixture
def homes(tmp_path):
    """A folder of homes that begin as a template says."""
    template = write_files(
        tmp_path / "personas/template",
        {
            **FILES,
            "memory/tea.md": "- Green.\n",
            "transcripts/old.jsonl": '{"role": "user", "content": "a secret"}\n',
        },
    )
    Home.open(template).remember("Keeps bees.")
    return Homes(tmp_path / "personas", template=template, clock=VirtualClock(MORNING))


def test_a_home_is_made_when_its_user_first_comes(homes):
    """It begins as the template, without that one's conversations and history, and stays."""
    maria = homes.for_user("maria")
    assert maria.name == "template"
    assert (maria.root / "memory/tea.md").read_text() == "- Green.\n"
    assert (maria.conversations(), maria.log()) == ([], [])
    maria.remember("Has a cat.")
    assert "Has a cat." in homes.for_user("maria").read().text("MEMORY.md")
    assert "Keeps bees." in maria.read().text("MEMORY.md")


@pytest.mark.parametrize("inside", ["users", "users/eu", "."])
def test_homes_in_a_template_are_not_part_of_it(tmp_path, inside):
    """Where users' homes lie in the template's own folder, no user gets another's memory."""
    template = write_files(tmp_path / "ava", {**FILES, "users/us/@otto/MEMORY.md": "- Secret.\n"})
    homes = Homes(template / inside, template=template)
    homes.for_user("otto").remember("Otto's secret.")
    maria = homes.for_user("maria")
    assert (maria.root / "SOUL.md").exists()
    kept = [path.read_text() for path in maria.root.rglob("*.md")]
    assert not any("ecret" in text for text in kept)
    assert not list(maria.root.rglob("@*"))


def test_a_templates_conversations_stay_its_own(tmp_path):
    """Wherever its settings place them; a folder of notes that is called the same is copied."""
    talk = '{"role": "user", "content": "a secret"}\n'
    settings = "transcripts: {path: talks}\n"
    files = {"persona.yaml": settings, "talks/old.jsonl": talk, "memory/talks/a.md": "- Green.\n"}
    template = write_files(tmp_path / "ava", {**FILES, **files})
    maria = Homes(tmp_path / "users", template=template).for_user("maria")
    assert maria.conversations() == []
    assert (maria.root / "memory/talks/a.md").exists()


def test_without_a_template_a_fresh_persona_begins(tmp_path):
    """Nothing is made before a user comes; then there is a home that is in order."""
    homes = Homes(tmp_path / "personas")
    assert not (tmp_path / "personas").exists()
    maria = homes.for_user("maria")
    assert (maria.name, maria.check()) == ("persona", [])


@pytest.mark.slow
def test_no_user_sees_what_another_has(homes):
    """Whatever their ids look like, each has a memory, transcripts and a search of its own."""
    for number, user in enumerate(ODD):
        home = homes.for_user(user)
        home.remember(f"Secret number {number} of theirs.")
        home.transcripts.append("talk", {"role": "user", "content": f"Whisper {number}."})
    for number, user in enumerate(ODD):
        home = homes.for_user(user)
        text = home.read().text("MEMORY.md")
        assert [f"Secret number {n} of" in text for n in range(len(ODD))] == [
            n == number for n in range(len(ODD))
        ]
    for number in (0, 1, 9):
        home = homes.for_user(ODD[number])
        found = [hit.excerpt for hit in home.search_transcripts("whisper", limit=50)]
        assert found == [f"Whisper {number}."]


def test_every_home_lies_in_the_folder(homes, tmp_path):
    """No id leads out of the folder, to the template, or to a folder that was there before."""
    write_files(tmp_path / "personas/ava", FILES)
    before = names_in(tmp_path / "personas")
    made = {homes.for_user(user).root for user in (*ODD, "ava", "template")}
    assert {path.parent for path in made} == {tmp_path / "personas"}
    assert not {path.name for path in made} & before
    assert names_in(tmp_path / "personas") == before | {path.name for path in made}


@given(st.lists(st.text(min_size=1, max_size=40), min_size=2, max_size=6, unique=True))
def test_two_ids_never_share_a_folder(users):
    """Also on disks that fold case, each id has a plain name of its own."""
    homes = Homes("personas")
    users = [user for user in users if not any("\ud800" <= c <= "\udfff" for c in user)]
    names = [homes.path_of(user).name for user in users]
    assert len({name.casefold().removesuffix(".") for name in names}) == len(names)
    for name in names:
        assert name.isascii()
        assert len(name) <= 255
        assert not set(name) & set('/\\:*?"<>|\0')
        assert homes.path_of("x").parent / name == homes.path_of("x").with_name(name)


@pytest.mark.parametrize("user", ["", "half \ud83d", None, 7, b"maria"])
def test_what_is_no_text_is_no_user(homes, user):
    """An empty id, half a character and what is no text are refused, and nothing is made."""
    before = names_in(homes.folder)
    with pytest.raises(UsageError):
        homes.for_user(user)
    assert names_in(homes.folder) == before


def test_a_link_in_a_homes_place_is_refused(homes, tmp_path):
    """Whoever can put a link into the folder gains no way to another's memory."""
    homes.for_user("otto").remember("Otto's secret.")
    homes.path_of("maria").symlink_to(homes.path_of("otto"))
    with pytest.raises(HomeError, match="symbolic link"):
        homes.for_user("maria")


def test_a_template_that_is_no_home_is_told(tmp_path):
    """Nothing is left behind where the template cannot be used."""
    (tmp_path / "template").mkdir()
    homes = Homes(tmp_path / "personas", template=tmp_path / "template")
    with pytest.raises(HomeError):
        homes.for_user("maria")
    assert not any((tmp_path / "personas").glob("*"))


def test_users_who_come_at_once_get_one_home(homes):
    """Many first calls for one user make one home, and nothing is lost of what each does."""

    def come(number: int) -> Any:
        return homes.for_user("maria").remember(f"Fact number {number} is here.")

    with ThreadPoolExecutor(8) as pool:
        done = list(pool.map(come, range(16)))
    assert all(one.wrote for one in done)
    text = homes.for_user("maria").read().text("MEMORY.md")
    assert all(f"Fact number {number} is here." in text for number in range(16))
    assert not list(homes.folder.glob(".toolnexus-tmp-*"))


def test_the_personas_of_users_talk(tmp_path):
    """Model and tools are handed on to each home."""
    model = ScriptedModel("Hello, Maria.", "Hello, Otto.")
    homes = Homes(tmp_path, model=model)
    assert homes.for_user("maria").ask("hi").text == "Hello, Maria."
    assert homes.for_user("otto").ask("hi").text == "Hello, Otto."
    assert "maria" not in str(model.requests[1])
