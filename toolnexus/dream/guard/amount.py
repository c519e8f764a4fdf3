"""Amounts: the whole numbers that a text says, and what they are made of.

"60k" is not 60, "two dozen" not two, "1 or 2" neither one nor two. Each number of a text is read
with the words around it that make another one of it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation, localcontext
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Literal

from toolnexus.dream.word_lists import phrases
from toolnexus.text.lexicon import number_words
from toolnexus.text.values import values

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

Heading = Literal["times", "half", "more", "and", "either", "to", "between", "from"]
_PIECE = re.compile(
    r"(?P<digits>(?<![\w.,:])\d+(?:[.,]\d+)*)|(?P<half>½)|(?P<word>[^\W\d_]+)|(?P<mark>[^\w\s])"
)
_CODE = re.compile(r"(?<!\d)\d[\d.,]{0,20}[:/-]\d[\d:/-]{0,40}[:/-]\d|(?<!\d)\d{1,3}:\d\d")
"""Dates, clocks and numbers of telephones: nothing to reckon with."""
_REACHES = frozenset("-–—/")
_FRACTION = "/"
_TENS = range(20, 100, 10)
_LONGEST = 3
"""So many words has the longest phrase of a list."""
_CAP_CHARS = 8_000
_ONE = Decimal(1)
_DIGITS = 6


@dataclass(frozen=True, slots=True)
class Amount:
    """A number as it is said.

    Attributes:
        value: Normalised as in `Values.numbers`; empty where it is left open.
        parts: The numbers it is made of, when it is made of more than one thing.
        is_reach: Whether it is one of several: "1 or 2", "10-12".
        written: The words.
    """

    value: str
    parts: frozenset[str]
    written: str
    is_reach: bool = False


@dataclass(frozen=True, slots=True)
class _Group:
    """Numbers that stand side by side, with what multiplies them."""

    start: int
    end: int
    value: Decimal | None
    parts: tuple[str, ...]
    is_plain: bool


@lru_cache(maxsize=512)
def find_amounts(text: str, language: str) -> tuple[Amount, ...]:
    """Return the amounts of a text, in order.

    Args:
        text: What was said.
        language: Its language.

    Example:
        >>> [amount.value for amount in find_amounts("Earns 60k, has two dozen hens.", "en")]
        ['60000', '24']
        >>> [(a.value, sorted(a.parts)) for a in find_amounts("1 or 2 pills", "en")]
        [('', ['1', '2'])]
    """
    text = text[:_CAP_CHARS]
    blanked = _CODE.sub(lambda m: "_" * len(m.group()), text)
    pieces = list(_PIECE.finditer(blanked))
    groups = list(_groups(pieces, language))
    return tuple(_joined(groups, pieces, text, language))


def _groups(pieces: Sequence[re.Match[str]], language: str) -> Iterator[_Group]:
    at = 0
    while at < len(pieces):
        group = _group(pieces, at, language)
        if group is None:
            at += 1
            continue
        yield group
        at = group.end


def _group(pieces: Sequence[re.Match[str]], at: int, language: str) -> _Group | None:
    """Read the number that begins at a piece, as far as it goes."""
    halved = _phrase(pieces, at, "half", language)
    start, at = at, at + halved
    total, current, last = Decimal(0), Decimal(0), Decimal(0)
    parts: list[str] = []
    is_open = False
    while at < len(pieces):
        times = _times(pieces[at], language) if parts or halved else None
        number = _number(pieces[at], language)
        if times is not None:
            current = (current or (_ONE if not total else Decimal(0)) or _ONE) * times
            parts.append(_shown(times))
            if times >= 1000:
                total, current = total + current, Decimal(0)
            last = times
        elif number is not None and (not parts or _goes_on(pieces, at, last, number)):
            fits = not parts or (last in (*_TENS, 100, 1000) and number < last)
            is_open = is_open or not fits
            current += number
            parts.append(_shown(number))
            last = number
        elif not (last in (100, 1000) and _joins(pieces, at, language)):
            break
        at += 1
    if not parts:
        return None
    value = total + current
    more = _phrase(pieces, at, "more", language)
    at += more
    if more:
        value += (last if last >= 1000 else _ONE) / 2
        times = _times(pieces[at], language) if at < len(pieces) else None
        value, at = (value, at) if times is None else (value * times, at + 1)
    if halved:
        value /= 2
    plain = len(parts) == 1 and not halved and not more
    return _Group(start, at, None if is_open else value, tuple(parts), plain)


def _joins(pieces: Sequence[re.Match[str]], at: int, language: str) -> bool:
    """Whether an "and" only goes between hundreds and tens: "three hundred and fifty"."""
    if at + 1 >= len(pieces) or pieces[at].group().casefold() not in _listed("and", language):
        return False
    return pieces[at + 1]["word"] is not None and _number(pieces[at + 1], language) is not None


def _goes_on(pieces: Sequence[re.Match[str]], at: int, last: Decimal, number: Decimal) -> bool:
    """Whether a number word goes on with the one before: "twenty five"; digits never do."""
    if pieces[at]["word"] is None or last == number:
        return False
    return pieces[at - 1]["word"] is not None


def _joined(
    groups: Sequence[_Group], pieces: Sequence[re.Match[str]], text: str, language: str
) -> Iterator[Amount]:
    """Yield amounts; two numbers of which one is meant are one of no value."""
    number = 0
    while number < len(groups):
        one = groups[number]
        two = groups[number + 1] if number + 1 < len(groups) else None
        kind = _between(one, two, pieces, language) if two is not None else ""
        if two is None or not kind:
            value = "" if one.value is None else _shown(one.value)
            parts = frozenset() if one.is_plain else frozenset(one.parts)
            yield Amount(value, parts, _written(one, one, pieces, text))
            number += 1
            continue
        value = _fraction(one, two) if kind == _FRACTION else ""
        parts = frozenset({*one.parts, *two.parts, *_values_of(one, two)})
        yield Amount(value, parts, _written(one, two, pieces, text), is_reach=not value)
        number += 2


def _between(one: _Group, two: _Group, pieces: Sequence[re.Match[str]], language: str) -> str:
    """Return what joins two numbers to a reach or a fraction; empty for nothing."""
    gap = pieces[one.end : two.start]
    told = " ".join(piece.group().casefold() for piece in gap)
    before = pieces[max(0, one.start - 1)].group().casefold() if one.start else ""
    is_tight = len(gap) == 1 and told in _REACHES
    if is_tight and gap[0].end() == pieces[two.start].start() and _rises(one, two):
        close = gap[0].start() == pieces[one.end - 1].end()
        is_date = told == _FRACTION and pieces[one.start].group().startswith("0")
        return told if close and not is_date else ""
    if told in _listed("either", language):
        return told
    if told in _listed("to", language) and before not in _listed("from", language):
        return told if _rises(one, two) else ""
    is_between = before in _listed("between", language)
    return told if is_between and len(gap) == 1 and gap[0]["word"] else ""


def _rises(one: _Group, two: _Group) -> bool:
    return one.value is not None and two.value is not None and one.value < two.value


def _fraction(one: _Group, two: _Group) -> str:
    if one.value is None or not two.value:
        return ""
    with localcontext(prec=_DIGITS):
        return _shown(one.value / two.value)


def _values_of(*groups: _Group) -> Iterator[str]:
    return (_shown(group.value) for group in groups if group.value is not None)


def _written(one: _Group, two: _Group, pieces: Sequence[re.Match[str]], text: str) -> str:
    return text[pieces[one.start].start() : pieces[two.end - 1].end()]


def _number(piece: re.Match[str], language: str) -> Decimal | None:
    if piece["digits"]:
        return _digits(piece["digits"])
    word = (piece["word"] or "").casefold()
    found_word = number_words(language).get(word)
    return None if found_word is None else _decimal(found_word)


@lru_cache(maxsize=4096)
def _digits(written: str) -> Decimal | None:
    found = values(written).numbers
    return _decimal(found[0]) if found else None


def _times(piece: re.Match[str], language: str) -> Decimal | None:
    word = piece["word"]
    if word is None:
        return None
    if word == "M":
        return Decimal(1_000_000)
    return _all_times(language).get(word.casefold())


@cache
def _all_times(language: str) -> dict[str, Decimal]:
    pairs = (pair.split() for pair in _listed("times", language))
    return {pair[0]: Decimal(pair[1]) for pair in pairs if len(pair) == 2}


def _phrase(pieces: Sequence[re.Match[str]], at: int, heading: Heading, language: str) -> int:
    """Return how many pieces a phrase of a list takes from here on; 0 for none."""
    listed = _listed(heading, language)
    for count in range(min(_LONGEST, len(pieces) - at), 0, -1):
        told = " ".join(piece.group().casefold() for piece in pieces[at : at + count])
        if told in listed:
            return count
    return 0


def _listed(heading: Heading, language: str) -> frozenset[str]:
    return phrases("toolnexus.dream.guard", "amounts", language, heading)


def _decimal(written: str) -> Decimal | None:
    try:
        return Decimal(written)
    except InvalidOperation:
        return None


def _shown(value: Decimal) -> str:
    """Write a number as `Values` do: no zeros behind, no exponent."""
    written = format(value, "f")
    return written.rstrip("0").rstrip(".") if "." in written else written
