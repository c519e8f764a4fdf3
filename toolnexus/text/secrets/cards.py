"""Numbers of payment cards: as long as an issuer makes them, and right by their check digit."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from toolnexus.text.secrets.shapes import compiled

if TYPE_CHECKING:
    from collections.abc import Iterator

_MANY_DIGITS = r"[0-9](?:[ -]?[0-9]){12}"
_LONG = r"(?<![\w.-])[0-9](?:[ -]?[0-9]){12,18}(?![\w-])"
# Issuers' numbers; instants in milliseconds and books' numbers begin otherwise.
_ISSUED = (
    r"4\d{12}(?:\d{3}){0,2}|5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}"
    r"|3[47]\d{13}|6(?:011|5\d\d)\d{12}|35\d{14}|3(?:0[0-5]|[68]\d)\d{11}"
)


def may_hold_card(text: str) -> bool:
    """Whether so many digits stand in a row as a card's number has."""
    return compiled(_MANY_DIGITS).search(text) is not None


def card_spans(text: str) -> Iterator[tuple[int, int]]:
    """Yield where numbers of cards stand in a text."""
    if not may_hold_card(text):
        return
    for found in compiled(_LONG).finditer(text):
        digits = found[0].replace(" ", "").replace("-", "")
        if digits.isascii() and re.fullmatch(_ISSUED, digits) and passes_check(digits):
            yield found.span()


def passes_check(digits: str) -> bool:
    """Whether a number passes the check of cards and accounts (Luhn's).

    Example:
        >>> passes_check("4111111111111111"), passes_check("4111111111111112")
        (True, False)
    """
    numbers = [int(digit) for digit in digits]
    doubled = (sum(divmod(2 * number, 10)) for number in numbers[-2::-2])
    return (sum(numbers[-1::-2]) + sum(doubled)) % 10 == 0
