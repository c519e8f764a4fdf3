"""One `Home` in many threads: nothing is lost, nothing is said twice, and no call fails."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest
from small_homes import write_files
from talking_homes import FILES, MORNING, recorded

from toolnexus.app import Home
from toolnexus.clock import FixedClock
from toolnexus.errors import LockedError
from toolnexus.testing.model import ScriptedModel, call, use

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

WORKERS = 8


@pytest.fixture(autouse=True)
def _frequent_switches() -> Iterator[None]:
    """Have threads take turns far more often than usual."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(before)


def open_home(root: Any, **options: Any) -> Home:
    notes = {
        f"memory/note-{n}.md": f"# Note {n}\n\n- Says {n}: [[note-{n + 1}]]\n" for n in range(30)
    }
    write_files(root, {**FILES, **notes})
    return Home.open(root, clock=FixedClock(MORNING), **options)


def at_once(*calls: Callable[[int], object], rounds: int = 4) -> list[object]:
    """Make calls from many threads; return what each gave."""
    with ThreadPoolExecutor(WORKERS) as pool:
        jobs = [pool.submit(one, number) for number in range(rounds) for one in calls]
        return [job.result() for job in jobs]


@pytest.mark.slow
def test_all_that_a_home_does_at_once(tmp_path):
    """Reading, searching, remembering, beating and dreaming in one object get along."""
    home = open_home(tmp_path / "ava", model="none")

    def dream(_number: int) -> str:
        try:
            return home.dream().outcome
        except LockedError:
            return "locked"

    at_once(
        lambda n: home.remember(f"Fact number {n} is here."),
        lambda n: home.remember(f"Detail number {n} is there.", "note-3"),
        lambda _: home.search("note", k=3).hits[0],
        lambda _: home.check(),
        lambda _: [note.title for note in home.read().notes.values()],
        lambda n: home.transcripts.append("talk", {"role": "user", "content": f"word {n}"}),
        lambda _: home.search_transcripts("word"),
        lambda _: home.beat(),
        lambda _: home.overview(),
        dream,
    )
    text = "".join(path.read_text() for path in (tmp_path / "ava").rglob("*.md"))
    assert all(f"Fact number {number} is here." in text for number in range(4))
    assert all(f"Detail number {number} is there." in text for number in range(4))
    assert len(recorded(home, "talk")) == 4


@pytest.mark.slow
def test_many_ask_at_once(tmp_path):
    """Each question has its own answer in its own conversation, and what they save is kept."""

    def reply(request: Any) -> Any:
        asked = next(m.text for m in request.messages if m.role == "user")
        if request.messages[-1].role == "user":
            return use(call("memory", action="add", text=f"Was asked {asked}."))
        return f"Answer to {asked}."

    home = open_home(tmp_path / "ava", model=ScriptedModel(default=reply))
    replies = at_once(lambda n: home.ask(f"question {n}"), rounds=12)
    for number, answer in enumerate(replies):
        assert answer.text == f"Answer to question {number}."
        assert recorded(home, answer.conversation) == [
            ("user", f"question {number}"),
            ("assistant", f"Answer to question {number}."),
        ]
    memory = (tmp_path / "ava/MEMORY.md").read_text()
    assert all(f"Was asked question {number}." in memory for number in range(12))


def test_parts_are_made_once(tmp_path):
    """Whoever asks first, all get the same store of conversations and the same searches."""
    home = open_home(tmp_path / "ava")
    found = at_once(
        lambda _: id(home.turns), lambda _: id(home.transcripts), lambda _: id(home.searching)
    )
    assert len(set(found)) == 3


def test_notes_are_made_by_several_threads(tmp_path):
    """A snapshot that is read by several threads at once gives each all of its notes."""
    for number in range(20):
        home = open_home(tmp_path / f"ava-{number}").read()
        lengths = at_once(
            lambda _, home=home: len([note.title for note in home.notes.values()]),
            lambda _, home=home: sum(1 for path in home.notes if home.notes[path].title),
        )
        assert set(lengths) == {len(home.notes)}
