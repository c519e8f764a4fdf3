"""What memory says and said: words that prove nothing when a turn merely repeats them.

Soul and memory are put into prompts. A transcript may hold such a prompt, or an answer that repeats
it, and a host may have put it into the user's own turn.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from toolnexus.home.claims import all_claims
from toolnexus.home.layout import SOUL_FILES
from toolnexus.home.ripening import is_proposed
from toolnexus.text.fold import fold_claim
from toolnexus.transcripts.injected import MemoryText

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from toolnexus.home.snapshot import Snapshot
    from toolnexus.transcripts.turn import Turn


def _nothing() -> Iterable[str]:
    return ()


@dataclass(frozen=True)  # no slots: most passes never ask
class Recalled:
    """What stands in memory and the soul, or stood there.

    Attributes:
        texts: Gives the claims and lines, when they are first asked for.

    Example:
        >>> recalled = Recalled(lambda: ["Lives in Paris.", "You are Ava, kind and brief."])
        >>> recalled.covers("- Lives in **Paris**."), recalled.covers("We live in Paris.")
        (True, False)
    """

    texts: Callable[[], Iterable[str]] = _nothing

    def covers(self, text: str, turn: Turn | None = None) -> bool:
        """Whether a text says nothing but what memory says; never for one without words.

        Args:
            text: One or more lines.
            turn: The turn that they stand in, for when it was said.
        """
        lines = [line for line in text.splitlines() if line.strip()]
        if lines and all(fold_claim(line) in self._folds for line in lines):
            return True
        return self._memory.is_all_of(text, None if turn is None else turn.ts)

    def covers_quote(self, turn: Turn, start: int, end: int) -> bool:
        """Whether the lines that a quote stands in say nothing but what memory says."""
        first = turn.text.rfind("\n", 0, start) + 1
        last = turn.text.find("\n", end)
        return self.covers(turn.text[first : last if last >= 0 else len(turn.text)], turn)

    @cached_property
    def _all(self) -> tuple[str, ...]:
        return tuple(self.texts())

    @cached_property
    def _folds(self) -> frozenset[str]:
        return frozenset(fold for text in self._all if (fold := fold_claim(text)))

    @cached_property
    def _memory(self) -> MemoryText:
        return MemoryText(dict.fromkeys(self._all))


def recalled_of(home: Snapshot, past: Callable[[], Iterable[str]] = _nothing) -> Recalled:
    """Gather what a home remembers.

    Args:
        home: The home as read.
        past: Gives claims that stood in it before, where they are known.
    """

    def texts() -> Iterator[str]:
        yield from (located.claim.text for located in all_claims(home))
        for note in home.notes.values():  # a guess that was read out and repeated proves nothing
            if is_proposed(note):
                yield from (claim.text for claim in note.document.claims)
        for name in SOUL_FILES:
            if name in home.notes:
                yield from (line for line in home.text(name).splitlines() if line.strip())
        yield from past()

    return Recalled(texts)
