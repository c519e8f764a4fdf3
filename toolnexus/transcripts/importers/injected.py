"""Text that a tool slips into the messages of its user, which the user never said."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection

_OPENING = re.compile(r"<([A-Za-z_][\w-]*)(?:\s[^<>]*)?>")


def without_tagged(text: str, names: Collection[str]) -> str:
    """Cut out everything between the tags of these names, wherever it stands.

    Linear in the text, whatever tags stand in it.

    Example:
        >>> without_tagged("Hi.<note>It rains.</note> Bye.", {"note"})
        'Hi. Bye.'
    """
    kept: list[str] = []
    at = 0
    unclosed: set[str] = set()
    for opening in _OPENING.finditer(text):
        name = opening[1]
        if opening.start() < at or name not in names or name in unclosed:
            continue
        end = _after(text, text.find(f"</{name}", opening.end()))
        if end < 0:
            unclosed.add(name)
            continue
        kept.append(text[at : opening.start()])
        at = end
    return "".join([*kept, text[at:]])


def tagged(text: str, name: str) -> str:
    """Return what stands between the first tags of a name; empty when there are none.

    Example:
        >>> tagged("<args>the blue one</args>", "args")
        'the blue one'
    """
    _, opening, rest = text.partition(f"<{name}>")
    inner, closing, _ = rest.partition(f"</{name}>")
    return inner if opening and closing else ""


def after_leading(text: str, names: Collection[str]) -> str:
    r"""Return what follows the tagged text that a message begins with.

    What is injected may quote its own closing tag; so the last one counts, and where there is none
    nothing is left.

    Example:
        >>> after_leading("<env>here</env>\nFix it.", {"env"})
        'Fix it.'
    """
    rest = text.strip()
    while (opening := _OPENING.match(rest)) and opening[1] in names:
        end = _after(rest, rest.rfind(f"</{opening[1]}"))
        rest = rest[end:].strip() if end > opening.end() else ""
    return rest


def _after(text: str, closing: int) -> int:
    """Return where a closing tag that begins there ends; -1 when it does not."""
    if closing < 0:
        return -1
    end = text.find(">", closing)
    return end + 1 if end >= 0 else -1
