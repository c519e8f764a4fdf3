from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from toolnexus.transcripts import batch
from toolnexus.transcripts.cursor import Cursor
from toolnexus.transcripts.names import file_name
from toolnexus.transcripts.search_index import TranscriptIndex
from toolnexus.transcripts.store import FileConversationStore

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def store(tmp_path: Path) -> FileConversationStore:
    return FileConversationStore(tmp_path / "transcripts")


@pytest.fixture
def index(store: FileConversationStore, tmp_path: Path) -> TranscriptIndex:
    return TranscriptIndex(store.folder, tmp_path / "state" / "search.sqlite3")


def user(text: str, **more: object) -> dict[str, object]:
    return {"role": "user", "content": text, **more}


def all_texts(index: TranscriptIndex) -> dict[str, list[str]]:
    return {
        cursor.conversation: [
            turn.text for turn in index.turns_since(Cursor(cursor.conversation)).turns
        ]
        for cursor in index.cursors()
    }


def test_only_what_is_new_is_read(store, index):
    """A second refresh reads nothing; after an append it reads one turn."""
    store.save("a", [user(f"turn {n}") for n in range(50)])
    assert index.refresh().turns_added == 50
    assert index.refresh().changed == 0
    store.append("a", user("zebra"))
    refreshed = index.refresh()
    assert (refreshed.changed, refreshed.turns_added) == (1, 1)
    assert index.search("zebra")[0].number == 51


def test_an_append_to_a_long_file_reads_only_its_end(store, index, monkeypatch):
    """After an append, no byte before the last window of a long file is read again."""
    store.save("a", [user("x" * 1000) for _ in range(500)])
    index.refresh()
    size = (store.folder / "a.jsonl").stat().st_size
    store.append("a", user("zebra"))
    lowest = []
    real = os.pread

    def watched(descriptor: int, count: int, offset: int) -> bytes:
        lowest.append(offset)
        return real(descriptor, count, offset)

    monkeypatch.setattr(os, "pread", watched)
    monkeypatch.setattr("toolnexus.transcripts.progress.checksum_of", None)
    assert index.refresh().turns_added == 1
    assert min(lowest) >= size - 64 * 1024


def test_a_saved_conversation_that_only_grew_is_read_on(store, index):
    """A file that was replaced by one with the same beginning costs only what is new."""
    turns = [user(f"turn {n} " + "x" * 1000) for n in range(200)]
    store.save("a", turns)
    index.refresh()
    store.save("a", [*turns, user("zebra")])
    assert index.refresh().turns_added == 1
    os.utime(store.folder / "a.jsonl", ns=(0, 0))
    assert index.refresh().turns_added == 0


@pytest.mark.parametrize("filler", ["", "y" * 100_000])
def test_a_file_that_changed_before_its_end_is_read_again(store, index, filler):
    """An edit of a read turn, in place or by a replace, is seen; the old words are gone."""
    store.save("a", [user("Paris"), user(filler), user("end")])
    index.refresh()
    path = store.folder / "a.jsonl"
    before = path.read_bytes()
    path.write_bytes(before.replace(b"Paris", b"Lyons"))
    os.utime(path, ns=(0, 12345))
    assert index.refresh().turns_added == 3
    assert index.search("Paris") == []
    assert index.search("Lyons")[0].number == 1


def test_a_file_that_shrank_or_left_takes_its_turns_along(store, index):
    """Turns that are no longer on the disk are no longer found."""
    store.save("a", [user("zebra"), user("okapi")])
    store.save("b", [user("gnu")])
    index.refresh()
    store.save("a", [user("zebra")])
    store.delete("b")
    refreshed = index.refresh()
    assert (refreshed.gone, refreshed.conversations) == (1, 1)
    assert index.search("okapi") == []
    assert index.search("gnu") == []
    assert len(index.search("zebra")) == 1


def test_a_last_line_that_is_being_written_is_read_when_it_is_whole(store, index):
    """Half a line is a problem for now, and a turn once the rest is there."""
    store.append("a", user("one"))
    path = store.folder / "a.jsonl"
    with path.open("ab") as file:
        file.write(b'{"role": "user", "con')
    index.refresh()
    assert [(each.file, each.line) for each in index.problems()] == [("a.jsonl", 2)]
    with path.open("ab") as file:
        file.write(b'tent": "zebra"}')
    assert index.refresh().turns_added == 1
    assert index.problems() == []
    cursors = index.cursors()
    with path.open("ab") as file:
        file.write(b"\n")
    assert index.refresh().turns_added == 0
    assert index.cursors() == cursors
    assert [hit.number for hit in index.search("zebra")] == [2]


