"""What came of an import."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from toolnexus.transcripts.importers.importer import Skip
    from toolnexus.transcripts.importers.landing import Landed

_KINDS_CAP = 50
OTHER = "other reasons"


@dataclass(frozen=True, slots=True)
class SkipCount:
    """How often something was skipped for one reason, and where first.

    Attributes:
        reason: Why.
        count: How often.
        path: The file of the first.
        line: Its line or element, counted from 1; 0 for the file as a whole.
    """

    reason: str
    count: int
    path: str
    line: int


@dataclass(frozen=True, slots=True)
class TurnCount:
    """How many turns there are of each role."""

    user: int = 0
    assistant: int = 0
    tool: int = 0
    system: int = 0

    @property
    def total(self) -> int:
        """How many there are in all."""
        return self.user + self.assistant + self.tool + self.system


@dataclass(frozen=True, slots=True)
class ImportedConversation:
    """A conversation that got new turns: its id, how many, and whether it is new itself."""

    id: str
    turns: int
    created: bool


@dataclass(frozen=True, slots=True)
class Imported:
    """What came of an import.

    Attributes:
        new: Conversations that the home lacked.
        grown: Conversations that got new turns.
        known: Conversations that had all of theirs.
        empty: Sessions in which nobody says anything.
        turns: New turns by role.
        turns_known: Turns that the home had.
        skipped: What became no turn, the most frequent reason first.
        conversations: The new and the grown ones.
        dry_run: Whether nothing was written.
    """

    new: int
    grown: int
    known: int
    empty: int
    turns: TurnCount
    turns_known: int
    skipped: tuple[SkipCount, ...]
    conversations: tuple[ImportedConversation, ...]
    dry_run: bool


class Tally:
    """Counts while an import runs."""

    def __init__(self) -> None:
        self.known = self.empty = self.turns_known = 0
        self._roles: Counter[str] = Counter()
        self._skips: dict[str, SkipCount] = {}
        self._landed: dict[str, ImportedConversation] = {}

    @property
    def sessions(self) -> int:
        """How many conversations were met so far."""
        return self.known + self.empty + len(self._landed)

    @property
    def turns(self) -> int:
        """How many new turns were met so far."""
        return sum(self._roles.values())

    def skip(self, skip: Skip, path: str) -> None:
        """Count something skipped."""
        reason = skip.reason
        if reason not in self._skips and len(self._skips) >= _KINDS_CAP:
            reason = OTHER  # a file of arbitrary records must not fill the screen
        first = self._skips.get(reason) or SkipCount(reason, 0, skip.path or path, skip.line)
        self._skips[reason] = replace(first, count=first.count + 1)

    def land(self, conversation: str, landed: Landed) -> None:
        """Count what came of a conversation."""
        self.turns_known += landed.known
        self._roles.update(said.turn.role for said in landed.fresh)
        if landed.fresh:
            before = self._landed.get(conversation)
            turns = len(landed.fresh) + (before.turns if before else 0)
            created = before.created if before else landed.created
            self._landed[conversation] = ImportedConversation(conversation, turns, created)
        elif conversation not in self._landed:
            self.known += 1

    def imported(self, *, dry_run: bool) -> Imported:
        """Sum up."""
        new = sum(conversation.created for conversation in self._landed.values())
        by_count = sorted(self._skips.values(), key=lambda skip: (-skip.count, skip.reason))
        return Imported(
            new=new,
            grown=len(self._landed) - new,
            known=self.known,
            empty=self.empty,
            turns=TurnCount(**self._roles),
            turns_known=self.turns_known,
            skipped=tuple(by_count),
            conversations=tuple(self._landed.values()),
            dry_run=dry_run,
        )
