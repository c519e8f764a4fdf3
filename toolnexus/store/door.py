"""The one door to a home's disk: read it, lock it, change it all or nothing, undo a change."""

from __future__ import annotations

import contextlib
import errno
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from toolnexus.change.log import render_entry, with_entry
from toolnexus.change.plan import Change, FileWrite, Plan
from toolnexus.clock import Clock, SystemClock, format_instant
from toolnexus.errors import ConflictError, DiskError, UsageError
from toolnexus.files import REAL_DISK, Disk, disk_errors, hold_lock
from toolnexus.home.claims import holds_claims
from toolnexus.home.layout import SOUL_CAP_BYTES, STATE_FOLDER, Layout
from toolnexus.store.confine import confine
from toolnexus.store.history import History
from toolnexus.store.journal import Journal, TargetChangedError, read_now
from toolnexus.store.ownership import make_state, require_own_state, require_state_inside
from toolnexus.store.parse_cache import CACHE_FILE, ParseCache
from toolnexus.store.proposals import Proposals
from toolnexus.store.read import HomeFacts, Reading, layout_of, read_again
from toolnexus.store.record import Entry, Record
from toolnexus.store.recover import recover
from toolnexus.store.state import StateFolder
from toolnexus.store.texts import StaleTextError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from toolnexus.change.rebase import LeftHunk
    from toolnexus.change.revert import Reverted
    from toolnexus.home.snapshot import Snapshot

WRITE_WAIT_SECONDS = 120.0
_TRIES = 3
_NOT_OURS = frozenset({errno.EACCES, errno.EPERM, errno.EROFS})


@dataclass(frozen=True, slots=True)
class Committed:
    """What became of a plan.

    Attributes:
        id: What the history knows it by; empty when nothing was left to write.
        plan: What was written, the log's entry not counted.
        dropped: The changes of the plan that gave way to what was written meanwhile.
        left: The same line by line; for a revert, what could not be undone.
    """

    id: str
    plan: Plan
    dropped: tuple[Change, ...] = ()
    left: tuple[LeftHunk, ...] = ()