def test_problems_are_kept_with_file_and_line(store, index):
    """Torn lines, a repeated id and files that are none are told without reading again."""
    store.folder.mkdir()
    lines = [json.dumps(user("one", id="x")), '{"role"', json.dumps(user("two", id="x"))]
    (store.folder / "a.jsonl").write_text("\n".join(lines) + "\n")
    (store.folder / "b.jsonl").mkdir()
    (store.folder / "c.jsonl").symlink_to("/etc/hostname")
    (store.folder / os.fsdecode(b"d\xff.jsonl")).write_text("")
    for _ in range(2):
        index.refresh()
        assert [(each.file, each.line, each.rule, each.skipped) for each in index.problems()] == [
            ("a.jsonl", 2, "torn-transcript", True),
            ("a.jsonl", 3, "torn-transcript", False),
            ("b.jsonl", 0, "unreadable-transcript", True),
            ("c.jsonl", 0, "escaping-symlink", True),
            ("d\ufffd.jsonl", 0, "unreadable-transcript", True),
        ]
    assert index.find_turn("a", "x").number == 1


@pytest.mark.parametrize("appended", [0, 1, 2, 3])
def test_an_id_that_stands_twice_is_told_whenever_it_was_read(store, index, appended):
    """Repeats are found within one reading of a file, and between an old part and a new."""
    turns = [user("one", id="x"), user("two"), user("three", id="x"), user("four", id="x")]
    cut = len(turns) - appended
    store.save("a", turns[:cut])
    index.refresh()
    for turn in turns[cut:]:
        store.append("a", turn)
    index.refresh()
    problems = index.problems()
    assert [problem.line for problem in problems] == [3, 4]
    assert {problem.message for problem in problems} == {"its id is also that of line 1"}


def test_two_searches_follow_each_other(store, index, tmp_path):
    """What another one has read meanwhile is neither read again nor overlooked."""
    other = TranscriptIndex(store.folder, tmp_path / "state" / "search.sqlite3")
    for number, (first, second) in enumerate([(index, other), (other, index)] * 2):
        store.append("a", user(f"turn {number}"))
        assert first.refresh().turns_added == 1
        assert second.refresh().turns_added == 0
        store.append(f"b{number}", user("zebra"))
        assert second.refresh().changed == 1
        assert first.refresh().changed == 0
        store.delete(f"b{number}")
        assert first.refresh().gone == 1
        assert second.refresh().gone == 0


def test_a_refresh_that_failed_leaves_nothing_taken_as_read(store, index, monkeypatch):
    """After a failure in the middle the next refresh reads what is still missing."""
    store.append("a", user("old"))
    index.refresh()
    for name in ("a", "b"):
        store.append(name, user("zebra"))
    with monkeypatch.context() as broken:
        broken.setattr(batch.Batch, "finish", lambda _: (_ for _ in ()).throw(OSError("no")))
        with pytest.raises(OSError, match="no"):
            index.refresh()
    assert index.refresh().turns_added == 2
    assert len(index.search("zebra")) == 2


def test_turns_are_found_by_place(store, index):
    """A turn is found by number and id, with its neighbours, its inherited instant too."""
    store.save("a", [user("one", ts="2026-01-01", id="x"), user("two"), user("three")])
    index.refresh()
    assert index.turn_text("a", 2) == "two"
    assert index.find_turn("a", 2).ts.year == 2026
    assert index.find_turn("a", "x").text == "one"
    assert index.find_turn("a", "y") is None
    assert index.turn_text("b", 1) is None
    assert [turn.number for turn in index.turns_around("a", 2, 1)] == [1, 2, 3]
    assert [turn.number for turn in index.turns_around("a", 3, 1)] == [2, 3]
    stats = index.stats()
    assert (stats.conversations, stats.turns) == (1, {"user": 3})
    assert stats.last_ts == index.find_turn("a", 1).ts


