"""One pass: begin, verify, demote, merge, links, conserve, commit, log."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from toolnexus.change.log import count_words
from toolnexus.clock import format_instant
from toolnexus.dream.demotion import demote_over_cap, is_over
from toolnexus.dream.draft import Draft
from toolnexus.dream.hold import reason_to_hold
from toolnexus.dream.linking import find_unresolved, repair_links
from toolnexus.dream.merging import merge_same
from toolnexus.dream.proposal import Proposal, to_payload
from toolnexus.dream.types import HEARTBEAT_OK, Outcome, Pass, PassStats, Suspicion, Unresolved
from toolnexus.errors import ConflictError
from toolnexus.home.claims import holds_claims
from toolnexus.home.finding import Finding
from toolnexus.home.snapshot import INDEX_FILE

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from toolnexus.change.plan import Plan
    from toolnexus.clock import Clock
    from toolnexus.home.snapshot import Snapshot
    from toolnexus.store.door import Store

ROUNDS = 8
"""Merging can make links repairable and the other way round; a bound keeps a bug from spinning."""


@dataclass(frozen=True, slots=True)
class PassOptions:
    """How a pass is run.

    Attributes:
        dry_run: Decide everything, write nothing.
        propose: Write nothing; leave the changes for `review`.
        max_change: The share of a file's claims that may be corrected or dropped unreviewed.
    """

    dry_run: bool = False
    propose: bool = False
    max_change: float = 0.3


def run_pass(
    store: Store,
    clock: Clock,
    options: PassOptions,
    suspect: Callable[[Snapshot], tuple[Suspicion, ...]],
) -> Pass:
    """Run one pass over a home without a model.

    Args:
        store: The home's one door.
        clock: Tells when a proposal was made.
        options: How to run it.
        suspect: Finds the claims that a transcript seems to contradict.

    Raises:
        LockedError: when another dream is under way.
        DiskError: when the disk is full or failing; the home is as it was.
    """
    begun = time.perf_counter()
    with store.hold("dream"):
        home = store.read()
        renamed = store.renames()
        draft = draft_pass(home, renamed)
        unresolved = find_unresolved(draft.home)
        told = _told(draft, unresolved, suspect(home))
        finished = _finish(store, clock, options, draft, told, renamed)
    seconds = round(time.perf_counter() - begun, 3)
    return replace(finished, stats=replace(finished.stats, seconds=seconds))


def draft_pass(home: Snapshot, renamed: Mapping[str, str]) -> Draft:
    """Decide everything that a pass without a model does: demote, merge, repair links.

    Args:
        home: The home as read.
        renamed: Where notes went that were renamed or merged in the past.
    """
    draft = Draft(home)
    for _ in range(ROUNDS):
        demoted = demote_over_cap(draft)
        merged = merge_same(draft)
        repaired = repair_links(draft, {**renamed, **draft.moved})
        if not (demoted or merged or repaired):
            break
    return draft


def _told(
    draft: Draft, unresolved: tuple[Unresolved, ...], suspected: tuple[Suspicion, ...]
) -> Pass:
    """Tell a draft as a pass that has not been written yet."""
    claims = sum(
        len(note.document.claims) for note in draft.before.notes.values() if holds_claims(note)
    )
    outcome: Outcome = "dry-run" if draft.changes else "nothing"
    plan = draft.plan("dream", {"unresolved": len(unresolved)})
    return Pass(
        id="",
        outcome=outcome,
        reply=count_words(plan) if draft.changes else HEARTBEAT_OK,
        changes=tuple(draft.changes),
        suspected=suspected,
        refused=tuple(draft.refused),
        unresolved=unresolved,
        findings=_over_cap(draft),
        stats=PassStats(claims=claims),
        writes=plan.writes,
    )


def _over_cap(draft: Draft) -> tuple[Finding, ...]:
    if not is_over(draft.home):
        return ()
    return (
        Finding(
            INDEX_FILE,
            0,
            "over-cap",
            "error",
            "still over its cap: the rest is pinned, code or tables, which a pass leaves alone",
            "move some of it into a note by hand, or raise memory.cap in persona.yaml",
        ),
    )


def _finish(
    store: Store,
    clock: Clock,
    options: PassOptions,
    draft: Draft,
    told: Pass,
    renamed: Mapping[str, str],
) -> Pass:
    """Commit a draft, hold it, or leave it at the telling."""
    if told.outcome == "nothing":
        return told
    reason = reason_to_hold(draft, options.max_change)
    if options.dry_run:
        notice = (f"this pass would be held: {reason}",) if reason else ()
        return replace(told, notices=notice)
    if reason or options.propose:
        return _propose(store, clock, draft, told, reason)

    def replan(fresh: Snapshot) -> Plan:
        again = draft_pass(fresh, renamed)
        if reason_to_hold(again, options.max_change):
            raise ConflictError(
                "the home changed under the pass", hint="run 'toolnexus dream' again"
            )
        return again.plan("dream", told_summary)

    told_summary = {"unresolved": len(told.unresolved)}
    committed = store.commit(draft.plan("dream", told_summary), replan=replan)
    if committed.plan.is_empty:  # a person did all of it by hand meanwhile
        return replace(told, outcome="nothing", reply=HEARTBEAT_OK, changes=(), writes=())
    return replace(
        told,
        id=committed.id,
        outcome="done",
        wrote=True,
        changes=committed.plan.changes,
        writes=committed.plan.writes,
        reply=count_words(committed.plan),
    )


def _propose(store: Store, clock: Clock, draft: Draft, told: Pass, reason: str) -> Pass:
    proposal_id = store.new_id()
    proposal = Proposal(
        proposal_id,
        format_instant(clock.now()),
        reason or "it was asked for as a proposal",
        tuple(draft.steps),
    )
    store.proposals.save(proposal_id, to_payload(proposal))
    waiting = tuple(replace(change, reason=proposal.reason) for change in told.changes)
    review = f"'toolnexus review' shows it ({proposal_id})"
    return replace(
        told,
        id=proposal_id,
        outcome="held" if reason else "proposed",
        changes=(),
        waiting=waiting,
        writes=(),
        reply=f"held: {reason}; {review}" if reason else f"proposed: {told.reply}; {review}",
    )
