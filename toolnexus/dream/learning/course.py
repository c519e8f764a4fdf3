"""Courses: all that a pass has to learn from, and how far it got."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolnexus.dream.learning.lesson import find_portions, make_lessons
from toolnexus.dream.turn_source import place_of
from toolnexus.home.claims import all_claims
from toolnexus.home.drafts.draft import Refusal

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from toolnexus.dream.learning.lesson import Lesson, Portion
    from toolnexus.dream.turn_source import SearchedTurns
    from toolnexus.home.snapshot import Snapshot
    from toolnexus.transcripts.cursor import Cursor


class Course:
    """The turns that a pass learns from.

    Args:
        turns: The transcripts, refreshed.
        learnt: How far each conversation was learnt from before.
    """

    def __init__(self, turns: SearchedTurns, learnt: Mapping[str, Cursor]) -> None:
        now = {cursor.conversation: cursor for cursor in turns.index.cursors()}
        self._roles = turns.roles
        self._learnt = {name: cursor for name, cursor in learnt.items() if name in now}
        self._portions = tuple(find_portions(turns, self._learnt, now))
        self._done = {id(portion) for portion in self._portions if not portion.own}

    @property
    def places(self) -> frozenset[tuple[str, int]]:
        """Where the turns stand that a fact may be learnt from."""
        return frozenset(place_of(turn) for portion in self._portions for turn in portion.turns)

    @property
    def left(self) -> int:
        """How many turns of the user's are left for the next pass."""
        return sum(portion.own for portion in self._portions if id(portion) not in self._done)

    @property
    def cut(self) -> tuple[Refusal, ...]:
        """The turns that were too long to be shown whole."""
        return tuple(
            Refusal(
                f"learn from {turn.address}",
                "it is too long to be shown whole: its end was not learnt from",
                "tell the persona what matters of it in a few words",
            )
            for portion in self._portions
            if id(portion) in self._done
            for turn in portion.long
        )

    def lessons(self, home: Snapshot) -> Iterator[Lesson]:
        """Yield what is to be put to the model, lesson by lesson."""
        if any(portion.own for portion in self._portions):
            yield from make_lessons(self._portions, tuple(all_claims(home)), self._roles)

    def finish(self, lesson: Lesson) -> None:
        """Note that a lesson was put to the model."""
        self._done.update(map(id, lesson.portions))

    def learnt(self) -> dict[str, Cursor]:
        """Return how far each conversation is learnt from now; no portion is passed over."""
        learnt, stopped = dict(self._learnt), set[str]()
        for portion in self._portions:
            name = portion.end.conversation
            if name in stopped or not self._is_done(portion):
                stopped.add(name)
                continue
            learnt[name] = portion.end
        return learnt

    def _is_done(self, portion: Portion) -> bool:
        return id(portion) in self._done
