"""Repeats: telling a model that makes the same call again and again from one that checks anew."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping


class Repeats:
    """Counts how often a call gave the same result.

    A call whose result has changed since (a file read again after a write) starts anew.

    Args:
        limit: The call with which it becomes one too many: 3 lets the same call through twice.

    Example:
        >>> repeats = Repeats(2)
        >>> repeats.note("read", {}, "tea")
        >>> repeats.is_too_many("read", {})
        True
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._seen: dict[str, tuple[int, str]] = {}

    def is_too_many(self, tool: str, arguments: Mapping[str, Any]) -> bool:
        """Whether this call would be one too many."""
        count, _ = self._seen.get(_key(tool, arguments), (0, ""))
        return count >= self._limit - 1

    def note(self, tool: str, arguments: Mapping[str, Any], result: str) -> None:
        """Note what a call gave back."""
        key = _key(tool, arguments)
        count, last = self._seen.get(key, (0, ""))
        self._seen[key] = (count + 1 if result == last else 1, result)

    def forget(self) -> None:
        """Start anew: what the model saw was summarised away."""
        self._seen.clear()


def _key(tool: str, arguments: Mapping[str, Any]) -> str:
    return tool + json.dumps(dict(arguments), sort_keys=True, default=str)
