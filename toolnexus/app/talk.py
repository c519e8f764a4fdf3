"""Where a home's conversations are, and the search over them: its own files, or a host's store."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from toolnexus.app.host_store import HostStore, MirroredIndex, require_store
from toolnexus.transcripts.search_index import TranscriptIndex
from toolnexus.transcripts.store import FileConversationStore

if TYPE_CHECKING:
    from pathlib import Path

DATABASE = "transcripts.sqlite"
_HOST_FOLDER = "host"  # in the state folder: what is kept of a host's own store


@dataclass(frozen=True, slots=True)
class Talk:
    """Conversations, and the search over their turns."""

    store: FileConversationStore | HostStore
    index: TranscriptIndex


def open_talk(folder: Path, root: Path, state: Path, store: object | None) -> Talk:
    """Open a home's conversations.

    Args:
        folder: The home's transcripts.
        root: The home: links among the transcripts may lead anywhere below it.
        state: The state folder, for the search's database.
        store: The host's own store; None for the home's transcripts.

    Raises:
        UsageError: when `store` is no store.
    """
    own = FileConversationStore(folder, root=root)
    if store is None or (isinstance(store, FileConversationStore) and _same(store, folder)):
        return Talk(own, TranscriptIndex(folder, state / DATABASE, root=root))
    kept = state / _HOST_FOLDER
    if isinstance(store, FileConversationStore):
        return Talk(store, TranscriptIndex(store.folder, kept / DATABASE))
    host = HostStore(require_store(store), kept / "transcripts")
    return Talk(host, MirroredIndex(host, kept / DATABASE))


def _same(store: FileConversationStore, folder: Path) -> bool:
    return store.folder.resolve() == folder.resolve()
