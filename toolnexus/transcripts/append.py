"""One line to a file's end: one write, under a lock on the file itself, whatever its length."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import stat
import time
from typing import TYPE_CHECKING

from toolnexus.errors import LockedError
from toolnexus.files import REAL_DISK, Disk, disk_errors

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LOCK_TIMEOUT_SECONDS = 10.0
_POLL_SECONDS = 0.005
_FLAGS = os.O_RDWR | os.O_APPEND | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


def append_line(
    path: Path,
    line: bytes,
    *,
    first_line: bytes | None = None,
    disk: Disk = REAL_DISK,
    durable: bool = False,
    timeout_seconds: float = LOCK_TIMEOUT_SECONDS,
) -> int:
    """Append a line to a file; where its last line lacks a newline it gets one first.

    Args:
        path: The file, no symbolic link; it is made when absent, its folder too.
        line: The line with its newline.
        first_line: What to write in its place when the file is empty.
        disk: What writes.
        durable: Also fsync.
        timeout_seconds: How long to wait for others that write to it.

    Returns:
        The offset at which the line begins, in bytes.

    Raises:
        LockedError: when the file stays locked for longer than that.
        DiskError: when the disk is full or failing; the file is as it was.
    """
    with disk_errors(path), _open_or_make(path, disk, timeout_seconds) as (descriptor, made):
        size = os.fstat(descriptor).st_size
        if size == 0 and first_line is not None:
            line = first_line
        torn = size > 0 and os.pread(descriptor, 1, size - 1) != b"\n"
        try:
            _write(descriptor, b"\n" + line if torn else line, disk)
            if durable:
                disk.sync(descriptor)
        except BaseException:
            _undo(descriptor, size)
            if size == 0 and made:
                with contextlib.suppress(OSError):
                    disk.unlink(path)
            raise
        return size + torn


@contextlib.contextmanager
def _open_or_make(path: Path, disk: Disk, timeout_seconds: float) -> Iterator[tuple[int, bool]]:
    """Hold a file's lock, and make the file when it is absent; tell whether it was."""
    with contextlib.ExitStack() as stack:
        made = False
        try:
            opened = open_locked(path, create=False, timeout_seconds=timeout_seconds)
            descriptor = stack.enter_context(opened)
        except FileNotFoundError:
            made = True
            disk.make_folder(path.parent)
            opened = open_locked(path, create=True, timeout_seconds=timeout_seconds)
            descriptor = stack.enter_context(opened)
        yield descriptor, made


def _write(descriptor: int, data: bytes, disk: Disk) -> None:
    written = disk.append(descriptor, data)
    if written < len(data):
        raise OSError(errno.ENOSPC, f"only {written:,} of {len(data):,} bytes were written")


def _undo(descriptor: int, size: int) -> None:
    with contextlib.suppress(OSError):
        os.ftruncate(descriptor, size)


@contextlib.contextmanager
def open_locked(path: Path, *, create: bool, timeout_seconds: float) -> Iterator[int]:
    """Hold an exclusive lock on a file itself, sure that the path still leads to it.

    Args:
        path: The file, no symbolic link.
        create: Make it when it is absent.
        timeout_seconds: How long to wait for the lock.

    Raises:
        FileNotFoundError: when it is absent and not to be made.
        LockedError: when the lock stays taken.
        OSError: when it cannot be opened, or is no regular file.
    """
    deadline = time.monotonic() + timeout_seconds
    while True:
        descriptor = os.open(path, _FLAGS | (os.O_CREAT if create else 0), 0o644)
        try:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise OSError(errno.EINVAL, "not a regular file", str(path))
            _lock(descriptor, path, deadline)
            if _leads_to(path, descriptor):
                yield descriptor
                return
        finally:
            os.close(descriptor)  # which also releases the lock


@contextlib.contextmanager
def hold_if_there(path: Path, *, timeout_seconds: float) -> Iterator[bool]:
    """Hold a file's own lock where there is a file; tell whether there is.

    Raises:
        LockedError: when the lock stays taken.
        OSError: when it cannot be opened, or is no regular file.
    """
    with contextlib.ExitStack() as stack:
        try:
            stack.enter_context(open_locked(path, create=False, timeout_seconds=timeout_seconds))
        except FileNotFoundError:
            there = False
        else:
            there = True
        yield there


def _lock(descriptor: int, path: Path, deadline: float) -> None:
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= deadline:
                raise LockedError(
                    "another process keeps writing to this transcript",
                    path=str(path),
                    hint="wait for it to end, then try again",
                ) from None
            time.sleep(_POLL_SECONDS)
        else:
            return


def _leads_to(path: Path, descriptor: int) -> bool:
    """Tell whether the locked file is still the one at the path: a save puts a new one there."""
    try:
        return os.path.samestat(path.lstat(), os.fstat(descriptor))
    except FileNotFoundError:
        return False
