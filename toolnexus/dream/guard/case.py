"""Cases: a request with what it cites looked up, and what of the claim it changes."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from difflib import SequenceMatcher
from functools import cached_property
from typing import TYPE_CHECKING

from toolnexus.change.plan import Evidence
from toolnexus.clock import format_instant
from toolnexus.dream.guard.ground import Ground, Said
from toolnexus.dream.sentence import TEXT_CAP_CHARS, read_sentences
from toolnexus.dream.speech import alike
from toolnexus.text.fold import fold_claim
from toolnexus.text.lexicon import calendar_words, fold_words
from toolnexus.text.words import content_words, stem, values

if TYPE_CHECKING:
    from collections.abc import Mapping

    from toolnexus.dream.guard.request import Facts, Request
    from toolnexus.text.words import Values
    from toolnexus.transcripts.turn import Turn

SMALL_CLAIM = 5
"""A claim of fewer content words than this is a small one."""

EPOCH = datetime.min.replace(tzinfo=UTC)
KINDS = ("numbers", "dates", "names", "addresses", "quoted")
"""The kinds of values that can take each other's place."""


@dataclass(frozen=True, slots=True)
class Cited:
    """A citation that was found where it is said to stand.

    Attributes:
        turn: The turn.
        quote: The words, as they stand in it.
        start: Where in the turn they begin.
    """

    turn: Turn
    quote: str
    start: int

    @property
    def evidence(self) -> Evidence:
        """The citation as a change carries it."""
        turn = self.turn
        ts = "" if turn.ts is None else format_instant(turn.ts)
        return Evidence(turn.conversation, turn.number, self.quote, turn.role, ts)


