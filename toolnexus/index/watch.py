"""Watching folders: hints that something below them may have changed, and nothing more.

A hint may come late, twice or never: whoever gets one looks for himself, and looks now and then
without one.
"""

from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from toolnexus.errors import DiskError
from toolnexus.files import TEMP_PREFIX
from toolnexus.home.layout import STATE_FOLDER

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from types import TracebackType

MOST_PATHS = 10_000
"""So many changed paths are kept apart; beyond them the watched folders themselves stand."""


def is_ours(path: Path) -> bool:
    """Whether a path is a state folder's or a temporary file's, which nobody has to know of.

    Example:
        >>> is_ours(Path("ava/.toolnexus/state/beat.json")), is_ours(Path("ava/MEMORY.md"))
        (True, False)
    """
    return STATE_FOLDER in path.parts or path.name.startswith(TEMP_PREFIX)


class Watch:
    """Collects the paths below some folders that may have changed, each once until it is taken.

    Files that are only read are left out, and so are those that `ignores` names.

    Args:
        folders: What to watch, with all that is in it.
        wake: Is called from another thread when the first path of a batch is there.
        ignores: Names paths that are of no interest.

    Example:
        >>> with Watch(["personas"]) as watch:  # doctest: +SKIP
        ...     changed = watch.wait(timeout_seconds=60.0)
    """

    def __init__(
        self,
        folders: Iterable[str | Path],
        wake: Callable[[], None] | None = None,
        *,
        ignores: Callable[[Path], bool] = is_ours,
    ) -> None:
        self._folders = [Path(folder).resolve() for folder in folders]
        self._wake = wake
        self._ignores = ignores
        self._changed: set[Path] = set()
        self._condition = threading.Condition()
        self._observer: Any = None

    def __enter__(self) -> Self:
        """Begin to watch.

        Raises:
            DiskError: when the system does not let us, as where its limit of watches is reached.
        """
        import warnings

        from watchdog import events
        from watchdog.observers import Observer

        kinds: list[type[events.FileSystemEvent]] = [
            events.FileCreatedEvent,
            events.FileModifiedEvent,
            events.FileMovedEvent,
            events.FileDeletedEvent,
            events.DirCreatedEvent,
            events.DirMovedEvent,
            events.DirDeletedEvent,
        ]
        warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"watchdog\.")
        handler = events.FileSystemEventHandler()
        handler.on_any_event = self._note  # type: ignore[method-assign]
        self._observer = Observer()
        try:
            for folder in self._folders:
                self._observer.schedule(handler, str(folder), recursive=True, event_filter=kinds)
            self._observer.start()
        except OSError as error:
            self.close()
            raise DiskError(
                f"changes cannot be watched: {error.strerror or error}",
                hint="raise the system's limit of watches, such as fs.inotify.max_user_watches",
            ) from error
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Stop watching; once is as good as twice."""
        observer, self._observer = self._observer, None
        if observer is not None and observer.is_alive():
            observer.stop()
            observer.join(timeout=5.0)

    @property
    def has_changes(self) -> bool:
        """Whether there is anything to take."""
        return bool(self._changed)

    def take(self) -> frozenset[Path]:
        """Return what may have changed since the last time; what is returned is forgotten."""
        with self._condition:
            taken = frozenset(self._changed)
            self._changed.clear()
            return taken

    def wait(self, timeout_seconds: float) -> frozenset[Path]:
        """Wait until something may have changed, and take it; empty when the time is up."""
        with self._condition:
            self._condition.wait_for(lambda: self._changed, timeout_seconds)
            return self.take()

    def add(self, paths: Iterable[Path]) -> None:
        """Note paths that may have changed."""
        with self._condition:
            was_empty = not self._changed
            self._changed.update(path for path in paths if not self._ignores(path))
            if len(self._changed) > MOST_PATHS:
                self._changed = set(self._folders)
            is_first = was_empty and bool(self._changed)
            self._condition.notify_all()
        if is_first and self._wake is not None:
            self._wake()

    def _note(self, event: Any) -> None:
        named = (os.fsdecode(name) for name in (event.src_path, event.dest_path) if name)
        self.add(Path(name) for name in named)
