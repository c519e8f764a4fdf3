"""`Memory`: the facet of a home that changes what it remembers, and undoes it again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolnexus.app.opening import require_same_layout
from toolnexus.app.parts import Parts
from toolnexus.change.plan import Change, Plan
from toolnexus.errors import ToolnexusError, UsageError
from toolnexus.home.ripening import is_archived
from toolnexus.store.record import standing_after
from toolnexus.store.state import kept_beside

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from toolnexus.app.results import LogRecord, Remembered, Renamed, Reverted, Reviewed
    from toolnexus.home.drafts.proposal import Proposal
    from toolnexus.home.operations.step import Step
    from toolnexus.home.snapshot import Snapshot
    from toolnexus.store.door import Committed
    from toolnexus.store.record import Entry


class Memory(Parts):
    """What is remembered: add to it, rename in it, review and undo what was done to it."""

    def remember(self, text: str, to: str = "self") -> Remembered:
        """Add a claim.

        Args:
            text: The claim; several lines become one item.
            to: ``self`` (MEMORY.md), ``user`` (USER.md) or a note's slug.

        Raises:
            UsageError: when the text or the target will not do.
            DiskError: when the disk is full or failing; the home is as it was.
        """
        from toolnexus.app.results import Remembered
        from toolnexus.home.operations.edit import add_claim

        done, step = self.perform("remember", lambda home: add_claim(home, text, to))
        return Remembered(step.reply, step.path, done.id, bool(done.id))

    def rename(self, old: str, new: str) -> Renamed:
        """Rename a note; every link follows, all or nothing.

        Raises:
            UsageError: when there is no such note, or the new name will not do.
            DiskError: when the disk is full or failing; the home is as it was.
        """
        from toolnexus.app.results import Renamed
        from toolnexus.home.operations.relink import rename_note

        done, step = self.perform("rename", lambda home: rename_note(home, old, new))
        self._keep_out_of_archive(step.changes[0])
        return Renamed(done.id, step.changes[0].to, step.links)

    def _keep_out_of_archive(self, renamed: Change) -> None:
        """Remember that a person took a note out of the archive: it stays out."""
        from toolnexus.app.model_dreaming import remember_undone

        if is_archived(renamed.path) and not is_archived(renamed.to):
            again = "it is renamed, but a pass may archive it again: that could not be kept"
            with kept_beside(self.store.notices, again):
                remember_undone(self, [Change("archived", renamed.to, 0, "", to=renamed.path)])

    def proposals(self) -> list[Proposal]:
        """List what waits for a person, oldest first."""
        from toolnexus.app import reviewing

        return reviewing.proposals(self.store)

    def apply(self, proposal_id: str, numbers: Sequence[int] | None = None) -> Reviewed:
        """Make changes that waited; each is put to the home as it is now, whole or not at all.

        Raises:
            UsageError: when there is no such proposal or number.
            DiskError: when the disk is full or failing; the home is as it was.
        """
        from toolnexus.app import reviewing

        return reviewing.apply(self.store, proposal_id, numbers)

    def discard(self, proposal_id: str, numbers: Sequence[int] | None = None) -> Reviewed:
        """Discard changes that waited.

        Raises:
            UsageError: when there is no such proposal or number.
        """
        from toolnexus.app import reviewing
        from toolnexus.app.model_dreaming import remember_undone

        waiting = {proposal.id: proposal for proposal in self.proposals()}.get(proposal_id)
        done = reviewing.discard(self.store, proposal_id, numbers)
        if waiting is not None:
            numbered = waiting.numbered
            steps = [numbered[number] for number in done.discarded if number in numbered]
            remember_undone(self, [change for step in steps for change in step.changes])
        return done

    def log(self, limit: int | None = None) -> list[LogRecord]:
        """List what was written, oldest first.

        The history in the state folder tells it; passes that it does not know, as where that
        folder was deleted, are told by the log in the home.

        Args:
            limit: Only this many of the newest.

        Raises:
            UsageError: when the limit is below 0.
        """
        if limit is not None and limit < 0:
            raise UsageError(f"no log has {limit} entries", hint="give a limit of 0 or more")
        history = self.store.history()
        known = {entry.id for entry in history}
        entries = [record for record in self._logged() if record.id not in known]
        entries += map(_record_of, history)
        return entries if limit is None else entries[-limit:] if limit else []

    def _logged(self) -> list[LogRecord]:
        from toolnexus.app.results import LogRecord
        from toolnexus.change.log_reading import read_entries
        from toolnexus.store.texts import read_capped

        try:
            log = read_capped(self.root, self.store.layout.log_path)
        except (OSError, ToolnexusError):  # there is none yet, or none that can be read
            return []
        read = read_entries(log.decode("utf-8", "replace"))
        return [LogRecord(entry.id, entry.time, entry.job, entry.changes) for entry in read]

    def revert(self, wanted: str = "last") -> Reverted:
        """Undo a write claim by claim; what was changed since is left and listed.

        Args:
            wanted: Its id, or ``last`` for the newest pass.

        Raises:
            UsageError: when there is no such write.
            DiskError: when the disk is full or failing; the home is as it was.
        """
        from toolnexus.app.model_dreaming import remember_undone
        from toolnexus.app.results import Left, Reverted

        target = self.store.record(wanted).entry
        done = self.store.revert(target.id)
        if done.id:
            again = "it is undone, but a pass may do it again: that could not be kept"
            with kept_beside(self.store.notices, again):
                remember_undone(self, target.changes)
        left = tuple(
            Left(h.path, h.line, (h.before or h.after).strip(), h.reason) for h in done.left
        )
        later = tuple(map(_record_of, standing_after(self.store.history(), target)))
        undone = done.plan.changes if done.id else ()
        return Reverted(done.id, undone, left, _record_of(target), later)

    def perform(self, job: str, operate: Callable[[Snapshot], Step]) -> tuple[Committed, Step]:
        """Do one operation, all or nothing, on the home as it is when it is written.

        Args:
            job: Who wants it, as the history tells it.
            operate: Decides what changes; called anew where the home changed meanwhile.

        Raises:
            UsageError: when the operation is refused; nothing has changed then.
            DiskError: when the disk is full or failing; the home is as it was.
        """
        from toolnexus.home.drafts.draft import write_of

        steps: list[Step] = []

        def plan(home: Snapshot) -> Plan:
            step = operate(home)
            steps.append(step)
            require_same_layout(self.root, step.texts, self._lenient)
            after = home.with_texts(step.texts)
            writes = (write_of(home, after, path) for path in step.texts)
            changed = tuple(write for write in writes if write.before != write.after)
            return Plan(job, changed, step.changes, logged=False)

        self.settings  # noqa: B018 - wrong settings stop the work before it begins
        done = self.store.commit(self.steady(plan), replan=plan)
        return done, steps[-1]


def _record_of(entry: Entry) -> LogRecord:
    from toolnexus.app.results import LogRecord

    return LogRecord(entry.id, entry.time, entry.job, entry.changes)