@dataclass(frozen=True)  # no slots: a rule reads what it needs, once for all rules
class Case:
    """A request whose evidence is real and said by those whose word counts."""

    request: Request
    facts: Facts
    cited: tuple[Cited, ...]

    @property
    def before(self) -> str:
        """The claim as it stands."""
        return self.request.before

    @property
    def after(self) -> str:
        """The claim as it would be; empty for a removal."""
        return self.request.after

    @property
    def is_removal(self) -> bool:
        """Whether nothing would take the claim's place."""
        return self.request.action == "remove"

    @cached_property
    def owner_words(self) -> frozenset[str]:
        """The folded words of the owner's name: they tell no claim from another."""
        names = [self.facts.owner] if self.facts.owner else [c.turn.name for c in self.cited]
        return frozenset(word for name in names for word in fold_words(name))

    @cached_property
    def owner_stems(self) -> frozenset[str]:
        """The stems of the owner's name."""
        return frozenset(map(stem, self.owner_words))

    @cached_property
    def turns(self) -> Ground:
        """What the cited turns say."""
        turns = {(c.turn.conversation, c.turn.number): c.turn for c in self.cited}
        return Ground(tuple(Said(turn.text, turn.ts) for turn in turns.values()))

    @cached_property
    def quotes(self) -> Ground:
        """What the quotes say."""
        return Ground(tuple(Said(c.quote, c.turn.ts) for c in self.cited))

    @cached_property
    def language(self) -> str:
        """The language of the evidence."""
        return self.turns.said[0].language if self.turns.said else "en"

    @cached_property
    def changed(self) -> tuple[str, ...]:
        """The sentences of the claim that would no longer stand as they do."""
        kept = {fold_claim(sentence) for sentence in split_sentences(self.after)}
        sentences = split_sentences(self.before)
        return tuple(s for s in sentences if fold_claim(s) not in kept) or (self.before,)

    @cached_property
    def old(self) -> Values:
        """The claim's values before."""
        return values(self.before)

    @cached_property
    def new(self) -> Values:
        """The claim's values after."""
        return values(self.after)

    @cached_property
    def gained(self) -> Mapping[str, tuple[str, ...]]:
        """The values that come in, by kind."""
        gained = {kind: _minus(getattr(self.new, kind), getattr(self.old, kind)) for kind in KINDS}
        # What the old text says in small letters or as its first word is nothing new.
        there = frozenset(fold_words(self.before)) | self.owner_words | self.context_words
        gained["names"] = tuple(n for n in gained["names"] if not there.issuperset(fold_words(n)))
        return gained

    @cached_property
    def lost(self) -> Mapping[str, tuple[str, ...]]:
        """The values that go, by kind."""
        lost = {kind: _minus(getattr(self.old, kind), getattr(self.new, kind)) for kind in KINDS}
        there = frozenset(fold_words(self.after)) | self.owner_words
        lost["names"] = tuple(n for n in lost["names"] if not there.issuperset(fold_words(n)))
        return lost

    @cached_property
    def lost_values(self) -> tuple[str, ...]:
        """The values that go, of all kinds."""
        return tuple(value for kind in KINDS for value in self.lost[kind])

    @cached_property
    def gained_words(self) -> tuple[str, ...]:
        """The stems of the content words that come in, names left out."""
        old = set(content_words(self.before)) | {stem(word) for word in fold_words(self.before)}
        names = {stem(part) for name in self.new.names for part in fold_words(name)}
        skipped = old | names | {stem(word) for word in self.owner_words}
        if self.gained["dates"]:
            skipped |= {stem(n) for kind in ("months", "weekdays") for n in calendar_words(kind)}
        return tuple(w for w in content_words(self.after) if w not in skipped and w.isalpha())

    @cached_property
    def lost_words(self) -> tuple[str, ...]:
        """The stems of the content words that go."""
        kept = set(content_words(self.after))
        owner = {stem(word) for word in self.owner_words}
        return tuple(w for w in content_words(self.before) if w not in kept | owner)

    @cached_property
    def replaced(self) -> Mapping[str, tuple[str, ...]]:
        """The values of the words that take the place of others, by kind; repeated ones too."""
        old, new = self.before.split(), self.after.split()
        codes = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
        # The word in front keeps the first of the others from opening a sentence.
        stretches = [f"x {' '.join(new[c:d])}" for code, _, _, c, d in codes if code == "replace"]
        found = [values(stretch) for stretch in stretches]
        return {kind: tuple(v for each in found for v in getattr(each, kind)) for kind in KINDS}

    @cached_property
    def latest(self) -> tuple[datetime, int]:
        """When the latest cited turn was said, and its number."""
        return max((time_key(c.turn) for c in self.cited), default=(EPOCH, 0))

    @cached_property
    def context_words(self) -> frozenset[str]:
        """The folded words of what the claim is said under."""
        context = self.request.claim.context if self.request.claim is not None else ()
        words = {word for part in context for word in fold_words(part)}
        return frozenset(words | {word.removesuffix("'s") for word in words})

    def topic_stems(self, sentence: str) -> frozenset[str]:
        """Return the stems that tell what a sentence is about: no numbers, no owner."""
        owner = {stem(word) for word in self.owner_words}
        same = alike(self.language)
        stems = {same.get(w, w) for w in content_words(sentence) if not w.isdigit()}
        return frozenset(stems - owner)

    def is_small(self, sentence: str) -> bool:
        """Whether a sentence says so little that one shared word has to do."""
        owner = {stem(word) for word in self.owner_words}
        return sum(word not in owner for word in content_words(sentence)) < SMALL_CLAIM


def time_key(turn: Turn) -> tuple[datetime, int]:
    """Return what turns are put in time order by; those without an instant come first."""
    return (turn.ts or EPOCH, turn.number)


def split_sentences(text: str) -> tuple[str, ...]:
    """Split a claim into its sentences; one that is very long stays whole.

    Example:
        >>> split_sentences("Lives in Lyon. Has a cat.")
        ('Lives in Lyon.', 'Has a cat.')
    """
    if len(text) > TEXT_CAP_CHARS:
        return (text,)
    found = tuple(text[s.start : s.end].strip() for s in read_sentences(text))
    return found or ((text,) if text.strip() else ())


def _minus(these: tuple[str, ...], those: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(value for value in these if value not in those)
