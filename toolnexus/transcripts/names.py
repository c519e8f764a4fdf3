"""Conversation ids and the names of their files.

An id is any text. The file's name is its percent-encoding in which only ``a-z 0-9 - _`` and inner
dots stand for themselves: two ids that differ in case, or in how an accent is composed, stay apart
on disks that fold either, and no id can name a path. An id whose encoding is over 200 bytes is cut
and ends in ``%~`` and a digest; the first line of such a file carries the whole id under the key
``conversation``, so that it can be told from the file alone.

Files that other tools wrote have whatever names they have. `conversation_id` gives each an id from
which `file_names` leads back to it.
"""

from __future__ import annotations

import os
from functools import lru_cache
from hashlib import blake2b
from urllib.parse import quote, quote_from_bytes, unquote_to_bytes

from toolnexus.errors import UsageError
from toolnexus.files import TEMP_PREFIX

SUFFIX = ".jsonl"
_PLAIN = frozenset(b"abcdefghijklmnopqrstuvwxyz0123456789-_.")
_STEM_CAP_BYTES = 200
_HEAD_BYTES = 120
# No percent-encoding holds "%~", so a name with a digest can't be another id's encoding.
_DIGEST_MARK = "%~"
_NAME_CAP_BYTES = 255
# What macOS and Emacs lay beside a file, and what a crash leaves of one that we were writing.
_COMPANIONS = ("._", ".#", TEMP_PREFIX)


def file_name(conversation: str) -> str:
    """Return the name of the file that a conversation is written to.

    Raises:
        UsageError: when the id is empty or holds half of a surrogate pair.

    Example:
        >>> file_name("2026-11-20-move"), file_name("chat/../Ava")
        ('2026-11-20-move.jsonl', 'chat%2F..%2F%41va.jsonl')
    """
    stem = _encode(conversation)
    if len(stem) > _STEM_CAP_BYTES:
        digest = blake2b(conversation.encode(), digest_size=16).hexdigest()
        head = stem[:_HEAD_BYTES]
        cut = head.rfind("%", _HEAD_BYTES - 2)
        stem = (head if cut < 0 else head[:cut]) + _DIGEST_MARK + digest
    return stem + SUFFIX


def is_cut(name: str) -> bool:
    """Tell whether a file's name holds only part of its id, and the first line the whole."""
    return _DIGEST_MARK in name


def is_transcript(name: str) -> bool:
    """Tell whether a file of this name in a transcripts folder is a transcript.

    A leading dot hides none: an id may begin with one, and other tools do not encode it.

    Example:
        >>> is_transcript("..%2Fx.jsonl"), is_transcript("._a.jsonl"), is_transcript("a.txt")
        (True, False, False)
    """
    return name.endswith(SUFFIX) and not name.startswith(_COMPANIONS) and name != SUFFIX


def printable(name: str) -> str:
    r"""Return a file's name as text that can be shown and kept, bytes that are none replaced.

    Example:
        >>> printable("caf\udce9.jsonl")
        'caf\ufffd.jsonl'
    """
    return os.fsencode(name).decode("utf-8", "replace")


def conversation_id(name: str) -> str:
    """Return the id that a transcript's file name stands for.

    It is the decoded name where that leads back to the file, else the name as it is. For a name
    that `is_cut` the first line knows better.

    Example:
        >>> conversation_id("telegram%2F12.jsonl"), conversation_id("My chat.jsonl")
        ('telegram/12', 'My chat')
    """
    stem = name.removesuffix(SUFFIX)
    raw = os.fsencode(stem)
    try:
        decoded = unquote_to_bytes(raw).decode()
    except UnicodeDecodeError:
        return quote_from_bytes(raw, safe="")
    return decoded if decoded and name in _candidates(decoded) else stem


@lru_cache(256)  # a conversation is appended to again and again
def file_names(conversation: str) -> tuple[str, ...]:
    """Return the names under which a conversation's file may be found, our own first.

    Raises:
        UsageError: when the id is empty or holds half of a surrogate pair.

    Example:
        >>> file_names("My chat")
        ('%4Dy%20chat.jsonl', 'My%20chat.jsonl', 'My chat.jsonl')
    """
    own, *others = _candidates(conversation)
    return (own, *(name for name in others if conversation_id(name) == conversation))


def _candidates(conversation: str) -> list[str]:
    """Return our own name for an id, and those that other tools are likely to have given it."""
    names = [file_name(conversation)]
    stems = (
        quote(conversation, safe=""),
        conversation,
        os.fsdecode(unquote_to_bytes(conversation)),
    )
    for stem in stems:
        name = stem + SUFFIX
        if name not in names and _is_component(name):
            names.append(name)
    return names


def _is_component(name: str) -> bool:
    return (
        is_transcript(name)
        and not {"/", "\0"} & set(name)
        and len(os.fsencode(name)) <= _NAME_CAP_BYTES
    )


def _encode(conversation: str) -> str:
    if not conversation:
        raise UsageError("a conversation's id is empty")
    try:
        data = conversation.encode()
    except UnicodeEncodeError:
        raise UsageError("a conversation's id holds half of a surrogate pair") from None
    encoded = "".join(chr(byte) if byte in _PLAIN else f"%{byte:02X}" for byte in data)
    return "%2E" + encoded[1:] if encoded.startswith(".") else encoded
