"""What is known of earlier runs of a plug: which event became which note, and how it was written.

It is a cache: without it, a note is known by its front matter where it lies.
"""

from __future__ import annotations

from dataclasses import astuple, dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

VERSION = 1


@dataclass(frozen=True, slots=True)
class KnownNote:
    """A note that an event became.

    Attributes:
        path: Where it lies.
        event: The digest of the event.
        file: The digest of the file as it was written.
        source: The digest of the source that had it last.
    """

    path: str
    event: str
    file: str
    source: str = ""


class Known:
    """The notes of one plug, by folder and id.

    Args:
        value: What `value` gave the last time, or anything at all.

    Example:
        >>> Known("damaged").get("memory/web", "1234") is None
        True
    """

    def __init__(self, value: object = None) -> None:
        self.changed = False
        self._notes = dict(_rows(value))

    def get(self, folder: str, event_id: str) -> KnownNote | None:
        """Return the note of an event."""
        return self._notes.get(f"{folder}\n{event_id}")

    def put(self, folder: str, event_id: str, note: KnownNote) -> None:
        """Keep the note of an event."""
        key = f"{folder}\n{event_id}"
        if self._notes.get(key) != note:
            self._notes[key] = note
            self.changed = True

    def of(self, source: str) -> Iterator[tuple[str, str]]:
        """Yield the folder and the id of each event that a source had last."""
        for key, note in self._notes.items():
            if note.source == source:
                folder, _, event_id = key.rpartition("\n")
                yield folder, event_id

    @property
    def value(self) -> dict[str, object]:
        """All of it as JSON values."""
        rows = {key: list(astuple(note)) for key, note in self._notes.items()}
        return {"version": VERSION, "notes": rows}


def _rows(value: object) -> Iterator[tuple[str, KnownNote]]:
    if not isinstance(value, dict) or value.get("version") != VERSION:
        return
    rows = value.get("notes")
    for key, row in rows.items() if isinstance(rows, dict) else ():
        if (
            isinstance(row, list)
            and len(row) in {3, 4}
            and all(isinstance(each, str) for each in row)
        ):
            yield key, KnownNote(*row)
