"""A turn's instant, in the shapes that tools write it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from toolnexus.clock import parse_instant

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)

# A clock that was never set or a unit mistaken gives instants outside of these, and one turn "of
# the year 9999" would be the latest word on everything.
_EARLIEST = EPOCH
_LATEST = datetime(2200, 1, 1, tzinfo=UTC)
# Seconds reach this in the year 5138, milliseconds reached it in 1973.
_FIRST_MILLISECONDS = 1e11
_EPOCH_DIGITS = (10, 13)


def parse_timestamp(value: object) -> datetime:
    """Read a turn's ``ts``: RFC 3339 text, or a number of seconds or milliseconds since 1970.

    Returns:
        An aware instant in UTC; text without a zone is taken as UTC.

    Raises:
        ValueError: when it is no instant, or none between 1970 and 2200.

    Example:
        >>> parse_timestamp(1_763_647_391_000).isoformat()
        '2025-11-20T14:03:11+00:00'
    """
    instant = _read(value)
    if not _EARLIEST <= instant < _LATEST:
        raise ValueError("not between the years 1970 and 2200")
    return instant


def _read(value: object) -> datetime:
    if isinstance(value, str):
        text = value.strip()
        if text.isascii() and text.isdigit() and len(text) in _EPOCH_DIGITS:
            return _from_epoch(int(text))
        try:
            return parse_instant(text)
        except (ValueError, OverflowError):
            raise ValueError("not an instant such as 2026-11-20T14:03:11Z") from None
    if isinstance(value, int | float) and not isinstance(value, bool):
        return _from_epoch(value)
    raise ValueError("neither text nor a number")


def _from_epoch(number: float) -> datetime:
    try:
        seconds = number / 1000 if abs(number) >= _FIRST_MILLISECONDS else number
        return EPOCH + timedelta(seconds=seconds)
    except (OverflowError, ValueError):
        raise ValueError("not between the years 1970 and 2200") from None


def to_microseconds(instant: datetime) -> int:
    """Return the whole microseconds from 1970 to an aware instant, without loss.

    Example:
        >>> to_microseconds(EPOCH + timedelta(seconds=1))
        1000000
    """
    return (instant - EPOCH) // _MICROSECOND


def from_microseconds(microseconds: int) -> datetime:
    """Return the instant that `to_microseconds` came from."""
    return EPOCH + timedelta(microseconds=microseconds)
