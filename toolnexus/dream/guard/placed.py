"""Placed: whether a value that comes in was said of what the claim says it of.

That a number stands in a turn proves little: "it took 5 hours and cost 300 euros" says nothing of
5 euros. So each value that comes in is looked up where it was said, and what stands beside it
there is held against what would stand beside it in the claim.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from toolnexus.dream.guard.ground import is_unspaced
from toolnexus.dream.guard.place import Place, find_places
from toolnexus.dream.guard.rival import rival_of
from toolnexus.dream.guard.verdict import Verdict, refuse, review
from toolnexus.dream.token import EXACT_KINDS, VALUE_KINDS, WORD_KINDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from datetime import datetime

    from toolnexus.dream.guard.case import Case

LIKENESS = 3
"""How alike the places of a value must be, in the claim and where it was said."""
LIKENESS_OF_SMALL = 2
"""The same for a claim of few words, which has little beside a value."""
VERY_ALIKE = 5
SHARE = 0.4
"""How much of a claim the sentence must speak of that has the value in a place very much alike."""
SHARE_OF_UNLIKE = 0.55
"""The same where the places are less alike."""
FEW_WORDS = 6
"""A claim of no more words than this has so little beside its value that a rival may take it."""
_YEAR = re.compile(r"[12]\d{3}")


@dataclass(frozen=True, slots=True)
class Slot:
    """A value that comes in.

    Attributes:
        place: Its place in the new text.
        replaced: The values that it comes in for.
        others: Where else the new text says the same.
    """

    place: Place
    replaced: tuple[Place, ...]
    others: tuple[Place, ...]

    @property
    def shown(self) -> str:
        """The value, as it is told to people."""
        return f"'{self.place.written}'"

    def may_count_as(self, said: Place) -> bool:
        """Whether what was said may count what the claim counts."""
        counted = [p for p in (self.place, *self.replaced) if p.counts][:1]
        return all(place.may_count_as(said) for place in counted)


def is_placed(case: Case) -> Verdict | None:
    """Each value that comes in was said in such a place as it takes."""
    if case.is_removal:
        return None
    verdicts = [v for slot in _slots(case) if (v := _judge(case, slot)) is not None]
    return min(verdicts, key=lambda verdict: verdict.answer, default=None)  # refuse before review


def _slots(case: Case) -> Iterator[Slot]:
    """Yield the values of the new text that the old one does not have in their place."""
    old, new = find_places(case.before), find_places(case.after)
    matcher = SequenceMatcher(None, list(map(_key, old)), list(map(_key, new)), autojunk=False)
    for code, first, last, start, end in matcher.get_opcodes():
        if code not in {"replace", "insert"}:
            continue
        replaced = tuple(_values(old[first:last]))
        for place in _values(new[start:end]):
            others = tuple(p for p in new if p is not place and _key(p) == _key(place))
            yield Slot(place, replaced, others)


def _values(places: Iterable[Place]) -> Iterator[Place]:
    return (place for place in places if place.token.kind in VALUE_KINDS)


def _key(place: Place) -> tuple[str, str]:
    token = place.token
    key = place.written.casefold() if place.is_code else token.key
    return ("word" if token.kind in WORD_KINDS else token.kind, key)


def _judge(case: Case, slot: Slot) -> Verdict | None:
    if slot.replaced and not any(_can_replace(slot.place, old) for old in slot.replaced):
        return review(
            f"{slot.shown} would take the place of a value of another kind",
            "put a name in the place of a name, and a number in that of one which counts the same",
        )
    said = _said(case, slot)
    if not said:
        return None if _may_be_reckoned(slot) else _doubtful(slot, "it does not stand by itself")
    fitting = [place for place in said if slot.may_count_as(place)]
    if not fitting:
        return refuse(
            f"the cited turns say {slot.shown} of something else",
            "quote the words that say it of what the claim is about",
        )
    verdicts = [_hold_against(case, slot, place) for place in fitting]
    return None if None in verdicts else verdicts[0]


def _can_replace(new: Place, old: Place) -> bool:
    """Whether a value is of the kind of the one whose place it takes."""
    kinds = {new.token.kind, old.token.kind}
    if kinds == {"number"}:
        return new.may_count_as(old)
    if kinds <= EXACT_KINDS:  # "at 5" becomes "at 5:30"; "5 days" do not become a date
        return not (new.counts or old.counts)
    return len(kinds) == 1


def _said(case: Case, slot: Slot) -> list[Place]:
    """Return where the cited turns say a value; else where the quotes do, of others' words too."""
    whole = [(cited.turn.text, cited.turn.ts) for cited in case.cited]
    quotes = [(cited.quote, cited.turn.ts) for cited in case.cited]
    for texts in (whole, quotes):  # a quote may cut off what stands beside a value
        if found := [place for text, when in texts for place in _same(slot, text, when)]:
            return found
    return []


