"""Where a home's conversations are, and the search over them: its own files, or a host's store."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolnexus.transcripts.store import FileConversationStore

if TYPE_CHECKING:
    from pathlib import Path

    from toolnexus.app.host_store import HostStore
    from toolnexus.transcripts.search_index import TranscriptIndex

DATABASE = "transcripts.sqlite"
_HOST_FOLDER = "host"  # in the state folder: what is kept of a host's own store


def open_conversations(
    root: Path, folder: Path, state: Path, store: object | None
) -> FileConversationStore | HostStore:
    """Open a home's conversations.

    Args:
        root: The home: links among the transcripts may lead anywhere below it.
        folder: Its transcripts.
        state: The state folder.
        store: The host's own store; None for the home's transcripts.

    Raises:
        UsageError: when `store` is no store.
    """
    own = FileConversationStore(folder, root=root)
    if store is None:
        return own
    if isinstance(store, FileConversationStore):
        return own if _is_own(store, folder) else store
    from toolnexus.app.host_store import HostStore, require_store

    return HostStore(require_store(store), state / _HOST_FOLDER / "transcripts")


def open_turns(
    root: Path, folder: Path, state: Path, store: FileConversationStore | HostStore
) -> TranscriptIndex:
    """Open the search over a home's conversations.

    Args:
        root: The home.
        folder: Its transcripts.
        state: The state folder, for the search's database.
        store: The conversations.
    """
    from toolnexus.transcripts.search_index import TranscriptIndex

    if not isinstance(store, FileConversationStore):
        from toolnexus.app.host_store import MirroredIndex

        return MirroredIndex(store, state / _HOST_FOLDER / DATABASE)
    if _is_own(store, folder):
        return TranscriptIndex(folder, state / DATABASE, root=root)
    return TranscriptIndex(store.folder, state / _HOST_FOLDER / DATABASE)


def _is_own(store: FileConversationStore, folder: Path) -> bool:
    return store.folder == folder or store.folder.resolve() == folder.resolve()
