"""Verdicts: the guard's three answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from toolnexus.change.plan import Evidence

Answer = Literal["accept", "refuse", "review"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the guard says to a request.

    Attributes:
        answer: ``accept``; ``refuse``: nothing changes; ``review``: it waits for a person.
        reason: Why, in one sentence; empty for what is accepted.
        next: What would be accepted, or what would settle it.
        evidence: The cited turns that count, with who said them and when.
    """

    answer: Answer
    reason: str = ""
    next: str = ""
    evidence: tuple[Evidence, ...] = ()

    @property
    def is_accepted(self) -> bool:
        """Whether the change may be made at once."""
        return self.answer == "accept"

    def __str__(self) -> str:
        return f"{self.reason}; {self.next}" if self.next else self.reason or self.answer


def refuse(reason: str, next_: str) -> Verdict:
    """Say no, and what would be accepted."""
    return Verdict("refuse", reason, next_)


def review(reason: str, next_: str) -> Verdict:
    """Leave it to a person."""
    return Verdict("review", reason, next_)
