"""What memory says already, so that nothing is learnt twice."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from toolnexus.dream.claim_index import content_stems
from toolnexus.home.claims import CLAIM_FILES, all_claims
from toolnexus.text.fold import fold_claim
from toolnexus.text.lexicon import fold_words
from toolnexus.text.words import stem, values

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolnexus.change.located import LocatedClaim
    from toolnexus.home.snapshot import Snapshot

_KINDS = ("numbers", "dates", "names", "addresses", "quoted")


@dataclass(frozen=True, slots=True)
class Known:
    """The claims of a home, asked whether one of them says something.

    Attributes:
        owner: Whose memory it is: the name says nothing new.
        stems: The stems of what was looked at so far, by its words.
    """

    owner: str = ""
    stems: dict[str, frozenset[str]] = field(default_factory=dict)

    def says(self, home: Snapshot, text: str) -> LocatedClaim | None:
        """Return a claim that says all that a text says; None when there is none."""
        wanted, fold, new = self._told(text), fold_claim(text), values(text)
        for claim in all_claims(home):
            if claim.claim.fold == fold:
                return claim
            around = " ".join((*claim.context, claim.claim.text))
            if wanted and wanted <= self._of(around):
                there = values(around)
                held = all(set(getattr(new, k)) <= self._held(there, k, around) for k in _KINDS)
                if held and new.negations == values(claim.claim.text).negations:
                    return claim
        return None

    def says_otherwise(self, home: Snapshot, text: str, path: str) -> LocatedClaim | None:
        """Return a claim that says the same with another value; None when there is none.

        Only MEMORY.md, USER.md and the file that is added to are looked at.
        """
        new = values(text)
        wanted = self._told(text) - _value_stems(text)
        if not wanted:
            return None
        for claim in all_claims(home):
            if claim.path not in {*CLAIM_FILES, path}:
                continue
            there = claim.claim.text
            if self._told(there) - _value_stems(there) != wanted:
                continue
            old = values(there)
            if any(_differ(getattr(old, k), getattr(new, k)) for k in _KINDS):
                return claim
            if bool(old.negations) != bool(new.negations):
                return claim
        return None

    def _told(self, text: str) -> frozenset[str]:
        return self._of(text) - frozenset(stem(word) for word in fold_words(self.owner))

    def _of(self, text: str) -> frozenset[str]:
        found = self.stems.get(text)
        if found is None:
            found = self.stems[text] = content_stems(text)
        return found

    @staticmethod
    def _held(there: object, kind: str, around: str) -> set[str]:
        held = set(getattr(there, kind))
        return held | set(fold_words(around)) if kind == "names" else held


def _value_stems(text: str) -> frozenset[str]:
    return frozenset(_stems_of_values(text))


def _stems_of_values(text: str) -> Iterator[str]:
    found = values(text)
    for name in (*found.names, *found.numbers):
        for word in fold_words(name):
            yield word
            yield stem(word)


def _differ(old: tuple[str, ...], new: tuple[str, ...]) -> bool:
    return bool(old) and bool(new) and not set(old) & set(new)
