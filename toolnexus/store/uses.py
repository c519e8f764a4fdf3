"""Uses and feedback of notes, summed up note by note."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

from toolnexus.clock import parse_instant

if TYPE_CHECKING:
    from collections.abc import Container, Mapping
    from datetime import datetime

UseKind = Literal["used", "feedback"]

LEAST_BOOST, MOST_BOOST = 0.1, 5.0
KEPT_REASONS = 20
"""How many reasons of a note are kept, the newest."""


@dataclass(frozen=True, slots=True)
class Use:
    """One use of a note, or one word on how well it served.

    Attributes:
        path: The note, relative to the home.
        when: The instant, in UTC; it is kept to the second.
        kind: ``used`` in an answer, or ``feedback``.
        score: For feedback, how well it served: -1 to 1.
        reason: For feedback, why; may be empty.
    """

    path: str
    when: datetime
    kind: UseKind = "used"
    score: float = 0.0
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a note got feedback: `when`, with which `score`, and the words."""

    when: datetime
    score: float
    text: str


@dataclass(frozen=True, slots=True)
class NoteUses:
    """All uses and feedback of one note, summed up.

    Attributes:
        uses: How often it was used.
        last_used: When it last was; None when never.
        boost: What feedback made of it: 1 and the scores, each sum kept within .1 and 5.
        feedbacks: How many scores it got.
        last_feedback: When it got the last one; `last_score` is that score.
        last_praised: When it last got a score above 0.
        reasons: Why, oldest first; the newest of them alone are kept.
    """

    uses: int = 0
    last_used: datetime | None = None
    boost: float = 1.0
    feedbacks: int = 0
    last_feedback: datetime | None = None
    last_score: float = 0.0
    last_praised: datetime | None = None
    reasons: tuple[Reason, ...] = ()

    def after(self, use: Use) -> NoteUses:
        """Return what they come to with one more."""
        if use.kind == "used":
            if self is NONE:
                return NoteUses(1, use.when)
            return replace(self, uses=self.uses + 1, last_used=_later(self.last_used, use.when))
        reasons = self.reasons
        if use.reason:
            reasons = (*reasons, Reason(use.when, use.score, use.reason))[-KEPT_REASONS:]
        praised = use.when if use.score > 0 else None
        return replace(
            self,
            boost=clamp_boost(self.boost + use.score),
            feedbacks=self.feedbacks + 1,
            last_feedback=_later(self.last_feedback, use.when),
            last_score=use.score,
            last_praised=_later(self.last_praised, praised),
            reasons=reasons,
        )

    def with_those(self, other: NoteUses) -> NoteUses:
        """Return what they come to with those of another note that has become this one."""
        newest = max(self, other, key=lambda each: each.last_feedback or _NEVER)
        reasons = sorted((*other.reasons, *self.reasons), key=lambda reason: reason.when)
        return NoteUses(
            uses=self.uses + other.uses,
            last_used=_later(self.last_used, other.last_used),
            boost=clamp_boost(self.boost + other.boost - 1),
            feedbacks=self.feedbacks + other.feedbacks,
            last_feedback=newest.last_feedback,
            last_score=newest.last_score,
            last_praised=_later(self.last_praised, other.last_praised),
            reasons=tuple(reasons[-KEPT_REASONS:]),
        )


_NEVER = parse_instant("0001-01-01T00:00:00Z")
NONE = NoteUses()


@dataclass(frozen=True, slots=True)
class Uses:
    """The uses and feedback of all notes, by path.

    Example:
        >>> Uses().of("memory/tea.md").boost
        1.0
    """

    by_path: Mapping[str, NoteUses] = field(default_factory=lambda: MappingProxyType({}))

    def of(self, path: str) -> NoteUses:
        """Return what is known of a note: nothing, when it was never used."""
        return self.by_path.get(path, NONE)

    def following(self, renames: Mapping[str, str], living: Container[str]) -> Uses:
        """Return them with those of renamed and merged notes where these went.

        Args:
            renames: Where notes went: old path to newest path.
            living: The notes that there are: one of them keeps what is its own.
        """
        moved = {
            old: new for old, new in renames.items() if old in self.by_path and old not in living
        }
        if not moved:
            return self
        found = {path: uses for path, uses in self.by_path.items() if path not in moved}
        for old, new in moved.items():
            found[new] = found.get(new, NONE).with_those(self.by_path[old])
        return Uses(found)


def clamp_boost(boost: float) -> float:
    """Keep a boost within its bounds.

    Example:
        >>> clamp_boost(7.0), clamp_boost(-1.0), clamp_boost(1.5)
        (5.0, 0.1, 1.5)
    """
    return min(MOST_BOOST, max(LEAST_BOOST, boost))


def _later(one: datetime | None, other: datetime | None) -> datetime | None:
    if one is None or other is None:
        return one or other
    return max(one, other)
