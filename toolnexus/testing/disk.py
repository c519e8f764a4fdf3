"""A disk that fails on command: for tests of what must survive a full or dying one, or a crash."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from toolnexus.files import Disk

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

WRITING_CALLS = frozenset(
    {"write_new", "replace", "link", "unlink", "make_folder", "remove_folder", "sync_folder"}
)


class CrashError(BaseException):
    """Stands for a process that died: nothing but the test may catch it."""


class FaultyDisk(Disk):
    """The real disk until a given call, which fails.

    Args:
        fail_at: Which call fails, counted from 0 over those in `calls`; None never fails.
        error: What it raises: an errno, such as ``errno.ENOSPC``, or ``"crash"``.
        calls: The names of the methods that count.
        lasting: Whether every later one of those calls fails too, as on a disk that stays full.
        half_written: Whether a failing `write_new` leaves half of its file behind.

    Example:
        >>> disk = FaultyDisk(fail_at=3, error="crash")
        >>> disk.count
        0
    """

    def __init__(
        self,
        fail_at: int | None = None,
        error: int | str = "crash",
        *,
        calls: frozenset[str] = WRITING_CALLS,
        lasting: bool = False,
        half_written: bool = True,
    ) -> None:
        self.count = 0
        self._fail_at = fail_at
        self._error = error
        self._calls = calls
        self._lasting = lasting
        self._half_written = half_written

    def write_new(
        self,
        path: Path | str,
        data: bytes,
        *,
        like: os.stat_result | None = None,
        folder: int | None = None,
        synced: bool = True,
    ) -> None:
        """Write a file, or half of it."""
        if self._fails("write_new"):
            if self._half_written:
                super().write_new(path, data[: len(data) // 2], like=like, folder=folder)
            self._raise()
        super().write_new(path, data, like=like, folder=folder, synced=synced)

    def replace(self, source: Path | str, target: Path | str, *, folder: int | None = None) -> None:
        """Rename, or fail."""
        self._do("replace", super().replace, source, target, folder=folder)

    def link(self, source: str, target: str, *, folder: int) -> None:
        """Link, or fail."""
        self._do("link", super().link, source, target, folder=folder)

    def unlink(self, path: Path | str, *, folder: int | None = None) -> None:
        """Remove, or fail."""
        self._do("unlink", super().unlink, path, folder=folder)

    def make_folder(self, path: Path) -> None:
        """Make a folder, or fail."""
        self._do("make_folder", super().make_folder, path)

    def remove_folder(self, path: Path) -> None:
        """Remove a folder, or fail."""
        self._do("remove_folder", super().remove_folder, path)

    def sync_folder(self, path: Path) -> None:
        """Sync a folder, or fail."""
        self._do("sync_folder", super().sync_folder, path)

    def _do(self, name: str, call: Callable[..., None], *args: Any, **options: Any) -> None:
        if self._fails(name):
            self._raise()
        call(*args, **options)

    def _fails(self, name: str) -> bool:
        if name not in self._calls:
            return False
        number, self.count = self.count, self.count + 1
        if self._fail_at is None:
            return False
        return number == self._fail_at or (self._lasting and number > self._fail_at)

    def _raise(self) -> None:
        if isinstance(self._error, int):
            raise OSError(self._error, os.strerror(self._error))
        raise CrashError
