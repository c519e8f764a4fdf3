"""The texts of a snapshot, read from the disk when they are asked for."""

from __future__ import annotations

import codecs
from collections.abc import Mapping
from typing import TYPE_CHECKING

from toolnexus.change.plan import digest_of
from toolnexus.errors import ConflictError
from toolnexus.files import read_regular
from toolnexus.home.layout import SOUL_CAP_BYTES
from toolnexus.store.confine import confine

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


class StaleTextError(ConflictError):
    """A file is no longer what the snapshot saw."""


class Texts(Mapping[str, str]):
    """The texts of a snapshot by path; a byte order mark stays as the first character.

    A look-up raises `StaleTextError` when the file is no longer what the snapshot saw.

    Args:
        root: The home.
        digests: What each file's bytes are known by.
    """

    def __init__(self, root: Path, digests: Mapping[str, str]) -> None:
        self._root = root
        self._digests = digests
        self._loaded: dict[str, str] = {}

    def __getitem__(self, path: str) -> str:
        text = self._loaded.get(path)
        if text is None:
            text = self._loaded[path] = self._load(path, self._digests[path])
        return text

    def __iter__(self) -> Iterator[str]:
        return iter(self._digests)

    def __len__(self) -> int:
        return len(self._digests)

    def __contains__(self, path: object) -> bool:
        return path in self._digests

    def _load(self, path: str, digest: str) -> str:
        try:
            data = read_capped(self._root, path)
        except OSError as error:
            raise _changed(path) from error
        if digest_of(data) != digest:
            raise _changed(path)
        return data.decode()


def read_capped(root: Path, path: str) -> bytes:
    """Read a file of the home up to 2 MiB, and never half a character where it is cut there.

    Raises:
        OSError: when it cannot be read or is no regular file.
        UsageError: when it leads out of the home.
    """
    data = read_regular(confine(root, path), SOUL_CAP_BYTES + 1)
    if len(data) <= SOUL_CAP_BYTES:
        return data
    data = data[:SOUL_CAP_BYTES]
    try:
        return codecs.getincrementaldecoder("utf-8")().decode(data).encode()
    except UnicodeDecodeError:
        return data  # whoever decodes it tells where it goes wrong


def _changed(path: str) -> StaleTextError:
    return StaleTextError(
        "the file changed while it was being worked on", path=path, hint="run it again"
    )
