"""`Conversations`: the facet of a home that lists, reads, searches and imports conversations."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from toolnexus.app.parts import Parts
from toolnexus.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import date, datetime

    from toolnexus.app.results import ConversationInfo
    from toolnexus.transcripts.hit import TurnHit
    from toolnexus.transcripts.importers.summary import Imported
    from toolnexus.transcripts.turn import Conversation


class Conversations(Parts):
    """What was said: the ground truth that memory is held against."""

    def conversations(self) -> list[ConversationInfo]:
        """List the conversations, the one whose last turn is newest first; ties by id.

        Where no turn tells when it was said, it is when the file last changed.
        """
        from toolnexus.app.results import ConversationInfo

        self.turns.refresh()
        counts = {cursor.conversation: cursor.number for cursor in self.turns.cursors()}
        said = self.turns.last_said()
        found = [
            ConversationInfo(one.id, said.get(one.id, one.updated_at), counts.get(one.id, 0))
            for one in self.transcripts.list()
        ]
        by_id = sorted(found, key=lambda info: info.id)
        return sorted(by_id, key=lambda info: info.updated_at, reverse=True)

    def conversation(self, conversation_id: str) -> Conversation:
        """Return a conversation.

        Raises:
            UsageError: when there is none of that id.
        """
        found = self.transcripts.get(conversation_id)
        if found is None:
            raise UsageError(
                f"there is no conversation '{conversation_id}'",
                hint="'toolnexus transcripts list' shows them",
            )
        return found

    def search_transcripts(
        self,
        query: str,
        limit: int = 8,
        role: str | None = None,
        after: date | datetime | None = None,
        before: date | datetime | None = None,
        conversation: str | None = None,
    ) -> tuple[TurnHit, ...]:
        """Search the turns of all conversations, best first.

        Raises:
            UsageError: when the query is empty or a filter makes no sense.
        """
        from toolnexus.transcripts.fused import search_fused

        self.turns.refresh()
        return tuple(
            search_fused(
                self.turns,
                query,
                self.searching.closeness,
                limit=limit,
                after=after,
                before=before,
                role=role,
                conversation=conversation,
            )
        )

    def import_transcripts(
        self,
        tool: str,
        sources: str | Path | Sequence[str | Path],
        *,
        dry_run: bool = False,
        progress: Callable[[int, int], None] = lambda _sessions, _turns: None,
    ) -> Imported:
        """Add what is new in the transcripts of another tool; its files are only read.

        Args:
            tool: ``claude-code``, ``codex``, ``chatgpt``, ``openclaw``, ``jsonl``, or what an
                installed package brings.
            sources: Files and folders of that tool, or a single one.
            dry_run: Read and count, write nothing.
            progress: Is told now and then how many conversations and new turns were met so far.

        Raises:
            UsageError: when there is no such importer, file or folder, or the conversations are in
                a host's store.
            LockedError: when another import goes on for a minute.
            DiskError: when the disk is full or failing; running it again goes on from there.
        """
        from toolnexus.app.importing import import_transcripts

        if self.host.store is not None:
            hint = "open the home without a store to import into its transcripts"
            raise UsageError("nothing is imported into a host's store", hint=hint)
        if isinstance(sources, str | Path):
            sources = [sources]
        return import_transcripts(self, tool, sources, dry_run=dry_run, progress=progress)
