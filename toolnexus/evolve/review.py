"""Review: notes that are not ripe yet and were found wanting, for a person to look at."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolnexus.home.finding import Finding
from toolnexus.home.ripening import ripening_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolnexus.home.ripening import Ripening
    from toolnexus.home.snapshot import Snapshot
    from toolnexus.store.uses import NoteUses, Uses

RULE = "needs-review"
_UNRIPE = frozenset({"raw", "extracted"})


def needs_review(ripening: Ripening, uses: NoteUses) -> bool:
    """Whether the last feedback on a raw or extracted note was below 0, and nobody saw to it since.

    Args:
        ripening: What the note's front matter says; a later `updated` says that it was seen to.
        uses: Its uses and feedback.
    """
    if ripening.stage not in _UNRIPE or ripening.is_archived or uses.last_feedback is None:
        return False
    if ripening.updated is not None and ripening.updated > uses.last_feedback:
        return False
    return uses.last_score < 0


def check_feedback(home: Snapshot, uses: Uses) -> Iterator[Finding]:
    """Yield ``needs-review`` for each note that needs it.

    Args:
        home: The home as read.
        uses: The journal, read.
    """
    blamed = (path for path, own in uses.by_path.items() if own.last_score < 0)
    for path in sorted(path for path in blamed if path in home.notes):
        own = uses.of(path)
        ripening = ripening_of(home.notes[path])
        if needs_review(ripening, own):
            why = f": {own.reasons[-1].text}" if own.reasons and own.reasons[-1].score < 0 else ""
            message = f"{ripening.stage} and found wanting ({own.last_score:+g}){why}"
            last = f" after {own.last_feedback:%Y-%m-%dT%H:%M:%SZ}" if own.last_feedback else ""
            hint = f"mend it and set 'updated' to an instant{last}, raise its 'stage', or delete it"
            yield Finding(path, 0, RULE, "warning", " ".join(message.split()), hint)
