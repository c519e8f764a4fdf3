"""Which turn is which, and what an imported conversation is called."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from toolnexus.transcripts.importers.content import digest
from toolnexus.transcripts.importers.importer import Said, Skip
from toolnexus.transcripts.names import file_name, is_cut
from toolnexus.transcripts.timestamp import to_microseconds

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from toolnexus.transcripts.turn import Turn

_DATE = re.compile(r"\d{4}-\d{2}-\d{2}-")
_HEAD_CHARS = 12  # of a name too long for a file's; each may take twelve bytes there
REPEATED = "the same turn twice"


class TurnKeys:
    """Gives each turn of one conversation, in order, a key by which it is known again.

    A turn with an id is known by that. One without is known by what it says and when, and by how
    often the same was said before: "ok" and "ok" are two turns.
    """

    def __init__(self) -> None:
        self._said: Counter[str] = Counter()

    def key(self, turn: Turn) -> str:
        """Return the key of the next turn."""
        if turn.id:
            return f"id:{turn.id}"
        content = content_key(turn)
        self._said[content] += 1
        return f"{content}#{self._said[content]}"


def content_key(turn: Turn) -> str:
    """Return what stands for a turn's words, its role and its instant, whatever its id."""
    ts = "" if turn.ts is None or turn.inherited else str(to_microseconds(turn.ts))
    return digest(turn.role, turn.text, turn.tool_text, ts, _calls(turn))


def _calls(turn: Turn) -> str:
    calls = turn.record.get("tool_calls")
    if turn.text or calls is None:
        return ""
    try:
        return json.dumps(calls, sort_keys=True)
    except (TypeError, ValueError, RecursionError):
        return ""


def unique(items: Iterable[Said]) -> list[Said | Skip]:
    """Leave out turns that stand there twice; of two turns with one id the second loses it.

    Tools repeat a row when they write it again; an id that they give to two things is none.
    """
    contents: dict[str, str] = {}
    told: list[Said | Skip] = []
    for said in items:
        turn = said.turn
        content = content_key(turn)
        if not turn.id or turn.id not in contents:
            contents[turn.id] = content
            told.append(said)
        elif contents[turn.id] == content:
            told.append(Skip(REPEATED, said.line))
        else:
            told.append(replace(said, turn=replace(turn, id="")))
    return told


def is_same_talk(one: set[str], other: set[str]) -> bool:
    """Tell by the content keys of their turns whether two files hold one conversation.

    They do when more than half of the shorter one's turns stand in the longer one.

    Example:
        >>> is_same_talk({"a", "b"}, {"a", "b", "c"}), is_same_talk({"a", "b"}, {"a", "c"})
        (True, False)
    """
    return 2 * len(one & other) > min(len(one), len(other)) or not one or not other


def conversation_name(importer: str, name: str, started: datetime | None) -> str:
    """Name a conversation after its day, its tool and the tool's own id.

    Example:
        >>> conversation_name("codex", "7f3a", None)
        'codex-7f3a'
    """
    date = "" if started is None else f"{started:%Y-%m-%d}-"
    return date + undated_name(importer, name)


def undated_name(importer: str, name: str) -> str:
    """Return the part of a conversation's name that stays, whatever is found out of its day."""
    return f"{importer}-{fitted(name, before=f'0000-00-00-{importer}-')}"


def fitted(name: str, *, before: str = "") -> str:
    """Shorten a name that is too long to be a file's, a digest standing for the rest.

    Args:
        name: Any text.
        before: What will stand before it.
    """
    if name and not is_cut(file_name(before + name)):
        return name
    return f"{name[:_HEAD_CHARS]}~{digest(name)}"


def without_date(conversation: str) -> str:
    """Return a conversation's name without the day that it begins with.

    Example:
        >>> without_date("2026-11-20-codex-7f3a")
        'codex-7f3a'
    """
    return _DATE.sub("", conversation, count=1) if _DATE.match(conversation) else conversation
