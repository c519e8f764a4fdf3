"""Feedback on notes, and the uses of them: what a home's journal is told, and what it says."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from toolnexus.errors import ToolnexusError, UsageError
from toolnexus.evolve.review import check_feedback, needs_review
from toolnexus.home.layout import DREAM_FILE, SOUL_FILES
from toolnexus.home.operations.step import find_target, target_path
from toolnexus.home.ripening import ripening_of
from toolnexus.home.scope import parse_scope
from toolnexus.store.locate import locate
from toolnexus.store.uses import Use

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from toolnexus.app.parts import Parts
    from toolnexus.app.results import Feedback
    from toolnexus.home.finding import Finding
    from toolnexus.home.snapshot import Snapshot
    from toolnexus.store.uses import NoteUses, Uses

LONGEST_REASON = 1_000
"""How many characters a reason has at most."""
_IN_PROMPT = frozenset({*SOUL_FILES, DREAM_FILE})
_USE_WAIT_SECONDS = 0.5


def give_feedback(
    home: Parts, slug: str, score: float, reason: str = "", scope: str = ""
) -> Feedback:
    """Write down how well a note served; the note itself stays as it is.

    Args:
        home: The home.
        slug: The note's slug, path, title or alias; ``self`` and ``user`` stand for MEMORY.md and
            USER.md.
        score: How well it served, -1 to 1.
        reason: Why; secrets in it are masked.
        scope: The folder of notes to look in, as `parse_scope` takes it.

    Raises:
        UsageError: when there is no such note or scope, or several notes, or the score or reason
            will not do.
        LockedError: when other processes keep writing to the journal.
        DiskError: when the disk is full or failing; nothing was written down.
    """
    from toolnexus.app.results import Feedback

    worth, words = _checked_score(score), _checked_reason(reason)
    path = _path_of(home, slug, scope)
    home.store.ensure_state()
    home.uses.append(Use(path, home.clock.now(), "feedback", worth, words), durable=True)
    after = _uses_of_one(home, path)
    review = worth < 0 and _needs_review(home, path, after)
    return Feedback(path, worth, round(after.boost, 4), after.feedbacks, review)


def _needs_review(home: Parts, path: str, uses: NoteUses) -> bool:
    from toolnexus.store.locate import read_front

    note = read_front(home.root, home.store.layout, path)
    return note is not None and needs_review(ripening_of(note), uses)


def uses_of(home: Parts, snapshot: Snapshot) -> Uses:
    """Return the uses and feedback of a home's notes, those of renamed ones where they went."""
    return home.uses.read().following(snapshot.moved, snapshot.notes)


def feedback_findings(home: Parts, snapshot: Snapshot) -> Iterator[Finding]:
    """Yield what feedback asks a person to look at."""
    yield from check_feedback(snapshot, uses_of(home, snapshot))


def record_uses(home: Parts, paths: Iterable[str]) -> None:
    """Write down that notes were used in an answer; what hinders that hinders no answer.

    Args:
        home: The home.
        paths: The notes; what rides in every prompt anyway is left out.
    """
    used = [path for path in dict.fromkeys(paths) if path not in _IN_PROMPT]
    if not used:
        return
    now = home.clock.now()
    with contextlib.suppress(ToolnexusError):
        home.store.ensure_state()
        home.uses.append(*(Use(path, now) for path in used), timeout_seconds=_USE_WAIT_SECONDS)


def _checked_score(score: object) -> float:
    """Return a score that is one.

    Raises:
        UsageError: when it is no number from -1 to 1.
    """
    is_flag = isinstance(score, bool)
    if is_flag or not isinstance(score, int | float) or not -1 <= score <= 1:
        raise UsageError(f"{score!r} is no score", hint="give a number from -1 (bad) to 1 (good)")
    return float(score)


def _checked_reason(reason: object) -> str:
    """Return a reason on one line, with the secrets in it masked.

    Raises:
        UsageError: when it is no text, or too long a one.
    """
    if not isinstance(reason, str):
        raise UsageError("a reason is a text", hint="say in words why the note was good or bad")
    words = " ".join(reason.split())
    if len(words) > LONGEST_REASON:
        hint = f"say it in at most {LONGEST_REASON:,} characters"
        raise UsageError(f"the reason has {len(words):,} characters", hint=hint)
    if not words:
        return ""
    from toolnexus.text.secrets import mask  # takes time to load

    return mask(words)


def _path_of(home: Parts, slug: object, scope: str) -> str:
    """Find the note that is meant: by names alone where that is enough, else by reading the home.

    Raises:
        UsageError: when there is no such note or scope, or several notes.
    """
    if not isinstance(slug, str) or not slug.strip():
        raise UsageError("no note is named", hint="name a note by its slug")
    name = slug.strip().removeprefix("[[").removesuffix("]]")
    if target_path(name) is None and not scope:
        found = locate(home.root, home.store.layout, name)
        if found is not None:
            return found
    snapshot = home.read()
    note = find_target(snapshot.within(parse_scope(scope, snapshot.layout, snapshot.notes)), name)
    if note is None:
        raise UsageError(f"{target_path(name)} is not written yet", hint="name a note by its slug")
    return note.path


def _uses_of_one(home: Parts, path: str) -> NoteUses:
    """Return a note's uses and feedback, those from before it was renamed among them."""
    moved = home.store.renames()
    olds = [old for old, new in moved.items() if new == path and not (home.root / old).exists()]
    found = home.uses.read_of([path, *olds])
    return found.following(dict.fromkeys(olds, path), ()).of(path)
