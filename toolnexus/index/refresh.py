"""A refresh's effect on the words: read what has changed, cut it into chunks, store them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolnexus.index.chunk import chunk_document
from toolnexus.index.manifest import Diff, FileChunks, Manifest, diff

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from toolnexus.index.hit import IndexedFile

    Load = Callable[[str], IndexedFile | None]

FILES_BATCH = 256


class Work:
    """What a refresh was asked to do."""

    def __init__(
        self, files: Mapping[str, str], load: Load, tree_digest: str, *, verify: bool
    ) -> None:
        self.files = files
        self.tree_digest = tree_digest
        self.verify = verify
        self._load = load

    def read(self, path: str) -> FileChunks | None:
        """Read a file into chunks; None when it cannot be read just now."""
        if path not in self.files:
            return FileChunks(path, None)
        try:
            file = self._load(path)
        except OSError:
            return None
        if file is None:
            return FileChunks(path, self.files[path])
        chunks = chunk_document(path, file.title, file.document, file.text)
        return FileChunks(path, self.files[path], file.tags, chunks)


def apply_work(manifest: Manifest, work: Work) -> tuple[Diff, int]:
    """Bring the words up to the files, a batch of files a transaction.

    Returns:
        What has changed, and how many files could not be read and were left as they were.
    """
    changes = diff(manifest.digests(), work.files)
    skipped = 0
    for batch in _batches([*changes.removed, *changes.changed, *changes.added]):
        read = [file for file in map(work.read, batch) if file is not None]
        skipped += len(batch) - len(read)
        manifest.replace(read)
    if work.tree_digest != manifest.get("tree"):
        manifest.put("tree", "" if skipped else work.tree_digest)
    return changes, skipped


def _batches(paths: list[str]) -> Iterator[list[str]]:
    for start in range(0, len(paths), FILES_BATCH):
        yield paths[start : start + FILES_BATCH]
