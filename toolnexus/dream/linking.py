"""The links phase: what can be repaired for certain is, the rest is reported."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolnexus.dream.types import Unresolved
from toolnexus.home.claims import holds_claims
from toolnexus.home.operations.relink import bare_target, broken_links, relink_in
from toolnexus.home.repair import certain_target, suggestions

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from toolnexus.home.drafts.draft import Draft
    from toolnexus.home.snapshot import Snapshot

SUGGESTED = 100
"""For how many names of links suggestions are sought; each costs a look at every note's names."""


def repair_links(draft: Draft, renamed: Mapping[str, str]) -> bool:
    """Repair every link that exactly one target fits; tell whether any was.

    Args:
        draft: The pass.
        renamed: Where notes went that were renamed or merged in the past, by old path.
    """
    repaired = False
    for path, name, to_path in list(_certain(draft.home, renamed)):
        repaired |= draft.take(relink_in(draft.home, path, name, to_path))
    return repaired


def find_unresolved(home: Snapshot) -> tuple[Unresolved, ...]:
    """List the links that lead nowhere or could lead to several notes.

    Suggestions are sought for the first hundred names: a person mends those first.
    """
    found = []
    known: dict[str, tuple[str, ...]] = {}
    for path, resolutions in home.resolutions.items():
        note = home.notes[path]
        for link, resolution in zip(note.document.links, resolutions, strict=True):
            if resolution.path is None:
                written = home.text(path)[link.start : link.end]
                name = bare_target(link.target)
                if name not in known and not resolution.candidates and len(known) < SUGGESTED:
                    known[name] = suggestions(home, link)
                candidates = resolution.candidates or known.get(name, ())
                found.append(Unresolved(path, link.line, written, tuple(candidates)))
    return tuple(sorted(found, key=lambda one: (one.path, one.line)))


def _certain(home: Snapshot, renamed: Mapping[str, str]) -> Iterator[tuple[str, str, str]]:
    """Yield each file and broken name once, with the one note that it must mean."""
    for path in home.resolutions:
        note = home.notes[path]
        if not (note.is_writable and holds_claims(note)):
            continue
        seen: set[str] = set()
        for link in broken_links(home, note):
            name = bare_target(link.target)
            if name in seen:
                continue
            seen.add(name)
            target = certain_target(home, path, link, renamed)
            if target is not None:
                yield path, name, target
