"""Secrets: what a dream never writes down, whoever said it."""

from __future__ import annotations

import re

from toolnexus.dream.learning.lists import listed
from toolnexus.models.redact import Redactor

_LONG_NUMBER = re.compile(r"(?<![\w.])\d(?:[ -]?\d){11,18}(?!\w)")
_VALUE = re.compile(
    r"\d|[:=]\s*\S|[\"'“„«`]|\b(?:is|ist|lautet|est|es|é)\s+\S*[^\W_]", re.IGNORECASE
)
_FEWEST_DIGITS = 13


def holds_secret(text: str) -> bool:
    """Whether a text holds what looks like a key, a card's number, or a password with its value.

    Example:
        >>> holds_secret("The wifi password is hunter2."), holds_secret("Uses a password manager.")
        (True, False)
        >>> holds_secret("My card is 4111 1111 1111 1111.")
        True
    """
    if Redactor().text(text) != text:
        return True
    if any(_is_card(found[0]) for found in _LONG_NUMBER.finditer(text)):
        return True
    return bool(listed(text, "secret")) and _VALUE.search(text) is not None


def _is_card(written: str) -> bool:
    """Whether a long number passes the check of cards and accounts (Luhn's)."""
    digits = [int(char) for char in written if char.isdecimal()]
    if len(digits) < _FEWEST_DIGITS:
        return False
    doubled = (sum(divmod(2 * digit, 10)) for digit in digits[-2::-2])
    return (sum(digits[-1::-2]) + sum(doubled)) % 10 == 0
