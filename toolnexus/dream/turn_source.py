"""Turns as the guard looks them up: the transcript search behind its protocol."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from toolnexus.dream.guard.case import EPOCH
from toolnexus.errors import UsageError
from toolnexus.transcripts.hit import parse_filters
from toolnexus.transcripts.query import parse_query
from toolnexus.transcripts.search import find_speeches

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from datetime import datetime

    from toolnexus.transcripts.search_index import TranscriptIndex
    from toolnexus.transcripts.turn import Turn

_QUERY_CHARS = 1_000
_LIMIT = 50
_NO_PHRASES = dict.fromkeys(map(ord, '"“”„«»'), " ")
"""A claim's quotation marks must not ask the search for the very phrase: that may have changed."""


def place_of(turn: Turn) -> tuple[str, int]:
    """Return where a turn stands."""
    return (turn.conversation, turn.number)


def order_of(turn: Turn) -> tuple[datetime, str, int]:
    """Return what turns are put in time order by; those without an instant come first."""
    return (turn.ts or EPOCH, turn.conversation, turn.number)


@dataclass(frozen=True, slots=True)
class SearchedTurns:
    """The turns of a home.

    Attributes:
        index: The transcripts, refreshed.
        roles: The roles whose turns are evidence by themselves.
    """

    index: TranscriptIndex
    roles: tuple[str, ...] = ("user",)

    def find_turn(self, conversation: str, ref: int | str) -> Turn | None:
        """Return a turn by its number or its own id; None when there is none."""
        try:
            return self.index.find_turn(conversation, ref)
        except (UsageError, OverflowError):  # no text, or no number, that a turn could have
            return None

    def turns_around(self, conversation: str, number: int, count: int) -> Sequence[Turn]:
        """Return a turn with up to `count` turns on either side."""
        return self.index.turns_around(conversation, number, count)

    def turns_about(self, words: str) -> Iterable[Turn]:
        """Return the turns that may speak of something, those that fit best first."""
        yield from self.search(words, self.roles, _LIMIT)

    def search(self, words: str, roles: Iterable[str], limit: int) -> Iterator[Turn]:
        """Yield the turns of some roles that fit some words best."""
        query = parse_query(words[:_QUERY_CHARS].translate(_NO_PHRASES))
        if not query.words:
            return
        for role in roles:
            filters = parse_filters(after=None, before=None, role=role, conversation=None)
            look = partial(find_speeches, query=query, filters=filters, limit=limit)
            yield from (turn for _, turn in self.index.find(look))
