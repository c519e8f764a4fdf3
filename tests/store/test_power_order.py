"""What a commit syncs before what: all that stands between a power loss and half a commit."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from toolnexus.change.plan import FileWrite, Plan
from toolnexus.errors import DiskError
from toolnexus.files import TEMP_PREFIX, Disk
from toolnexus.store.door import Store
from toolnexus.testing.disk import FaultyDisk

MEMORY = b"# Memory\n- Lives in Paris.\n"
PLAN = Plan(
    "dream",
    (
        FileWrite("MEMORY.md", MEMORY, MEMORY + b"- Owns a canoe.\n"),
        FileWrite("memory/people/zoe.md", None, b"- A friend.\n"),
    ),
)


class NotingDisk(Disk):
    """The real disk, which notes what it did, in order."""

    def __init__(self) -> None:
        self.done: list[tuple[str, str]] = []

    def replace(self, source, target, *, folder=None):
        """Rename, and note the new name."""
        super().replace(source, target, folder=folder)
        self.done.append(("replace", Path(target).name))

    def unlink(self, path, *, folder=None):
        """Remove, and note the name."""
        super().unlink(path, folder=folder)
        self.done.append(("unlink", Path(path).name))

    def make_folder(self, path):
        """Make a folder, and note a new one."""
        is_new = not path.exists()
        super().make_folder(path)
        if is_new:
            self.done.append(("make", path.name))

    def sync_folder(self, path):
        """Sync a folder, and note it."""
        super().sync_folder(path)
        self.done.append(("sync", path.name))


def make_home(root):
    root.mkdir()
    (root / "SOUL.md").write_text("You are Ava.\n")
    (root / "MEMORY.md").write_bytes(MEMORY)
    return root


def committed(tmp_path):
    """Commit into a fresh home, and return what its disk was asked to do."""
    disk = NotingDisk()
    Store(make_home(tmp_path / "ava"), disk=disk).commit(PLAN)
    return disk.done


def test_staged_files_are_gone_for_good_before_a_record_is_done(tmp_path):
    """Folders are synced between the last staged file's end and the mark: none can come back."""
    done = committed(tmp_path)
    marked = done.index(("replace", "done"))
    last = max(n for n, (what, name) in enumerate(done[:marked]) if what == "unlink")
    assert done[last][1].startswith(TEMP_PREFIX)
    synced = {name for what, name in done[last:marked] if what == "sync"}
    assert synced >= {"ava", "memory", "people"}


def test_folders_on_the_way_to_a_record_outlast_a_power_loss(tmp_path):
    """Before a file of the home is touched, each new folder above its record is in a synced one."""
    done = committed(tmp_path)
    touched = done.index(("replace", "MEMORY.md"))
    for folder, above in ((".toolnexus", "ava"), ("history", ".toolnexus")):
        assert ("sync", above) in done[:touched], folder
    assert ("sync", "history") in done[:touched]


def test_a_folder_that_cannot_be_synced_behind_the_commit_is_made_good(tmp_path):
    """Once the record stands, a failing fsync ends no commit: the next open goes on from there."""
    root = make_home(tmp_path / "ava")
    Store(root).read()
    syncs = frozenset({"sync_folder"})
    counted = FaultyDisk(calls=syncs)
    outcomes = set()
    for call in range(12):
        disk = FaultyDisk(call, errno.EIO, calls=syncs, lasting=True)
        try:
            Store(root, disk=disk).commit(PLAN)
        except DiskError:
            assert (root / "MEMORY.md").read_bytes() == MEMORY
            outcomes.add("as it was")
        else:
            store = Store(root, disk=counted)
            assert (root / "MEMORY.md").read_bytes() == PLAN.writes[0].after
            assert not list(root.rglob(f"{TEMP_PREFIX}*"))
            store.revert(store.history()[-1].id)
            outcomes.add("done")
    assert outcomes == {"as it was", "done"}


def test_a_folder_is_made_where_the_one_above_cannot_be_read(tmp_path):
    """A folder above that nobody may open cannot be synced, which is no reason to fail."""

    class Closed(NotingDisk):
        def sync_folder(self, path):
            raise PermissionError(errno.EACCES, str(path))

    Closed().make_folder(tmp_path / "a" / "b")
    assert (tmp_path / "a" / "b").is_dir()
    with pytest.raises(PermissionError):
        Closed().sync_folder(tmp_path)
