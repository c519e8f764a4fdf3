"""The notes of a snapshot, made from what the cache holds when they are asked for."""

from __future__ import annotations

import contextlib
import gc
from collections.abc import ItemsView, Mapping, ValuesView
from typing import TYPE_CHECKING, Generic, TypeVar, cast

from toolnexus.home.note import Note

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Source = TypeVar("Source")


class Notes(Mapping[str, Note], Generic[Source]):
    """Notes by path. A command that needs few of ten thousand makes only these.

    Args:
        sources: What each note is made from, by path.
        make: Makes one; it is called once for each path, at its first look-up.
        made: Those that need not be made, because an earlier read made them.
    """

    def __init__(
        self,
        sources: Mapping[str, Source],
        make: Callable[[str, Source], Note],
        made: Mapping[str, Note] | None = None,
    ) -> None:
        self._sources = dict(sources)
        self._make = make
        self._made: dict[str, Note | None] = {**dict.fromkeys(sources), **(made or {})}

    def __getitem__(self, path: str) -> Note:
        sources = self._sources  # before the look: another thread may make the last one meanwhile
        note = self._made[path]
        if note is None:
            note = self._made[path] = self._make(path, sources[path])
        return note

    def __iter__(self) -> Iterator[str]:
        return iter(self._made)

    def __len__(self) -> int:
        return len(self._made)

    def __contains__(self, path: object) -> bool:
        return path in self._made

    def values(self) -> ValuesView[Note]:
        """Return all notes."""
        return self._all().values()

    def items(self) -> ItemsView[str, Note]:
        """Return all notes with their paths."""
        return self._all().items()

    def made(self) -> Iterator[tuple[str, Note]]:
        """Yield the notes that were made so far, with their paths."""
        return ((path, note) for path, note in self._made.items() if note is not None)

    def _all(self) -> dict[str, Note]:
        """Make those that were not made, and return the very dictionary that holds all."""
        if self._sources:
            with paused_collection():
                for path in self._made:
                    self[path]
            self._sources = {}
        return cast("dict[str, Note]", self._made)


@contextlib.contextmanager
def paused_collection() -> Iterator[None]:
    """Pause the cycle collector: ten thousand documents are many objects and no cycles."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
