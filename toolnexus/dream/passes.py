"""One pass: begin, verify, demote, merge, links, conserve, commit, log."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from toolnexus.change.log import count_words
from toolnexus.clock import format_instant
from toolnexus.dream.demotion import demote_over_cap, is_over
from toolnexus.dream.linking import find_unresolved, repair_links
from toolnexus.dream.model_phases import ModelWork
from toolnexus.dream.types import (
    HEARTBEAT_OK,
    Outcome,
    Pass,
    PassStats,
    Suspicion,
    Unresolved,
)
from toolnexus.errors import ConflictError
from toolnexus.home.claims import holds_claims
from toolnexus.home.drafts.draft import Draft, Refusal
from toolnexus.home.drafts.hold import reason_to_hold
from toolnexus.home.drafts.proposal import Proposal, put_to, to_payload
from toolnexus.home.drafts.same import merge_same
from toolnexus.home.drafts.spared import Spared
from toolnexus.home.finding import Finding
from toolnexus.home.snapshot import INDEX_FILE
from toolnexus.store.steady import read_whole, steady

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from toolnexus.change.plan import Change, Plan
    from toolnexus.clock import Clock
    from toolnexus.home.drafts.draft import TakenStep
    from toolnexus.home.snapshot import Snapshot
    from toolnexus.store.door import Store

_NOTHING_SPARED = Spared()
ROUNDS = 8
"""Merging can make links repairable and the other way round; a bound keeps a bug from spinning."""


@dataclass(frozen=True, slots=True)
class PassOptions:
    """How a pass is run.

    Attributes:
        dry_run: Decide everything, write nothing.
        propose: Write nothing; leave the changes for `review`.
        max_change: The share of a file's claims that may be corrected or dropped unreviewed.
        spared: What it leaves alone: what waits for a person, and what one took back.
    """

    dry_run: bool = False
    propose: bool = False
    max_change: float = 0.3
    spared: Spared = field(default_factory=Spared)


@dataclass(frozen=True, slots=True)
class _Drafted:
    """A pass that is decided and not yet written; what was proved does not depend on the rest."""

    draft: Draft
    work: ModelWork
    proved: tuple[TakenStep, ...]
    told: Pass


def run_pass(
    store: Store,
    clock: Clock,
    options: PassOptions,
    suspect: Callable[[Snapshot], tuple[Suspicion, ...]],
    ask: Callable[[Draft], ModelWork] | None = None,
) -> Pass:
    """Run one pass over a home.

    Args:
        store: The home's one door.
        clock: Tells when a proposal was made.
        options: How to run it.
        suspect: Finds the claims that a transcript seems to contradict.
        ask: Does the phases that need a model, on the draft; None goes without one.

    Raises:
        LockedError: when another dream is under way.
        DiskError: when the disk is full or failing; the home is as it was.
    """
    begun = time.perf_counter()
    with store.hold("dream"):
        renamed = store.renames()

        def drafted(home: Snapshot) -> _Drafted:
            draft = Draft(home, options.spared)
            work = ModelWork() if ask is None else ask(draft)
            proved = tuple(draft.steps)
            _draft_offline(draft, renamed)
            told = _told(draft, find_unresolved(draft.home), suspect(home), work)
            return _Drafted(draft, work, proved, told)

        # A model is asked once: what a person saves meanwhile is met when the pass is written.
        done = steady(store.read, drafted) if ask is None else drafted(read_whole(store.read))

        def redraft(fresh: Snapshot) -> Draft:
            return draft_pass(fresh, renamed, done.proved, done.draft.spared)

        finished = _finish(store, clock, options, done.draft, done.told, done.work, redraft)
        finished = _end(finished, done.work)
    seconds = round(time.perf_counter() - begun, 3)
    return replace(finished, stats=replace(finished.stats, seconds=seconds))


def draft_pass(
    home: Snapshot,
    renamed: Mapping[str, str],
    proved: Sequence[TakenStep] = (),
    spared: Spared = _NOTHING_SPARED,
) -> Draft:
    """Decide everything that a pass does: what was proved, then demote, merge, repair links.

    Args:
        home: The home as read.
        renamed: Where notes went that were renamed or merged in the past.
        proved: What the phases with a model came to, perhaps on an earlier reading of the home;
            a step that no longer fits is left out.
        spared: What the rest of the pass leaves alone.
    """
    proposal = Proposal("", "", "", tuple(proved))
    draft, _ = put_to(home, proposal, proposal.step_numbers)
    draft.spared = spared
    _draft_offline(draft, renamed)
    return draft


def _draft_offline(draft: Draft, renamed: Mapping[str, str]) -> None:
    """Demote, merge and repair links by rule, until nothing changes."""
    for _ in range(ROUNDS):
        demoted = demote_over_cap(draft)
        merged = merge_same(draft)
        repaired = repair_links(draft, {**renamed, **draft.moved})
        if not (demoted or merged or repaired):
            break


def _told(
    draft: Draft,
    unresolved: tuple[Unresolved, ...],
    suspected: tuple[Suspicion, ...],
    work: ModelWork,
) -> Pass:
    """Tell a draft as a pass that has not been written yet."""
    claims = sum(
        len(note.document.claims) for note in draft.before.notes.values() if holds_claims(note)
    )
    outcome: Outcome = "dry-run" if draft.changes else "nothing"
    plan = draft.plan("dream", {"unresolved": len(unresolved)})
    settled = [c for c in draft.changes if c.kind in {"corrected", "dropped"}]
    touched = {(c.path, c.before) for c in (*settled, *work.waiting_changes)}
    usage = work.usage
    return Pass(
        id="",
        outcome=outcome,
        reply=count_words(plan) if draft.changes else HEARTBEAT_OK,
        changes=tuple(draft.changes),
        waiting=work.waiting_changes,
        suspected=tuple(one for one in suspected if (one.path, one.claim) not in touched),
        refused=(*work.refused, *draft.refused),
        unresolved=unresolved,
        findings=_over_cap(draft),
        stats=PassStats(
            claims=claims,
            checked=work.checked,
            turns_new=work.turns_new,
            claims_left=work.left,
            turns_left=work.turns_left,
            model_calls=usage.calls,
            tokens_in=usage.tokens_in,
            tokens_out=usage.tokens_out,
            usd=usage.usd or 0.0,
        ),
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
            "still over its cap: what is left is pinned, code or tables, or would mean "
            "something else in a note",
            "move some of it into a note by hand, or raise memory.cap in persona.yaml",
        ),
    )


def _finish(
    store: Store,
    clock: Clock,
    options: PassOptions,
    draft: Draft,
    told: Pass,
    work: ModelWork,
    redraft: Callable[[Snapshot], Draft],
) -> Pass:
    """Commit a draft, hold it, or leave it at the telling."""
    if told.outcome == "nothing":
        return _with_waiting(told, _save_waiting(store, clock, options, work))
    reason = reason_to_hold(draft, options.max_change)
    if options.dry_run:
        notice = (f"this pass would be held: {reason}",) if reason else ()
        return replace(told, notices=notice)
    if reason or options.propose:
        return _propose(store, clock, (*draft.steps, *work.waiting), told, reason)

    def replan(fresh: Snapshot) -> Plan:
        again = redraft(fresh)
        if reason_to_hold(again, options.max_change):
            raise ConflictError(
                "the home changed under the pass", hint="run 'toolnexus dream' again"
            )
        return again.plan("dream", told_summary)

    told_summary = {"unresolved": len(told.unresolved)}
    # Before the commit: a disk that fails here leaves the home as it was.
    waits = _save_waiting(store, clock, options, work)
    committed = store.commit(draft.plan("dream", told_summary), replan=replan)
    overtaken = _overtaken(told.changes, committed.plan.changes)
    told = replace(told, refused=(*told.refused, *overtaken))
    if committed.plan.is_empty:  # a person did all of it by hand meanwhile
        told = replace(told, outcome="nothing", reply=HEARTBEAT_OK, changes=(), writes=())
        return _with_waiting(told, waits)
    done = replace(
        told,
        id=committed.id,
        outcome="done",
        wrote=True,
        changes=committed.plan.changes,
        writes=committed.plan.writes,
        reply=count_words(committed.plan),
    )
    return _with_waiting(done, waits)


def _overtaken(wanted: Sequence[Change], done: Sequence[Change]) -> tuple[Refusal, ...]:
    """Tell what a person's edit came before, while the pass was under way."""
    made = {(change.kind, change.before, change.after) for change in done}
    return tuple(
        Refusal(
            change.kind,
            f"{change.path} was edited while the pass ran: '{change.before or change.after}'",
            "the edit stands; the next pass looks at it again",
        )
        for change in wanted
        if change.kind in {"corrected", "dropped", "added"}
        and (change.kind, change.before, change.after) not in made
    )


