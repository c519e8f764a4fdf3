"""Derivation: what a note says that it was made of, as far as it is there."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from toolnexus.home.resolve import resolve_target
from toolnexus.home.ripening import TRANSCRIPT, LinkKind, ripening_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolnexus.home.snapshot import Snapshot

MADE_OF: tuple[LinkKind, ...] = ("derived_from", "distilled_from", "merged_from")
"""The typed links that tell what a note was made of."""

_TURN = re.compile(rf"{TRANSCRIPT}[^#\s][^#\n]*#[1-9][0-9]*")


def sources_of(home: Snapshot, path: str) -> Iterator[str]:
    r"""Yield what a note was made of: paths of other notes, turns as they are written.

    What is not there, or could be several notes, is left out. Whether a turn is there only the
    transcripts tell: how it is written is all that is asked here.

    Args:
        home: The home as read.
        path: The note.

    Example:
        >>> from toolnexus.home.snapshot import Snapshot
        >>> tea = '---\nderived_from: [cup, gone, "transcript:trip#4"]\n---\n- Hot.\n'
        >>> home = Snapshot("ava").with_texts({"memory/tea.md": tea, "memory/cup.md": "- Red."})
        >>> list(sources_of(home, "memory/tea.md"))
        ['memory/cup.md', 'transcript:trip#4']
    """
    links = ripening_of(home.notes[path]).links
    for name in (name for kind in MADE_OF for name in links.get(kind, ())):
        if name.startswith(TRANSCRIPT):
            if _TURN.fullmatch(name):
                yield name
            continue
        found = resolve_target(home.names, path, name).path
        if found is not None and found != path and found in home.notes:
            yield found
