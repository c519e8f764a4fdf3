"""The tally: what an overview needs of a home's documents, kept until any of them changes.

Ten thousand documents take a while to be read and checked. What comes of it hangs on the files
alone, and on what the state folder knows of them; it is kept there under a digest of all that.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from toolnexus.errors import DiskError
from toolnexus.evolve.facts import NoteFacts, facts_of, from_rows, to_rows
from toolnexus.home.claims import holds_claims
from toolnexus.home.drafts.same import due_for_merging
from toolnexus.store.notes import paused_collection
from toolnexus.text.cache import PARSER_VERSION

if TYPE_CHECKING:
    from collections.abc import Mapping

    from toolnexus.app.view import View
    from toolnexus.home.snapshot import Snapshot

STATE = "tally"
VERSION = 1
"""Raise it when what a tally says of the same files changes."""
_COUNTS = ("claims", "notes", "links", "broken_links", "merge")


@dataclass(frozen=True, slots=True)
class Tally:
    """What an overview needs of the documents.

    Attributes:
        claims: Claims in MEMORY.md, USER.md and notes.
        notes: Notes, daily ones included.
        links: Links; `broken_links` of them lead nowhere or to several notes.
        merge: Notes that say nothing that another one does not say.
        findings: How many findings of each severity the files have.
        facts: What tells how ripe each note is.
    """

    claims: int
    notes: int
    links: int
    broken_links: int
    merge: int
    findings: Mapping[str, int]
    facts: tuple[NoteFacts, ...]


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
    resolutions = [each for links in snapshot.resolutions.values() for each in links]
    notes = snapshot.notes.values()
    return Tally(
        claims=sum(len(note.document.claims) for note in notes if holds_claims(note)),
        notes=sum(1 for note in notes if note.kind != "soul"),
        links=len(resolutions),
        broken_links=sum(1 for each in resolutions if each.path is None),
        merge=len(due_for_merging(snapshot)),
        findings=dict(Counter(finding.severity for finding in found)),
        facts=facts_of(snapshot),
    )


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
    counts = {name: getattr(tally, name) for name in _COUNTS}
    return json.dumps({**counts, "findings": tally.findings, "facts": to_rows(tally.facts)})


def _read(kept: Any, key: str) -> Tally | None:
    """Read a kept tally; None where there is none, or it is another one's or damaged."""
    if not isinstance(kept, dict) or kept.get("key") != key:
        return None
    try:
        told = json.loads(kept["tally"])
        counts = {name: int(told[name]) for name in _COUNTS}
        findings = {str(name): int(count) for name, count in told["findings"].items()}
        return Tally(**counts, findings=findings, facts=tuple(from_rows(told["facts"])))
    except (KeyError, TypeError, ValueError, IndexError, AttributeError):
        return None
