"""Evidence chains, wired to a home: its notes, its history, the dreams' ledger, its transcripts."""

from __future__ import annotations

from functools import cached_property
from itertools import count
from typing import TYPE_CHECKING

from toolnexus.dream.claim_digest import claim_digest
from toolnexus.dream.contradiction import decide
from toolnexus.dream.verified import read_checked
from toolnexus.errors import UsageError
from toolnexus.evolve.chains.asked import find_asked
from toolnexus.evolve.chains.chain import MAX_DEPTH
from toolnexus.evolve.chains.check import check_chains
from toolnexus.evolve.chains.retraction import Retraction, taken_back
from toolnexus.evolve.chains.testimony import Testimony, made_by_dreams, still_said
from toolnexus.evolve.chains.walk import World
from toolnexus.evolve.chains.why import chain_of, confidence_of
from toolnexus.home.claims import located_claims
from toolnexus.home.scope import parse_scope

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from toolnexus.app.parts import Parts
    from toolnexus.change.plan import Change, Evidence
    from toolnexus.dream.contradiction import Verdict
    from toolnexus.evolve.chains.chain import EvidenceChain
    from toolnexus.evolve.chains.refs import TurnRef
    from toolnexus.evolve.chains.walk import Thing
    from toolnexus.home.finding import Finding
    from toolnexus.home.snapshot import Snapshot
    from toolnexus.transcripts.turn import Turn

_LEDGER = "verified"


def evidence_chain(
    home: Parts, ref: str, max_depth: int = MAX_DEPTH, scope: str = ""
) -> EvidenceChain:
    """Tell why something is believed.

    Args:
        home: The home.
        ref: A note, a claim or a turn, as `find_asked` takes it.
        max_depth: How many links to follow at most, 0 or more.
        scope: The folder of notes to stay within, as `parse_scope` takes it.

    Raises:
        UsageError: when there is nothing of that name, or several things, or no such scope.
    """
    if max_depth < 0:
        raise UsageError(f"{max_depth} links cannot be followed", hint="give 0 or more")

    def look(snapshot: Snapshot) -> EvidenceChain:
        basis = _Basis(home, _within(home, snapshot, scope))
        return chain_of(basis.world, basis.asked(ref), max_depth)

    return home.steady(look)


def chain_confidence(home: Parts, ref: str, scope: str = "") -> float:
    """Return how far something can be believed, 0 to 1; see `evidence_chain`.

    Raises:
        UsageError: when there is nothing of that name, or several things, or no such scope.
    """

    def look(snapshot: Snapshot) -> float:
        basis = _Basis(home, _within(home, snapshot, scope))
        return confidence_of(basis.world, basis.asked(ref))

    return home.steady(look)


def chain_findings(home: Parts, snapshot: Snapshot) -> Iterator[Finding]:
    """Yield what is wrong with the typed links of a home as read."""
    basis = _Basis(home, snapshot)
    yield from check_chains(snapshot, lambda: basis.retractions, basis.is_turn)


def _within(home: Parts, snapshot: Snapshot, scope: str) -> Snapshot:
    return snapshot.within(parse_scope(scope, home.store.layout, snapshot.notes))


class _Basis:
    """What a home has for chains, each part read when it is first needed."""

    def __init__(self, home: Parts, snapshot: Snapshot) -> None:
        self._home = home
        self._snapshot = snapshot
        self._refreshed = False

    def asked(self, ref: str) -> Thing:
        """Find what a caller asks about; a turn has to be there."""
        thing = find_asked(self._snapshot, ref, self.retractions)
        if thing.turn is not None and self.find_turn(thing.turn) is None:
            hint = "'toolnexus transcripts list' shows the conversations"
            raise UsageError(f"there is no turn '{thing.id}'", hint=hint)
        return thing

    @property
    def world(self) -> World:
        """What chains are made from."""
        back: dict[str, list[Retraction]] = {}
        for each in self.retractions:
            back.setdefault(each.path, []).append(each)
        roles = frozenset(self._home.settings.transcripts.evidence_roles)
        return World(self._snapshot, self.find_turn, self.made, self.heard, back, roles)

    @cached_property
    def retractions(self) -> tuple[Retraction, ...]:
        """What dreams took back, oldest first."""
        return taken_back(self._snapshot, self._told)

    def made(self, path: str) -> tuple[Testimony, ...]:
        """Return what dreams wrote in a note on the word of turns."""
        return still_said(self._snapshot.notes[path], self._made.get(path, ()))

    def heard(self, path: str) -> tuple[Testimony, ...]:
        """Return what the dreams' ledger has on the claims of a note."""
        return tuple(self._heard(path, self._snapshot.notes[path].digest))

    def find_turn(self, ref: TurnRef) -> Turn | None:
        """Read a turn; the search over turns is brought up to date where it knows none."""
        turns = self._home.turns
        found = turns.find_turn(ref.conversation, ref.turn)
        if found is None and not self._refreshed:
            self._refreshed = True
            turns.refresh()
            found = turns.find_turn(ref.conversation, ref.turn)
        return found

    def is_turn(self, ref: TurnRef) -> bool:
        """Whether there is a turn; of a line's number only how many lines there are is asked."""
        if isinstance(ref.turn, int):
            return 0 < ref.turn <= self._last_lines.get(ref.conversation, 0)
        return self.find_turn(ref) is not None

    @cached_property
    def _last_lines(self) -> Mapping[str, int]:
        self._home.turns.refresh()
        return {cursor.conversation: cursor.number for cursor in self._home.turns.cursors()}

    @cached_property
    def _told(self) -> Sequence[tuple[str, Change]]:
        """What was done to the home, each change with its instant, oldest first."""
        return [
            (entry.time, change)
            for entry in self._home.store.history(cited=True)
            for change in entry.changes
        ]

    @cached_property
    def _made(self) -> Mapping[str, Sequence[tuple[str, Evidence]]]:
        return made_by_dreams((change for _, change in self._told), self._snapshot.moved)

    @cached_property
    def _ledger(self) -> object:
        return self._home.store.read_state(_LEDGER)

    def _heard(self, path: str, digest: str) -> Iterator[Testimony]:
        """Yield what the dreams' ledger has on a note, as it was checked last."""
        settings = self._home.settings
        basis = (*sorted(settings.transcripts.evidence_roles), settings.owner or "")
        checked = read_checked(self._ledger, basis, path)
        if checked is None or not checked.verdicts:
            return
        if checked.digest == digest:
            for claim, verdicts in checked.verdicts.items():
                yield from _spoken(claim, verdicts)
            return
        # The note was edited since: what is known of the claims that stand still holds.
        known = dict(zip(checked.claims, map(checked.verdicts.get, count()), strict=False))
        for number, located in enumerate(located_claims(self._snapshot, path)):
            said = known.get(claim_digest(located.claim.text, located.context))
            yield from _spoken(number, said or ())


def _spoken(claim: int, verdicts: Sequence[Verdict]) -> Iterator[Testimony]:
    """Yield what turns say about one claim: those that say the same, and one that stands against.

    A turn that was overtaken by a later one speaks against nothing any more.
    """
    for verdict in verdicts:
        if verdict.supports and verdict.contradicts is None:
            yield Testimony(claim, "supported_by", verdict.evidence[0], min(verdict.score, 1.0))
    against = decide(verdicts)
    if against is not None:
        yield Testimony(claim, "refuted_by", against.evidence[0], min(against.score, 1.0))
