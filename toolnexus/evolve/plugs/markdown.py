"""A folder of Markdown: each file is a note, with its front matter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolnexus.evolve.plugging.event import TEXT_CAP_CHARS, PlugEvent, PlugSkip, day_of
from toolnexus.evolve.plugs.files import existing, files_below, named
from toolnexus.files import read_regular
from toolnexus.home.note import Note
from toolnexus.home.ripening import ripening_of
from toolnexus.text.frontmatter import read_front_matter
from toolnexus.text.types import Document

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_SUFFIXES = frozenset({".md", ".markdown"})
_CAP_BYTES = 4 * TEXT_CAP_CHARS


class MarkdownFolder:
    """A person's notes: knowledge, unless a note's own front matter says otherwise.

    Title, aliases, tags, stage, stability and created are taken over from front matter, and a
    file's folder in the source is its scope. Links between the notes stay as they are written.

    Args:
        source: The folder, or a single file.

    Raises:
        UsageError: when there is no such file or folder.
    """

    name = "markdown"

    def __init__(self, source: str | Path) -> None:
        self.source = existing(source)

    def events(self) -> Iterator[PlugEvent | PlugSkip]:
        """Yield each file, by name."""
        for path in files_below(self.source, _SUFFIXES):
            yield path if isinstance(path, PlugSkip) else self._read(path)

    def _read(self, path: Path) -> PlugEvent | PlugSkip:
        try:
            data = read_regular(path, _CAP_BYTES + 1)
        except OSError as error:
            return PlugSkip(f"it cannot be read: {error.strerror}", str(path))
        if len(data) > _CAP_BYTES:
            return PlugSkip(f"it has over {_CAP_BYTES:,} bytes: bring it in chunks", str(path))
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError:
            return PlugSkip("it is not UTF-8", str(path))
        place = named(self.source, path)
        front, problems = read_front_matter(text)
        body = text if problems else text[front.end :]
        note = Note(place, "note", "", 0, 0.0, Document(front=front))
        ripe = ripening_of(note)
        created = front.fields.get("created")
        title = front.fields.get("title")
        return PlugEvent(
            id=place,
            text=body,
            title=title if isinstance(title, str) else "",
            stage=ripe.stage,
            tags=note.tags,
            stability=ripe.stability if front.fields.get("stability") is not None else None,
            scope=place.rpartition("/")[0],
            created=day_of(created) if isinstance(created, str) else "",
            source=place,
            slug=path.stem,
            aliases=note.aliases,
        )
