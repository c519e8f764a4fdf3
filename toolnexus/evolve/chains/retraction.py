"""Retractions: what was taken back, and what rests on it since.

A dream that drops or corrects a claim takes it back, and so does a note that says it is refuted.
Whatever was derived from that note is to be looked at again, and whatever was derived from that in
turn, until somebody has looked after it: until its front matter says ``updated:`` since.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from toolnexus.clock import parse_instant
from toolnexus.text.fold import fold_claim
from toolnexus.text.secrets import shorten

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from toolnexus.change.plan import Change, Evidence
    from toolnexus.home.ripening import Ripening
    from toolnexus.home.snapshot import Snapshot

_SHOWN = 80


@dataclass(frozen=True, slots=True)
class Retraction:
    """Something that was taken back.

    Attributes:
        path: The note that it stood in, as it is called now.
        words: What was said.
        instead: What stands there since; empty when nothing does.
        when: The instant; None when nobody knows.
        evidence: What it was taken back on.
        refuter: The note or turn that refutes the note as a whole; empty for a single claim.
    """

    path: str
    words: str
    instead: str = ""
    when: datetime | None = None
    evidence: tuple[Evidence, ...] = ()
    refuter: str = ""

    @property
    def told(self) -> str:
        """It in a sentence."""
        if self.refuter:
            return f"{self.path} is refuted by {self.refuter}"
        day = f" on {self.when:%Y-%m-%d}" if self.when else ""
        if self.instead:
            return f"'{_short(self.words)}' of {self.path} was corrected{day}"
        return f"'{_short(self.words)}' of {self.path} was dropped{day}"


def taken_back(home: Snapshot, told: Iterable[tuple[str, Change]]) -> tuple[Retraction, ...]:
    """Return what dreams took back and nobody put back since, oldest first.

    Args:
        home: The home as it is now: words that stand there again are not taken back.
        told: What was done to it, each change with its instant, oldest first.
    """
    found = []
    for time, change in told:
        if change.kind in {"corrected", "dropped"} and change.evidence and change.before:
            path = home.moved.get(change.path, change.path)
            if not _stands(home, path, change.before):
                when = _instant(time)
                found.append(Retraction(path, change.before, change.after, when, change.evidence))
    return tuple(found)


def is_looked_after(ripe: Ripening, retraction: Retraction) -> bool:
    """Whether somebody has looked after a note since something was taken back.

    A day that says no hour counts for ``updated`` as the whole day, for who writes it down has
    looked; for ``created`` it is the day's first instant.
    """
    if retraction.when is None:
        return False
    updated, created = ripe.updated, ripe.created
    if updated is not None and updated.date() >= retraction.when.date():
        return updated >= retraction.when or _is_whole_day(updated)
    return created is not None and created > retraction.when


def resting_on(
    order: Sequence[int],
    parents: Mapping[int, Sequence[int]],
    own: Mapping[int, Sequence[Retraction]],
    ripe: Mapping[int, Ripening],
) -> dict[int, tuple[Retraction, ...]]:
    """Tell for each thing which retractions it rests on, and was not looked after since.

    Args:
        order: The things' numbers, parents first.
        parents: What each rests on.
        own: What was taken back in each.
        ripe: When each was looked after, where that is known.
    """
    found: defaultdict[int, dict[Retraction, None]] = defaultdict(dict)
    for _ in range(2):  # the second time for circles, where no order has all parents first
        for number in order:
            for parent in parents.get(number, ()):
                if parent == number:
                    continue
                for each in (*own.get(parent, ()), *found.get(parent, ())):
                    known = ripe.get(number)
                    if known is None or not is_looked_after(known, each):
                        found[number][each] = None
    return {number: tuple(each) for number, each in found.items() if each}


def _stands(home: Snapshot, path: str, words: str) -> bool:
    note = home.notes.get(path)
    fold = fold_claim(words)
    return note is not None and any(claim.fold == fold for claim in note.document.claims)


def _instant(time: str) -> datetime | None:
    try:
        return parse_instant(time)
    except (ValueError, OverflowError):
        return None


def _is_whole_day(instant: datetime) -> bool:
    return (instant.hour, instant.minute, instant.second, instant.microsecond) == (0, 0, 0, 0)


def _short(text: str) -> str:
    return shorten(" ".join(text.split()), _SHOWN)
