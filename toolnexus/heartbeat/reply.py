"""Replies: silence, or something that a person should read."""

from __future__ import annotations

import re
import unicodedata

TOKEN = "HEARTBEAT_OK"  # noqa: S105 - a word of the protocol, no secret

_TOKEN = re.compile(r"(?<![^\W_])HEARTBEAT\\?_OK(?![^\W_])", re.IGNORECASE)
_EMPHASIS = frozenset("*_~`")


def is_silence(reply: str, ack_max_chars: int = 0) -> bool:
    """Tell whether a reply says that there is nothing to say.

    That is the token alone; white space, punctuation and Markdown emphasis around it do not count.
    A reply that merely mentions it is news.

    Args:
        reply: What the model said.
        ack_max_chars: How many characters more may stand beside the token, which then has to
            begin or end the reply.

    Example:
        >>> is_silence("**HEARTBEAT_OK**."), is_silence("No HEARTBEAT_OK: the build is red.")
        (True, False)
    """
    if not _TOKEN.search(reply):
        return False
    parts = [_trimmed(part) for part in _TOKEN.split(reply)]
    if parts[0] and parts[-1]:
        return False
    return sum(map(len, parts)) <= ack_max_chars


def _trimmed(text: str) -> str:
    """Take away what does not count at either end."""
    start, end = 0, len(text)
    while start < end and _is_nothing(text[start]):
        start += 1
    while end > start and _is_nothing(text[end - 1]):
        end -= 1
    return text[start:end]


def _is_nothing(char: str) -> bool:
    kind = unicodedata.category(char)[0]
    return char.isspace() or char in _EMPHASIS or kind in "PZC"
