"""When another attempt is made."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolnexus.errors import Refused, Unreachable
from toolnexus.models.retry import Attempts, Failure, RetryPolicy, Timing

DOWN = Failure(Unreachable("down"), retryable=True)


def test_waits_grow_until_time_is_up():
    """A server that stays down is asked with growing waits for the total and no longer."""
    now = 0.0
    waits = []
    attempts = Attempts(RetryPolicy(), Timing(monotonic=lambda: now, draw=lambda: 1.0))
    for _ in range(6):
        waits.append(attempts.next_wait(DOWN))
        now += waits[-1]
    assert waits == [1.0, 2.0, 4.0, 8.0, 10.0, 10.0]
    with pytest.raises(Unreachable):
        attempts.next_wait(DOWN)


def test_a_refusal_is_raised_at_once():
    """What no waiting mends is not tried again."""
    attempts = Attempts(RetryPolicy(), Timing(monotonic=lambda: 0.0))
    with pytest.raises(Refused):
        attempts.next_wait(Failure(Refused("no")))


def test_a_wait_longer_than_the_total_is_not_begun():
    """A provider that asks for ten minutes is not waited for."""
    failure = Failure(Refused("slow down"), retryable=True, retry_after_seconds=600.0)
    assert RetryPolicy().wait_seconds(failure, 1, 0.0, 0.5) is None


@given(
    st.integers(1, 10_000),
    st.floats(0, 1_000),
    st.floats(0, 1),
    st.none() | st.floats(0, 1_000),
)
def test_no_attempt_begins_after_the_total(attempt, elapsed, draw, asked):
    """Whatever the numbers, a wait is never shorter than asked for, nor too long."""
    failure = Failure(Unreachable("down"), retryable=True, retry_after_seconds=asked)
    wait = RetryPolicy().wait_seconds(failure, attempt, elapsed, draw)
    if wait is not None:
        assert wait >= (asked or 0)
        assert elapsed + wait < 45.0
