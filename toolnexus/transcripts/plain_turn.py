"""The quick way to read a line for the search: what most lines are, and nothing else.

Nearly every turn is an object with a role, a text as its content and an instant. Such a line is
read here at a third of the cost; for any other the answer is None, and `turn_parse` reads it. Where
both can, both say the same, which a test proves.
"""

from __future__ import annotations

from typing import NamedTuple

from toolnexus.transcripts.timestamp import parse_timestamp, to_microseconds
from toolnexus.transcripts.turn import ROLES
from toolnexus.transcripts.turn_parse import DECODER

ROLE_NUMBERS: dict[str, int] = {role: number for number, role in enumerate(ROLES)}


class PlainTurn(NamedTuple):
    """A turn whose content is text.

    Attributes:
        role: Position in `turn.ROLES`.
        text: What that role says.
        ts: Microseconds since 1970; None for none of its own.
        id: Its own id; empty when it has none.
    """

    role: int
    text: str
    ts: int | None
    id: str


def parse_plain(line: bytes) -> PlainTurn | None:
    r"""Read a line that is a plain turn.

    Args:
        line: Its bytes, with or without the newline.

    Returns:
        The turn; None for every line that takes a closer look, be it right or wrong.

    Example:
        >>> parse_plain(b'{"role": "user", "content": "hello"}\n')
        PlainTurn(role=0, text='hello', ts=None, id='')
        >>> parse_plain(b'{"role": "user", "content": ["hello"]}\n') is None
        True
    """
    if b"\\ud" in line or b"\\uD" in line:  # perhaps half of a surrogate pair
        return None
    try:
        text = line.decode().rstrip("\r\n")
        record, end = DECODER.raw_decode(text)
        if end != len(text) or type(record) is not dict:
            return None
        role, said, ts, identity = map(record.get, ("role", "content", "ts", "id"))
        if identity is None:
            identity = ""
        if type(said) is not str or type(role) is not str or type(identity) is not str:
            return None
        instant = None if ts is None else to_microseconds(parse_timestamp(ts))
        return PlainTurn(ROLE_NUMBERS[role], said, instant, identity)
    except (ValueError, KeyError, RecursionError):
        return None
