from __future__ import annotations

import errno

import pytest

from toolnexus.errors import DiskError, UsageError
from toolnexus.store.door import Store
from toolnexus.store.proposals import Proposals
from toolnexus.store.state import StateFolder
from toolnexus.testing.disk import FaultyDisk


def test_values_come_back(tmp_path):
    """What was written is read; what was not is the default."""
    values = StateFolder(tmp_path / "state")
    assert values.read("ledger", {}) == {}
    values.write("ledger", {"a": ["ä", 1]})
    assert values.read("ledger") == {"a": ["ä", 1]}
    assert values.names() == ("ledger",)
    values.remove("ledger")
    values.remove("ledger")
    assert values.names() == ()


@pytest.mark.parametrize("damage", [b"{", b"\xff", b"[" * 100_000, b""])
def test_damaged_values_are_told_and_start_afresh(tmp_path, damage):
    """A broken file gives the default and a notice, and can be written anew."""
    values = StateFolder(tmp_path)
    (tmp_path / "cursor.json").write_bytes(damage)
    assert values.read("cursor", 7) == 7
    assert "cursor.json" in values.notices[0]
    values.write("cursor", 8)
    assert values.read("cursor") == 8


@pytest.mark.parametrize("name", ["", "../x", "a/b", ".hidden", "a\0", "x" * 101, "a\n"])
def test_names_stay_in_their_folder(tmp_path, name):
    """No name reaches another folder."""
    for call in (StateFolder(tmp_path).read, Proposals(tmp_path).load, Proposals(tmp_path).remove):
        with pytest.raises(UsageError):
            call(name)


def test_a_full_disk_keeps_the_old_value(tmp_path):
    """When a value cannot be written, the old one still stands and no half one does."""
    StateFolder(tmp_path).write("cursor", 1)
    with pytest.raises(DiskError):
        StateFolder(tmp_path, FaultyDisk(1, errno.ENOSPC)).write("cursor", 2)
    assert StateFolder(tmp_path).read("cursor") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["cursor.json"]


def test_proposals_wait_until_they_are_removed(tmp_path):
    """Proposals are listed in the order of their ids, loaded and removed."""
    proposals = Proposals(tmp_path)
    proposals.save("20261130T000000Z-b", {"n": 2})
    proposals.save("20261129T000000Z-a", {"n": 1})
    assert proposals.ids() == ("20261129T000000Z-a", "20261130T000000Z-b")
    assert proposals.load("20261129T000000Z-a") == {"n": 1}
    proposals.remove("20261129T000000Z-a")
    with pytest.raises(UsageError) as raised:
        proposals.load("20261129T000000Z-a")
    assert "20261130T000000Z-b" in raised.value.hint


def test_the_store_tells_of_damaged_values(tmp_path):
    """What is wrong with a value of ours is among the store's notices."""
    (tmp_path / "SOUL.md").write_text("x\n")
    store = Store(tmp_path)
    store.write_state("ledger", [1])
    assert Store(tmp_path).read_state("ledger") == [1]
    next((tmp_path / ".toolnexus").rglob("ledger.json")).write_text("{")
    assert store.read_state("ledger", []) == []
    assert store.notices
