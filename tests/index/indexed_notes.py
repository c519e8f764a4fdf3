"""Notes as the index is handed them: paths with digests, and what loads one."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field

from toolnexus.index import IndexedFile
from toolnexus.text.document import parse_document

HOME = {
    "MEMORY.md": "# Memory\n\n- Travels often.\n- Likes tea.\n",
    "memory/house.md": "# House\n\n- The spare key is under the blue pot.\n",
    "memory/trip.md": "# Trip\n\n## Flights\n\n- Flies on LH-1234.\n\n## Hotel\n\n- Room 412.\n",
}


@dataclass
class Notes:
    """Files in memory; `loaded` lists what was read."""

    texts: dict[str, str] = field(default_factory=lambda: dict(HOME))
    tags: dict[str, tuple[str, ...]] = field(default_factory=dict)
    loaded: list[str] = field(default_factory=list)

    def files(self) -> dict[str, str]:
        """Return each file's digest."""
        return {
            path: hashlib.sha256(text.encode()).hexdigest() for path, text in self.texts.items()
        }

    def load(self, path: str) -> IndexedFile:
        """Read one, and note that it was read."""
        self.loaded.append(path)
        return indexed(path, self.texts[path], self.tags.get(path, ()))


def indexed(path: str, text: str, tags: tuple[str, ...] = ()) -> IndexedFile:
    """Read a text as the home would."""
    document = parse_document(text)
    title = next((one.text for one in document.headings if one.level == 1), path)
    return IndexedFile(title, tags, text, document)
