"""The time, as something that is handed in: tests and replays run on their own."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable


class Clock(Protocol):
    """Tells the time.

    Example:
        >>> SystemClock().now().tzinfo is UTC
        True
    """

    def now(self) -> datetime:
        """Return the present instant, in UTC."""
        ...


class SystemClock:
    """The machine's own clock."""

    def now(self) -> datetime:
        """Return the present instant, in UTC."""
        return datetime.now(UTC)


class FixedClock:
    """A clock that stands still, for `--now`, replays and tests.

    Args:
        instant: An aware instant; it is kept in UTC.

    Example:
        >>> FixedClock(parse_instant("2026-11-29T03:00:00+01:00")).now().hour
        2
    """

    def __init__(self, instant: datetime) -> None:
        self._instant = instant.astimezone(UTC)

    def now(self) -> datetime:
        """Return the instant that the clock was given."""
        return self._instant


class RunningClock:
    """A clock that is set to an instant once, and then runs: what `--now` is to a long command.

    Args:
        instant: An aware instant; it is kept in UTC.
        monotonic: Tells seconds that only ever grow.

    Example:
        >>> RunningClock(parse_instant("2026-11-29T03:00:00+01:00")).now().hour
        2
    """

    def __init__(self, instant: datetime, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._instant = instant.astimezone(UTC)
        self._monotonic = monotonic
        self._begun = monotonic()

    def now(self) -> datetime:
        """Return the instant it was set to and what has passed since."""
        return self._instant + timedelta(seconds=self._monotonic() - self._begun)


def parse_instant(text: str) -> datetime:
    """Read an RFC 3339 instant; one without a zone is UTC.

    Raises:
        ValueError: when the text is no instant.

    Example:
        >>> parse_instant("2026-11-29T03:00:00Z").isoformat()
        '2026-11-29T03:00:00+00:00'
    """
    instant = datetime.fromisoformat(text.strip())
    return instant.replace(tzinfo=UTC) if instant.tzinfo is None else instant.astimezone(UTC)


def format_instant(instant: datetime) -> str:
    """Write an instant as RFC 3339 in UTC, to the second.

    Example:
        >>> format_instant(parse_instant("2026-11-29T04:00:00.5+01:00"))
        '2026-11-29T03:00:00Z'
    """
    return instant.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
