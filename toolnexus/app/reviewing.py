"""Reviewing: what waits for a person, applied or discarded, whole or change by change."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from toolnexus.app.results import Reviewed
from toolnexus.errors import ConflictError, UsageError
from toolnexus.home.drafts.hold import lawful
from toolnexus.home.drafts.proposal import Proposal, from_payload, put_to, to_payload
from toolnexus.store.state import kept_beside
from toolnexus.store.steady import steady

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolnexus.change.plan import Plan
    from toolnexus.home.snapshot import Snapshot
    from toolnexus.store.door import Store


def proposals(store: Store) -> list[Proposal]:
    """List what waits, oldest first; a damaged proposal is left out."""
    found = []
    for proposal_id in store.proposals.ids():
        try:
            found.append(_load(store, proposal_id))
        except UsageError as error:
            store.notices.append(str(error))
    return found


def apply(store: Store, proposal_id: str, numbers: Sequence[int] | None) -> Reviewed:
    """Put the chosen steps to the home as it is now, and keep the rest waiting."""
    proposal = _load(store, proposal_id)
    chosen = proposal.chosen(numbers)
    outcome: list[tuple[int, ...]] = []

    def plan(home: Snapshot) -> Plan:
        draft, left = put_to(home, proposal, chosen)
        if not lawful(draft):
            raise ConflictError(
                "the home has changed so that these changes would lose a claim",
                hint="discard the proposal and run 'toolnexus dream' again",
            )
        outcome.append(left)
        return draft.plan("review")

    done = store.commit(steady(store.read, plan), replan=plan)
    left = outcome[-1]
    rest = proposal.without([number for number in chosen if number not in left])
    again = "what was applied could not be struck off what waits; applying it again changes nothing"
    with kept_beside(store.notices, again) if done.id else contextlib.nullcontext():
        _keep(store, rest)
    applied = done.plan.changes if done.id else ()
    return Reviewed(done.id, applied, left=left, numbers=rest.step_numbers)


def discard(store: Store, proposal_id: str, numbers: Sequence[int] | None) -> Reviewed:
    """Forget the chosen steps."""
    proposal = _load(store, proposal_id)
    chosen = proposal.chosen(numbers)
    rest = proposal.without(chosen)
    _keep(store, rest)
    return Reviewed("", discarded=chosen, numbers=rest.step_numbers)


def _load(store: Store, proposal_id: str) -> Proposal:
    try:
        return from_payload(store.proposals.load(proposal_id))
    except ValueError as error:
        raise UsageError(
            f"proposal '{proposal_id}' is damaged", hint="run 'toolnexus dream' again"
        ) from error


def _keep(store: Store, rest: Proposal) -> None:
    if rest.steps:
        store.proposals.save(rest.id, to_payload(rest))
    else:
        store.proposals.remove(rest.id)
