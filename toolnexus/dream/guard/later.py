"""Later values: whether a later turn gives what a claim is about yet another value.

"I live in Berlin now" is no evidence any more once "We moved to Madrid" was said behind it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolnexus.dream.guard.asserted import doubt_of
from toolnexus.dream.guard.ground import Ground, Said
from toolnexus.dream.guard.place import Place, find_places
from toolnexus.dream.guard.titles import person_named
from toolnexus.dream.guard.vocabulary import tells_of_change
from toolnexus.dream.speech import likes
from toolnexus.dream.token import EXACT_KINDS, VALUE_KINDS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolnexus.dream.guard.case import Case
    from toolnexus.transcripts.turn import Turn

WORDS_BESIDE = 2
_DAYS = frozenset({"date", "weekday"})
SHARE = 0.55
"""How much of a claim that is not small a sentence must speak of to change the same thing."""


def later_queries(case: Case) -> Iterator[str]:
    """Yield what to look for turns by: the claim; of a small one, other words for the same too."""
    yield case.before
    alike = likes(case.language)
    more = [word for stem in sorted(_topic(case)) for word in alike.get(stem, ())]
    if more and _is_small(case):
        yield " ".join(more)


def gives_another(case: Case, turn: Turn) -> bool:
    """Whether a turn tells of a change of the same thing, to a value that is not the new one."""
    wanted = [place for place in find_places(case.after) if _is_gained(case, place)]
    if case.is_removal or len(wanted) != 1 or turn.role not in case.facts.evidence_roles:
        return False
    if not _may_give_another(case, turn.text):
        return False
    when = None if turn.ts is None else turn.ts.date()
    places = find_places(turn.text, when)
    if any(place.is_same(wanted[0]) for place in places):
        return False
    return any(_is_another(case, wanted[0], place, turn.text) for place in places)


def _may_give_another(case: Case, text: str) -> bool:
    """Whether a turn holds at all what one of its sentences must hold: that is cheap to tell."""
    said = Said(text)
    if not tells_of_change(text, said.language):
        return False
    shared = sum(map(Ground((said,)).has_stem, _topic(case)))
    return shared >= _fewest(case)


def _fewest(case: Case) -> float:
    """Return how many of the claim's words a sentence must hold to be about the same."""
    return 1 if _is_small(case) else max(WORDS_BESIDE, SHARE * len(_topic(case)))


def _is_another(case: Case, new: Place, said: Place, text: str) -> bool:
    """Whether a value in a later turn takes the place of the one that would come in."""
    if not _is_of_kind(case, new, said):
        return False
    sentence = said.sentence
    if sentence.asks or not tells_of_change(text[sentence.start : sentence.end], sentence.language):
        return False
    beside = len(_topic(case) & {token.key for token in sentence.tokens})
    if beside < _fewest(case):
        return False
    return doubt_of(case, sentence, said.token, text) is None


def _is_of_kind(case: Case, new: Place, said: Place) -> bool:
    """Whether a value is of the kind of the new one, and none that the claim holds beside it."""
    kind = said.token.kind
    if kind != new.token.kind or any(said.is_same(each) for each in find_places(case.before)):
        return False
    if kind in _DAYS and not _is_small(case):
        return False  # something else that happened on another day
    if kind in EXACT_KINDS:
        return said.may_count_as(new)
    if said.token.folded.removesuffix("'s") in case.owner_words:
        return False
    return bool(person_named(said.token.folded)) == bool(person_named(new.token.folded))


def _is_gained(case: Case, place: Place) -> bool:
    if place.token.kind not in VALUE_KINDS:
        return False
    return not any(place.is_same(each) for each in find_places(case.before))


def _topic(case: Case) -> frozenset[str]:
    lost = {place.token.key for place in find_places(case.before) if place.token.kind == "name"}
    stems = (case.topic_stems(sentence) for sentence in case.changed)
    return frozenset(stem for each in stems for stem in each) - lost


def _is_small(case: Case) -> bool:
    return all(map(case.is_small, case.changed))
