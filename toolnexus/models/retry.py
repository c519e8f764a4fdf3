"""Trying again: when, how long to wait, and when to give up."""

from __future__ import annotations

import asyncio
import random
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from toolnexus.errors import ModelError

_HINT_SECONDS = 0.25  # spread behind a Retry-After, so that not all come back at once


@dataclass(frozen=True, slots=True)
class Timing:
    """How time passes and chance falls; tests hand in their own.

    Attributes:
        monotonic: Tells seconds that only ever grow.
        sleep: Waits for some seconds.
        asleep: The same without holding up the event loop.
        draw: Gives a number from 0 to 1.
    """

    monotonic: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    asleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    draw: Callable[[], float] = random.random


@dataclass(frozen=True, slots=True)
class Failure:
    """One attempt that failed.

    Attributes:
        error: What to raise when no further attempt is made.
        retryable: Whether another attempt may do better.
        retry_after_seconds: How long the provider asked to wait; None when it did not say.
    """

    error: ModelError
    retryable: bool = False
    retry_after_seconds: float | None = None


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How patient to be.

    Attributes:
        total_seconds: From the first attempt on; no attempt begins later than that.
        first_seconds: The longest wait before the second attempt; it doubles each time.
        cap_seconds: The longest wait that it may grow to.
    """

    total_seconds: float = 45.0
    first_seconds: float = 1.0
    cap_seconds: float = 10.0

    def wait_seconds(
        self, failure: Failure, attempt: int, elapsed_seconds: float, draw: float
    ) -> float | None:
        """Decide how long to wait before the next attempt; None to give up.

        Args:
            failure: What went wrong.
            attempt: How many attempts were made, from 1.
            elapsed_seconds: Time since the first one began.
            draw: A random number from 0 to 1.

        Example:
            >>> from toolnexus.errors import Unreachable
            >>> failure = Failure(Unreachable("down"), retryable=True)
            >>> RetryPolicy().wait_seconds(failure, 2, 3.0, 1.0)
            2.0
            >>> RetryPolicy().wait_seconds(failure, 2, 45.0, 1.0) is None
            True
        """
        if not failure.retryable:
            return None
        if failure.retry_after_seconds is not None:
            wait = failure.retry_after_seconds + _HINT_SECONDS * draw
        else:
            longest = min(self.cap_seconds, self.first_seconds * 2.0 ** min(attempt - 1, 30))
            wait = longest * (0.5 + 0.5 * draw)
        return wait if elapsed_seconds + wait < self.total_seconds else None


class Attempts:
    """The attempts at one request.

    Args:
        policy: How patient to be.
        timing: How time passes.
        bound_seconds: A tighter bound of the request's own; None when it has none.
    """

    def __init__(
        self, policy: RetryPolicy, timing: Timing, bound_seconds: float | None = None
    ) -> None:
        total = policy.total_seconds
        if bound_seconds is not None:
            total = min(total, bound_seconds)
        self._policy = RetryPolicy(total, policy.first_seconds, policy.cap_seconds)
        self._timing = timing
        self._began = timing.monotonic()
        self._made = 0

    @property
    def elapsed_seconds(self) -> float:
        """Time since the first attempt began."""
        return self._timing.monotonic() - self._began

    def next_wait(self, failure: Failure) -> float:
        """Return how long to wait before the next attempt, in seconds.

        Raises:
            ModelError: the failure's own, when it is time to give up.
        """
        self._made += 1
        wait = self._policy.wait_seconds(
            failure, self._made, self.elapsed_seconds, self._timing.draw()
        )
        if wait is None:
            raise failure.error
        return wait