class Store:
    """A home on the disk. Opening it first finishes what a crash cut short.

    Args:
        root: The home.
        state: The state folder; None means ``.toolnexus`` in the home. It is made when something
            is first kept in it.
        facts: What the settings say about the home.
        clock: Tells the time of commits.
        disk: What writes.

    Raises:
        DiskError: when a commit that was cut short cannot be finished.
        LockedError: when another process has been committing for two minutes.
        UsageError: when the state folder holds another home's state.

    Example:
        >>> store = Store(Path("ava"))
        >>> memory = store.read().memory  # doctest: +SKIP
    """

    def __init__(
        self,
        root: Path,
        state: Path | None = None,
        *,
        facts: HomeFacts = HomeFacts(),  # noqa: B008 - immutable
        clock: Clock | None = None,
        disk: Disk = REAL_DISK,
    ) -> None:
        self.root = root
        self.state = root / STATE_FOLDER if state is None else state
        self.notices: list[str] = []
        self._facts = facts
        self._reading: Reading | None = None
        self._clock = clock or SystemClock()
        self._disk = disk
        self._history = History(self.state, disk)
        self._journal = Journal(root, self._history, disk)
        self._values = StateFolder(self.state / "state", disk)
        self._values.notices = self.notices
        self.proposals = Proposals(self.state, disk)
        if state is None:
            require_state_inside(root, self.state)
        else:
            require_own_state(root, state)
        self.recover()

    @property
    def layout(self) -> Layout:
        """The home's layout.

        Raises:
            HomeError: when the folder is no home.
        """
        return layout_of(self.root, self._facts)

    def recover(self) -> None:
        """Finish or remove a commit that was cut short; what was done is told in `notices`.

        Raises:
            DiskError: when the disk is full or failing; the next open tries again.
            LockedError: when another process has been committing for two minutes.
        """
        if not self._is_interrupted():
            return
        try:
            with self._writing():
                pass
        except DiskError as error:
            cause = error.__cause__
            if not isinstance(cause, OSError) or cause.errno not in _NOT_OURS:
                raise
            self.notices.append(f"a change was cut short, and may not be finished here: {error}")

    def read(self) -> Snapshot:
        """Read the home, never in the midst of a commit.

        Raises:
            HomeError: when it is no home.
        """
        for _ in range(_TRIES):
            self.recover()
            before = self._history.names()
            snapshot = self._read()
            if self._history.names() == before and not self._is_interrupted():
                break
        return snapshot

    @contextlib.contextmanager
    def hold(self, job: str, *, timeout_seconds: float = 0.0) -> Iterator[None]:
        """Hold the lock of a kind of job for as long as the block runs.

        Args:
            job: ``dream`` or ``beat``.
            timeout_seconds: How long to wait for another one to end.

        Raises:
            LockedError: when another process holds it.
            UsageError: when it is no word that a lock can be named by.
        """
        if not job.isidentifier():
            raise UsageError(f"'{job}' is no kind of job", hint="use a plain word, such as dream")
        self.ensure_state()
        path = self.state / "locks" / f"{job}.lock"
        with hold_lock(path, timeout_seconds=timeout_seconds, what=f"a {job}"):
            yield

    def commit(
        self,
        plan: Plan,
        *,
        replan: Callable[[Snapshot], Plan] | None = None,
        reverts: str = "",
    ) -> Committed:
        """Write a plan, all or nothing, and its entry in the log with it.

        Where files changed since the plan was made, it is made again by `replan`; without one, or
        when they keep changing, its edits to claims that still stand are carried over and the rest
        is dropped. What a person wrote always wins.

        Args:
            plan: What to write.
            replan: Makes the plan anew from a fresh snapshot; called at most three times.
            reverts: The id of the commit that it undoes.

        Raises:
            DiskError: when the disk is full or failing; the home is as it was.
            LockedError: when another process has been committing for two minutes.
            ConflictError: when files keep changing in the very moment of writing.
            UsageError: when a path leads out of the home or a file is too large to be rewritten.
        """
        if plan.is_empty:
            return Committed("", plan)
        for write in plan.writes:
            confine(self.root, write.path)
        with self._writing():
            for _ in range(_TRIES):
                settled = self._settle(plan, replan)
                try:
                    return self._write(settled, reverts)
                except TargetChangedError:
                    plan = settled.plan
        raise ConflictError(
            "files of the home keep changing while they are written",
            path=str(self.root),
            hint="try again when the other program is done",
        )

    def revert(self, wanted: str) -> Committed:
        """Undo a commit claim by claim, around what was written since.

        Args:
            wanted: Its id, or ``last`` for the newest pass.

        Returns:
            With what could not be undone in `left`.

        Raises:
            UsageError: when there is no such commit.
            DiskError: when the disk is full or failing; the home is as it was.
        """
        record = self._history.record(wanted)
        made: list[Reverted] = []

        def plan(snapshot: Snapshot) -> Plan:
            made.append(self._plan_revert(record, snapshot))
            return made[-1].plan

        done = self.commit(plan(self.read()), replan=plan, reverts=record.id)
        self._journal.remove_empty(record.folders)
        return replace(done, left=(*made[-1].left, *done.left))

    def history(self, *, cited: bool = False) -> tuple[Entry, ...]:
        """List the commits, newest last; only those that rest on words of turns where `cited`."""
        return self._history.entries(cited=cited)

    def record(self, wanted: str) -> Record:
        """Load one commit with the bytes before and after.

        Args:
            wanted: Its id, or ``last`` for the newest pass.

        Raises:
            UsageError: when there is no such commit.
        """
        return self._history.record(wanted)

    def renames(self) -> dict[str, str]:
        """Tell where notes went that were renamed or merged: old path to newest path."""
        return self._history.renames()

    def new_id(self) -> str:
        """Return an id for something that is kept beside the commits, such as a proposal."""
        waiting = self.proposals.ids()
        while (made := self._history.new_id(self._clock.now())) in waiting:
            pass  # the clock may say the same second again
        return made

    def read_state(self, name: str, default: Any = None) -> Any:
        """Return a small JSON value of ours; the default (and a notice) when it is damaged.

        Raises:
            UsageError: when the name cannot be a file's.
        """
        return self._values.read(name, default)

    def write_state(self, name: str, value: Any, *, durable: bool = True) -> None:
        """Keep a small JSON value of ours, atomically; `durable` if not a power loss may lose it.

        Raises:
            UsageError: when the name cannot be a file's.
            DiskError: when the disk is full or failing; the old value still stands.
        """
        self.ensure_state()
        self._values.write(name, value, durable=durable)

    def _read(self) -> Snapshot:
        layout_of(self.root, self._facts)  # before anything is made: there may be no home here
        cache = None
        with contextlib.suppress(DiskError):
            self.ensure_state()
            cache = ParseCache(self.state / CACHE_FILE)
        self._reading = read_again(
            self.root, self._reading, facts=self._facts, state=self.state, cache=cache
        )
        return self._reading.snapshot

    def _is_interrupted(self) -> bool:
        return bool(self._history.staged() or self._history.unfinished())

    @contextlib.contextmanager
    def _writing(self) -> Iterator[None]:
        """Hold the write lock, on a home where nothing is half done."""
        self.ensure_state()
        path = self.state / "locks" / "write.lock"
        with hold_lock(path, timeout_seconds=WRITE_WAIT_SECONDS, what="a commit"):
            self.notices += recover(self._journal)
            yield

    def ensure_state(self) -> None:
        """Make the state folder, which keeps itself out of git."""
        make_state(self.root, self.state, self._disk)

    def _settle(self, plan: Plan, replan: Callable[[Snapshot], Plan] | None) -> Committed:
        """Fit a plan to what is on the disk now."""
        current = self._current(plan)
        for _ in range(_TRIES):
            if replan is None or _fits(plan, current):
                break
            with contextlib.suppress(StaleTextError):  # it was saved in this very moment
                plan = replan(self._read())
            current = self._current(plan)
        if _fits(plan, current):
            return Committed("", plan)
        from toolnexus.change.rebase import rebase  # takes time to load, and is seldom needed

        done = rebase(plan.writes, current)
        dropped = tuple(change for change in plan.changes if _is_left(change, done.left))
        kept = tuple(change for change in plan.changes if change not in dropped)
        return Committed("", replace(plan, writes=done.writes, changes=kept), dropped, done.left)

    def _current(self, plan: Plan) -> dict[str, bytes | None]:
        found = {}
        for write in plan.writes:
            path = confine(self.root, write.path)
            with disk_errors(path):
                found[write.path] = data = read_now(path)
            if data is not None and len(data) > SOUL_CAP_BYTES:
                raise UsageError(
                    f"over {SOUL_CAP_BYTES:,} bytes, so it is read-only to toolnexus",
                    path=write.path,
                    hint="split it into smaller files",
                )
        return found

    def _write(self, settled: Committed, reverts: str) -> Committed:
        plan = settled.plan
        if plan.is_empty:
            return settled
        now = self._clock.now()
        commit_id = self._history.new_id(now)
        writes = plan.writes
        log_path = self.layout.log_path if plan.logged else ""
        if plan.logged:
            entry_text = render_entry(plan, commit_id, now)
            writes = (*writes, self._log_write(log_path, entry_text))
        entry = Entry(
            id=commit_id,
            job=plan.job,
            time=format_instant(now),
            sequence=self._history.next_sequence(),
            changes=plan.changes,
            paths=tuple(write.path for write in writes),
            log_path=log_path,
            reverts=reverts,
        )
        record = Record(entry, writes, self._journal.missing_folders(writes))
        self._journal.commit(record)
        self._history.prune()
        return replace(settled, id=commit_id)

    def _log_write(self, log_path: str, entry_text: str) -> FileWrite:
        path = confine(self.root, log_path)
        with disk_errors(path):
            before = read_now(path)
        return FileWrite(log_path, before, with_entry(before or b"", entry_text))

    def _plan_revert(self, record: Record, snapshot: Snapshot) -> Reverted:
        writes = [write for write in record.writes if write.path != record.entry.log_path]
        paths = {write.path for write in writes}
        standing = {
            claim.fold
            for path, note in snapshot.notes.items()
            if path not in paths and (note.kind == "soul" or holds_claims(note))
            for claim in note.document.claims
        }
        current = self._current(Plan("revert", tuple(writes)))
        from toolnexus.change.revert import plan_revert

        changes = record.entry.changes
        archived = {change.path: change.to for change in changes if change.kind == "archived"}
        return plan_revert(record.id, writes, current, standing=standing, archived=archived)


def _fits(plan: Plan, current: dict[str, bytes | None]) -> bool:
    return all(current[write.path] == write.before for write in plan.writes)


def _is_left(change: Change, left: Sequence[LeftHunk]) -> bool:
    """Whether what a change speaks of is among what could not be written."""
    for hunk in left:
        if hunk.path != change.path:
            continue
        if hunk.line == 0 or hunk.line <= change.line <= hunk.end_line:
            return True
        if not change.line and change.after and change.after in " ".join(hunk.after.split()):
            return True
    return False
