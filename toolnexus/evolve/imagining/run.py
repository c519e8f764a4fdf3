"""One run: look at the live notes, choose what to imagine, tell it, write it, remember it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from toolnexus.change.log import count_words
from toolnexus.clock import format_instant
from toolnexus.evolve.imagining.choice import choose_ideas
from toolnexus.evolve.imagining.divergence import find_topics
from toolnexus.evolve.imagining.material import digest_of_material, gather
from toolnexus.evolve.imagining.telling import tell
from toolnexus.evolve.imagining.tried import past_value, read_past, tries_in
from toolnexus.evolve.imagining.types import Imagining, Telling
from toolnexus.evolve.imagining.writing import write_guess
from toolnexus.home.drafts.draft import Draft
from toolnexus.store.steady import steady

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from toolnexus.change.plan import Plan
    from toolnexus.clock import Clock
    from toolnexus.evolve.imagining.idea import Idea
    from toolnexus.evolve.imagining.material import Piece
    from toolnexus.evolve.imagining.types import ImaginedNote, ImagineOptions
    from toolnexus.home.snapshot import Snapshot
    from toolnexus.store.door import Store

    Tell = Callable[[Snapshot, Sequence[Idea]], Telling]

FEWEST_NOTES = 10
"""A home with fewer live notes has too little that could recur."""
STATE = "imagined"


def tell_offline(home: Snapshot, ideas: Sequence[Idea]) -> Telling:
    """Tell ideas by rule, of the words that their notes share."""
    return Telling(tuple((idea, tell(home, idea)) for idea in ideas), tuple(ideas))


def run_imagining(
    store: Store, clock: Clock, options: ImagineOptions, tell_ideas: Tell = tell_offline
) -> Imagining:
    """Imagine: write a few guesses as proposed notes, and change no other file.

    Args:
        store: The home's one door.
        clock: Tells the time.
        options: How the run is wanted.
        tell_ideas: Makes sentences of ideas.

    Raises:
        LockedError: when another run is under way.
        UsageError: when there can be no such scope.
        DiskError: when the disk is full or failing; the home is as it was.
    """
    with store.hold("imagine"):
        return _Run(store, clock.now(), options).go(tell_ideas)


class _Run:
    """One run, under its lock."""

    def __init__(self, store: Store, now: datetime, options: ImagineOptions) -> None:
        self._store = store
        self._now = now
        self._options = options
        self._past = read_past(store.read_state(STATE))
        self._guesses: tuple[ImaginedNote, ...] = ()

    def go(self, tell_ideas: Tell) -> Imagining:
        """Do it."""
        due = self._past.due_at(self._options.scope, self._options.cooldown, self._now)
        if due is not None:
            reply = f"nothing is imagined before {format_instant(due)}: the last time is too near"
            return Imagining(reply=reply, next_due=due)
        home = self._store.read()
        pieces = gather(home, self._options.scope)
        found = Imagining(notes=len(pieces), topics=len(find_topics(pieces)))
        ideas, why_not = self._choose(home, pieces)
        if why_not:
            return replace(found, reply=f"nothing to imagine: {why_not}")
        telling = tell_ideas(home, ideas) if ideas else Telling()
        done = self._write(replace(found, refused=telling.refused, usage=telling.usage), telling)
        return self._end(done, telling, pieces)

    def _choose(self, home: Snapshot, pieces: Sequence[Piece]) -> tuple[tuple[Idea, ...], str]:
        """Return what to try, or why there is nothing to try."""
        if len(pieces) < FEWEST_NOTES:
            return (), f"it takes {FEWEST_NOTES} live notes, and there are {len(pieces)}"
        if self._past.seen.get(self._seen_name) == digest_of_material(pieces):
            return (), "no note is new since the last time"
        past = self._past.following(self._store.renames())
        return choose_ideas(pieces, (*past.tries, *tries_in(home))), ""

    def _write(self, found: Imagining, telling: Telling) -> Imagining:
        """Write the guesses that there are, or tell what would be written."""
        draft = self._drafted(telling)
        refused = (*found.refused, *draft.refused)
        changes = tuple(draft.changes)
        found = replace(found, imagined=self._guesses, changes=changes, refused=refused)
        if not self._guesses:
            return replace(found, reply="nothing to imagine: nothing new was seen in the notes")
        plan = draft.plan("imagine")
        if self._options.dry_run:
            return replace(found, outcome="dry-run", reply=count_words(plan), writes=plan.writes)

        def replan(fresh: Snapshot) -> Plan:
            return self._draft(fresh, telling).plan("imagine")

        done = self._store.commit(plan, replan=replan)
        return replace(
            found,
            id=done.id,
            outcome="done",
            wrote=bool(done.id),
            reply=count_words(done.plan),
            imagined=self._guesses,
            changes=done.plan.changes,
            writes=done.plan.writes,
        )

    def _drafted(self, telling: Telling) -> Draft:
        """Draft on the home as it is now."""
        return steady(self._store.read, lambda home: self._draft(home, telling))

    def _draft(self, home: Snapshot, telling: Telling) -> Draft:
        """Draft the guesses whose notes still say what they said."""
        draft = Draft(home)
        guesses = []
        for idea, text in telling.told:
            notes = [(piece, home.notes.get(piece.path)) for piece in idea.sources]
            if all(note is not None and note.digest == piece.digest for piece, note in notes):
                guess, step = write_guess(draft.home, idea, text, self._now, self._options.scope)
                if draft.take(step):
                    guesses.append(guess)
        self._guesses = tuple(guesses)
        return draft

    def _end(self, done: Imagining, telling: Telling, pieces: Sequence[Piece]) -> Imagining:
        """Keep what was tried, and tell how the model's part ended."""
        is_whole = not telling.stopped and telling.error is None
        if not self._options.dry_run:
            past = self._past.with_tries(telling.tried, self._options.scope, self._now)
            if is_whole:
                past = past.with_seen(self._seen_name, digest_of_material(pieces))
            self._store.write_state(STATE, past_value(past), durable=bool(telling.tried))
            if telling.tried:
                done = replace(done, next_due=self._now + self._options.cooldown)
        if telling.error is not None:
            reply = f"the model failed: {telling.error.message}; {_kept(done)}"
            notices = (telling.error.hint,) if telling.error.hint else ()
            return replace(done, outcome="failed", reply=reply, notices=notices)
        if telling.stopped:
            reply = f"{_kept(done)}; {telling.stopped}"
            if done.outcome == "dry-run":
                return replace(done, reply=reply)
            return replace(done, outcome="partial", reply=reply)
        return done

    @property
    def _seen_name(self) -> str:
        told_by = "model" if self._options.has_model else "rule"
        return f"{told_by}:{self._options.scope}"


def _kept(done: Imagining) -> str:
    return done.reply if done.imagined else "nothing was written"
