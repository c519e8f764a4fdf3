"""The turns that claims are put to: the new ones, all of them, or those that a search finds."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from toolnexus.transcripts.cursor import Cursor, NewTurns

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from toolnexus.transcripts.search_index import TranscriptIndex
    from toolnexus.transcripts.turn import Turn

_CANDIDATES = 24
_ANSWERS = 6


@dataclass(frozen=True)  # no slots: what is new is read when it is first needed
class News:
    """What the conversations have beyond what was taken into account before.

    Attributes:
        turns: The transcripts.
        before: How far each conversation was taken into account.
        now: How far each goes.
    """

    turns: TranscriptIndex
    before: Mapping[str, Cursor]
    now: Mapping[str, Cursor]

    @property
    def is_empty(self) -> bool:
        """Whether every conversation is as it was."""
        return self.before == self.now

    @property
    def total(self) -> int:
        """About how many turns there are in all."""
        return sum(cursor.number for cursor in self.now.values())

    @property
    def count(self) -> int:
        """About how many turns are new."""
        grown = sum(len(news.turns) for news in self._grown.values())
        return grown + sum(self.now[conversation].number for conversation in self._unseen)

    @cached_property
    def void(self) -> frozenset[str]:
        """The conversations that are gone or were rewritten: what they said no longer counts."""
        gone = self.before.keys() - self.now.keys()
        return frozenset(gone | {name for name, news in self._grown.items() if news.restarted})

    def new_turns(self) -> Iterator[Turn]:
        """Yield the new turns, each conversation's behind the answer that they may assent to."""
        for conversation, news in self._grown.items():
            if news.turns and not news.restarted:
                first = news.turns[0].number
                around = self.turns.turns_around(conversation, first, 1)
                yield from (turn for turn in around if turn.number < first)
            yield from news.turns
        for conversation in self._unseen:
            yield from self.turns.turns_since(Cursor(conversation)).turns

    def all_turns(self) -> Iterator[Turn]:
        """Yield all turns there are, conversation by conversation."""
        for conversation in self.now:
            yield from self.turns.turns_since(Cursor(conversation)).turns

    @cached_property
    def _grown(self) -> dict[str, NewTurns]:
        return {
            conversation: self.turns.turns_since(cursor)
            for conversation, cursor in self.before.items()
            if conversation in self.now and self.now[conversation] != cursor
        }

    @cached_property
    def _unseen(self) -> tuple[str, ...]:
        return tuple(conversation for conversation in self.now if conversation not in self.before)


def find_candidates(turns: TranscriptIndex, query: str, roles: Sequence[str]) -> list[Turn]:
    """Find the turns that may be evidence about a claim, by conversation in its order.

    Args:
        turns: The transcripts, refreshed.
        query: The claim's words.
        roles: The roles whose turns are evidence; an assistant's answers come with the next turn,
            which may confirm them.
    """
    found: dict[tuple[str, int], Turn] = {}
    for role in roles:
        for hit in turns.search(query, limit=_CANDIDATES, role=role):
            turn = turns.find_turn(hit.conversation, hit.number)
            if turn is not None:
                found[turn.conversation, turn.number] = turn
    if "assistant" not in roles:
        for hit in turns.search(query, limit=_ANSWERS, role="assistant"):
            for turn in turns.turns_around(hit.conversation, hit.number, 1):
                found[turn.conversation, turn.number] = turn
    return [found[place] for place in sorted(found)]
