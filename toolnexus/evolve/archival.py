"""Archival: which notes are to go into the archive, told alike to whoever archives and counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolnexus.evolve.strength import fraction_left, half_life_of, strength_of

if TYPE_CHECKING:
    from collections.abc import Container, Iterable
    from datetime import datetime

    from toolnexus.evolve.facts import NoteFacts
    from toolnexus.settings.types import EvolveSettings
    from toolnexus.store.uses import Uses


def due_for_archive(
    facts: Iterable[NoteFacts],
    uses: Uses,
    now: datetime,
    settings: EvolveSettings,
    left_alone: Container[str] = (),
) -> tuple[str, ...]:
    """Return the notes that have faded, and that nothing keeps among the others.

    A link of a soul file keeps a note, and so does one of a live note that has not faded itself.

    Args:
        facts: The facts of all notes of the home, also where only some of them are asked for.
        uses: Its uses and feedback.
        now: The present.
        settings: The half-lives, and the strength below which a note has faded.
        left_alone: Notes that wait for a person, or that one brought back.
    """
    every = tuple(facts)
    below = settings.faded_below
    faded = {
        each.path
        for each in every
        if each.may_fade and strength_of(each.ripening, uses.of(each.path), now, settings) < below
    }
    standing = {
        each.path for each in every if each.path not in faded and _keeps_others(each, now, settings)
    }
    return tuple(
        each.path
        for each in every
        if each.path in faded
        and not each.is_kept
        and each.path not in left_alone
        and standing.isdisjoint(each.linked_by)
    )


def most_at_once(facts: Iterable[NoteFacts], max_change: float) -> tuple[int, int]:
    """Tell how many notes may go into the archive without a person's word, and of how many.

    Args:
        facts: The facts of the notes that are looked at.
        max_change: The share of them (0 to 1) that may go; one may always.

    Example:
        >>> most_at_once((), 0.3)
        (1, 0)
    """
    live = sum(not each.is_source and not each.ripening.is_archived for each in facts)
    return max(1, int(live * max_change)), live


def _keeps_others(facts: NoteFacts, now: datetime, settings: EvolveSettings) -> bool:
    """Whether what a note that has not faded links to is kept by that.

    A daily note never fades, but the day that it tells of is over some time.
    """
    ripening = facts.ripening
    if ripening.is_archived or ripening.is_proposed:
        return False
    if not facts.is_source or facts.day is None:
        return True
    half_life = half_life_of(ripening.stability, settings)
    return fraction_left(now - facts.day, half_life) >= settings.faded_below
