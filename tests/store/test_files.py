from __future__ import annotations

import errno
import os
import stat

import pytest

from toolnexus.errors import DiskError, LockedError
from toolnexus.files import REAL_DISK, hold_lock, read_regular, write_atomically
from toolnexus.testing.disk import CrashError, FaultyDisk


def test_an_atomic_write_replaces_and_leaves_nothing_else(tmp_path):
    """The new content stands, its folder is made, and no temporary file is left."""
    path = tmp_path / "state" / "x.json"
    for data in (b"one", b"two"):
        write_atomically(path, data)
        assert path.read_bytes() == data
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize("call", [0, 1, 2])
def test_a_failed_atomic_write_keeps_the_old_content(tmp_path, call):
    """Whichever step fails, the old content stands whole and the error says what to do."""
    path = tmp_path / "x.json"
    path.write_bytes(b"old")
    with pytest.raises(DiskError) as raised:
        write_atomically(path, b"new", disk=FaultyDisk(call, errno.ENOSPC))
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]
    assert "space" in raised.value.hint


def test_a_file_takes_over_its_predecessors_mode(tmp_path):
    """A file written like another has its permissions, whatever the umask."""
    (tmp_path / "old").write_bytes(b"")
    (tmp_path / "old").chmod(0o604)
    REAL_DISK.write_new(tmp_path / "new", b"x", like=(tmp_path / "old").stat())
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o604


def test_only_regular_files_are_read(tmp_path):
    """A pipe or folder is an error at once, and a cap bounds what is read."""
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", tmp_path):
        with pytest.raises(OSError) as raised:
            read_regular(path)
        assert raised.value.errno == errno.EINVAL
    (tmp_path / "file").write_bytes(b"0123456789")
    assert read_regular(tmp_path / "file", 4) == b"0123"


def test_a_lock_excludes_and_ends_with_its_block(tmp_path):
    """A lock that is held is refused by name; after an exception it is free again."""
    path = tmp_path / "locks" / "dream.lock"

    def work():
        with hold_lock(path, timeout_seconds=0, what="a dream"):
            with pytest.raises(LockedError, match="a dream"):
                work()
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        work()
    with hold_lock(path, timeout_seconds=0, what="a dream"):
        pass


def test_a_faulty_disk_fails_where_it_is_told(tmp_path):
    """The shipped double fails at the given call, once or for good, and counts its calls."""
    disk = FaultyDisk(2, errno.EIO)
    disk.make_folder(tmp_path / "a")  # and the folder above it is synced
    with pytest.raises(OSError, match="error"):
        disk.write_new(tmp_path / "a" / "x", b"1234")
    assert (tmp_path / "a" / "x").read_bytes() == b"12"
    disk.unlink(tmp_path / "a" / "x")
    assert disk.count == 4
    lasting = FaultyDisk(0, "crash", lasting=True)
    for _ in range(2):
        with pytest.raises(CrashError):
            lasting.sync_folder(tmp_path)
