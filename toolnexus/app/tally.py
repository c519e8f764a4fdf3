"""The tally: what an overview needs of a home's documents, kept until any of them changes.

Ten thousand documents take a while to be read and checked. What comes of it hangs on the files
alone, and on what the state folder knows of them; it is kept there under a digest of all that.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from toolnexus.errors import DiskError
from toolnexus.evolve.due import drawn_refs
from toolnexus.evolve.facts import NoteFacts, facts_of, from_rows, to_rows
from toolnexus.home.claims import holds_claims
from toolnexus.home.drafts.same import due_for_merging
from toolnexus.home.ripening import TRANSCRIPT
from toolnexus.home.scope import in_scope
from toolnexus.store.notes import paused_collection
from toolnexus.text.cache import PARSER_VERSION

if TYPE_CHECKING:
    from collections.abc import Mapping

    from toolnexus.app.view import View
    from toolnexus.home.note import Note
    from toolnexus.home.snapshot import Snapshot

STATE = "tally"
VERSION = 3
"""Raise it when what a tally says of the same files changes."""


@dataclass(frozen=True, slots=True)
class Tally:
    """What an overview needs of the documents.

    Attributes:
        counts: Of each file, its claims, its links, and how many of these are broken.
        merge: Notes that say nothing that another one does not say.
        findings: The file and the severity of each finding.
        facts: What tells how ripe each note is.
        drawn: The conversations, as ``transcript:id``, that notes were extracted from.
    """

    counts: Mapping[str, tuple[int, int, int]]
    merge: frozenset[str]
    findings: tuple[tuple[str, str], ...]
    facts: tuple[NoteFacts, ...]
    drawn: frozenset[str] = frozenset()

    def within(self, scope: str) -> Tally:
        """Return what it says of the files in a scope (see `home.scope`)."""
        if not scope:
            return self
        return Tally(
            {path: counts for path, counts in self.counts.items() if in_scope(path, scope)},
            frozenset(path for path in self.merge if in_scope(path, scope)),
            tuple(found for found in self.findings if in_scope(found[0], scope)),
            tuple(each for each in self.facts if in_scope(each.path, scope)),
            self.drawn,
        )

    def total(self) -> tuple[int, int, int]:
        """Return all claims, all links, and how many of these lead nowhere or to several notes."""
        counts = self.counts.values()
        return (
            sum(c for c, _, _ in counts),
            sum(n for _, n, _ in counts),
            sum(b for *_, b in counts),
        )


def tally_of(home: View, snapshot: Snapshot) -> Tally:
    """Return the tally of a home as read: the one that is kept where it still holds.

    Args:
        home: The home; its turns are refreshed.
        snapshot: The home as read.

    Raises:
        ConflictError: when a file changes while it is read.
    """
    key = _key(home, snapshot)
    kept = _read(home.store.read_state(STATE), key)
    if kept is not None:
        return kept
    with paused_collection():
        tally = _made(home, snapshot)
    with contextlib.suppress(DiskError):  # what cannot be kept is made again
        home.store.write_state(STATE, {"key": key, "tally": _text(tally)}, durable=False)
    return tally


def _made(home: View, snapshot: Snapshot) -> Tally:
    from toolnexus.home.checks import check

    found = check(snapshot, home.basis_findings(snapshot))
    return Tally(
        counts={path: _counts(snapshot, path, note) for path, note in snapshot.notes.items()},
        merge=due_for_merging(snapshot),
        findings=tuple((finding.path, finding.severity) for finding in found),
        facts=facts_of(snapshot),
        drawn=frozenset(ref for ref in drawn_refs(snapshot) if ref.startswith(TRANSCRIPT)),
    )


def _counts(snapshot: Snapshot, path: str, note: Note) -> tuple[int, int, int]:
    links = snapshot.resolutions.get(path, ())
    claims = len(note.document.claims) if holds_claims(note) else 0
    return claims, len(links), sum(1 for each in links if each.path is None)


def _key(home: View, snapshot: Snapshot) -> str:
    """Digest all that a tally hangs on: files, settings, history and how far conversations go."""
    ingredients: tuple[object, ...] = (
        (VERSION, PARSER_VERSION),
        snapshot.layout,
        (snapshot.owner, snapshot.cap, snapshot.soul_cap_bytes),
        sorted(snapshot.digests.items()),
        sorted(snapshot.notes.keys() - snapshot.digests.keys()),
        sorted(snapshot.assets),
        snapshot.problems,
        sorted(snapshot.moved.items()),
        home.settings_problems(),
        home.lenient_settings,
        [entry.id for entry in home.store.history()],
        sorted((cursor.conversation, repr(cursor)) for cursor in home.turns.cursors()),
    )
    text = "\n".join(map(repr, ingredients))
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def _text(tally: Tally) -> str:
    told = {
        "counts": tally.counts,
        "merge": sorted(tally.merge),
        "findings": tally.findings,
        "facts": to_rows(tally.facts),
        "drawn": sorted(tally.drawn),
    }
    return json.dumps(told)


def _read(kept: Any, key: str) -> Tally | None:
    """Read a kept tally; None where there is none, or it is another one's or damaged."""
    if not isinstance(kept, dict) or kept.get("key") != key:
        return None
    try:
        told = json.loads(kept["tally"])
        return Tally(
            {path: (int(c), int(n), int(b)) for path, (c, n, b) in told["counts"].items()},
            frozenset(map(str, told["merge"])),
            tuple((str(path), str(severity)) for path, severity in told["findings"]),
            tuple(from_rows(told["facts"])),
            frozenset(map(str, told["drawn"])),
        )
    except (KeyError, TypeError, ValueError, IndexError, AttributeError):
        return None
