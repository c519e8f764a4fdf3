"""Marks: what a turn has from the persona's own memory, so that it is no evidence for it.

The soul and MEMORY.md are put into prompts. A transcript may record such a prompt, and a model may
repeat a claim in its answer. Neither says anything that memory did not say before.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from toolnexus.text.fold import fold_claim

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from datetime import datetime

    from toolnexus.transcripts.hit import TurnHit
    from toolnexus.transcripts.turn import Turn

# Fewer words in a row than this are what anybody says.
_FEWEST_WORDS = 3
_WORD = re.compile(r"\w+")
_Words = tuple[str, ...]


class Span(NamedTuple):
    """A stretch of a text, in code points."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Known:
    words: _Words
    since: datetime | None


class MemoryText:
    """The claims that were put into prompts.

    Args:
        claims: Each claim's text, as written or folded, and since when it stands in memory. A turn
            before that instant cannot have it from there; None means always.

    Example:
        >>> memory = MemoryText({"- Maria lives in **Paris**.": None})
        >>> memory.spans("You know: maria lives in Paris, right?")
        [Span(start=10, end=30)]
    """

    def __init__(self, claims: Mapping[str, datetime | None]) -> None:
        self._by_opening: defaultdict[_Words, list[_Known]] = defaultdict(list)
        for claim, since in claims.items():
            # As a prompt holds it, with its links' marks, and as a model repeats it.
            folded = fold_claim(claim)
            is_plain = folded == claim.rstrip(".").casefold()
            told = (folded,) if is_plain else (claim, folded)
            for words in set(map(_bare_words, told)):
                if len(words) >= _FEWEST_WORDS:
                    self._by_opening[words[:_FEWEST_WORDS]].append(_Known(words, since))

    def spans(self, text: str, ts: datetime | None = None) -> list[Span]:
        """Return the stretches of a text that repeat claims, in order and apart from each other.

        Args:
            text: What was said.
            ts: When; None where nothing tells, which is taken as after every claim.
        """
        words = list(_words(text))
        found: list[Span] = []
        for at in range(len(words) - _FEWEST_WORDS + 1):
            length = self._longest(words, at, ts)
            if not length:
                continue
            start, end = words[at][1].start, words[at + length - 1][1].end
            if found and start <= found[-1].end:
                before = found.pop()
                start, end = before.start, max(before.end, end)
            found.append(Span(start, end))
        return found

    def is_all_of(self, text: str, ts: datetime | None = None) -> bool:
        """Tell whether a text says nothing but what memory says; never for one without words."""
        spans = self.spans(text, ts)
        return bool(spans) and all(
            any(span.start <= place.start < span.end for span in spans) for _, place in _words(text)
        )

    def _longest(self, words: list[tuple[str, Span]], at: int, ts: datetime | None) -> int:
        """Return how many words from one on repeat a claim; 0 for none."""
        opening = tuple(word for word, _ in words[at : at + _FEWEST_WORDS])
        lengths = [
            len(known.words)
            for known in self._by_opening.get(opening, ())
            if known.since is None or ts is None or ts >= known.since
            if tuple(word for word, _ in words[at : at + len(known.words)]) == known.words
        ]
        return max(lengths, default=0)


def mark_turns(turns: Iterable[Turn], memory: MemoryText) -> list[Turn]:
    """Mark the turns that merely repeat memory as `injected`; the others stay as they are.

    Example:
        >>> memory = MemoryText({"Maria lives in Paris.": None})
        >>> said = [Turn("assistant", "Maria lives in Paris."), Turn("user", "I live in Rome.")]
        >>> [turn.injected for turn in mark_turns(said, memory)]
        [True, False]
    """
    return [
        replace(turn, injected=True) if memory.is_all_of(turn.text, turn.ts) else turn
        for turn in turns
    ]


def mark_hits(hits: Iterable[TurnHit], memory: MemoryText) -> list[TurnHit]:
    """Mark the hits whose match stands in words from memory as `injected`.

    A hit without a match in its excerpt is marked when the whole excerpt is from memory.
    """
    return [replace(hit, injected=True) if _is_injected(hit, memory) else hit for hit in hits]


def _is_injected(hit: TurnHit, memory: MemoryText) -> bool:
    if not hit.match_length:
        return memory.is_all_of(hit.excerpt, hit.ts)
    end = hit.match_start + hit.match_length
    return any(
        span.start <= hit.match_start and end <= span.end
        for span in memory.spans(hit.excerpt, hit.ts)
    )


def _bare_words(text: str) -> tuple[str, ...]:
    """Return the same words as `_words`, without where they stand."""
    if text.isascii():
        return tuple(_WORD.findall(text.lower()))
    return tuple(word for word, _ in _words(text))


def _words(text: str) -> Iterator[tuple[str, Span]]:
    """Yield a text's words, folded, each with where it stands."""
    for match in _WORD.finditer(text):
        yield unicodedata.normalize("NFKC", match[0]).casefold(), Span(*match.span())
