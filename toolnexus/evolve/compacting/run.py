"""One compaction: fold, extract, merge, distil, archive; judged, and committed in one step."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

from toolnexus.change.log import count_words
from toolnexus.clock import format_instant
from toolnexus.errors import ConflictError
from toolnexus.evolve.compacting.fading import archive_faded
from toolnexus.evolve.compacting.memory import STATE, Looked, looked_value, read_looked
from toolnexus.evolve.compacting.nearby import may_be_near
from toolnexus.evolve.compacting.phases import distil_skills, extract_sources, merge_near
from toolnexus.evolve.compacting.types import NOTHING, Compacted
from toolnexus.evolve.compacting.work import Work
from toolnexus.home.drafts.draft import Draft
from toolnexus.home.drafts.hold import reason_to_hold
from toolnexus.home.drafts.proposal import Proposal, put_to, to_payload
from toolnexus.home.drafts.same import merge_same
from toolnexus.store.steady import read_whole

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from toolnexus.change.plan import Plan
    from toolnexus.clock import Clock
    from toolnexus.evolve.compacting.types import CompactOptions
    from toolnexus.evolve.compacting.work import Means
    from toolnexus.home.drafts.draft import TakenStep
    from toolnexus.home.snapshot import Snapshot
    from toolnexus.store.door import Store

JOB = "compact"
_ONLY_A_PERSON = "only a person can say whether it is right"


def run_compaction(
    store: Store,
    clock: Clock,
    options: CompactOptions,
    prepare: Callable[[Snapshot, Looked], Means],
) -> Compacted:
    """Compact a home.

    Args:
        store: The home's one door.
        clock: Tells when a proposal was made.
        options: How it is done.
        prepare: Gathers what is at hand for a home as read, and what was looked at before.

    Raises:
        LockedError: when another compaction is under way.
        DiskError: when the disk is full or failing; the home is as it was.
    """
    begun = time.perf_counter()
    with store.hold(JOB):
        home, looked = read_whole(store.read), read_looked(store.read_state(STATE))
        work = Work(Draft(home, options.spared), options, prepare(home, looked), looked)
        compact_draft(work)
        done = _ended(work, _finish(store, clock, work))
        if not options.dry_run:
            _remember(store, work, store.read() if done.wrote else home)
    stats = replace(done.stats, seconds=round(time.perf_counter() - begun, 3))
    return replace(done, stats=stats)


def compact_draft(work: Work) -> None:
    """Decide everything. What is folded first is neither extracted nor merged twice."""
    _fold(work)
    extract_sources(work)
    merge_near(work)
    _fold(work)
    distil_skills(work)
    archive_faded(work)


def _fold(work: Work) -> None:
    """Fold what is the same until nothing is: what is folded may make others the same."""
    while merge_same(work.draft, work.covers):
        pass


def _finish(store: Store, clock: Clock, work: Work) -> Compacted:
    """Commit a draft, hold it, or leave it at the telling."""
    draft, options = work.draft, work.options
    plan = draft.plan(JOB)
    waiting = tuple(change for step in work.waiting for change in step.changes)
    told = Compacted(
        outcome="dry-run" if options.dry_run and (draft.changes or waiting) else "nothing",
        reply=count_words(plan) if draft.changes else _waits(len(waiting)) if waiting else NOTHING,
        changes=tuple(draft.changes),
        waiting=waiting,
        due=tuple(work.due),
        refused=(*work.refused, *draft.refused),
        stats=work.stats(),
        writes=plan.writes,
    )
    reason = reason_to_hold(draft, options.max_change)
    if options.dry_run:
        notices = (f"this compaction would be held: {reason}",) if reason else ()
        return replace(told, notices=notices)
    if reason:
        return _held(store, clock, work, told, reason)
    if draft.changes:
        told = _commit(store, work, told, plan)
    if work.waiting:
        reason = "; ".join(work.reasons) or _ONLY_A_PERSON
        proposal_id = _save(store, clock, work.waiting, reason)
        review = f"{_waits(len(waiting))}: 'toolnexus review' shows it ({proposal_id})"
        told = replace(
            told,
            id=told.id or proposal_id,
            outcome=told.outcome if told.wrote else "proposed",
            reply=f"{told.reply}; {review}" if told.wrote else review,
        )
    return told


def _commit(store: Store, work: Work, told: Compacted, plan: Plan) -> Compacted:
    steps = tuple(work.draft.steps)

    def replan(fresh: Snapshot) -> Plan:
        proposal = Proposal("", "", "", steps)
        again, _ = put_to(fresh, proposal, proposal.step_numbers)
        if reason_to_hold(again, work.options.max_change):
            raise ConflictError(
                "the home changed while it was compacted", hint="run 'toolnexus compact' again"
            )
        return again.plan(JOB)

    committed = store.commit(plan, replan=replan)
    if committed.plan.is_empty:  # a person did all of it by hand meanwhile
        return replace(told, outcome="nothing", reply=NOTHING, changes=(), writes=())
    return replace(
        told,
        id=committed.id,
        outcome="done",
        wrote=True,
        changes=committed.plan.changes,
        writes=committed.plan.writes,
        reply=count_words(committed.plan),
    )


def _held(store: Store, clock: Clock, work: Work, told: Compacted, reason: str) -> Compacted:
    proposal_id = _save(store, clock, (*work.draft.steps, *work.waiting), reason)
    held = tuple(replace(change, reason=reason) for change in told.changes)
    return replace(
        told,
        id=proposal_id,
        outcome="held",
        changes=(),
        writes=(),
        waiting=(*held, *told.waiting),
        reply=f"held: {reason}; 'toolnexus review' shows it ({proposal_id})",
    )


def _save(store: Store, clock: Clock, steps: Sequence[TakenStep], reason: str) -> str:
    """Keep steps for a person to decide on, and return the proposal's id."""
    proposal_id = store.new_id()
    proposal = Proposal(proposal_id, format_instant(clock.now()), reason, tuple(steps))
    store.proposals.save(proposal_id, to_payload(proposal))
    return proposal_id


def _waits(count: int) -> str:
    return "1 change waits for you" if count == 1 else f"{count} changes wait for you"


def _ended(work: Work, done: Compacted) -> Compacted:
    """Tell how the model's part ended."""
    if work.failed:
        kept = "nothing was changed" if done.reply == NOTHING else done.reply
        notices = (*done.notices, *filter(None, [work.hint]))
        reply = f"the model failed: {work.failed}; {kept}"
        return replace(done, outcome="failed", reply=reply, notices=notices)
    if work.stopped:
        notice = f"{work.stopped}; the next compaction goes on with the rest"
        outcome = "partial" if done.outcome in {"done", "nothing"} else done.outcome
        return replace(done, outcome=outcome, notices=(*done.notices, notice))
    return done


def _remember(store: Store, work: Work, home: Snapshot) -> None:
    """Keep what was looked at, with the home as it was left."""
    mode, looked = work.means.mode, work.looked
    near = {
        path: digest
        for path, digest in looked.near.get(mode, {}).items()
        if path in home.notes and not work.covers(path)
    }
    near |= {
        path: note.digest
        for path, note in home.notes.items()
        if path not in work.undone
        and may_be_near(home, path, work.options.scope)
        and work.home.digests.get(path) == note.digest
    }
    learnt = looked.learnt if work.means.thinker is None else work.means.teacher.learnt()
    kept = Looked({**looked.near, mode: near}, {**looked.distilled, **work.distilled}, learnt)
    value = looked_value(kept)
    if value != store.read_state(STATE):
        store.write_state(STATE, value)
