"""The person's hand: which claims a person wrote since the last pass, and what they took back."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from toolnexus.clock import format_instant, parse_instant
from toolnexus.dream.claim_digest import claim_digest
from toolnexus.home.claims import all_claims
from toolnexus.home.drafts.spared import Unmade, unmade_key
from toolnexus.text.fold import fold_claim

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from datetime import datetime

    from toolnexus.change.located import LocatedClaim
    from toolnexus.change.plan import Change
    from toolnexus.home.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class Hand:
    """What a person did, kept apart from the ledger.

    Attributes:
        known: The digests of the claims that the last pass left; None before the first pass.
        edited: When a person wrote a claim, by its digest, as RFC 3339.
        undone: When a person took a change back, by the folds before and after it.
        unmade: The demotions, merges and repairs of links that a person took back.
    """

    known: frozenset[str] | None = None
    edited: Mapping[str, str] = field(default_factory=dict)
    undone: Mapping[tuple[str, str], str] = field(default_factory=dict)
    unmade: frozenset[Unmade] = frozenset()

    def seen(self, home: Snapshot, changed_at: Callable[[str], datetime]) -> Hand:
        """Return the same with the claims that are new in a home taken as written by a person.

        Args:
            home: The home as read, before a pass changes it.
            changed_at: Tells when a file changed last.
        """
        claims = {digest_of_claim(claim): claim.path for claim in all_claims(home)}
        if self.known is None:
            return replace(self, known=frozenset(claims))
        fresh = {digest: path for digest, path in claims.items() if digest not in self.known}
        times = {path: format_instant(changed_at(path)) for path in set(fresh.values())}
        kept = {digest: when for digest, when in self.edited.items() if digest in claims}
        edited = kept | {digest: times[path] for digest, path in fresh.items()}
        return replace(self, known=frozenset(claims), edited=edited)

    def left(self, home: Snapshot) -> Hand:
        """Return the same once a pass has left a home: what the pass wrote, no person did."""
        return replace(self, known=frozenset(map(digest_of_claim, all_claims(home))))

    def joined(self, stored: Hand) -> Hand:
        """Return the same with all that a person has taken back by now, as it was stored."""
        return replace(
            self, undone={**self.undone, **stored.undone}, unmade=self.unmade | stored.unmade
        )

    def without(self, changes: Iterable[Change], when: datetime) -> Hand:
        """Return the same with changes that a person took back or discarded."""
        changes = tuple(changes)
        taken_back = {
            undo_key(change): format_instant(when)
            for change in changes
            if change.kind in {"corrected", "dropped", "added"}
        }
        unmade = {key for change in changes if (key := unmade_key(change)) is not None}
        return replace(self, undone={**self.undone, **taken_back}, unmade=self.unmade | unmade)

    def edits(self, home: Snapshot) -> dict[tuple[str, str], datetime]:
        """Return when a person wrote claims of a home, by path and fold."""
        if not self.edited:
            return {}
        return {
            (claim.path, claim.fold): parse_instant(when)
            for claim in all_claims(home)
            if (when := self.edited.get(digest_of_claim(claim)))
        }

    def undos(self) -> dict[tuple[str, str], datetime]:
        """Return when a person took changes back, by the folds before and after."""
        return {key: parse_instant(when) for key, when in self.undone.items()}


def undo_key(change: Change) -> tuple[str, str]:
    """Return what a change that was taken back is known by."""
    return (fold_claim(change.before), fold_claim(change.after) if change.after else "")


def digest_of_claim(claim: LocatedClaim) -> str:
    """Return what names a claim in ledgers: its words and its context, wherever it stands."""
    return claim_digest(claim.claim.text, claim.context)


def read_hand(value: object) -> Hand:
    """Read what a person did; damaged rows are left out.

    Example:
        >>> read_hand(None)
        Hand(known=None, edited={}, undone={}, unmade=frozenset())
    """
    if not isinstance(value, dict):
        return Hand()
    known, edited, undone = (value.get(name) for name in ("known", "edited", "undone"))
    rows = undone if isinstance(undone, list) else []
    unmade = value.get("unmade")
    keys = unmade if isinstance(unmade, list) else []
    return Hand(
        frozenset(map(str, known)) if isinstance(known, list) else None,
        {k: v for k, v in edited.items() if _is_instant(v)} if isinstance(edited, dict) else {},
        {
            (str(row[0]), str(row[1])): str(row[2])
            for row in rows
            if isinstance(row, list) and len(row) == 3 and _is_instant(row[2])
        },
        frozenset(
            (str(key[0]), str(key[1]), str(key[2]))
            for key in keys
            if isinstance(key, list) and len(key) == 3
        ),
    )


def hand_value(hand: Hand) -> dict[str, object]:
    """Return what a person did as plain lists and dictionaries, for JSON."""
    return {
        "known": None if hand.known is None else sorted(hand.known),
        "edited": dict(hand.edited),
        "undone": [[*key, when] for key, when in hand.undone.items()],
        "unmade": [list(key) for key in sorted(hand.unmade)],
    }


def _is_instant(value: object) -> bool:
    try:
        parse_instant(str(value))
    except ValueError:
        return False
    return True
