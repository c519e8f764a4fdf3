"""Small JSON files in the state folder: cursors, ledgers, proposals. Damaged ones are forgotten."""

from __future__ import annotations

import contextlib
import json
import re
from typing import TYPE_CHECKING, Any

from toolnexus.errors import DiskError, UsageError
from toolnexus.files import REAL_DISK, Disk, disk_errors, read_regular, write_atomically

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")


@contextlib.contextmanager
def kept_beside(notices: list[str], otherwise: str) -> Iterator[None]:
    """Keep something beside a change that stands already: a failing disk is told, and no error.

    An error would say that the home is as it was.

    Args:
        notices: Where it is told.
        otherwise: What it means that it was not kept, in a sentence.
    """
    try:
        yield
    except DiskError as error:
        notices.append(f"{otherwise} ({error})")


class StateFolder:
    """Named JSON values in one folder.

    Args:
        folder: Where they lie; it is made when the first is written.
        disk: What writes.
    """

    def __init__(self, folder: Path, disk: Disk = REAL_DISK) -> None:
        self._folder = folder
        self._disk = disk
        self.notices: list[str] = []

    def read(self, name: str, default: Any = None) -> Any:
        """Return a value; the default when there is none or its file is damaged.

        A damaged file is told in `notices` and left where it is until it is written anew.

        Raises:
            UsageError: when the name cannot be a file's.
        """
        path = self._path(name)
        try:
            return json.loads(read_regular(path))
        except FileNotFoundError:
            return default
        except (OSError, ValueError, RecursionError) as error:
            self.notices.append(f"{path}: cannot be read ({error}), so it starts afresh")
            return default

    def write(self, name: str, value: Any, *, durable: bool = True) -> None:
        """Keep a value, atomically.

        Args:
            name: What it is known by.
            value: JSON values.
            durable: Whether it must outlive a power loss; it outlives a crash in any case.

        Raises:
            UsageError: when the name cannot be a file's.
            DiskError: when the disk is full or failing; the old value still stands.
        """
        text = json.dumps(value, ensure_ascii=False, indent=1)
        data = text.encode("utf-8", "surrogatepass")
        path = self._path(name)
        write_atomically(path, data, disk=self._disk, durable=durable, synced=durable)

    def remove(self, name: str) -> None:
        """Forget a value; one that is gone already is fine.

        Raises:
            UsageError: when the name cannot be a file's.
            DiskError: when the disk is failing.
        """
        path = self._path(name)
        with disk_errors(path):
            self._disk.unlink(path)

    def names(self) -> tuple[str, ...]:
        """List the values that there are, by name."""
        try:
            found = [path.stem for path in self._folder.iterdir() if path.suffix == ".json"]
        except OSError:
            return ()
        return tuple(sorted(name for name in found if _NAME.fullmatch(name)))

    def _path(self, name: str) -> Path:
        if not _NAME.fullmatch(name):
            raise UsageError(
                f"'{name}' cannot be the name of a file",
                hint="use letters, digits, '-', '_' and '.'",
            )
        return self._folder / f"{name}.json"
