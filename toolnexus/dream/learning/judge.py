"""The judgement of additions: the guard's, and what makes a fact worth remembering."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from toolnexus.dream.claim_index import content_stems
from toolnexus.dream.guard import Verdict, judge
from toolnexus.dream.guard.case import EPOCH, Case
from toolnexus.dream.guard.citation import check_citations
from toolnexus.dream.guard.verdict import refuse, review
from toolnexus.dream.guard.vocabulary import denies, language_of
from toolnexus.dream.learning.known import Known
from toolnexus.dream.learning.lists import listed
from toolnexus.dream.learning.secret import holds_secret
from toolnexus.dream.learning.stated import is_stated
from toolnexus.text.fold import fold_claim
from toolnexus.text.secrets import shorten

if TYPE_CHECKING:
    from toolnexus.dream.guard import Facts, Request
    from toolnexus.home.snapshot import Snapshot

LONGEST = 400
"""Characters: one fact takes no more."""

_NOT_PLAIN = re.compile(r"\n|<!--|-->|\[\[|`|\]\(")


@dataclass(frozen=True, slots=True)
class Learning:
    """What a pass that learns may add.

    Attributes:
        places: Where the new turns stand: what is added has to be said in one of them.
        waiting: The folds of additions that wait for a person.
        known: What memory says already.
    """

    places: frozenset[tuple[str, int]]
    waiting: frozenset[str] = frozenset()
    known: Known = field(default_factory=Known)

    def judge(self, request: Request, facts: Facts, home: Snapshot, path: str) -> Verdict:
        """Say whether a fact may be added: accept, refuse, or leave it to a person.

        Args:
            request: What a model asks for.
            facts: What the guard judges by.
            home: The home as it is in this pass.
            path: The file that would take it.
        """
        if (no := self._is_plain(request)) is not None:
            return no
        verdict = judge(request, facts)
        cited = check_citations(request, facts)
        if verdict.answer == "refuse" or isinstance(cited, Verdict):
            return verdict if verdict.answer == "refuse" else refuse("no turn counts", "cite one")
        case = Case(request, facts, cited)
        if not any((c.turn.conversation, c.turn.number) in self.places for c in cited):
            return refuse(
                "the cited turns are not among the new ones",
                "add only what the turns that you were shown say",
            )
        if (no := is_stated(case)) is not None and no.answer == "refuse":
            return no
        if (known := self._is_new(home, request.after)) is not None:
            return known
        own = None if verdict.is_accepted else verdict
        doubts = (no, own, self._agrees(home, request.after, path), _is_last_word(case))
        doubt = next((each for each in doubts if each is not None), None)
        if doubt is None:
            return verdict
        return Verdict("review", doubt.reason, doubt.next, verdict.evidence)

    def _is_plain(self, request: Request) -> Verdict | None:
        text = request.after
        if len(text) > LONGEST or _NOT_PLAIN.search(text):
            return refuse(
                "this is no plain sentence",
                f"say one fact in one sentence of at most {LONGEST} characters, without marks",
            )
        if any(holds_secret(each) for each in (text, *(c.quote for c in request.evidence))):
            return refuse(
                "this looks like a secret: a password, a key, a card or an account",
                "leave it out of memory, and out of the quote",
            )
        if when := listed(text, "relative"):
            return refuse(
                f"'{when}' means another day tomorrow",
                "say the date itself, counted from the day on which it was said",
            )
        if fold_claim(text) in self.waiting:
            return refuse("this waits for a person already", "leave it until it is decided")
        return None

    def _is_new(self, home: Snapshot, text: str) -> Verdict | None:
        there = self.known.says(home, text)
        if there is None:
            return None
        return refuse(
            f"memory says so already, in {there.path}: '{_shown(there.claim.text)}'",
            "leave it; where a turn contradicts that claim, replace it",
        )

    def _agrees(self, home: Snapshot, text: str, path: str) -> Verdict | None:
        there = self.known.says_otherwise(home, text, path)
        if there is None:
            return None
        return review(
            f"memory says otherwise, in {there.path}: '{_shown(there.claim.text)}'",
            "if that is no longer so, replace that claim; a person decides whether both stand",
        )


def _is_last_word(case: Case) -> Verdict | None:
    """No later turn of the user's denies it."""
    wanted = content_stems(case.after) - content_stems(" ".join(case.owner_words))
    language = language_of(case.after)
    if denies(case.after, language):
        return None
    for turn in case.facts.turns.turns_about(case.after):
        if turn.role not in case.facts.evidence_roles:
            continue
        if ((turn.ts or EPOCH), turn.number) <= case.latest:
            continue
        if wanted <= content_stems(turn.text) and denies(turn.text, language_of(turn.text)):
            return review(
                f"a later turn, {turn.address}, speaks of an end of it, or denies it",
                f"cite a turn after {turn.address}, if there is one",
            )
    return None


def _shown(text: str) -> str:
    return shorten(text, 120)
