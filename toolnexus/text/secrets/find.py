"""Finding secrets in a text, and masking them."""

from __future__ import annotations

from typing import NamedTuple

from toolnexus.text.secrets.cards import card_spans, may_hold_card
from toolnexus.text.secrets.shapes import SHAPES, compiled
from toolnexus.text.secrets.spoken import ROOTS, spoken_spans
from toolnexus.text.secrets.vendor import ANCHORS, has_long_word, vendor_spans

MASK = "[redacted]"
"""What stands in a secret's place wherever it would be seen."""


_STRONG = tuple(dict.fromkeys([*(a for shape in SHAPES for a in shape.anchors), *ANCHORS]))
_SPACED = ("PRIVATE KEY", "://", "PuTTY-")
_LONG_WORD = r"\S{15}"
_SHORTEST = 4
_FOUR_DIGITS = r"[0-9]{4}"


class Secret(NamedTuple):
    """Something in a text that nobody else should see.

    Attributes:
        start: Offset of its first character; `end` is behind its last.
        kind: What it looks like, for a person, with its article.
    """

    start: int
    end: int
    kind: str


def find_secrets(text: str) -> tuple[Secret, ...]:
    """Find the secrets of a text, in order; they do not overlap.

    Example:
        >>> find_secrets("The wifi password is hunter22.")
        (Secret(start=21, end=29, kind='a password or key'),)
        >>> find_secrets("She keeps her passwords in a manager.")
        ()
    """
    if not may_hold_secret(text):
        return ()
    found = [Secret(*span, shape.kind) for shape in SHAPES for span in shape.spans(text)]
    found += [Secret(*span, "a card number") for span in card_spans(text)]
    found += [Secret(start, end, kind) for kind, start, end in spoken_spans(text)]
    rest = _without(text, found)  # what is known by now needs no loading of others' patterns
    found += [Secret(start, end, kind) for kind, start, end in vendor_spans(rest)]
    return tuple(_apart(found)) if found else ()


def may_hold_secret(text: str) -> bool:
    """Whether a text is worth a closer look; what has no secret mostly is told so at once.

    Example:
        >>> may_hold_secret("Green tea, no sugar."), may_hold_secret("The password is lost.")
        (False, True)
    """
    if compiled(_LONG_WORD).search(text) is not None:
        if has_long_word(text) or any(anchor in text for anchor in _STRONG):
            return True
    elif any(anchor in text for anchor in _SPACED):
        return True
    small = text.lower()
    for root in ROOTS:
        if root in small:
            return True
    if "pin" in small and compiled(_FOUR_DIGITS).search(text) is not None:
        return True
    return may_hold_card(text)


def holds_secret(text: str) -> bool:
    """Whether a secret stands in a text."""
    return bool(find_secrets(text))


def mask(text: str) -> str:
    """Return a text with each of its secrets replaced; one that has none comes back as it is.

    Example:
        >>> mask("The wifi password is hunter22.")
        'The wifi password is [redacted].'
    """
    found = find_secrets(text)
    if not found:
        return text
    parts: list[str] = []
    at = 0
    for secret in found:
        lines = text.count("\n", secret.start, secret.end)
        parts += [text[at : secret.start], MASK, "\n" * lines]  # what follows keeps its line
        at = secret.end
    return "".join([*parts, text[at:]])


def mask_part(text: str, start: int, end: int) -> str:
    """Return a part of a text without the secrets of the whole, which it may hold half of.

    Example:
        >>> mask_part("The PIN is 4821.", 0, 13)
        'The PIN is [redacted]'
    """
    parts: list[str] = []
    at = start
    for secret in find_secrets(text):
        if secret.end > at and secret.start < end:
            parts += [text[at : secret.start], MASK]
            at = secret.end
    return "".join([*parts, text[at:end]])


def shorten(text: str, most: int) -> str:
    """Return a text cut to a length in characters; secrets are masked first, so none is halved.

    Example:
        >>> shorten("The PIN is 4821, and more.", 23), shorten("Tea", 23)
        ('The PIN is [redacted],…', 'Tea')
    """
    text = mask(text)
    return text if len(text) <= most else f"{text[: most - 1]}…"


def mask_lines(shown: str, *sources: str) -> str:
    """Mask a text that was cut, or written anew line by line, from others.

    Args:
        shown: What is to be shown.
        sources: What it was made of: their secrets are looked for line by line.
    """
    for source in sources:
        for secret in find_secrets(source):
            for line in source[secret.start : secret.end].splitlines():
                if len(line.strip()) >= _SHORTEST:
                    shown = shown.replace(line.strip(), MASK)
    return mask(shown)


def _apart(found: list[Secret]) -> list[Secret]:
    """Join what overlaps; the first that was found names the whole."""
    joined: list[Secret] = []
    for secret in sorted(found, key=lambda each: (each.start, -each.end)):
        if joined and secret.start < joined[-1].end:
            last = joined[-1]
            joined[-1] = last._replace(end=max(last.end, secret.end))
        else:
            joined.append(secret)
    return joined


def _without(text: str, found: list[Secret]) -> str:
    """Return a text of the same length with blanks where secrets were found."""
    for start, end, _ in found:
        text = f"{text[:start]}{' ' * (end - start)}{text[end:]}"
    return text
