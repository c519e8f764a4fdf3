"""Overlays: a large mapping with a few entries changed, without a copy of it."""

from __future__ import annotations

from collections.abc import ItemsView, Iterator, Mapping
from typing import Generic, TypeVar

V = TypeVar("V")


class Overlay(Mapping[str, V], Generic[V]):
    """A mapping read through a small layer of changes; never more than one layer deep.

    Args:
        base: What is below; an overlay's own layer is taken over, so that depth stays one.
        changes: New values by key; None takes a key away.

    Example:
        >>> sorted(Overlay({"a": 1, "b": 2}, {"a": None, "c": 3}))
        ['b', 'c']
    """

    __slots__ = ("base", "layer")

    def __init__(self, base: Mapping[str, V], changes: Mapping[str, V | None]) -> None:
        if isinstance(base, Overlay):
            self.base: Mapping[str, V] = base.base
            self.layer: dict[str, V | None] = {**base.layer, **changes}
        else:
            self.base = base
            self.layer = dict(changes)

    def __getitem__(self, key: str) -> V:
        if key not in self.layer:
            return self.base[key]
        value = self.layer[key]
        if value is None:
            raise KeyError(key)
        return value

    def __contains__(self, key: object) -> bool:
        if key in self.layer:
            return self.layer[key] is not None
        return key in self.base

    def __iter__(self) -> Iterator[str]:
        yield from (key for key in self.base if key not in self.layer)
        yield from (key for key, value in self.layer.items() if value is not None)

    def items(self) -> ItemsView[str, V]:
        """Return all pairs as they are now, without a look at each one by its key."""
        merged = dict(self.base.items())
        for key, value in self.layer.items():
            merged.pop(key, None)
            if value is not None:
                merged[key] = value
        return merged.items()

    def __len__(self) -> int:
        gone = sum(value is None and key in self.base for key, value in self.layer.items())
        new = sum(value is not None and key not in self.base for key, value in self.layer.items())
        return len(self.base) - gone + new
