"""Places: where a value stands in a text, and how alike two places are."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile
from typing import TYPE_CHECKING

from toolnexus.dream.guard.vocabulary import ends
from toolnexus.dream.sentence import MEASURES, read_sentences
from toolnexus.dream.slots import around
from toolnexus.dream.speech import words
from toolnexus.dream.token import WORD_KINDS

if TYPE_CHECKING:
    from datetime import date

    from toolnexus.dream.sentence import Sentence
    from toolnexus.dream.token import Token


@dataclass(frozen=True)  # no slots: what stands around is read when it is first asked for
class Place:
    """A word or value where it stands.

    Attributes:
        sentence: What it stands in.
        number: Which of the sentence's tokens it is.
        written: How it is written there.

    Example:
        >>> said = find_places("The trip took 5 hours and cost 300 euros.")
        >>> [(place.written, place.counts) for place in said if place.counts]
        [('5', ('hour',)), ('300', ('€', 'eur'))]
    """

    sentence: Sentence
    number: int
    written: str

    @property
    def token(self) -> Token:
        """The word or value."""
        return self.sentence.tokens[self.number]

    @property
    def is_code(self) -> bool:
        """Whether it is a code such as ``LH123``, whose letters are no unit."""
        return self.token.kind == "number" and self.written[:1].isalpha() and not self.token.folded

    @cached_property
    def around(self) -> tuple[list[str], list[str]]:
        """The content words before and behind it."""
        return around(self.sentence.tokens, self.number, self.sentence.language)

    @cached_property
    def counts(self) -> tuple[str, ...]:
        """What a number counts: its unit, and the words right behind it; empty where that is open.

        All of them, for what is counted may have a word of its own: "three old cats".
        """
        token = self.token
        if token.kind != "number" or not token.unit or self.is_code:
            return ()
        behind = self.sentence.tokens[self.number + 1 :]
        nouns = takewhile(lambda t: t.kind in WORD_KINDS and t.clause == token.clause, behind)
        return tuple(dict.fromkeys((token.unit, *(noun.key for noun in nouns))))

    def beside(self, step: int) -> Token | None:
        """Return the token right before (-1) or behind (1) it."""
        number = self.number + step
        tokens = self.sentence.tokens
        return tokens[number] if 0 <= number < len(tokens) else None

    def is_name_with(self, step: int) -> str:
        """Return the name that it makes one name with, as "Ann" and "Jones" do; empty for none."""
        other = self.beside(step)
        if other is None or other.kind != "name" or self.token.kind != "name":
            return ""
        gap = max(other.start - self.token.end, self.token.start - other.end)
        return other.key if gap <= 1 else ""

    def is_same(self, other: Place | Token) -> bool:
        """Whether both say the same, wherever they stand."""
        one, two = self.token, other.token if isinstance(other, Place) else other
        if one.kind in WORD_KINDS and two.kind in WORD_KINDS:
            return one.key == two.key
        return one.agrees(two)

    def may_count_as(self, other: Place) -> bool:
        """Whether two numbers may count the same thing; where one says nothing, they may."""
        if not self.counts or not other.counts:
            return True
        if {self.token.unit, other.token.unit} <= MEASURES:
            return self.token.unit == other.token.unit
        return not set(self.counts).isdisjoint(other.counts)

    def likeness(self, other: Place, passed_over: frozenset[str]) -> int:
        """Tell how alike two places are: a point for each thing that stands beside both.

        Args:
            other: The other place.
            passed_over: Stems that tell no place from another.
        """
        (before, behind), (before_, behind_) = self.around, other.around
        shared = {*before, *behind} & {*before_, *behind_} - passed_over
        follows = bool(before and before_) and before[-1] == before_[-1]
        leads = bool(behind and behind_) and behind[0] == behind_[0]
        beside = sum(self._has_beside(other, step) for step in (-1, 1))
        counts = bool(self.counts and other.counts) and self.may_count_as(other)
        return len(shared) + follows + leads + beside + counts

    def is_left_behind(self, until: int) -> bool:
        """Whether a value was so before the one at `until`: "from 900 to 1100", "Rex died, now"."""
        tokens, language = self.sentence.tokens, self.sentence.language
        leaving, changing = words("from", language), words("change", language)
        close = tokens[max(0, self.number - 2) : self.number]
        if any(token.folded in leaving or token.kind == "negation" for token in close):
            return True
        before, between = tokens[: self.number], tokens[self.number + 1 : until]
        if any(ends(" ".join(t.folded for t in part), language) for part in (before, between)):
            return True
        return any(token.folded in changing for token in between)

    def _has_beside(self, other: Place, step: int) -> bool:
        mine, theirs = self.beside(step), other.beside(step)
        return bool(mine and theirs and mine.folded) and mine.folded == theirs.folded  # type: ignore[union-attr]


def find_places(text: str, said_on: date | None = None) -> list[Place]:
    """Return where the words and values of a text stand, in order.

    Args:
        text: What was said.
        said_on: The day on which it was said, for words such as "yesterday".
    """
    return [
        Place(sentence, number, text[token.start : token.end])
        for sentence in read_sentences(text, said_on)
        for number, token in enumerate(sentence.tokens)
    ]
