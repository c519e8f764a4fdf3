"""Dates, put together from the day, month and year that stand beside each other."""

from __future__ import annotations

from toolnexus.dream.token import UNKNOWN, Token
from toolnexus.text.lexicon import calendar_words

_OF = frozenset({"of", "de", "do"})
_RANGE_MARKS = frozenset({"-", "–", "—", "to", "and", "&", "bis", "à", "a"})
_MONTHS_THAT_ARE_WORDS = frozenset({"may", "march", "mar"})


def join_dates(tokens: list[Token], text: str) -> list[Token]:
    """Put days, months and years that stand together into dates; a range becomes two.

    Args:
        tokens: A sentence's tokens, in order.
        text: What they were read from.
    """
    months = calendar_words("months")
    found: list[Token] = []
    position = 0
    while position < len(tokens):
        token = tokens[position]
        month = months.get(token.folded, 0)
        joined = _join(tokens, position, month, found, text) if month else None
        if joined is None:
            found.append(_as_year(token, tokens[position - 1] if position else None))
            position += 1
        else:
            dates, position = joined
            found += dates
    return found


def _join(
    tokens: list[Token], position: int, month: int, before: list[Token], text: str
) -> tuple[list[Token], int] | None:
    """Read the date around a month's name; a day that stands before it is taken from `before`."""
    token = tokens[position]
    days = _take_day_before(before)
    after = position + 1
    if not days:
        days = _days_behind(tokens, after, text)
        after += len(days)
    skip = 1 if after < len(tokens) and tokens[after].folded in _OF else 0
    year = UNKNOWN
    if after + skip < len(tokens) and _is_year(tokens[after + skip]):
        year = tokens[after + skip].key
        after += skip + 1
    if not days and year == UNKNOWN and not _is_bare_month(token, text):
        return None
    start = min(token.start, *(day.start for day in days), token.start)
    keys = [f"{year}-{month}-{day.key}" for day in days] or [f"{year}-{month}-{UNKNOWN}"]
    end = tokens[after - 1].end
    return [Token("date", key, start, end, token.clause) for key in keys], after


def _take_day_before(before: list[Token]) -> list[Token]:
    gap = 1 if before and before[-1].folded in _OF else 0
    if len(before) <= gap or not _is_day(before[-1 - gap]):
        return []
    day = before[-1 - gap]
    del before[-1 - gap :]
    return [day]


def _days_behind(tokens: list[Token], position: int, text: str) -> list[Token]:
    days: list[Token] = []
    for token in tokens[position : position + 2]:
        between = text[days[-1].end : token.start].strip() if days else "-"
        if not _is_day(token) or between not in _RANGE_MARKS:
            break
        days.append(token)
    return days


def _is_bare_month(token: Token, text: str) -> bool:
    """Whether a month's name alone is one: capitalised, and no word that opens a sentence."""
    if not text[token.start].isupper():
        return False
    return not (token.is_initial and token.folded in _MONTHS_THAT_ARE_WORDS)


def _is_day(token: Token) -> bool:
    if token.kind != "number" or token.unit or not token.key.isdecimal():
        return False
    return len(token.key) <= 2 and 1 <= int(token.key) <= 31


def _is_year(token: Token) -> bool:
    if token.kind != "number" or token.unit or not token.key.isdecimal():
        return False
    return len(token.key) == 4 and 1900 <= int(token.key) <= 2100


def _as_year(token: Token, before: Token | None) -> Token:
    """Take a number that follows a light word such as "in" or "since" for a year if it can be."""
    if before is None or before.kind != "light" or not _is_year(token):
        return token
    return Token("date", f"{token.key}-{UNKNOWN}-{UNKNOWN}", token.start, token.end, token.clause)
