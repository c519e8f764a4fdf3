"""Whose: what a claim stands under says whom, and when, it is about.

"Allergic to penicillin." under "Ingrid" is Ingrid's: what the user says of themselves leaves it.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from toolnexus.dream.guard.asserted import named_lead, telling
from toolnexus.dream.guard.titles import content_stems, names_any, person_named, unsaid_word
from toolnexus.dream.guard.verdict import Verdict, review
from toolnexus.dream.guard.vocabulary import says
from toolnexus.dream.speech import words
from toolnexus.text.lexicon import LANGUAGES, fold_words
from toolnexus.text.words import content_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolnexus.dream.guard.case import Case

_BEFORE = 2
"""So many turns before a cited one may name whom it speaks of."""
_LONGEST_NAME = 2
_LOOKED_AT = 8
"""So many turns are looked at for a word in small letters, which is no name."""
_YEAR = re.compile(r"(?<!\d)[12]\d{3}(?!\d)")


def is_theirs(case: Case) -> Verdict | None:
    """A claim under somebody's name yields to turns that speak of them, and of that time."""
    if case.request.claim is None:
        return None
    for part in case.request.claim.context:
        if (who := _whom(case, part)) and not _is_spoken_of(case, part, who):
            return review(
                f"the claim stands under '{part}', and the cited turns do not speak of '{who}'",
                "a turn that names them would settle it",
            )
        if _is_of_another_time(case, part):
            return review(
                f"the claim stands under '{part}', and the cited turns do not speak of that time",
                "a turn that speaks of that time would settle it",
            )
    return None


def _whom(case: Case, part: str) -> str:
    """Return whom a heading, title or parent item names; empty for none, or the owner."""
    who = person_named(part, _around(case))
    if who in case.owner_words:
        return ""
    if who or not _speaks_of_self(case):
        return who
    folded = fold_words(part)
    if not 0 < len(folded) <= _LONGEST_NAME or not case.owner_words.isdisjoint(folded):
        return ""
    own = set(content_words(case.before))
    strange = [word for word in folded if word.isalpha() and content_stems(word) - own]
    return next((word for word in strange if _may_name(case, word)), "")


def _may_name(case: Case, word: str) -> bool:
    """Whether a word may be a name: no list knows it, and nobody writes it in small letters."""
    if not unsaid_word(word, ()):
        return False
    lower = re.compile(rf"(?<!\w){re.escape(word)}(?!\w)")
    elsewhere = islice(case.facts.turns.turns_about(word), _LOOKED_AT)
    return not any(lower.search(text) for text in (_around(case), *(t.text for t in elsewhere)))


def _is_spoken_of(case: Case, part: str, who: str) -> bool:
    """Whether the cited turns, or those right before them, speak of somebody."""
    lead = named_lead(case)
    if lead is not None and person_named(case.before):
        return True  # the claim itself names whom it is about
    names = {who, *fold_words(part)} if len(fold_words(part)) <= _LONGEST_NAME else {who}
    if not any(names_any(text, name) for text in _exchange(case) for name in names):
        return False
    return not _speaks_of_self(case, unless=who)


def _speaks_of_self(case: Case, unless: str = "") -> bool:
    """Whether the user tells it of themselves, in a sentence that does not name another."""
    for cited in case.cited:
        for sentence, said in telling(case, cited):
            language = sentence.language
            if unless and names_any(" ".join(t.folded for t in sentence.tokens), unless):
                continue
            acting = [
                token.folded
                for token in sentence.tokens
                if token.clause == said.clause
                and token.start <= said.start
                and token.folded in words("self", language) | words("other", language)
            ]
            if acting and acting[-1] in words("self", language):
                return True
    return False


def _is_of_another_time(case: Case, part: str) -> bool:
    """Whether a heading tells of a time that is over, and the cited turns are of another one."""
    told = " ".join(each.turn.text for each in case.cited)
    years = _YEAR.findall(part)
    if years and not any(year in told or year in _years(case) for year in years):
        return True
    return any(says(part, "bygone", each) and not says(told, "bygone", each) for each in LANGUAGES)


def _years(case: Case) -> frozenset[str]:
    """Return the years in which the cited turns were said."""
    return frozenset(str(c.turn.ts.year) for c in case.cited if c.turn.ts is not None)


def _exchange(case: Case) -> Iterator[str]:
    """Yield the cited turns and those right before them."""
    for cited in case.cited:
        turn = cited.turn
        around = case.facts.turns.turns_around(turn.conversation, turn.number, _BEFORE)
        yield from (each.text for each in around if each.number < turn.number)
        yield turn.text


def _around(case: Case) -> str:
    return "\n".join((case.before, *_exchange(case)))
