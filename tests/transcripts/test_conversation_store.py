from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolnexus.errors import DiskError, HomeError, LockedError, UsageError
from toolnexus.files import Disk
from toolnexus.transcripts.append import open_locked
from toolnexus.transcripts.names import file_name
from toolnexus.transcripts.store import FileConversationStore
from toolnexus.transcripts.turn import Turn

if TYPE_CHECKING:
    from pathlib import Path


class FailingDisk(Disk):
    """A disk that is full after so many bytes of an append, or that fails a named step."""

    def __init__(self, *, room: int | None = None, step: str = "") -> None:
        self.room = room
        self.step = step

    def append(self, descriptor: int, data: bytes) -> int:
        """Write what there is room for."""
        if self.room is None:
            return super().append(descriptor, data)
        if self.room == 0:
            raise OSError(errno.ENOSPC, "No space left on device")
        return super().append(descriptor, data[: self.room])

    def sync(self, descriptor: int) -> None:
        """Fail where that is the step."""
        if self.step == "sync":
            raise OSError(errno.EIO, "Input/output error")
        super().sync(descriptor)

    def replace(self, source, target, **kwargs) -> None:
        """Fail where that is the step."""
        if self.step == "replace":
            raise OSError(errno.EIO, "Input/output error")
        super().replace(source, target, **kwargs)


@pytest.fixture
def store(tmp_path: Path) -> FileConversationStore:
    return FileConversationStore(tmp_path / "transcripts")


def user(text: str, **more: object) -> dict[str, object]:
    return {"role": "user", "content": text, **more}


def texts(store: FileConversationStore, conversation: str) -> list[str]:
    found = store.get(conversation)
    assert found is not None
    return [turn.text for turn in found.turns]


def test_looking_makes_nothing(store: FileConversationStore):
    """Reading, listing and deleting in an absent folder finds nothing and makes nothing."""
    assert store.get("a") is None
    assert store.list() == []
    assert store.delete("a") is False
    assert store.find_turn("a", 1) is None
    assert not store.folder.exists()


def test_turns_come_back_in_order_with_numbers(store: FileConversationStore):
    """Appended turns, ours and plain mappings, are read back in order, numbered from 1."""
    store.append("a", user("one", id="x"))
    store.append("a", Turn("assistant", "two"))
    found = store.get("a")
    assert found is not None
    assert [(turn.number, turn.role, turn.text) for turn in found.turns] == [
        (1, "user", "one"),
        (2, "assistant", "two"),
    ]
    assert store.find_turn("a", 2) == found.turns[1]
    assert store.find_turn("a", "x") == found.turns[0]
    assert store.find_turn("a", 3) is None


def test_an_address_leads_to_its_line(store: FileConversationStore):
    """What append returns gives the line's number, torn lines before it included."""
    store.append("a", user("one"))
    path = store.folder / "a.jsonl"
    path.write_bytes(path.read_bytes() + b'{"role": "us')
    address = store.append("a", user("three"))
    assert store.number_at(address) == 3
    assert texts(store, "a") == ["one", "three"]


def test_a_torn_last_line_is_kept_and_the_next_turn_starts_fresh(store: FileConversationStore):
    """A line that a crash cut short stays byte for byte, is reported, and harms no neighbour."""
    store.folder.mkdir()
    path = store.folder / "a.jsonl"
    path.write_bytes(b'{"role": "user", "content": "one"}\n{"role": "us')
    store.append("a", user("two"))
    lines = path.read_bytes().split(b"\n")
    assert lines[1] == b'{"role": "us'
    found = store.get("a")
    assert found is not None
    assert [turn.text for turn in found.turns] == ["one", "two"]
    assert [(problem.line, problem.rule) for problem in found.problems] == [(2, "torn-transcript")]


def test_a_last_line_without_newline_is_no_torn_line(store: FileConversationStore):
    """A whole turn that only lacks its newline is read, and the next one gets its own line."""
    store.folder.mkdir()
    (store.folder / "a.jsonl").write_bytes(b'{"role": "user", "content": "one"}')
    assert texts(store, "a") == ["one"]
    store.append("a", user("two"))
    assert texts(store, "a") == ["one", "two"]


def test_an_undated_turn_takes_its_predecessors_instant(store: FileConversationStore):
    """A turn without ts is as late as the one before it; the first has none."""
    store.save("a", [user("one"), user("two", ts="2026-01-02"), user("three")])
    found = store.get("a")
    assert found is not None
    assert [turn.ts and turn.ts.day for turn in found.turns] == [None, 2, 2]


def test_two_turns_with_one_id_are_both_kept(store: FileConversationStore):
    """A repeated id is reported on the later line, and loses neither turn."""
    store.save("a", [user("one", id="x"), user("two", id="x")])
    found = store.get("a")
    assert found is not None
    assert len(found.turns) == 2
    assert [(problem.line, problem.skipped) for problem in found.problems] == [(2, False)]


