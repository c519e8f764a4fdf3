"""What compactions looked at, so that twice is once. It is a cache: without it all is due again."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

STATE = "compacted"
RULES = 1
"""Counts up whenever the rules change: what was kept by older ones no longer holds."""

Mode = Literal["offline", "model"]


@dataclass(frozen=True, slots=True)
class Looked:
    """What was looked at, and how it was then.

    Attributes:
        near: The digests of the notes that were held against each other, by their paths; a home is
            looked at anew once it has a model.
        distilled: The digests of the procedures that a model was asked to draw a skill from.
        learnt: How far sources were extracted from, as whoever extracts keeps it.
    """

    near: Mapping[Mode, Mapping[str, str]] = field(default_factory=dict)
    distilled: Mapping[str, str] = field(default_factory=dict)
    learnt: Any = None

    def is_new(self, mode: Mode, path: str, digest: str) -> bool:
        """Whether a note is new or changed since it was held against the others."""
        return self.near.get(mode, {}).get(path) != digest


def read_looked(value: object) -> Looked:
    """Read what was looked at; what is damaged is left out.

    Example:
        >>> read_looked("damaged")
        Looked(near={}, distilled={}, learnt=None)
    """
    if not isinstance(value, dict) or value.get("rules") != RULES:
        return Looked()
    near = value.get("near")
    found: dict[Mode, Mapping[str, str]] = {}
    if isinstance(near, dict):
        for mode in ("offline", "model"):
            if texts := _texts(near.get(mode)):
                found[mode] = texts
    return Looked(found, _texts(value.get("distilled")), value.get("learnt"))


def looked_value(looked: Looked) -> dict[str, object]:
    """Return what was looked at as plain lists and dictionaries, for JSON."""
    return {
        "rules": RULES,
        "near": {mode: dict(digests) for mode, digests in looked.near.items()},
        "distilled": dict(looked.distilled),
        "learnt": looked.learnt,
    }


def _texts(value: object) -> dict[str, str]:
    if not isinstance(value, dict):
        return {}
    return {key: each for key, each in value.items() if isinstance(each, str)}
