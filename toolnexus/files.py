"""The disk's primitives: everything that touches files for good goes through a `Disk`.

A `Disk` is handed in, so that tests can have one that fails: on a write, an fsync, a rename.
Locks are the operating system's and vanish with the process that holds them.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING

from toolnexus.errors import DiskError, LockedError

if TYPE_CHECKING:
    from collections.abc import Iterator

TEMP_PREFIX = ".toolnexus-tmp-"
DISK_ERRNOS = frozenset({errno.ENOSPC, errno.EIO, errno.EDQUOT, errno.EROFS, errno.EFBIG})


class Disk:
    """The real disk. Methods are small, so that a failing double can replace any one of them."""

    def read_bytes(self, path: Path) -> bytes:
        """Return a file's whole content."""
        return path.read_bytes()

    def write_new(self, path: Path, data: bytes, mode: int = 0o644) -> None:
        """Write a file that must not exist yet and fsync it.

        Raises:
            FileExistsError: when there is one.
        """
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)
        descriptor = os.open(path, flags, mode)
        try:
            view = memoryview(data)
            while view:
                view = view[os.write(descriptor, view) :]
            os.fchmod(descriptor, mode)
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

    def replace(self, source: Path, target: Path) -> None:
        """Put `source` in the place of `target`, atomically."""
        source.replace(target)

    def unlink(self, path: Path) -> None:
        """Remove a file; one that is gone already is fine."""
        path.unlink(missing_ok=True)

    def make_folder(self, path: Path) -> None:
        """Make a folder and those above it."""
        path.mkdir(parents=True, exist_ok=True)

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


REAL_DISK = Disk()


def write_atomically(path: Path, data: bytes, *, disk: Disk = REAL_DISK, durable: bool = True) -> None:
    """Replace a file of our own state by temp, fsync and rename.

    Args:
        path: The file; its folder is made when it is absent.
        data: Its new content.
        disk: What writes.
        durable: Also fsync the folder.

    Raises:
        DiskError: when the disk is full or failing; the old content still stands.
    """
    temp = path.with_name(f"{TEMP_PREFIX}{os.getpid()}-{os.urandom(4).hex()}-{path.name}"[:200])
    with disk_errors(path):
        disk.make_folder(path.parent)
        try:
            disk.write_new(temp, data)
            disk.replace(temp, path)
        except BaseException:
            with contextlib.suppress(OSError):
                disk.unlink(temp)
            raise
        if durable:
            disk.sync_folder(path.parent)


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
        OSError: when it cannot be read; `IsADirectoryError` or `OSError(EINVAL)` when it is no
            regular file.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    with os.fdopen(descriptor, "rb") as handle:
        mode = os.fstat(handle.fileno()).st_mode
        if not stat.S_ISREG(mode):
            raise OSError(errno.EINVAL, "not a regular file", str(path))
        return handle.read() if cap_bytes is None else handle.read(cap_bytes)


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
    from filelock import FileLock, Timeout

    with disk_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = FileLock(path, timeout=timeout_seconds, thread_local=False, is_singleton=False)
        try:
            lock.acquire()
        except Timeout:
            raise LockedError(
                f"{what} is under way in another process",
                path=str(path),
                hint="wait for it to end, then try again",
            ) from None
    try:
        yield
    finally:
        lock.release()
