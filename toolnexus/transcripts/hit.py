"""What a search is asked for and what it finds."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from typing import TYPE_CHECKING, Literal

from toolnexus.errors import UsageError
from toolnexus.transcripts.timestamp import EPOCH, to_microseconds
from toolnexus.transcripts.turn import ROLES, is_role

if TYPE_CHECKING:
    from toolnexus.transcripts.turn import Role, Turn

Order = Literal["best", "time"]
LIMIT_CAP = 50


@dataclass(frozen=True, slots=True)
class TurnHit:
    """A turn that a search found.

    Attributes:
        conversation: The conversation's id.
        number: The turn's line, counted from 1.
        id: The turn's own id; empty when it has none.
        role: Who said what was found; ``tool`` for tool output inside a user's turn.
        ts: When, in UTC; None when nothing tells.
        excerpt: Text around the match.
        match_start: Where in the excerpt the match begins, in code points.
        match_length: How long it is, in code points; 0 when it is not in the excerpt.
        score: From 0 to 1, higher is better; above 0.5 every word of the query is in the turn.
        injected: Whether the match repeats memory, where `injected.mark_hits` has looked: it is no
            evidence then.
    """

    conversation: str
    number: int
    id: str
    role: Role
    ts: datetime | None
    excerpt: str
    match_start: int
    match_length: int
    score: float
    injected: bool = False


@dataclass(frozen=True, slots=True)
class Filters:
    """What a hit must be besides matching; instants in microseconds since 1970.

    Attributes:
        after: No earlier than this.
        before: Earlier than this, or without an instant.
        roles: Positions in `turn.ROLES`; empty for all.
        conversation: Only this one.
    """

    after: int | None = None
    before: int | None = None
    roles: tuple[int, ...] = ()
    conversation: str | None = None


def parse_filters(
    *,
    after: datetime | date | None,
    before: datetime | date | None,
    role: str | None,
    conversation: str | None,
) -> Filters:
    """Check a search's filters.

    Raises:
        UsageError: when the role is none of the four, or the conversation's id is no text.
    """
    if conversation is not None:
        check_text(conversation, "the conversation's id")
    if role is not None and not is_role(role):
        raise UsageError(f"role {role!r} is none of {', '.join(ROLES)}")
    return Filters(
        None if after is None else to_microseconds(_instant(after)),
        None if before is None else to_microseconds(_instant(before)),
        () if role is None else (ROLES.index(role),),
        conversation,
    )


def check_text(text: str, what: str) -> str:
    """Return a text that a database can hold.

    Raises:
        UsageError: when it holds half of a surrogate pair.
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        raise UsageError(f"{what} holds half of a surrogate pair") from None
    return text


def check_search(query: str, limit: int, order: str) -> None:
    """Check a search's other arguments.

    Raises:
        UsageError: when the query is blank, the limit is not 1 to 50, or the order is unknown.
    """
    if not query.strip():
        raise UsageError("the query is empty", hint="give some words to look for")
    if not 1 <= limit <= LIMIT_CAP:
        raise UsageError(f"limit is {limit}, not between 1 and {LIMIT_CAP}")
    if order not in ("best", "time"):
        raise UsageError(f"order {order!r} is neither best nor time")


def time_key(hit: TurnHit | Turn) -> tuple[bool, datetime, str, int]:
    """Return what hits or turns are put in time order by; those without an instant come first."""
    return (hit.ts is not None, hit.ts or EPOCH, hit.conversation, hit.number)


def _instant(moment: datetime | date) -> datetime:
    """Return a day's start in UTC, or the instant itself; without a zone it is UTC."""
    if not isinstance(moment, datetime):
        return datetime.combine(moment, time(), UTC)
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