def test_a_cursor_gives_what_is_new_and_survives_the_database(store, index):
    """Turns since a cursor are the new ones, also after the database was lost."""
    store.save("a", [user("one"), user("two")])
    index.refresh()
    (cursor,) = index.cursors()
    store.append("a", user("three"))
    index.rebuild()
    new = index.turns_since(cursor)
    assert [turn.text for turn in new.turns] == ["three"]
    assert not new.restarted
    assert [new.cursor] == index.cursors()
    assert index.turns_since(new.cursor).turns == ()
    first = index.turns_since(Cursor("a"), limit=2)
    assert first.cursor == cursor


def test_a_cursor_into_a_changed_file_starts_over(store, index):
    """Where what was seen no longer stands, all turns are given again, and it is said."""
    store.save("a", [user("one"), user("two")])
    index.refresh()
    (cursor,) = index.cursors()
    store.save("a", [user("ONE"), user("two"), user("three")])
    index.refresh()
    new = index.turns_since(cursor)
    assert new.restarted
    assert [turn.text for turn in new.turns] == ["ONE", "two", "three"]
    store.delete("a")
    index.refresh()
    assert index.turns_since(cursor).restarted


def damage_header(path: Path) -> None:
    path.write_bytes(b"this is no database" + path.read_bytes()[19:])