def _propose(
    store: Store, clock: Clock, steps: Sequence[TakenStep], told: Pass, reason: str
) -> Pass:
    why = reason or "it was asked for as a proposal"
    proposal_id = _save(store, clock, steps, why)
    waiting = (*(replace(change, reason=why) for change in told.changes), *told.waiting)
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


def _save(store: Store, clock: Clock, steps: Sequence[TakenStep], reason: str) -> str:
    """Keep steps for a person to decide on, and return the proposal's id."""
    proposal_id = store.new_id()
    proposal = Proposal(proposal_id, format_instant(clock.now()), reason, tuple(steps))
    store.proposals.save(proposal_id, to_payload(proposal))
    return proposal_id


def _save_waiting(store: Store, clock: Clock, options: PassOptions, work: ModelWork) -> str:
    """Keep what waits beside what is done, and return the proposal's id; empty for none."""
    if not work.waiting or options.dry_run:
        return ""
    return _save(store, clock, work.waiting, "it may be right, but it cannot be proved")


def _end(finished: Pass, work: ModelWork) -> Pass:
    """Tell how the model's part ended."""
    if work.skipped:
        waits = (
            f"a change of {_counted(work.skipped, 'claim')} waits for you: left alone until then"
        )
        finished = _noticing(finished, f"{waits}; decide with 'toolnexus review'")
    if work.error is not None:
        reply = f"the model failed: {work.error.message}; {_kept(finished)}"
        finished = _noticing(_noticing(finished, work.error.hint), _left_for_later(work))
        return replace(finished, outcome="failed", reply=reply)
    if not work.stopped:
        return finished
    notice = f"{work.stopped}; {_left_for_later(work)}"
    finished = _noticing(finished, notice)
    if finished.outcome in {"done", "nothing"}:
        return replace(finished, outcome="partial", reply=f"{_kept(finished)}; {notice}")
    return finished


def _noticing(finished: Pass, notice: str) -> Pass:
    return replace(finished, notices=(*finished.notices, *([notice] if notice else [])))


def _left_for_later(work: ModelWork) -> str:
    """Tell what the next pass goes on with."""
    numbers = {"claim": work.left, "new turn": work.turns_left}
    left = [_counted(number, what) for what, number in numbers.items() if number]
    return f"left for the next pass: {' and '.join(left) or 'a look at the notes'}"


def _counted(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _kept(finished: Pass) -> str:
    return "nothing was changed" if finished.reply == HEARTBEAT_OK else finished.reply


def _with_waiting(finished: Pass, proposal_id: str) -> Pass:
    """Tell what waits; nothing where no proposal was made."""
    if not proposal_id:
        return finished
    count = len(finished.waiting)
    waits = f"{_counted(count, 'change')} wait{'s' if count == 1 else ''} for you"
    told = f"{waits}: 'toolnexus review' shows it ({proposal_id})"
    reply = told if finished.reply == HEARTBEAT_OK else f"{finished.reply}; {told}"
    return replace(finished, id=finished.id or proposal_id, reply=reply)