def test_save_replaces_the_whole(store: FileConversationStore):
    """A saved conversation holds what was saved and nothing from before."""
    store.append("a", user("old"))
    store.save("a", [user("new")])
    assert texts(store, "a") == ["new"]
    store.save("a", [])
    assert texts(store, "a") == []


def test_the_listing_is_newest_first_with_ties_by_id(store: FileConversationStore):
    """Conversations are listed by when their files changed last, equal ones by id."""
    for name in ("b", "a", "c/1"):
        store.append(name, user("x"))
        os.utime(store.folder / file_name(name), ns=(0, 10**18))
    os.utime(store.folder / "b.jsonl", ns=(0, 2 * 10**18))
    assert [record.id for record in store.list()] == ["b", "a", "c/1"]
    assert store.list()[0].updated_at.tzinfo is not None


def test_ids_that_look_alike_do_not_collide(store: FileConversationStore):
    """Slashes, dots, case, accents and length keep conversations apart and in the folder."""
    ids = ["a/b", "a%2Fb", "a", "A", "..", "../x", ".", "é", "e\u0301", "x" * 400, "x" * 401, "a b"]
    for name in ids:
        store.append(name, user(name))
    for name in ids:
        assert texts(store, name) == [name]
    assert {record.id for record in store.list()} == set(ids)
    assert len(list(store.folder.iterdir())) == len(ids)
    assert [path.name for path in store.folder.parent.iterdir()] == ["transcripts"]


def test_a_file_with_an_odd_name_is_found_and_written_to(store: FileConversationStore):
    """A file that another tool named is listed, read and appended to in place."""
    store.folder.mkdir()
    path = store.folder / "My Chat.jsonl"
    path.write_text('{"role": "user", "content": "one"}\n')
    (record,) = store.list()
    store.append(record.id, user("two"))
    assert texts(store, "My Chat") == ["one", "two"]
    assert [each.name for each in store.folder.iterdir()] == ["My Chat.jsonl"]


@pytest.mark.parametrize("turn", [user("half \ud83d"), {"role": "user"}, user("x", ts=-1)])
def test_a_turn_that_cannot_be_written_changes_nothing(
    store: FileConversationStore, turn: dict[str, object]
):
    """A refused turn leaves no file, and a refused save leaves the old one."""
    with pytest.raises(UsageError):
        store.append("a", turn)
    assert not store.folder.exists()
    store.append("a", user("one"))
    with pytest.raises(UsageError):
        store.save("a", [user("new"), turn])
    assert texts(store, "a") == ["one"]


@pytest.mark.parametrize(
    "disk", [FailingDisk(room=0), FailingDisk(room=5), FailingDisk(step="sync")]
)
@pytest.mark.parametrize("before", [None, b"", b'{"role": "user", "content": "one"}'])
def test_a_failing_disk_leaves_the_file_as_it_was(
    tmp_path: Path, disk: FailingDisk, before: bytes | None
):
    """No room, half the room, a failed fsync: the file's bytes are those from before."""
    path = tmp_path / "a.jsonl"
    if before is not None:
        path.write_bytes(before)
    store = FileConversationStore(tmp_path, disk=disk, durable=True)
    with pytest.raises(DiskError):
        store.append("a", user("two"))
    assert (path.read_bytes() if path.exists() else None) == before


def test_a_failing_replace_leaves_the_old_conversation(tmp_path: Path):
    """A save that cannot put its file in place leaves the old one and no litter."""
    FileConversationStore(tmp_path).append("a", user("one"))
    store = FileConversationStore(tmp_path, disk=FailingDisk(step="replace"))
    with pytest.raises(DiskError):
        store.save("a", [user("two")])
    assert texts(store, "a") == ["one"]
    assert [path.name for path in tmp_path.iterdir()] == ["a.jsonl"]


def test_a_link_out_of_the_folder_is_neither_read_nor_written(tmp_path: Path):
    """A symbolic link to a file elsewhere is refused and its target untouched."""
    outside = tmp_path / "outside.jsonl"
    outside.write_text('{"role": "user", "content": "private"}\n')
    folder = tmp_path / "transcripts"
    folder.mkdir()
    (folder / "a.jsonl").symlink_to(outside)
    store = FileConversationStore(folder)
    found = store.get("a")
    assert found is not None
    assert found.turns == ()
    assert found.problems[0].rule == "escaping-symlink"
    for write in (lambda: store.append("a", user("x")), lambda: store.save("a", [user("x")])):
        with pytest.raises(HomeError):
            write()
    assert store.delete("a")
    assert "private" in outside.read_text()


def test_a_link_inside_the_home_is_followed(tmp_path: Path):
    """A link that stays below the root is read, and a write goes to its target."""
    folder = tmp_path / "transcripts"
    folder.mkdir()
    (folder / "a.jsonl").symlink_to(tmp_path / "archive.jsonl")
    store = FileConversationStore(folder, root=tmp_path)
    store.append("a", user("one"))
    store.save("a", [*store.get("a").turns, user("two")])
    assert texts(store, "a") == ["one", "two"]
    assert (folder / "a.jsonl").is_symlink()
    assert len((tmp_path / "archive.jsonl").read_text().splitlines()) == 2


