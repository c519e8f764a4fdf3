"""Strength: how much of a note is left, as time goes by and nobody asks for it.

It is computed whenever it is read, from the dates in the front matter and the journal of uses, and
never written: asking hourly or yearly gives the same. A note halves in strength with each
half-life since it was last made, looked after, used or praised. A note without a date does not
fade, because nobody can tell how old it is.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from toolnexus.settings.types import EvolveSettings

if TYPE_CHECKING:
    from toolnexus.home.note import Note
    from toolnexus.home.ripening import Ripening, Stability
    from toolnexus.store.uses import NoteUses, Uses

FADING_BELOW = 0.3
"""The strength below which a note is told to be fading, before it has faded."""


def strength(
    note: Note,
    ripening: Ripening,
    uses: Uses,
    now: datetime,
    settings: EvolveSettings = EvolveSettings(),  # noqa: B008 - immutable
) -> float:
    """Tell how strong a note is at a moment: 1 when it was just made or used, towards 0 later.

    Args:
        note: The note.
        ripening: What its front matter says.
        uses: The journal, read.
        now: The moment.
        settings: The half-lives.

    Example:
        >>> from toolnexus.home.ripening import Ripening
        >>> from toolnexus.home.snapshot import Snapshot
        >>> from toolnexus.store.uses import Uses
        >>> note = Snapshot(name="ava").with_texts({"memory/tea.md": ""}).notes["memory/tea.md"]
        >>> made = datetime(2026, 3, 1, tzinfo=UTC)
        >>> ripe = Ripening(stability="transient", created=made)
        >>> strength(note, ripe, Uses(), made + timedelta(days=7))
        0.5
    """
    return strength_of(ripening, uses.of(note.path), now, settings)


def strength_of(
    ripening: Ripening, uses: NoteUses, now: datetime, settings: EvolveSettings
) -> float:
    """Tell how strong a note is, as `strength` does, by its own uses."""
    half_life = half_life_of(ripening.stability, settings)
    since = last_touched(ripening, uses)
    if half_life is None or since is None:
        return 1.0
    return fraction_left(now.astimezone(UTC) - since, half_life)


def fraction_left(age: timedelta, half_life: timedelta | None) -> float:
    """Tell how much is left of what halves with each half-life; all of what has none.

    Example:
        >>> fraction_left(timedelta(days=140), timedelta(days=70))
        0.25
    """
    return 1.0 if half_life is None else float(0.5 ** (max(timedelta(), age) / half_life))


def half_life_of(stability: Stability, settings: EvolveSettings) -> timedelta | None:
    """Return in what time a note of some stability halves in strength; None when it never does."""
    if stability == "permanent":
        return None
    if stability == "stable":
        return settings.stable_half_life
    transient = stability == "transient"
    return settings.transient_half_life if transient else settings.ephemeral_half_life


def last_touched(ripening: Ripening, uses: NoteUses) -> datetime | None:
    """Tell when a note was last made, looked after, used or praised; None when it has no date.

    What its front matter does not date is of no known age, however often it was used: to use a
    note must never be what makes it fade.
    """
    dated = [when for when in (ripening.created, ripening.updated) if when is not None]
    if not dated:
        return None
    return max(when for when in (*dated, uses.last_used, uses.last_praised) if when is not None)
