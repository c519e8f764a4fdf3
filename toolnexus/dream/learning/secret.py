"""Secrets: what a dream never writes down, whoever said it."""

from __future__ import annotations

import re

from toolnexus.dream.learning.lists import listed
from toolnexus.text import secrets
from toolnexus.text.lexicon import fold_words, guess_language, light_words
from toolnexus.text.secrets.cards import passes_check

_LONG_NUMBER = re.compile(r"(?<![\w.])\d(?:[ -]?\d){11,18}(?!\w)")
_VALUE = re.compile(
    r"\d|[:=]\s*\S|[\"'“„«`]|\b(?:is|ist|lautet|est|es|é)\s+\S*[^\W_]", re.IGNORECASE
)
_FEWEST_DIGITS = 13
_PHRASE = re.compile(r"(?<![^\W\d_])(?:[a-zà-ÿ]{3,8}(?:[\s,;|]|\d+[.):]){1,6}){11}[a-zà-ÿ]{3,8}\b")
"""Twelve short words in small letters: what a wallet or an account is recovered with."""
_MOST_LIGHT = 2
"""So many of them may be words such as "about": prose has more."""


def holds_secret(text: str) -> bool:
    """Whether a text holds what looks like a key, a card's number, or a password with its value.

    Example:
        >>> holds_secret("The wifi password is hunter2."), holds_secret("Uses a password manager.")
        (True, False)
        >>> holds_secret("My card is 4111 1111 1111 1111.")
        True
        >>> holds_secret("acid able oak zoo abuse act add age aim air yard arm")
        True
    """
    if secrets.holds_secret(text):
        return True
    if any(_is_card(found[0]) for found in _LONG_NUMBER.finditer(text)):
        return True
    if any(_is_phrase(found[0]) for found in _PHRASE.finditer(text)):
        return True
    return bool(listed(text, "secret")) and _VALUE.search(text) is not None


def _is_card(written: str) -> bool:
    """Whether a long number passes the check of cards and accounts (Luhn's)."""
    digits = "".join(filter(str.isdecimal, written))
    return len(digits) >= _FEWEST_DIGITS and passes_check(digits)


def _is_phrase(written: str) -> bool:
    """Whether words say nothing together: a recovery phrase, and no prose."""
    folded = [word for word in fold_words(written) if word.isalpha()]
    light = light_words(guess_language(folded))
    return sum(word in light for word in folded) <= _MOST_LIGHT
