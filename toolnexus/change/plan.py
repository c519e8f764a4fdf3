"""Plans: what a job wants to write, decided purely and applied once.

A `Change` is what a person is told (one claim corrected, demoted, merged …). A `FileWrite` is what
the disk is told (one file's bytes before and after). A `Plan` carries both.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import Literal

ChangeKind = Literal[
    "corrected",
    "dropped",
    "demoted",
    "merged",
    "relinked",
    "added",
    "written",
    "renamed",
    "archived",
    "extracted",
    "distilled",
    "imagined",
]

_ASKED = "it was asked for"
_WHY: dict[ChangeKind, str] = {
    "corrected": "the transcripts say otherwise",
    "dropped": "the transcripts contradict it",
    "demoted": "MEMORY.md was over its cap; the words are kept in the note",
    "merged": "it says what another says; one of the two is enough",
    "relinked": "only one note can be meant",
    "added": _ASKED,
    "written": _ASKED,
    "renamed": _ASKED,
    "archived": "it has faded; it is kept, and found on request",
    "extracted": "it stands in an older source, which the note names",
    "distilled": "it is often used and well rated; the note names what it was drawn from",
    "imagined": "it is a guess, and no fact; the note names what it was made of",
}


@dataclass(frozen=True, slots=True)
class Evidence:
    """The words of a transcript that a change rests on.

    Attributes:
        conversation: The conversation's id.
        turn: The turn's number in it, counted from 1.
        quote: Words that stand in that turn.
        role: Who said it.
        ts: When, as RFC 3339; empty when unknown.
    """

    conversation: str
    turn: int
    quote: str
    role: str = ""
    ts: str = ""


@dataclass(frozen=True, slots=True)
class Change:
    """One thing a pass did, in a person's terms.

    Attributes:
        kind: What was done.
        path: The file it was done in, relative to the home, with ``/``.
        line: Where, before the pass, counted from 1; 0 when there is no line.
        before: The claim's or link's words before, without list marker; empty for an addition.
        after: The words that stand in its place; empty when nothing does.
        to: The file that received it (demoted, merged, renamed) or the link's new target.
        evidence: What it rests on.
        reason: Why, in a sentence; for what waits, what would settle it.
    """

    kind: ChangeKind
    path: str
    line: int
    before: str
    after: str = ""
    to: str = ""
    evidence: tuple[Evidence, ...] = ()
    reason: str = ""

    @property
    def why(self) -> str:
        """Why it is made: its own reason, else what its kind stands for.

        A correction or removal that cites no turn is the persona's own, outside a dream: no
        transcript is said to be behind it.

        Example:
            >>> Change("relinked", "MEMORY.md", 3, "[[trip]]", "[[trips]]").why
            'only one note can be meant'
            >>> Change("corrected", "MEMORY.md", 3, "Likes tea", "Likes Assam").why
            'it was asked for'
        """
        if self.reason:
            return self.reason
        is_unproved = self.kind in {"corrected", "dropped"} and not self.evidence
        return _ASKED if is_unproved else _WHY[self.kind]


@dataclass(frozen=True, slots=True)
class FileWrite:
    """One file's content before and after; None stands for no such file."""

    path: str
    before: bytes | None
    after: bytes | None

    @property
    def before_digest(self) -> str:
        """Digest of what the plan was made from; empty for a file that was not there."""
        return "" if self.before is None else digest_of(self.before)

    @property
    def after_digest(self) -> str:
        """Digest of what the plan leaves behind; empty for a file that it removes."""
        return "" if self.after is None else digest_of(self.after)


@dataclass(frozen=True, slots=True)
class Plan:
    """All that one job wants to write, in one step.

    Attributes:
        job: Who wants it: ``dream``, ``remember``, ``rename``, ``revert``, ``review`` …
        writes: The files, each at most once; those whose bytes would not change are left out.
        changes: The same in a person's terms.
        logged: Whether the dream log gets an entry for it.
        summary: Counts for the log's top line beyond what `changes` tell, such as
            ``{"unresolved": 1}``.
    """

    job: str
    writes: tuple[FileWrite, ...] = ()
    changes: tuple[Change, ...] = ()
    logged: bool = True
    summary: dict[str, int] = field(default_factory=dict)

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to write."""
        return not self.writes


def digest_of(data: bytes) -> str:
    """Return the digest that files are known by: BLAKE2b, 16 bytes, in hex.

    Example:
        >>> len(digest_of(b""))
        32
    """
    return hashlib.blake2b(data, digest_size=16).hexdigest()
