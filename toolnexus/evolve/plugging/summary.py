"""What came of plugging a source in."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Literal

Fate = Literal["added", "updated", "unchanged", "left"]

OTHER = "other reasons"
_KINDS_CAP = 50
_LEFT_CAP = 1_000


@dataclass(frozen=True, slots=True)
class SkippedEvents:
    """How often something was skipped for one reason, and where first."""

    reason: str
    count: int
    place: str


@dataclass(frozen=True, slots=True)
class LeftNote:
    """A note that changed in the source and was left as it is here, and why."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class Plugged:
    """What came of plugging a source in.

    Attributes:
        plug: The plug's name.
        read: Events that were read.
        added: Notes that are new.
        updated: Notes that changed with their source.
        unchanged: Notes that had nothing new.
        left: Notes that changed in the source, and were edited here: they stay as they are.
        gone: Notes whose source has them no more; they stay.
        skipped: What became no note, the most frequent reason first.
        ids: What `revert` undoes it by, a part each.
        dry_run: Whether nothing was written.
        secrets: How many of the new and changed notes hold what looks like a secret.
    """

    plug: str
    read: int = 0
    added: int = 0
    updated: int = 0
    unchanged: int = 0
    left: tuple[LeftNote, ...] = ()
    gone: int = 0
    skipped: tuple[SkippedEvents, ...] = ()
    ids: tuple[str, ...] = ()
    dry_run: bool = False
    secrets: int = 0

    @property
    def wrote(self) -> bool:
        """Whether the home changed."""
        return bool(self.ids)


class Tally:
    """Counts while a plug runs."""

    def __init__(self) -> None:
        self.read = 0
        self.secrets = 0
        self.ids: list[str] = []
        self._fates: Counter[Fate] = Counter()
        self._left: list[LeftNote] = []
        self._skips: Counter[str] = Counter()
        self._places: dict[str, str] = {}

    @property
    def written(self) -> int:
        """How many notes were added or updated so far."""
        return self._fates["added"] + self._fates["updated"]

    def count(self, fate: Fate, path: str = "", reason: str = "") -> None:
        """Count what became of one event."""
        self._fates[fate] += 1
        if fate == "left" and len(self._left) < _LEFT_CAP:
            self._left.append(LeftNote(path, reason))

    def skip(self, reason: str, place: str) -> None:
        """Count something skipped; a source of nonsense must not fill the screen."""
        if reason not in self._skips and len(self._skips) >= _KINDS_CAP:
            reason = OTHER
        self._skips[reason] += 1
        self._places.setdefault(reason, place)

    def summed(self, plug: str, gone: int, *, dry_run: bool) -> Plugged:
        """Sum up."""
        skips = sorted(self._skips.items(), key=lambda each: (-each[1], each[0]))
        return Plugged(
            plug,
            self.read,
            self._fates["added"],
            self._fates["updated"],
            self._fates["unchanged"],
            tuple(self._left),
            gone,
            tuple(SkippedEvents(reason, n, self._places[reason]) for reason, n in skips),
            tuple(self.ids),
            dry_run,
            self.secrets,
        )