def damage_pages(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[4096:] = os.urandom(len(data) - 4096)
    path.write_bytes(data)


def damage_length(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2 // 4096 * 4096])


def change_database(path: Path, sql: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(sql)
        connection.commit()


def damage_tables(path: Path) -> None:
    change_database(path, "DROP TABLE speeches")


def damage_version(path: Path) -> None:
    change_database(path, "PRAGMA user_version=99")


@pytest.mark.parametrize(
    "damage", [damage_header, damage_pages, damage_length, damage_tables, damage_version]
)
@pytest.mark.parametrize("first", ["search", "refresh"])
def test_a_damaged_database_is_made_anew_by_itself(store, index, tmp_path, damage, first):
    """However the database is damaged, the next call finds everything, and says so once."""
    store.save("a", [user(f"zebra {n}") for n in range(300)])
    index.refresh()
    index.close()
    path = tmp_path / "state" / "search.sqlite3"
    damage(path)
    for suffix in ("-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)
    if first == "search":
        assert len(index.search("zebra", limit=20)) == 20
    refreshed = index.refresh()
    assert "made anew" in refreshed.notice
    assert "\n" not in refreshed.notice
    assert len(index.search("zebra", limit=20)) == 20
    assert index.refresh().notice == ""


def test_many_dead_rows_lead_to_a_fresh_index(store, index, monkeypatch):
    """When enough of the word index is dead it is made anew and still finds everything."""
    monkeypatch.setattr(batch, "_DEAD_FLOOR", 10)
    for round_ in range(4):
        store.save("a", [user(f"zebra {round_} {n}") for n in range(40)])
        index.refresh()
        assert len(index.search(f"zebra {round_}", limit=50)) == 40
    with closing(sqlite3.connect(index._database.path)) as connection:
        (dead,) = connection.execute("SELECT dead FROM counters").fetchone()
    assert dead <= 40


def test_large_files_are_read_in_several_transactions(store, index, monkeypatch):
    """A file longer than a batch is read to its end, each turn once."""
    monkeypatch.setattr(batch, "BATCH_LINES", 7)
    store.save("a", [user(f"turn {n}") for n in range(50)])
    store.save("b", [user(f"turn {n}") for n in range(5)])
    assert index.refresh().turns_added == 55
    assert all_texts(index)["a"] == [f"turn {n}" for n in range(50)]


def test_a_line_of_many_megabytes_is_skipped(store, index):
    """A line over the cap is a problem, and its neighbours are read."""
    store.append("a", user("one"))
    with (store.folder / "a.jsonl").open("ab") as file:
        file.write(b"x" * (17 * 1024 * 1024) + b"\n")
    store.append("a", user("three"))
    index.refresh()
    assert all_texts(index) == {"a": ["one", "three"]}
    (problem,) = index.problems()
    assert (problem.line, "too long" in problem.message) == (2, True)


REFRESHER = """
import sys
from toolnexus.transcripts.search_index import TranscriptIndex
for _ in range(5):
    TranscriptIndex(sys.argv[1], sys.argv[2]).refresh()
"""


def test_processes_that_refresh_at_once_add_each_turn_once(store, index, tmp_path):
    """Two refreshes of one new database at the same time leave each turn in it once."""
    for name in range(30):
        store.save(f"c{name}", [user(f"zebra {name} {n}") for n in range(40)])
    command = [sys.executable, "-c", REFRESHER, str(store.folder), str(index._database.path)]
    running = [subprocess.Popen(command) for _ in range(3)]
    assert [process.wait(60) for process in running] == [0, 0, 0]
    index.refresh()
    assert index.stats().turns == {"user": 1200}
    assert all(len(texts) == 40 for texts in all_texts(index).values())


DYING = """
import os, signal, sys
from toolnexus.transcripts import batch
from toolnexus.transcripts.search_index import TranscriptIndex
class Dying(batch.Batch):
    left = 3
    def finish(self):
        super().finish()
        Dying.left -= 1
        if not Dying.left:
            os.kill(os.getpid(), signal.SIGKILL)
batch.BATCH_LINES = 10
import toolnexus.transcripts.refresh as refresh
refresh.Batch = Dying
TranscriptIndex(sys.argv[1], sys.argv[2]).refresh()
"""


def test_a_refresh_that_is_killed_is_taken_up_again(store, index):
    """After kill -9 in the third transaction two stand, and the rest follows, each turn once."""
    store.save("a", [user(f"turn {n}") for n in range(45)])
    command = [sys.executable, "-c", DYING, str(store.folder), str(index._database.path)]
    assert subprocess.run(command, check=False).returncode == -9
    assert index.stats().turns == {"user": 20}
    assert index.refresh().turns_added == 25
    assert all_texts(index)["a"] == [f"turn {n}" for n in range(45)]


class IndexMachine(RuleBasedStateMachine):
    """Files change in every way; after a refresh the index equals a reading of the files."""

    folder: Path

    def __init__(self) -> None:
        super().__init__()
        self.store = FileConversationStore(self.folder / os.urandom(6).hex())
        self.index = TranscriptIndex(self.store.folder, self.store.folder / ".s.db")
        self.words = 0

    def word(self) -> str:
        """Return a word not used before."""
        self.words += 1
        return f"word{self.words}"

    names = st.sampled_from(["a", "B/c"])

    @rule(name=names)
    def append(self, name: str) -> None:
        """Add a turn."""
        self.store.append(name, user(self.word()))

    @rule(name=names, count=st.integers(0, 3))
    def save(self, name: str, count: int) -> None:
        """Replace a conversation."""
        self.store.save(name, [user(self.word()) for _ in range(count)])

    @rule(name=names)
    def delete(self, name: str) -> None:
        """Delete one."""
        self.store.delete(name)

    @rule(name=names, data=st.sampled_from([b'{"role"', b"\n", b'{"role":"user","content":"w"}']))
    def write_raw(self, name: str, data: bytes) -> None:
        """Write to a file's end as other tools may."""
        self.store.folder.mkdir(exist_ok=True)
        with (self.store.folder / file_name(name)).open("ab") as file:
            file.write(data)

    @rule(name=names, keep=st.integers(0, 40))
    def truncate(self, name: str, keep: int) -> None:
        """Cut a file short."""
        path = self.store.folder / file_name(name)
        if path.exists():
            os.truncate(path, min(keep, path.stat().st_size))

    @rule()
    def lose_the_database(self) -> None:
        """Delete the cache."""
        self.index.close()
        (self.store.folder / ".s.db").unlink(missing_ok=True)

    @invariant()
    def equals_the_files(self) -> None:
        """Compare the index with a reading of the files."""
        self.index.refresh()
        read = {record.id: self.store.get(record.id) for record in self.store.list()}
        assert all_texts(self.index) == {
            name: [turn.text for turn in found.turns] for name, found in read.items() if found.turns
        }
        told = [(each.line, each.message) for each in self.index.problems()]
        meant = [(each.line, each.message) for found in read.values() for each in found.problems]
        assert sorted(told) == sorted(meant)


@pytest.mark.slow
def test_the_index_follows_any_change_of_the_files(tmp_path):
    """Over any run of changes, by us and by others, a refresh ends equal to the files."""
    IndexMachine.folder = tmp_path
    run_state_machine_as_test(
        IndexMachine, settings=settings(max_examples=15, stateful_step_count=12, deadline=None)
    )
