"""One import from beginning to end: find the files, read them, add what is new."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

from toolnexus.transcripts.importers.identity import (
    content_key,
    conversation_name,
    fitted,
    is_same_talk,
    undated_name,
    unique,
)
from toolnexus.transcripts.importers.importer import Said, Session, Skip
from toolnexus.transcripts.importers.memory import Remembered, stamps_of
from toolnexus.transcripts.importers.source import unreadable
from toolnexus.transcripts.importers.summary import Tally

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from toolnexus.transcripts.importers.importer import Importer
    from toolnexus.transcripts.importers.landing import Landing
    from toolnexus.transcripts.importers.memory import ImportMemory

PROGRESS_STEP = 200
"""After how many conversations something is said of how far it is."""


class ImportRun:
    """Reads sources with one importer, and lands what is new.

    Args:
        name: The importer's name, which stands in the conversations' names.
        importer: Reads the sources.
        landing: The home's transcripts.
        memory: The files that were read before.
        progress: Is told how many conversations and new turns there are so far.
    """

    def __init__(
        self,
        name: str,
        importer: Importer,
        landing: Landing,
        memory: ImportMemory,
        progress: Callable[[int, int], None] = lambda _sessions, _turns: None,
    ) -> None:
        self._name = name
        self._importer = importer
        self._landing = landing
        self._memory = memory
        self._progress = progress
        self._told = 0
        self.tally = Tally()

    def read(self, sources: Sequence[Path]) -> None:
        """Import everything in some files and folders.

        Raises:
            HomeError: when a conversation's file leads out of the home.
            LockedError: when another process keeps writing to a conversation.
            DiskError: when the disk is full or failing; whole conversations were added till then.
        """
        for source in sources:
            for found in self._importer.files(source):
                if isinstance(found, Skip):
                    self.tally.skip(found, str(source))
                else:
                    self._file(found)

    def _file(self, path: Path) -> None:
        version = self._importer.version
        known = self._memory.recall(path, version, self._landing.size)
        if known is not None:
            self.tally.known += len(known.conversations)
            self.tally.turns_known += known.turns
            return
        stamps = stamps_of(path)  # before it is read: what is added meanwhile is news the next time
        landed: dict[str, int] = {}
        whole = True
        for found in _sessions(self._importer, path):
            if isinstance(found, Skip):
                self.tally.skip(found, str(path))
                whole = whole and not found.retry
            else:
                whole = self._session(found, path, landed) and whole
        if whole:
            sizes = tuple((name, self._landing.size(name)) for name in landed)
            remembered = Remembered(version, stamps, sizes, sum(landed.values()))
            self._memory.keep(path, remembered)

    def _session(self, session: Session, path: Path, landed: dict[str, int]) -> bool:
        """Land one session; tell whether it could be read to its end."""
        threads: dict[str, list[Said]] = {}
        whole = True
        for item in _items(session):
            if isinstance(item, Said):
                threads.setdefault(item.thread, []).append(item)
                continue
            self.tally.skip(item, str(path))
            whole = whole and not item.retry
        for thread, told in threads.items():
            name = f"{session.name}.{thread}" if thread else session.name
            turns = self._unique(told, path)
            conversation = self._conversation(session, path, name, turns)
            result = self._landing.add(conversation, turns)
            for skip in result.skipped:
                self.tally.skip(skip, str(path))
            self.tally.land(conversation, result)
            landed[conversation] = landed.get(conversation, 0) + len(turns)
        if not threads:
            self.tally.empty += 1
        self._tell_progress()
        return whole

    def _unique(self, told: list[Said], path: Path) -> list[Said]:
        turns: list[Said] = []
        for item in unique(told):
            if isinstance(item, Said):
                turns.append(item)
            else:
                self.tally.skip(item, str(path))
        return turns

    def _conversation(self, session: Session, path: Path, name: str, turns: list[Said]) -> str:
        """Find the conversation that a session is, or name a new one."""
        if not session.is_file_name:
            found = self._landing.find(undated_name(self._name, name))
            return found or conversation_name(self._name, name, session.started)
        contents = {content_key(said.turn) for said in turns}
        for candidate in self._memory.went_to(path):  # a chat may have added to it since
            is_named = candidate == name or candidate.startswith(f"{name}-")
            if is_named and contents & self._landing.present(candidate).contents:
                return candidate
        candidates = (fitted(name if n == 1 else f"{name}-{n}") for n in count(1))
        return next(found for found in candidates if self._may_be(found, contents))

    def _may_be(self, conversation: str, contents: set[str]) -> bool:
        """Tell whether turns may go to a conversation: it is new, or says the same."""
        present = self._landing.present(conversation)
        return not present.exists or is_same_talk(present.contents, contents)

    def _tell_progress(self) -> None:
        if self.tally.sessions - self._told >= PROGRESS_STEP:
            self._told = self.tally.sessions
            self._progress(self.tally.sessions, self.tally.turns)


def _sessions(importer: Importer, path: Path) -> Iterator[Session | Skip]:
    """Give a file's sessions; what cannot be read is skipped."""
    try:
        yield from importer.sessions(path)
    except OSError as error:
        yield unreadable(error)


def _items(session: Session) -> Iterator[Said | Skip]:
    """Give a session's turns; what cannot be read is skipped."""
    try:
        yield from session.read()
    except OSError as error:
        yield unreadable(error)
