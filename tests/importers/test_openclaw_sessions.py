"""OpenClaw's sessions: trees in files and in the SQLite store."""

from __future__ import annotations

import sqlite3

from importing_desk import reasons
from openclaw_samples import ENTRIES, HEADER, ID, SAID, entry, fill, make_store


def test_the_way_to_the_last_entry_is_taken(desk):
    """A branch that was left is not what was said; compaction and thoughts are no speech."""
    done = desk.run("openclaw", desk.write(f"sessions/{ID}.jsonl", *ENTRIES))
    assert desk.talks() == {f"2026-11-20-openclaw-{ID}": SAID}
    assert reasons(done) == {
        "a record of type 'model_change'": 1,
        "a record of type 'compaction'": 1,
        "on an edited branch": 2,
        "thinking": 1,
    }


def test_deleted_sessions_stay_deleted(desk):
    """Files with .reset. or .deleted. in their names are told, not read, named or found."""
    desk.write(f".openclaw/agents/main/sessions/{ID}.jsonl", *ENTRIES)
    for suffix in ("reset.2026-11-01T00-00-00.000Z", "deleted.2026-11-02T00-00-00.000Z"):
        gone = desk.write(
            f".openclaw/agents/main/sessions/gone.jsonl.{suffix}",
            HEADER,
            entry("x", None, text="Gone."),
        )
    desk.write(".openclaw/agents/main/sessions/sessions.json", "{}")
    done = desk.run("openclaw", desk.folder / ".openclaw", gone)
    assert list(desk.talks()) == [f"2026-11-20-openclaw-{ID}"]
    assert reasons(done)["a deleted session"] == 3


def test_the_sqlite_store_is_read_and_nothing_beside_it_is_made(desk):
    """A store gives what a file gives, and a session that is in both is there once."""
    store = desk.folder / ".openclaw/agents/main/agent/openclaw-agent.sqlite"
    connection = make_store(store)
    fill(connection, ID, ENTRIES)
    fill(connection, "broken", [HEADER, "{", b"\xff", entry("q", None, text="Still here.")])
    connection.close()
    before = {path: path.read_bytes() for path in store.parent.iterdir()}
    done = desk.run("openclaw", desk.folder / ".openclaw")
    assert {path: path.read_bytes() for path in store.parent.iterdir()} == before
    assert desk.talks()[f"2026-11-20-openclaw-{ID}"] == SAID
    assert desk.talks()["2026-11-20-openclaw-broken"] == [("user", "Still here.")]
    assert reasons(done)["not JSON"] == 1
    assert reasons(done)["not UTF-8"] == 1
    again = desk.run("openclaw", desk.write(f"sessions/{ID}.jsonl", *ENTRIES))
    assert (again.known, again.turns.total) == (1, 0)


def test_a_store_that_is_in_use_gives_its_newest_entries(desk):
    """What stands only in the write-ahead log is read, whether its owner runs or is gone."""
    store = desk.folder / "agent" / "openclaw-agent.sqlite"
    owner = make_store(store, wal=True)
    fill(owner, ID, ENTRIES[:4])
    desk.run("openclaw", store)
    fill(owner, ID, ENTRIES[4:], start=4)
    assert desk.run("openclaw", store).grown == 1
    copy = desk.folder / "copy"
    copy.mkdir()
    for suffix in ("", "-wal"):
        (copy / (store.name + suffix)).write_bytes(
            (store.parent / (store.name + suffix)).read_bytes()
        )
    owner.close()
    again = desk.run("openclaw", copy / store.name)
    assert (again.known, again.turns.total) == (1, 0)
    assert sorted(path.name for path in copy.iterdir()) == [store.name, store.name + "-wal"]


def test_what_is_no_store_is_told(desk):
    """A damaged database, or one with other tables, is a counted skip."""
    store = desk.folder / "a" / "openclaw-agent.sqlite"
    store.parent.mkdir()
    store.write_bytes(b"SQLite format 3\x00" + b"junk" * 200)
    assert next(iter(reasons(desk.run("openclaw", store)))).startswith("the store cannot be read")
    store.unlink()
    sqlite3.connect(store).close()
    assert next(iter(reasons(desk.run("openclaw", store)))).startswith("the store cannot be read")


def test_only_the_person_is_the_user(desk):
    """Other sessions' and the gateway's messages are system; its metadata is cut off."""
    metadata = 'Conversation info (untrusted metadata):\n```json\n{"sender": "Rome"}\n```\n\n'
    source = desk.write(
        "s.jsonl",
        HEADER,
        entry("a", None, text=metadata + "I live in Bergen."),
        entry("b", "a", text="Lives in Rome.", provenance={"kind": "inter_session"}),
        entry("c", "b", text="Read HEARTBEAT.md if it exists. Lives in Oslo."),
    )
    desk.run("openclaw", source)
    assert [role for role, text in desk.talk()] == ["user", "system", "system"]
    assert desk.talk()[0] == ("user", "I live in Bergen.")


def test_a_torn_line_in_the_tree_does_not_cost_what_came_before(desk):
    """An entry whose parent is lost follows the one before it; circles end; lists are lists."""
    source = desk.write(
        "s.jsonl",
        HEADER,
        entry("a", None, text="One."),
        '{"type": "message", "id": "b", "par',
        entry("c", "b", text="Three."),
        entry("d", "e", text="Four."),
        entry("e", "d", text="Five."),
    )
    desk.run("openclaw", source)
    assert ("user", "Five.") in desk.talk()
    plain = [
        {key: value for key, value in entry(x, None, text=x).items() if key != "parentId"}
        for x in "xyz"
    ]
    desk.run("openclaw", desk.write("list.jsonl", {**HEADER, "id": "list"}, *plain))
    assert [text for _, text in desk.talks()["2026-11-20-openclaw-list"]] == ["x", "y", "z"]
