"""Budgets: what a piece of work may cost, counted while it goes on."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from toolnexus.errors import UsageError
from toolnexus.models.completion import Usage

if TYPE_CHECKING:
    from collections.abc import Callable

# A bound in money on a model of unknown price is taken as one in tokens, at 2.50 dollars a million.
TOKENS_PER_USD = 400_000


@dataclass(frozen=True, slots=True)
class Budget:
    """What may be spent; None is no bound.

    Attributes:
        tokens: Tokens, read and written.
        usd: Money in US dollars. Where a model's price is unknown its tokens count at
            `TOKENS_PER_USD`.
        calls: Replies of the model.
        seconds: Time on the clock.

    Raises:
        UsageError: when a bound is less than nothing, or no number.
    """

    tokens: int | None = None
    usd: float | None = None
    calls: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        """Refuse what bounds nothing.

        Raises:
            UsageError: when a bound is less than nothing, or no number.
        """
        bounds = (self.tokens, self.usd, self.calls, self.seconds)
        if any(bound is not None and not bound >= 0 for bound in bounds):
            raise UsageError("a budget is a number of 0 or more", hint="None is no bound")


class Meter:
    """Counts what is spent of a budget, from its construction on.

    Several runs, in several threads, may share one.

    Args:
        budget: What may be spent.
        monotonic: Tells seconds that only ever grow.

    Example:
        >>> meter = Meter(Budget(calls=1))
        >>> meter.add(Usage(100, 20, None, 1))
        >>> meter.spent()
        '1 of 1 calls'
    """

    def __init__(
        self, budget: Budget | None = None, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self.budget = budget or Budget()
        self._monotonic = monotonic
        self._began = monotonic()
        self._usage = Usage()
        self._usd = 0.0
        self._lock = threading.Lock()

    @property
    def usage(self) -> Usage:
        """What was spent so far."""
        return self._usage

    @property
    def seconds(self) -> float:
        """How long it has been going on."""
        return self._monotonic() - self._began

    def add(self, usage: Usage) -> None:
        """Count what a reply cost."""
        unpriced = usage.tokens / TOKENS_PER_USD
        with self._lock:
            self._usage += usage
            self._usd += unpriced if usage.usd is None else usage.usd

    def spent(self, tokens_ahead: int = 0) -> str:
        """Tell what is used up, or would be by so many more tokens; empty while there is some left.

        Args:
            tokens_ahead: An estimate of what the next request takes in.
        """
        budget, usage = self.budget, self._usage
        if budget.calls is not None and usage.calls >= budget.calls:
            return f"{usage.calls} of {budget.calls} calls"
        if budget.tokens is not None and usage.tokens + tokens_ahead >= budget.tokens:
            return f"{usage.tokens:,} of {budget.tokens:,} tokens"
        if budget.usd is not None and self._usd >= budget.usd:
            return f"{self._usd:.4f} of {budget.usd:.4f} US dollars"
        if budget.seconds is not None and self.seconds >= budget.seconds:
            return f"{self.seconds:.0f} of {budget.seconds:.0f} seconds"
        return ""

    def seconds_left(self) -> float | None:
        """Return how much time is left; None when time has no bound."""
        if self.budget.seconds is None:
            return None
        return max(0.0, self.budget.seconds - self.seconds)

    def tokens_left(self) -> int | None:
        """Return how many tokens are left; None when they have no bound."""
        if self.budget.tokens is None:
            return None
        return max(0, self.budget.tokens - self._usage.tokens)
