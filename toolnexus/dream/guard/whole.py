"""Whole: a number that comes in is all of the number that was said, in its unit; a date read right.

"60" stands in "60k", and "2" in "two dozen", and neither was said. "03/04" is in March for some and
in April for others.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from toolnexus.dream.guard.amount import find_amounts
from toolnexus.dream.guard.verdict import Verdict, refuse, review
from toolnexus.dream.guard.vocabulary import language_of
from toolnexus.dream.sentence import MEASURES, read_sentences

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from toolnexus.dream.guard.amount import Amount
    from toolnexus.dream.guard.case import Case

_SLASHED = re.compile(r"(?<![\d/])(\d{1,2})/(\d{1,2})(?:/(?:\d{2}|\d{4}))?(?![\d/])")
_DATE = re.compile(r"(?:\d{4}|-)-(?P<month>\d\d)-(?P<day>\d\d)")
_MONTHS = 12
_AROUND = 40
"""So many turns around a cited one may show in which order its speaker writes day and month."""


def is_whole(case: Case) -> Verdict | None:
    """A number that comes in was said by itself, and not as a part of another one."""
    if case.is_removal:
        return None
    own = find_amounts(case.after, language_of(case.after))
    said = [a for each in case.turns.said for a in find_amounts(each.text, each.language)]
    for number in _coming_in(case, own):
        mine = [amount for amount in own if number in {amount.value, *amount.parts}]
        if not mine or any(_says(each, amount) for each in said for amount in mine):
            continue
        whole = next((each for each in said if number in each.parts), None)
        if whole is None:
            continue
        if whole.is_reach or "/" in whole.written:
            return review(
                f"the cited turns say '{whole.written}', which leaves open which it is",
                "say what they say",
            )
        return refuse(
            f"the cited turns say '{whole.written}', and not '{number}'", "say the whole number"
        )
    return None


def _coming_in(case: Case, own: Iterable[Amount]) -> Iterator[str]:
    """Yield the numbers that the new text has more often than the old one."""
    yield from case.gained["numbers"]
    old = find_amounts(case.before, language_of(case.before))
    more = Counter(_each(own)) - Counter(_each(old))
    yield from (number for number in more if number not in case.gained["numbers"])


def _each(amounts: Iterable[Amount]) -> Iterator[str]:
    for amount in amounts:
        yield from amount.parts or (amount.value,)


def _says(said: Amount, wanted: Amount) -> bool:
    if said.is_reach or wanted.is_reach:
        return said.is_reach == wanted.is_reach and said.parts == wanted.parts
    return bool(said.value) and said.value == wanted.value


def keeps_unit(case: Case) -> Verdict | None:
    """A number comes in with the unit that it was said in: 900 euros are no 900 dollars."""
    if case.is_removal:
        return None
    old = set(_measured(case.before))
    said = {pair for each in case.turns.said for pair in _measured(each.text)}
    for number, unit in _measured(case.after):
        if unit not in MEASURES or (number, unit) in old | said:
            continue
        others = sorted(other for key, other in said if key == number and other in MEASURES)
        if others:
            return refuse(
                f"the cited turns say '{number}' in '{others[0]}', and not in '{unit}'",
                "keep the unit in which it was said",
            )
        if unit not in {each for _, each in old} and any(key == number for key, _ in old | said):
            return review(
                f"the cited turns do not say '{number}' in '{unit}'",
                "keep the unit in which it was said",
            )
    return None


def _measured(text: str) -> Iterator[tuple[str, str]]:
    """Yield the numbers of a text with their units."""
    for sentence in read_sentences(text):
        yield from ((t.key, t.unit) for t in sentence.tokens if t.kind == "number")


def is_read_right(case: Case) -> Verdict | None:
    """A date that was written as 03/04 is read in the order in which its speaker writes dates."""
    for date in case.gained["dates"]:
        found = _DATE.fullmatch(date)
        if found is None or any(date in each.values.dates for each in case.turns.said):
            continue
        month, day = int(found["month"]), int(found["day"])
        if month == day or day > _MONTHS or not _is_slashed(case, month, day):
            continue
        if case.turns.has_plain_date(date):
            continue
        order = _order(case)
        if not order:
            return review(
                f"'{date}' was written as a day and a month in an order that is not known",
                "a date of the same person's with a day above 12, or with the month's name, "
                "would settle it",
            )
        if (month, day) not in _pairs(case, order):
            return refuse(
                f"'{date}' is read the other way round than its speaker writes dates",
                "the day comes first" if order == "day" else "the month comes first",
            )
    return None


def _is_slashed(case: Case, month: int, day: int) -> bool:
    pairs = [pair for each in case.turns.said for pair in _written(each.text)]
    return (month, day) in pairs or (day, month) in pairs


def _pairs(case: Case, order: str) -> set[tuple[int, int]]:
    """Return months with days, as the cited turns write them."""
    pairs = {pair for each in case.turns.said for pair in _written(each.text)}
    return {(b, a) for a, b in pairs} if order == "day" else pairs


def _written(text: str) -> list[tuple[int, int]]:
    return [(int(a), int(b)) for a, b in _SLASHED.findall(text)]


def _order(case: Case) -> str:
    """Return what the speaker writes first: ``day`` or ``month``; empty where nothing tells."""
    shown: set[str] = set()
    for cited in case.cited:
        turn = cited.turn
        around = case.facts.turns.turns_around(turn.conversation, turn.number, _AROUND)
        for text in (turn.text, *(t.text for t in around if t.role == turn.role)):
            shown |= {"day" if a > _MONTHS else "month" for a, b in _written(text) if _tells(a, b)}
    if len(shown) == 1:
        return shown.pop()
    return "day" if not shown and case.language != "en" else ""


def _tells(one: int, two: int) -> bool:
    """Whether only one of two numbers can be the month."""
    return (one > _MONTHS) != (two > _MONTHS)
