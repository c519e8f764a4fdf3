"""Ours: a home, opened as any program opens one."""

from __future__ import annotations

from pathlib import Path

from toolnexus.app import Home


class Driver:
    """The operations that are measured; the other drivers have those that their contender has."""

    def open(self, vault: str, state: str) -> None:
        """Open the vault; nothing is read yet that nobody asked for."""
        self.vault = Path(vault)
        self.home = Home.open(vault, state_dir=state, model="none")
        self._index = None

    def index(self) -> int:
        """Index everything; return how many passages that are."""
        return self.home.reindex().chunks_embedded

    def refresh(self) -> int:
        """Look for what changed and index it; return how many files that were."""
        done = self.home.searching.refresh(self.home.read())
        return done.added + done.changed + done.removed

    def search(self, query: str) -> int:
        """Search what is indexed, as the peers do; return how many hits there are."""
        if self._index is None:
            from toolnexus.index import NoteIndex, make_embedder

            self._index = NoteIndex(self.home.store.state, make_embedder("default"))
        return len(self._index.search(query))

    def find(self, query: str) -> int:
        """Look for what changed, index it, and search."""
        return len(self.home.search(query).hits)

    def add(self, text: str) -> None:
        """Remember one thing, all or nothing, with its way back."""
        self.home.remember(text)

    def converse(self, turns: int) -> None:
        """Make a conversation of so many turns."""
        place = self.vault / "transcripts" / "talk.jsonl"
        place.parent.mkdir(exist_ok=True)
        line = '{"role": "user", "content": "We moved to the house by the mill.", "id": "t%d"}\n'
        place.write_text("".join(line % number for number in range(turns)), "utf-8")

    def append(self, text: str) -> None:
        """Append a turn to it."""
        self.home.transcripts.append("talk", {"role": "user", "content": text})

    def dream(self) -> str:
        """Make one pass without a model; return how it ended."""
        return self.home.dream().outcome
