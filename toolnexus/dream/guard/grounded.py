"""Grounded: whether what a new text brings in was said, and what it leaves out spoken of."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from toolnexus.dream.guard.about import HOLDS
from toolnexus.dream.guard.case import KINDS, Case
from toolnexus.dream.guard.ground import is_unspaced
from toolnexus.dream.guard.verdict import Verdict, refuse, review
from toolnexus.dream.guard.vocabulary import filler_stems
from toolnexus.text.lexicon import fold_words, light_words

if TYPE_CHECKING:
    from collections.abc import Iterator

_YEAR = re.compile(r"\d{4}")
_SHOWN = {
    "numbers": "number",
    "dates": "date",
    "names": "name",
    "addresses": "address",
    "quoted": "quoted text",
}


def is_grounded(case: Case) -> Verdict | None:
    """Every value that comes in stands in the cited turns, or follows from when they were said."""
    for kind in KINDS:
        for value in case.gained[kind]:
            if _stands(case, kind, value):
                continue
            if kind == "numbers" and _is_difference(case, value):
                return review(
                    f"the number '{value}' was not said, it is reckoned from others",
                    "say only the numbers that the cited turns hold",
                )
            return refuse(
                f"the {_SHOWN[kind]} '{value}' does not stand in the cited turns",
                "say only what they say, or cite the turn that holds it",
            )
    return None


def adds_no_words(case: Case) -> Verdict | None:
    """The words that come in stand in the cited turns."""
    filler = filler_stems()
    unsaid = [w for w in case.gained_words if w not in filler and not case.turns.has_stem(w)]
    if not unsaid:
        return None
    return review(
        f"the cited turns do not say '{unsaid[0]}'",
        "keep to the claim's own words and those of the turns",
    )


def loses_nothing(case: Case) -> Verdict | None:
    """Every value that goes is replaced by one of its kind, or spoken of in the cited turns."""
    if case.is_removal:
        return None
    for value in _unreplaced(case):
        return review(
            f"'{value}' would be lost, and the cited turns do not speak of it",
            "keep what they do not contradict",
        )
    if unsaid := _left_out(case):
        return review(
            f"'{unsaid[0]}' would be left out, and the cited turns do not speak of it",
            "keep what they do not contradict",
        )
    return None


def _left_out(case: Case) -> list[str]:
    """Return what a text that only leaves words out drops unspoken; in any language.

    "Eet geen vlees" says the opposite of "Eet vlees", whatever "geen" may mean.
    """
    old, new = fold_words(case.before), fold_words(case.after)
    rest = iter(old)
    if len(case.old.negations) > len(case.new.negations) or not all(w in rest for w in new):
        return []
    dropped = set(old).difference(new).difference(case.owner_words)
    said = {word for each in case.turns.said for word in fold_words(each.text)}
    light = light_words(case.language) | case.context_words
    return [word for word in old if word in dropped and word not in said | light]


def _stands(case: Case, kind: str, value: str) -> bool:
    if kind == "dates":
        years = [year for date in case.old.dates for year in _YEAR.findall(date)]
        return case.turns.has_date(value, [*years, *case.old.numbers])
    if kind == "names" and is_unspaced(value):
        return all(map(case.turns.has_phrase, _new_runs(value, case.before)))
    return HOLDS[kind](case.turns, value)


def _is_difference(case: Case, number: str) -> bool:
    """Whether a number is what lies between the claim's own and one that was said."""
    said = [
        int(each)
        for each in case.gained["numbers"]
        if _stands(case, "numbers", each) and each.isdecimal()
    ]
    before = [int(each) for each in case.old.numbers if each.isdecimal()]
    return number.isdecimal() and any(abs(s - b) == int(number) for s in said for b in before)


def _new_runs(word: str, before: str) -> Iterator[str]:
    """Yield the stretches of a word in an unspaced script whose characters are new."""
    run = ""
    for char in word:
        if char in before:
            if run:
                yield run
            run = ""
        else:
            run += char
    if run:
        yield run


def _unreplaced(case: Case) -> Iterator[str]:
    """Yield the lost values that nothing of their kind replaces and that no cited turn holds."""
    for kind in KINDS:
        silent = [value for value in case.lost[kind] if not HOLDS[kind](case.turns, value)]
        if silent:
            replacing = max(len(case.gained[kind]), len(case.replaced[kind]))
            yield from silent[replacing:]