def _same(slot: Slot, text: str, when: datetime | None) -> Iterator[Place]:
    for place in find_places(text, None if when is None else when.date()):
        if place.is_same(slot.place) and not (
            slot.place.is_code and _key(place) != _key(slot.place)
        ):
            yield place


def _may_be_reckoned(slot: Slot) -> bool:
    """Whether a value may follow from others: a date, its year, a word without blanks around."""
    token = slot.place.token
    if token.kind in {"date", "weekday"} or is_unspaced(token.folded):
        return True
    is_year = bool(_YEAR.fullmatch(token.key)) and not slot.place.counts
    return is_year and all(
        old.token.kind == "date" or _YEAR.fullmatch(old.token.key) for old in slot.replaced
    )


def _hold_against(case: Case, slot: Slot, said: Place) -> Verdict | None:
    """Hold a place where the value was said against the one that it would take."""
    places = [Place(said.sentence, n, "") for n in range(len(said.sentence.tokens))]
    if _keeps_replaced(slot, said, places):
        return review(
            "the quote says the claim's own value, too",
            "quote the words in which the new value takes its place",
        )
    likeness = slot.place.likeness(said, case.owner_stems)
    if _answers_another(case, slot, said, places, likeness):
        return _doubtful(slot, "it answers another part of the claim there")
    names = [(step, slot.place.is_name_with(step)) for step in (-1, 1)]
    if any(name and said.is_name_with(step) != name for step, name in names):
        return _doubtful(slot, "it is part of another name there")
    return _weigh(case, slot, said, places, likeness)


def _keeps_replaced(slot: Slot, said: Place, places: Sequence[Place]) -> bool:
    """Whether a sentence also says what the value comes in for, and does not leave it behind."""
    return any(
        place.is_same(old) and not place.is_left_behind(said.number)
        for old in slot.replaced
        for place in places
    )


def _answers_another(
    case: Case, slot: Slot, said: Place, places: Sequence[Place], likeness: int
) -> bool:
    """Whether the sentence says the value where the claim has said it all along."""
    if not slot.others:
        return False
    if sum(place.is_same(said) for place in places) <= len(slot.others):
        return True
    return any(other.likeness(said, case.owner_stems) >= likeness for other in slot.others)


def _weigh(
    case: Case, slot: Slot, said: Place, places: Sequence[Place], likeness: int
) -> Verdict | None:
    """Tell whether a place is alike enough, and its sentence enough about the claim."""
    is_small = all(map(case.is_small, case.changed))
    rivals = [
        place
        for place in places
        if place.token.kind == said.token.kind
        and not place.is_same(said)
        and not (is_small and any(map(place.is_same, slot.replaced)))  # that is left behind
        and slot.may_count_as(place)
    ]
    if any(slot.place.likeness(rival, case.owner_stems) > likeness for rival in rivals):
        return _doubtful(slot, "another value there stands more like the claim's")
    wanted = case.topic_stems(case.after) - {slot.place.token.key}
    if len(wanted) <= FEW_WORDS and (rival := rival_of(case, slot.place, said)):
        return _doubtful(slot, f"it is said of '{rival}' there")
    spoken = {token.key for token in said.sentence.tokens}
    share = len(wanted & spoken) / max(1, len(wanted))
    points = likeness + (not rivals) + (2 * share >= 1)
    if points < (LIKENESS_OF_SMALL if is_small else LIKENESS):
        return _doubtful(slot, "it has other words beside it there")
    if not is_small and share < (SHARE if likeness >= VERY_ALIKE else SHARE_OF_UNLIKE):
        return _doubtful(slot, "it is said of something else there")
    return None


def _doubtful(slot: Slot, why: str) -> Verdict:
    return review(
        f"the quote may say {slot.shown} of something else: {why}",
        "quote words that say it of what the claim is about",
    )
