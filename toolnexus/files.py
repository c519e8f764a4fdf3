"""The disk's primitives: everything that touches files for good goes through a `Disk`.

A `Disk` is handed in, so that tests can have one that fails: on a write, an fsync, a rename.
Locks are the operating system's and vanish with the process that holds them.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import stat
import time
from typing import TYPE_CHECKING

from toolnexus.errors import DiskError, LockedError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

TEMP_PREFIX = ".toolnexus-tmp-"
# No write of one small file takes this long: its process is dead.
_ORPHAN_SECONDS = 3600.0
POLL_SECONDS = 0.01
"""How often a lock is tried: those who wait longest must get their turn in a crowd."""


class Disk:
    """The real disk. Methods are small, so that a failing double can replace any one of them.

    Where a method takes `folder`, that is an open folder's descriptor, and the paths are bare names
    in it: no symbolic link that is slipped in on the way can lead the write elsewhere.
    """

    def write_new(
        self,
        path: Path | str,
        data: bytes,
        *,
        like: os.stat_result | None = None,
        folder: int | None = None,
        synced: bool = True,
    ) -> None:
        """Write a file that must not exist yet and fsync it.

        Args:
            path: The file.
            data: Its content.
            like: Of the file that it will replace, whose permissions (and owner, where that is
                allowed) it takes over; None gives 0644, narrowed by the umask.
            folder: Descriptor of the folder that `path` is a name in.
            synced: False leaves the fsync out.

        Raises:
            FileExistsError: when there is one.
        """
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)
        descriptor = os.open(path, flags, 0o644 if like is None else 0o600, dir_fd=folder)
        try:
            if like is not None:
                _look_like(descriptor, like)
            view = memoryview(data)
            while view:
                view = view[os.write(descriptor, view) :]
            if synced:
                os.fsync(descriptor)
        finally:
            os.close(descriptor)

    def replace(self, source: Path | str, target: Path | str, *, folder: int | None = None) -> None:
        """Put `source` in the place of `target`, atomically."""
        os.replace(source, target, src_dir_fd=folder, dst_dir_fd=folder)

    def link(self, source: str, target: str, *, folder: int) -> None:
        """Give a file a second name in the same folder, which takes no space.

        Raises:
            OSError: also where the file system has no hard links.
        """
        os.link(source, target, src_dir_fd=folder, dst_dir_fd=folder, follow_symlinks=False)

    def unlink(self, path: Path | str, *, folder: int | None = None) -> None:
        """Remove a file; one that is gone already is fine."""
        with contextlib.suppress(FileNotFoundError):
            os.unlink(path, dir_fd=folder)

    def make_folder(self, path: Path) -> None:
        """Make a folder and those above it; a power loss does not take them back."""
        missing = [folder for folder in (path, *path.parents) if not folder.exists()]
        path.mkdir(parents=True, exist_ok=True)
        for folder in missing:
            with contextlib.suppress(PermissionError):  # made all the same, where nobody may look
                self.sync_folder(folder.parent)

    def remove_folder(self, path: Path) -> None:
        """Remove an empty folder; one that is gone already is fine."""
        with contextlib.suppress(FileNotFoundError):
            path.rmdir()

    def append(self, descriptor: int, data: bytes) -> int:
        """Write once to an open file; return how many bytes it took, which may be too few."""
        return os.write(descriptor, data)

    def sync(self, descriptor: int) -> None:
        """Make what was written to an open file survive a power loss."""
        os.fsync(descriptor)

    def sync_folder(self, path: Path) -> None:
        """Make a folder's renames survive a power loss."""
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_DIRECTORY", 0))
        try:
            os.fsync(descriptor)
        except OSError as error:  # some network file systems cannot, and say so
            if error.errno not in {errno.EINVAL, errno.ENOTSUP, errno.EBADF}:
                raise
        finally:
            os.close(descriptor)


def _look_like(descriptor: int, like: os.stat_result) -> None:
    """Give an open file another one's permissions, and its owner where that is allowed."""
    own = os.fstat(descriptor)
    if (own.st_uid, own.st_gid) != (like.st_uid, like.st_gid):
        with contextlib.suppress(PermissionError):
            os.fchown(descriptor, like.st_uid, like.st_gid)
    os.fchmod(descriptor, stat.S_IMODE(like.st_mode))


