"""contextseek, with its file storage; no model and no embedder, which are its defaults."""

from __future__ import annotations

from pathlib import Path

SCOPE = "bench/vault/notes"


class Driver:
    """An item for each note: it holds its texts itself, and does not look at a folder."""

    def open(self, vault: str, state: str) -> None:
        """Open the store."""
        from contextseek import ContextSeek, ContextSeekSettings
        from contextseek.config.settings import StorageSettings

        self.vault = Path(vault)
        storage = StorageSettings(backend="file", path=str(Path(state) / "store"))
        self.seek = ContextSeek.from_settings(ContextSeekSettings(storage=storage))

    def index(self) -> int:
        """Add each note, as its users do."""
        return self._add_all(check_conflicts=True)

    def fill(self) -> None:
        """Add each note without the look for conflicts, so that the rest can be measured."""
        self._add_all(check_conflicts=False)

    def search(self, query: str) -> int:
        """Retrieve."""
        return len(list(self.seek.retrieve(query, scope=SCOPE, k=8)))

    find = search  # what was added is found: there is no folder to look at

    def add(self, text: str) -> None:
        """Add an item."""
        self.seek.add(text, scope=SCOPE, source="bench")

    def dream(self) -> str:
        """Compact, which needs no model."""
        return type(self.seek.compact(scope=SCOPE)).__name__

    def _add_all(self, *, check_conflicts: bool) -> int:
        paths = sorted((self.vault / "memory").glob("*.md"))
        for path in paths:
            self.seek.add(
                path.read_text("utf-8"),
                scope=SCOPE,
                source=path.name,
                check_conflicts=check_conflicts,
            )
        return len(paths)