def test_a_folder_that_leads_out_of_the_home_is_left_alone(tmp_path):
    """Where the transcripts' folder is a link out of the home, nothing is read or written there."""
    outside, home = tmp_path / "outside", tmp_path / "ava"
    outside.mkdir()
    home.mkdir()
    (outside / "a.jsonl").write_text('{"role": "user", "content": "The safe is 1234."}\n')
    (home / "transcripts").symlink_to(outside)
    before = {path.name: path.read_bytes() for path in outside.iterdir()}
    store = FileConversationStore(home / "transcripts", root=home)
    assert store.get("a").turns == ()
    assert store.find_turn("a", 1) is None
    for work in (
        store.list,
        lambda: store.append("a", {"role": "user", "content": "x"}),
        lambda: store.append("b", {"role": "user", "content": "x"}),
        lambda: store.save("a", []),
        lambda: store.delete("a"),
    ):
        with pytest.raises(HomeError, match="leads out of the home"):
            work()
    assert {path.name: path.read_bytes() for path in outside.iterdir()} == before


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir])
def test_what_is_no_file_is_a_problem_and_not_written_to(tmp_path: Path, make):
    """A FIFO or folder in a transcript's place never blocks, is reported, and is left alone."""
    make(tmp_path / "a.jsonl")
    store = FileConversationStore(tmp_path)
    found = store.get("a")
    assert found is not None
    assert found.problems[0].rule == "unreadable-transcript"
    with pytest.raises(DiskError):
        store.append("a", user("x"))
    assert store.list() == []


def test_a_lock_that_stays_taken_is_reported(tmp_path: Path):
    """An append waits for another writer no longer than it was told to."""
    store = FileConversationStore(tmp_path, lock_timeout_seconds=0.0)
    store.append("a", user("one"))
    with (
        open_locked(tmp_path / "a.jsonl", create=False, timeout_seconds=0),
        pytest.raises(LockedError),
    ):
        store.append("a", user("two"))
    assert texts(store, "a") == ["one"]


WRITER = """
import sys
from toolnexus.transcripts.store import FileConversationStore
store = FileConversationStore(sys.argv[1])
for number in range(150):
    store.append("a", {"role": "user", "content": f"{sys.argv[2]}-{number} " + "x" * 500})
    if sys.argv[2] == "saver" and number % 50 == 0:
        store.save("other", [{"role": "user", "content": "y"}])
        store.delete("other")
"""


@pytest.mark.slow
def test_processes_that_append_at_once_lose_nothing(tmp_path: Path):
    """Three writers' turns all arrive, whole, each writer's in its order."""
    names = ["one", "two", "saver"]
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, str(tmp_path), name]) for name in names
    ]
    assert [writer.wait(60) for writer in writers] == [0, 0, 0]
    found = FileConversationStore(tmp_path).get("a")
    assert found is not None
    assert found.problems == ()
    said = [turn.text.split()[0] for turn in found.turns]
    for name in names:
        mine = [word for word in said if word.startswith(name)]
        assert mine == [f"{name}-{number}" for number in range(150)]


def test_an_append_after_a_replace_goes_to_the_new_file(tmp_path: Path):
    """A writer that waited while the file was replaced does not write into the old one."""
    store = FileConversationStore(tmp_path)
    store.append("a", user("old"))
    with open_locked(tmp_path / "a.jsonl", create=False, timeout_seconds=1):
        waiting = subprocess.Popen([sys.executable, "-c", WRITER, str(tmp_path), "one"])
        new = tmp_path / "new"
        new.write_text(json.dumps(user("new")) + "\n")
        new.replace(tmp_path / "a.jsonl")
    assert waiting.wait(60) == 0
    assert texts(store, "a")[0] == "new"
    assert len(texts(store, "a")) == 151


@pytest.mark.slow
@settings(max_examples=40)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["append", "save", "delete", "tear"]), st.sampled_from(["a", "B"])
        ),
        max_size=12,
    )
)
def test_a_store_does_what_a_dictionary_would(tmp_path_factory, steps: list[tuple[str, str]]):
    """Over any run of operations the store holds what a plain dictionary of lists holds."""
    store = FileConversationStore(tmp_path_factory.mktemp("store"))
    model: dict[str, list[str]] = {}
    for number, (step, name) in enumerate(steps):
        text = f"turn {number}"
        if step == "append":
            store.append(name, user(text))
            model.setdefault(name, []).append(text)
        elif step == "save":
            store.save(name, [user(text), user("again")])
            model[name] = [text, "again"]
        elif step == "delete":
            assert store.delete(name) == (model.pop(name, None) is not None)
        elif name in model:
            with (store.folder / file_name(name)).open("ab") as file:
                file.write(b'{"role"')
    assert {record.id for record in store.list()} == set(model)
    for name, said in model.items():
        assert texts(store, name) == said
