"""Slots: where a claim's value stands, and what a sentence has in its place."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from toolnexus.dream.speech import alike, words
from toolnexus.dream.token import VALUE_KINDS, WORD_KINDS, Token

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from toolnexus.dream.sentence import Sentence
    from toolnexus.dream.statement import Statement

_NEIGHBOURS = 4
_REACH_OF_NEGATION = 3


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two values for one slot.

    Attributes:
        slot: The number of the claim's value among its tokens.
        said: The value that the sentence has in its place.
        is_single: Whether the slot can hold but one value: a number of one thing, a day, a home.
    """

    slot: int
    said: Token
    is_single: bool


@dataclass(frozen=True, slots=True)
class Flip:
    """A negation more, or less: the word that it turns, and whether the sentence has it."""

    said: Token
    denies: bool


def find_conflicts(
    claim: Statement,
    wanted: Sequence[int],
    hits: frozenset[int],
    sentence: Sentence,
    selves: frozenset[str],
) -> list[Conflict]:
    """Return the claim's values in whose place a sentence has another one.

    Args:
        claim: The claim.
        wanted: The numbers of the tokens that a sentence about the same should have.
        hits: Those that it has.
        sentence: The sentence.
        selves: The speaker's names, which are no values.
    """
    conflicts = []
    for slot in wanted:
        if claim.tokens[slot].kind not in VALUE_KINDS:
            continue
        if _is_beside_the_point(claim, slot, wanted, hits):
            continue
        if slot in hits:
            conflict = _what_came_after(claim, slot, sentence)
        else:
            conflict = _best_opposite(claim, slot, sentence, selves)
        if conflict is not None:
            conflicts.append(conflict)
    return conflicts


def _is_beside_the_point(
    claim: Statement, slot: int, wanted: Sequence[int], hits: frozenset[int]
) -> bool:
    """Whether a sentence speaks of other clauses of a claim than the one of a value."""
    words_beside = {
        number
        for number in wanted
        if (token := claim.tokens[number]).clause == claim.tokens[slot].clause
        and token.kind in WORD_KINDS
    }
    return bool(words_beside) and words_beside.isdisjoint(hits)


def find_flip(claim: Statement, sentence: Sentence) -> Flip | None:
    """Find a word that one of both denies and the other asserts."""
    refusing = words("refusing", sentence.language)
    claimed = _denials(claim.tokens, claim.language)
    said = _denials(sentence.tokens, sentence.language)
    refuses = any(t.kind == "negation" or t.folded in refusing for t in claim.tokens)
    for key, is_denied in claimed.items():
        token, denies = said.get(key, (None, False))
        if token is None:
            continue
        if is_denied[1] and not _is_denied_before(token, sentence):
            return Flip(token, denies=False)
        if denies and not refuses:
            return Flip(token, denies=True)
    return None


def _denials(tokens: Sequence[Token], language: str) -> dict[str, tuple[Token, bool]]:
    """Return each content word, with whether a negation stands right before it."""
    found: dict[str, tuple[Token, bool]] = {}
    passed_over = words("change", language)
    reach = 0
    for number, token in enumerate(tokens):
        if token.kind == "negation":
            is_bound = _is_bound(tokens[number + 1 : number + 3], language)
            reach = 0 if is_bound else _REACH_OF_NEGATION
        elif token.kind in WORD_KINDS and token.folded not in passed_over:
            found.setdefault(token.key, (token, reach > 0))
            reach = 0
        else:
            reach -= 1
    return found


def _is_bound(behind: Sequence[Token], language: str) -> bool:
    """Whether what follows a negation makes a bound of it: "never more than one" denies nothing."""
    if len(behind) < 2 or behind[0].folded not in words("comparing", language):
        return False
    return behind[1].folded in words("than", language)


def _is_denied_before(token: Token, sentence: Sentence) -> bool:
    refusing = words("refusing", sentence.language)
    return any(
        other.kind == "negation" or other.folded in refusing
        for other in sentence.tokens
        if other.clause == token.clause and other.start < token.start
    )


def _what_came_after(claim: Statement, slot: int, sentence: Sentence) -> Conflict | None:
    """Return what replaced a value that a sentence leaves behind: "moved from Paris to Berlin"."""
    leaving = words("from", sentence.language)
    value, tokens = claim.tokens[slot], sentence.tokens
    if slot and claim.tokens[slot - 1].folded in leaving:
        return None
    if not any(token.folded in words("change", sentence.language) for token in tokens):
        return None
    places = [at for at, token in enumerate(tokens) if token.agrees(value)]
    if len(places) != 1 or not places[0] or tokens[places[0] - 1].folded not in leaving:
        return None
    for token in tokens[places[0] + 1 :]:
        if token.differs(value) and token.unit in {"", value.unit}:
            is_claimed = any(token.agrees(other) for other in claim.tokens)
            return None if is_claimed else Conflict(slot, token, is_single=True)
    return None


