from __future__ import annotations

from datetime import timedelta

import pytest

from toolnexus.change.plan import Change, Evidence, FileWrite, Plan
from toolnexus.clock import FixedClock, parse_instant
from toolnexus.errors import UsageError
from toolnexus.store.door import Store
from toolnexus.store.history import History
from toolnexus.store.record import (
    HEAD_BYTES,
    DamagedRecordError,
    Entry,
    Record,
    decode_entry,
    decode_head,
    decode_record,
    encode_record,
    images_name,
)

NOON = parse_instant("2026-11-29T12:00:00Z")
CHANGE = Change(
    "corrected", "MEMORY.md", 2, "a", "b", evidence=(Evidence("talk", 3, "it is b", "user"),)
)


def a_record(**fields):
    entry = Entry("id-1", "dream", "2026-11-29T12:00:00Z", 4, (CHANGE,), ("a.md", "b.md", "c.md"))
    writes = (
        FileWrite("a.md", b"old", b"new"),
        FileWrite("b.md", b"one\n", b"one\ntwo\n"),
        FileWrite("c.md", None, b"\xff\x00"),
    )
    return Record(entry, writes, ("memory",), **fields)


def commit_all(root, *jobs, clock=None):
    """Commit once for each job, a claim each; return the ids."""
    (root / "SOUL.md").write_text("x\n")
    store = Store(root, clock=clock or FixedClock(NOON))
    ids = []
    for number, job in enumerate(jobs):
        write = FileWrite(f"memory/{number}.md", None, b"- claim\n" * 100)
        ids.append(store.commit(Plan(job, (write,), logged=False)).id)
    return store, ids


def test_a_record_survives_its_encoding():
    """All of a record comes back, bytes that are no text and evidence included."""
    text, images = encode_record(a_record())
    assert decode_record(text, images) == a_record()
    assert decode_entry(text) == a_record().entry
    assert decode_head(text[:HEAD_BYTES]) == (4, "dream")


def test_appended_bytes_are_kept_once():
    """What a file begins with before and after is stored a single time."""
    _, images = encode_record(a_record())
    assert images.count(b"one") == 1


@pytest.mark.parametrize("data", [b"", b"[]", b"{}", b"\xff", b'{"schema": "toolnexus/record/1"}'])
def test_what_is_no_record_is_told(data):
    """Nonsense in a record's place is an error of its own kind, for both readers."""
    with pytest.raises(DamagedRecordError):
        decode_record(data, b"")
    with pytest.raises(DamagedRecordError):
        decode_entry(data)
    with pytest.raises(DamagedRecordError):
        images_name(data)
    with pytest.raises(DamagedRecordError):
        decode_head(data)


def test_a_flipped_byte_in_an_image_is_noticed():
    """An image that is not what was written is never written anywhere."""
    text, images = encode_record(a_record())
    with pytest.raises(DamagedRecordError):
        decode_record(text, b"X" + images[1:])


def test_newest_is_last_whatever_the_clock_says(tmp_path):
    """The order is that of the commits, also when a clock went backwards or stood still."""
    (tmp_path / "SOUL.md").write_text("x\n")
    ids = []
    for number, hours in enumerate((5, 5, 1)):
        store = Store(tmp_path, clock=FixedClock(NOON + timedelta(hours=hours)))
        write = FileWrite(f"memory/{number}.md", None, b"- claim\n")
        ids.append(store.commit(Plan("remember", (write,))).id)
    assert [entry.id for entry in store.history()] == ids


def test_the_history_is_bounded_by_number(tmp_path):
    """The oldest commits go first, but never the newest dream."""
    store, ids = commit_all(tmp_path, "remember", "dream", *["remember"] * 4)
    History(store.state).prune(keep_entries=3)
    assert [entry.id for entry in store.history()] == [ids[1], *ids[3:]]
    assert store.record("last").id == ids[1]


def test_the_history_is_bounded_by_size(tmp_path):
    """Large commits are kept fewer of."""
    store, ids = commit_all(tmp_path, *["remember"] * 4)
    History(store.state).prune(keep_bytes=3000)
    assert [entry.id for entry in store.history()] == ids[-2:]


def test_an_unfinished_commit_is_never_forgotten(tmp_path):
    """A record without its mark of completion outlasts every bound."""
    store, ids = commit_all(tmp_path, *["remember"] * 3)
    (store.state / "history" / ids[0] / "done").unlink()
    History(store.state).prune(keep_entries=1)
    assert History(store.state).names() == sorted([ids[0], ids[2]])


def test_a_damaged_record_is_left_out_of_the_list(tmp_path):
    """One broken record hides neither the others nor the home."""
    store, ids = commit_all(tmp_path, *["remember"] * 3)
    (store.state / "history" / ids[1] / "record.json").write_text("{")
    assert [entry.id for entry in store.history()] == [ids[0], ids[2]]
    with pytest.raises(UsageError, match="damaged"):
        store.revert(ids[1])


def test_damaged_renames_are_none(tmp_path):
    """A broken table of renames is an empty one, and the next rename is kept."""
    history = History(tmp_path)
    for text in ("{", "[]"):
        (tmp_path / "renames.json").write_text(text)
        assert history.renames() == {}


def test_renames_in_a_circle_lead_nowhere(tmp_path):
    """Paths that were swapped are no renames, and following them ends."""
    (tmp_path / "renames.json").write_text('{"a": "b", "b": "a", "c": "a"}')
    assert "a" not in History(tmp_path).renames()


def test_no_id_is_given_twice_in_a_second_that_comes_again(tmp_path, monkeypatch):
    """What waits keeps its id to itself, whatever the clock and chance say."""
    chances = iter([b"\x00\x01", b"\x00\x01", b"\x00\x02"])
    (tmp_path / "SOUL.md").write_text("x\n")
    store = Store(tmp_path, clock=FixedClock(NOON))
    monkeypatch.setattr("toolnexus.store.history.os.urandom", lambda _: next(chances))
    first = store.new_id()
    monkeypatch.undo()
    store.proposals.save(first, {})
    monkeypatch.setattr("toolnexus.store.history.os.urandom", lambda _: next(chances))
    assert (first[-4:], store.new_id()[-4:]) == ("0001", "0002")


def test_commits_that_rest_on_words_are_listed_alone(tmp_path):
    """Of several commits only those with evidence are listed where that is asked, in order."""
    store, ids = commit_all(tmp_path, "remember", "memory")
    for number in (7, 8):
        write = FileWrite(f"memory/{number}.md", None, b"- b\n")
        ids.append(store.commit(Plan("dream", (write,), (CHANGE,), logged=False)).id)
    assert [entry.id for entry in store.history(cited=True)] == ids[2:]
    assert [entry.id for entry in store.history()] == ids
