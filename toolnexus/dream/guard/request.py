"""Requests: a change as a model asks for it, and the facts that it is judged by."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, Protocol

from toolnexus.dream.recalled import Recalled

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from toolnexus.agent.memory_actions import CitedTurn
    from toolnexus.change.located import LocatedClaim
    from toolnexus.transcripts.turn import Turn

GuardedAction = Literal["replace", "remove", "add"]


@dataclass(frozen=True, slots=True)
class Request:
    """A change that a model asks for.

    Attributes:
        action: What is to be done to the claim.
        claim: The claim as it stands; None for an addition.
        after: The claim's whole text as it would be; empty for a removal.
        evidence: What the model says it rests on; nothing of it is proved yet.
    """

    action: GuardedAction
    claim: LocatedClaim | None
    after: str = ""
    evidence: tuple[CitedTurn, ...] = ()

    @property
    def before(self) -> str:
        """The claim's text as it stands; empty for an addition."""
        return "" if self.claim is None else self.claim.claim.text


class TurnSource(Protocol):
    """Where turns are looked up."""

    def find_turn(self, conversation: str, ref: int | str) -> Turn | None:
        """Return a turn by its number or its own id; None when there is none."""
        ...

    def turns_around(self, conversation: str, number: int, count: int) -> Sequence[Turn]:
        """Return a turn with up to `count` turns on either side."""
        ...

    def turns_about(self, words: str) -> Iterable[Turn]:
        """Return the turns that may speak of something, in any order."""
        ...


@dataclass(frozen=True, slots=True)
class Facts:
    """What the guard knows beside the request.

    Attributes:
        turns: The transcripts.
        owner: Whose memory it is; empty when nobody said.
        evidence_roles: The roles whose turns are evidence by themselves.
        recalled: What memory says: a turn that merely repeats it proves nothing.
        edited: When a person wrote or changed a claim, by path and fold.
        undone: When a person took back a change, by the folds before and after it.
        waiting: The claims that wait in a proposal, by path and fold.
        may_add: Whether additions are asked for (`dream.learn`).
    """

    turns: TurnSource
    owner: str = ""
    evidence_roles: frozenset[str] = frozenset({"user"})
    recalled: Recalled = field(default_factory=Recalled)
    edited: Mapping[tuple[str, str], datetime] = field(default_factory=dict)
    undone: Mapping[tuple[str, str], datetime] = field(default_factory=dict)
    waiting: frozenset[tuple[str, str]] = frozenset()
    may_add: bool = False