def _best_opposite(
    claim: Statement, slot: int, sentence: Sentence, selves: frozenset[str]
) -> Conflict | None:
    """Return the value that stands most like the claim's, if one does at all."""
    best: Conflict | None = None
    best_nearness = 0
    for number, nearness, is_single in _opposites(claim, slot, sentence, selves):
        if nearness > best_nearness:
            best = Conflict(slot, sentence.tokens[number], is_single)
            best_nearness = nearness
    return best


def _opposites(
    claim: Statement, slot: int, sentence: Sentence, selves: frozenset[str]
) -> Iterator[tuple[int, int, bool]]:
    """Yield the values that could stand for the claim's, with how alike their places are."""
    value = claim.tokens[slot]
    rivals = [t for t in sentence.tokens if t.kind == value.kind and t.unit == value.unit]
    beside = around(claim.tokens, slot, claim.language)
    is_only = len(rivals) == 1 and (value.unit != "" or value.kind not in {"number", "name"})
    for number, token in enumerate(sentence.tokens):
        if not token.differs(value) or token.folded.removesuffix("'s") in selves:
            continue
        said = around(sentence.tokens, number, sentence.language)
        place = _Places(claim, slot, sentence, number, beside, said)
        if not place.may_stand(value, token):
            continue
        nearness = place.nearness + is_only
        yield number, nearness, is_only or place.is_single


@dataclass(frozen=True, slots=True)
class _Places:
    """A claim's value and a sentence's, each with the words around it."""

    claim: Statement
    slot: int
    sentence: Sentence
    number: int
    around_claimed: tuple[list[str], list[str]]
    around_said: tuple[list[str], list[str]]

    def may_stand(self, value: Token, token: Token) -> bool:
        """Whether one can take the other's place at all."""
        if token.unit != value.unit and not (self.follows_same and "" in {token.unit, value.unit}):
            return False
        if any(token.agrees(other) for other in self.claim.tokens) and not (
            self.follows_same and value.kind == "number"
        ):
            return False
        if value.kind == "name":
            return self.is_adjacent or self.is_led_alike or self.is_single
        return value.kind not in {"date", "time"} or self.is_in_shared_clause

    @property
    def nearness(self) -> int:
        mine, theirs = self.around_claimed, self.around_said
        shared = set(mine[0] + mine[1]) & set(theirs[0] + theirs[1])
        return len(shared) + self.is_adjacent + self.is_led_alike

    @property
    def follows_same(self) -> bool:
        mine, theirs = self.around_claimed[0], self.around_said[0]
        return bool(mine and theirs) and mine[-1] == theirs[-1]

    @property
    def is_adjacent(self) -> bool:
        mine, theirs = self.around_claimed[1], self.around_said[1]
        return self.follows_same or (bool(mine and theirs) and mine[0] == theirs[0])

    @property
    def is_led_alike(self) -> bool:
        """Whether the same light word leads to both: "with Felix", "with Clara"."""
        if not self.slot or not self.number:
            return False
        mine, theirs = self.claim.tokens[self.slot - 1], self.sentence.tokens[self.number - 1]
        return bool(mine.folded) and mine.folded == theirs.folded

    @property
    def is_single(self) -> bool:
        """Whether a word beside both says what people do in but one place at a time."""
        mine, theirs = self.around_claimed, self.around_said
        beside_claimed = {*mine[0][-1:], *mine[1][:1]}
        beside_said = {*theirs[0][-1:], *theirs[1][:1]}
        return not (beside_claimed & beside_said).isdisjoint(alike(self.claim.language).values())

    @property
    def is_in_shared_clause(self) -> bool:
        clause = self.sentence.tokens[self.number].clause
        return any(
            token.clause == clause and token.kind in WORD_KINDS and token.key in self.claim.stems
            for token in self.sentence.tokens
        )


def around(tokens: Sequence[Token], number: int, language: str) -> tuple[list[str], list[str]]:
    """Return the content words before and behind a value, those that say "now" left out.

    Args:
        tokens: A sentence's tokens.
        number: Which of them the value is.
        language: The sentence's language.
    """
    before = _telling(reversed(tokens[:number]), language)
    behind = _telling(tokens[number + 1 :], language)
    return before[::-1], behind


def _telling(tokens: Iterable[Token], language: str) -> list[str]:
    passed_over = words("change", language)
    kept = alike(language).values()
    telling = (
        token.key
        for token in tokens
        if token.kind in WORD_KINDS and (token.folded not in passed_over or token.key in kept)
    )
    return list(islice(telling, _NEIGHBOURS))
