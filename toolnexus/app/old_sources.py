"""Old sources: conversations and raw notes that are due to be extracted, and how facts are judged.

They are read and judged as a dream learns from new turns: the same lessons, the same guard, the
same rules of what makes a fact. A raw note stands for turns of its author's.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partial
from itertools import chain
from typing import TYPE_CHECKING, Any

from toolnexus.app.due_sources import due_conversations, read_reached
from toolnexus.dream.guard import Facts, Request
from toolnexus.dream.learning.course import Course
from toolnexus.dream.learning.judge import Learning
from toolnexus.dream.learning.known import Known
from toolnexus.dream.learning.learnt import learnt_value
from toolnexus.dream.learning.lesson import Portion, make_lessons
from toolnexus.dream.recalled import recalled_of
from toolnexus.errors import UsageError
from toolnexus.evolve.compacting.extract import Fact, Lesson
from toolnexus.evolve.due import born, drawn_refs, is_due_for_extraction
from toolnexus.home.claims import all_claims
from toolnexus.home.resolve import resolve_target
from toolnexus.home.ripening import TRANSCRIPT, ripening_of
from toolnexus.home.scope import in_scope
from toolnexus.text.fold import fold_claim
from toolnexus.transcripts.cursor import Cursor
from toolnexus.transcripts.turn import Turn

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from datetime import datetime, timedelta

    from toolnexus.agent.memory_actions import MemoryArguments
    from toolnexus.dream.learning.lesson import Lesson as DreamLesson
    from toolnexus.dream.turn_source import SearchedTurns
    from toolnexus.home.note import Note
    from toolnexus.home.snapshot import Snapshot

_TURN_CHARS = 2_000
"""How much of a raw note makes one turn."""


@dataclass(frozen=True, slots=True)
class Ground:
    """What facts are judged by, beside the sources.

    Attributes:
        turns: The transcripts, refreshed.
        owner: Whose memory it is.
        past: Claims that stood in memory before.
        waiting: The folds of facts that wait for a person.
    """

    turns: SearchedTurns
    owner: str = ""
    past: tuple[str, ...] = ()
    waiting: frozenset[str] = frozenset()


class OldSources:
    """The sources of a home that are due; see `extract.Teacher`.

    Args:
        home: The home as read.
        ground: What facts are judged by.
        now: The moment that ages are counted to.
        age: The age from which a source is due.
        kept: How far sources were extracted from, as `learnt` gave it; anything at all will do.
        scope: Only notes in this folder, and no conversations; empty for all.
    """

    def __init__(
        self,
        home: Snapshot,
        ground: Ground,
        now: datetime,
        age: timedelta,
        *,
        kept: Any = None,
        scope: str = "",
    ) -> None:
        self._home = home
        self._ground = ground
        self._now, self._age, self._scope = now, age, scope
        self._reached = read_reached(kept)
        self._done: dict[str, str] = {}
        self._given: list[DreamLesson] = []

    def due(self, home: Snapshot) -> Sequence[str]:
        """Return the sources that are due; the home is the one that this was made for."""
        del home
        talks = [f"{TRANSCRIPT}{name}" for name in self._conversations]
        return [*talks, *self._raw]

    def lessons(self, home: Snapshot) -> Iterator[Lesson]:
        """Yield what is due, conversations first."""
        talks = self._course.lessons(home) if self._conversations else iter(())
        for number, lesson in enumerate(chain(talks, self._note_lessons(home))):
            self._given.append(lesson)
            yield Lesson(number, lesson.render("").strip(), tuple(self._shown_in(lesson)))

    def _note_lessons(self, home: Snapshot) -> Iterator[DreamLesson]:
        portions = [Portion(turns, Cursor(path), len(turns)) for path, turns in self._raw.items()]
        claims = tuple(all_claims(self._without_raw(home)))
        return make_lessons(portions, claims, self._ground.turns.roles)

    def _shown_in(self, lesson: DreamLesson) -> Iterator[str]:
        """Yield the sources that a lesson shows."""
        for name in dict.fromkeys(portion.end.conversation for portion in lesson.portions):
            yield name if name in self._raw else f"{TRANSCRIPT}{name}"

    def judge(self, home: Snapshot, arguments: MemoryArguments, before: Sequence[Fact]) -> Fact:
        """Return a fact that may be kept, or that waits.

        Raises:
            UsageError: when it may not be kept.
        """
        text = arguments.text
        if any(fold_claim(fact.text) == fold_claim(text) for fact in before):
            raise UsageError("this was said already", hint="go on with the next fact")
        request = Request("add", None, text, arguments.evidence)
        judged = self._learning.judge(request, self._facts, self._without_raw(home), "")
        if judged.answer == "refuse":
            raise UsageError(judged.reason, hint=judged.next)
        source = judged.evidence[0].conversation
        named = source if source in self._raw else f"{TRANSCRIPT}{source}"
        own = tuple(each for each in judged.evidence if each.conversation == source)
        return Fact(text, named, own, "" if judged.is_accepted else judged.reason)

    def finish(self, lesson: Lesson) -> None:
        """Note that a lesson was put to the model."""
        raw = [path for path in lesson.sources if path in self._raw]
        self._done |= {path: self._home.notes[path].digest for path in raw}
        if not raw:
            self._course.finish(self._given[lesson.number])

    def learnt(self) -> dict[str, object]:
        """Return how far sources are extracted from now, for JSON."""
        cursors = dict(self._reached.conversations)
        if self._conversations:
            reached = self._course.learnt()
            cursors |= {name: reached[name] for name in self._conversations if name in reached}
        return {
            "conversations": learnt_value(cursors),
            "notes": {**self._reached.notes, **self._done},
        }

    @cached_property
    def _named(self) -> frozenset[str]:
        """What notes name as what they were extracted from."""
        return drawn_refs(self._home)

    @cached_property
    def _conversations(self) -> tuple[str, ...]:
        if self._scope:
            return ()
        index = self._ground.turns.index
        return due_conversations(index, self._reached, self._named, self._now, self._age)

    @cached_property
    def _course(self) -> Course:
        turns = self._ground.turns
        now = {cursor.conversation: cursor for cursor in turns.index.cursors()}
        due, kept = set(self._conversations), self._reached.conversations
        start = {name: cursor for name, cursor in now.items() if name not in due}
        return Course(turns, start | {n: c for n, c in kept.items() if n in due})

    @cached_property
    def _raw(self) -> dict[str, tuple[Turn, ...]]:
        """The raw notes that are due, each as turns."""
        home = self._home
        named = {resolve_target(home.names, "", name).path for name in self._named}
        found = {}
        for path, note in home.notes.items():
            ripening = ripening_of(note)
            if not in_scope(path, self._scope):
                continue
            is_old = is_due_for_extraction(note, ripening, self._now, self._age)
            if is_old and self._reached.leaves_note(path, note.digest, is_drawn=path in named):
                found[path] = tuple(turns_of(note, born(note, ripening)))
        return found

    def _without_raw(self, home: Snapshot) -> Snapshot:
        """Return a home without what is to be extracted: it is not what memory knows already."""
        raw = [path for path in self._raw if path in home.notes]
        return home.with_texts(dict.fromkeys(raw)) if raw else home

    @cached_property
    def _learning(self) -> Learning:
        places = set(self._course.places) if self._conversations else set()
        places |= {
            (turn.conversation, turn.number) for turns in self._raw.values() for turn in turns
        }
        return Learning(frozenset(places), self._ground.waiting, Known(self._ground.owner))

    @cached_property
    def _facts(self) -> Facts:
        ground = self._ground
        roles = frozenset(ground.turns.roles) | ({"user"} if self._raw else frozenset())
        return Facts(
            turns=_Turns(ground.turns, self._raw),
            owner=ground.owner,
            evidence_roles=roles,
            recalled=recalled_of(self._without_raw(self._home), partial(iter, ground.past)),
            may_add=True,
        )


@dataclass(frozen=True, slots=True)
class _Turns:
    """The transcripts' turns, and raw notes as turns; a `TurnSource`."""

    talks: SearchedTurns
    notes: Mapping[str, tuple[Turn, ...]]

    def find_turn(self, conversation: str, ref: int | str) -> Turn | None:
        if conversation in self.notes:
            return next((t for t in self.notes[conversation] if str(t.number) == str(ref)), None)
        return self.talks.find_turn(conversation, ref)

    def turns_around(self, conversation: str, number: int, count: int) -> Sequence[Turn]:
        if conversation in self.notes:
            return [t for t in self.notes[conversation] if abs(t.number - number) <= count]
        return self.talks.turns_around(conversation, number, count)

    def turns_about(self, words: str) -> Iterable[Turn]:
        return self.talks.turns_about(words)


def turns_of(note: Note, said: datetime | None) -> Iterator[Turn]:
    """Yield what a raw note claims as turns of its author's, a few claims each."""
    held: list[str] = []
    number = 1
    for claim in note.document.claims:
        if held and len("\n".join([*held, claim.text])) > _TURN_CHARS:
            yield Turn("user", "\n".join(held), said, conversation=note.path, number=number)
            held, number = [], number + 1
        held.append(claim.text)
    if held:
        yield Turn("user", "\n".join(held), said, conversation=note.path, number=number)
