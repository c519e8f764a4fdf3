"""Tokens: the words and values of a sentence, and when two of them agree or differ."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

TokenKind = Literal["word", "name", "light", "negation", "number", "time", "date", "weekday"]

EXACT_KINDS: frozenset[TokenKind] = frozenset({"number", "time", "date", "weekday"})
VALUE_KINDS: frozenset[TokenKind] = EXACT_KINDS | {"name"}
WORD_KINDS: frozenset[TokenKind] = frozenset({"word", "name"})

UNKNOWN = "?"
"""Stands in a date's key for the year or day that nobody said."""


@dataclass(frozen=True, slots=True)
class Token:
    """One word or value of a sentence.

    Attributes:
        kind: What it is; a light word carries no content.
        key: Equal for equal things: a stem, a number's digits, ``2026-5-?`` for a date.
        start: Where it begins in the text; `end` is behind it.
        clause: The number of its clause in the sentence.
        unit: What a number counts, as far as the words beside it tell.
        folded: The word itself, folded; empty for values in digits.
        is_initial: Whether it opens the sentence, where a capital letter says nothing.
    """

    kind: TokenKind
    key: str
    start: int
    end: int
    clause: int = 0
    unit: str = ""
    folded: str = ""
    is_initial: bool = False

    def agrees(self, other: Token) -> bool:
        """Whether both are the same value; of two dates, all parts that both have.

        Example:
            >>> Token("date", "2026-5-3", 0, 0).agrees(Token("date", "?-5-3", 0, 0))
            True
        """
        if self.kind != other.kind:
            return False
        if self.kind != "date":
            return self.key == other.key
        parts = self._shared_parts(other)
        return bool(parts) and all(mine == theirs for mine, theirs in parts)

    def differs(self, other: Token) -> bool:
        """Whether both are of one kind and cannot be the same value.

        Example:
            >>> Token("date", "2026-5-3", 0, 0).differs(Token("date", "?-6-?", 0, 0))
            True
        """
        if self.kind != other.kind:
            return False
        if self.kind != "date":
            return self.key != other.key
        return any(mine != theirs for mine, theirs in self._shared_parts(other))

    def _shared_parts(self, other: Token) -> list[tuple[str, str]]:
        pairs = zip(self.key.split("-"), other.key.split("-"), strict=False)
        return [pair for pair in pairs if UNKNOWN not in pair]