REAL_DISK = Disk()


def write_atomically(
    path: Path,
    data: bytes,
    *,
    disk: Disk = REAL_DISK,
    durable: bool = True,
    synced: bool = True,
) -> None:
    """Replace a file of our own state by temp, fsync and rename.

    Args:
        path: The file; its folder is made when it is absent.
        data: Its new content.
        disk: What writes.
        durable: Also fsync the folder, so that a power loss does not bring the old content back.
        synced: Fsync the file; False is for what a power loss may damage, as it is made again.

    Raises:
        DiskError: when the disk is full or failing; the old content still stands.
    """
    temp = path.with_name(f"{TEMP_PREFIX}{os.getpid()}-{os.urandom(4).hex()}-{path.name}"[:200])
    with disk_errors(path):
        disk.make_folder(path.parent)
        try:
            disk.write_new(temp, data, synced=synced)
            disk.replace(temp, path)
        except BaseException:
            with contextlib.suppress(OSError):
                disk.unlink(temp)
            raise
        if durable:
            disk.sync_folder(path.parent)


def sweep_orphans(folder: Path, disk: Disk = REAL_DISK) -> None:
    """Remove old temporary files of processes that died while keeping a single value.

    Raises:
        OSError: when the disk fails.
    """
    for path in folder.glob(f"{TEMP_PREFIX}*"):
        with contextlib.suppress(FileNotFoundError):
            if time.time() - path.stat().st_mtime > _ORPHAN_SECONDS:
                disk.unlink(path)


@contextlib.contextmanager
def disk_errors(path: Path | str) -> Iterator[None]:
    """Turn an operating-system error into a `DiskError` that names the file."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        hint = (
            "free some space and run it again"
            if error.errno in {errno.ENOSPC, errno.EDQUOT}
            else "check the disk and the folder's permissions, then run it again"
        )
        raise DiskError(f"cannot write: {reason}", path=str(path), hint=hint) from error


def read_regular(path: Path, cap_bytes: int | None = None) -> bytes:
    """Read a regular file, never more than the cap, never blocking on a FIFO or a device.

    Args:
        path: What to read; a symbolic link is followed, so confine it first.
        cap_bytes: At most this much is read; None reads all.

    Raises:
        OSError: when it cannot be read; with EINVAL when it is no regular file.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "not a regular file", str(path))
    with os.fdopen(descriptor, "rb") as handle:
        return handle.read() if cap_bytes is None else handle.read(cap_bytes)


def is_odd(path: Path) -> bool:
    """Whether something stands at a path that is no regular file: to open it may never end."""
    try:
        return not stat.S_ISREG(path.stat().st_mode)
    except OSError:
        return False


@contextlib.contextmanager
def hold_lock(path: Path, *, timeout_seconds: float, what: str) -> Iterator[None]:
    """Hold an operating-system lock for as long as the block runs.

    Args:
        path: The lock's file, in the state folder; it is made when absent and never removed.
        timeout_seconds: How long to wait for it; 0 means not at all.
        what: What the lock stands for, for the message: "a dream".

    Raises:
        LockedError: when another process holds it for longer than that.
        DiskError: when its file cannot be made.
    """
    with disk_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NONBLOCK, 0o644)
    try:
        if not _locked(descriptor, timeout_seconds):
            raise LockedError(
                f"{what} is under way in another process",
                path=str(path),
                hint="wait for it to end, then try again",
            )
        yield
    finally:
        with contextlib.suppress(OSError):  # closing alone would leave it to a forked child
            fcntl.flock(descriptor, fcntl.LOCK_UN)
        os.close(descriptor)


def _locked(descriptor: int, timeout_seconds: float) -> bool:
    """Lock an open file; False when another process holds it for longer than that.

    Raises:
        DiskError: when the file system has no locks.
    """
    deadline = time.monotonic() + timeout_seconds
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= deadline:
                return False
            time.sleep(POLL_SECONDS)
        except OSError as error:
            hint = "keep the state elsewhere: --state DIR"
            raise DiskError(f"cannot lock: {error.strerror or error}", hint=hint) from error
        else:
            return True
