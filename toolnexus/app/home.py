"""`Home`: a persona's home, opened, with everything that can be done to it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

from toolnexus.app.opening import (
    facts_of,
    read_settings_text,
    require_same_layout,
    settings_finding,
    transcript_finding,
)
from toolnexus.app.parts import Parts
from toolnexus.app.results import (
    ConversationInfo,
    Diagnosis,
    Left,
    LogRecord,
    Remembered,
    Renamed,
    Reverted,
    Reviewed,
    SearchResult,
)
from toolnexus.change.plan import Plan
from toolnexus.clock import Clock, SystemClock
from toolnexus.errors import UsageError
from toolnexus.home.checks import check
from toolnexus.settings import read_settings
from toolnexus.store.notes import paused_collection
from toolnexus.store.read import layout_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from datetime import date, datetime

    from toolnexus.agent.tool import Tool
    from toolnexus.app.overview import Overview
    from toolnexus.dream.proposal import Proposal
    from toolnexus.dream.types import Pass
    from toolnexus.heartbeat.types import Beat
    from toolnexus.home.finding import Finding
    from toolnexus.home.operations.step import Step
    from toolnexus.home.snapshot import Snapshot
    from toolnexus.index.hit import Refreshed
    from toolnexus.models.model import Model
    from toolnexus.store.door import Committed
    from toolnexus.transcripts.hit import TurnHit
    from toolnexus.transcripts.turn import Conversation

Where = Literal["notes", "transcripts", "all"]


class Home(Parts):
    """A persona's home. `Home.open` opens one; nothing is written until something is changed.

    Args:
        root: The home's folder.
        state: Its state folder; None for ``.toolnexus`` in it.
        clock: Tells the time.
        settings_text: What persona.yaml says; empty when there is none.

    Example:
        >>> ava = Home.open("personas/ava")  # doctest: +SKIP
        >>> ava.remember("The spare key is under the blue pot.").path  # doctest: +SKIP
        'MEMORY.md'
    """

    @classmethod
    def open(
        cls,
        path: str | Path,
        *,
        state_dir: str | Path | None = None,
        clock: Clock | None = None,
        model: str | None = None,
    ) -> Home:
        """Open a home; a change that a crash cut short is finished first.

        Args:
            path: Its folder.
            state_dir: Where our own state is kept instead of ``.toolnexus`` in it.
            clock: Tells the time; the machine's own by default.
            model: A litellm model to use instead of the settings'; ``none`` works without one.

        Raises:
            HomeError: when the folder is no home.
            DiskError: when a change that was cut short cannot be finished.
        """
        root = Path(path)
        text = read_settings_text(root)
        layout_of(root, facts_of(read_settings(text)[0]))
        state = Path(state_dir) if state_dir is not None else None
        home = cls(root, state=state, clock=clock or SystemClock(), settings_text=text)
        home.model = model
        return home

    def check(self) -> list[Finding]:
        """Return everything in the home that a person may want to mend."""
        self.turns.refresh()
        folder = self.store.layout.transcripts_path
        extra = [settings_finding(problem) for problem in self._problems]
        extra += [transcript_finding(folder, problem) for problem in self.turns.problems()]
        with paused_collection():
            return check(self.read(), extra)

    def overview(self) -> Overview:
        """Count what there is in the home."""
        from toolnexus.app.beating import due_tasks, last_beat
        from toolnexus.app.overview import summarise

        findings = self.check()
        snapshot = self.read()
        stats = self.turns.stats()
        last = [entry.time for entry in self.store.history() if entry.job == "dream"]
        return summarise(
            snapshot,
            findings,
            conversations=stats.conversations,
            turns=sum(stats.turns.values()),
            last_pass=last[-1] if last else None,
            waiting=sum(len(proposal.steps) for proposal in self.proposals()),
            last_beat=last_beat(self),
            tasks=due_tasks(self, snapshot),
        )

    def remember(self, text: str, to: str = "self") -> Remembered:
        """Add a claim.

        Args:
            text: The claim; several lines become one item.
            to: ``self`` (MEMORY.md), ``user`` (USER.md) or a note's slug.

        Raises:
            UsageError: when the text or the target will not do.
            DiskError: when the disk is full or failing; the home is as it was.
        """
        from toolnexus.home.operations.edit import add_claim

        done, step = self.perform("remember", lambda home: add_claim(home, text, to))
        return Remembered(step.reply, step.path, done.id, bool(done.id))

    def rename(self, old: str, new: str) -> Renamed:
        """Rename a note; every link follows, all or nothing.

        Raises:
            UsageError: when there is no such note, or the new name will not do.
            DiskError: when the disk is full or failing; the home is as it was.
        """
        from toolnexus.home.operations.relink import rename_note

        done, step = self.perform("rename", lambda home: rename_note(home, old, new))
        return Renamed(done.id, step.changes[0].to, step.links)

    def search(
        self,
        query: str,
        k: int = 8,
        where: Where = "notes",
        tags: Sequence[str] = (),
        min_score: float = 0.0,
    ) -> SearchResult:
        """Search notes, transcripts or both; what changed on the disk is indexed first.

        Args:
            query: Plain words.
            k: How many hits at most.
            where: What to search.
            tags: Only notes that have all of these.
            min_score: Only hits of at least this score, 0 to 1.
        """
        hits: list[object] = []
        notices: tuple[str, ...] = ()
        found: SearchResult
        if where in {"notes", "all"}:
            found = self.searching.search(self.read(), query, k, tags, min_score)
            hits += found.hits
            notices = found.notices
        if where in {"transcripts", "all"}:
            hits += self.search_transcripts(query, limit=min(k, 50))
        return SearchResult(tuple(hits), notices)  # type: ignore[arg-type]

    def conversations(self) -> list[ConversationInfo]:
        """List the conversations, newest first."""
        self.turns.refresh()
        counts = {cursor.conversation: cursor.number for cursor in self.turns.cursors()}
        return [
            ConversationInfo(record.id, record.updated_at, counts.get(record.id, 0))
            for record in self.transcripts.list()
        ]

    def conversation(self, conversation_id: str) -> Conversation:
        """Return a conversation.

        Raises:
            UsageError: when there is none of that id.
        """
        found = self.transcripts.get(conversation_id)
        if found is None:
            raise UsageError(
                f"there is no conversation '{conversation_id}'",
                hint="'toolnexus transcripts list' shows them",
            )
        return found

    def search_transcripts(
        self,
        query: str,
        limit: int = 8,
        role: str | None = None,
        after: date | datetime | None = None,
        before: date | datetime | None = None,
        conversation: str | None = None,
    ) -> tuple[TurnHit, ...]:
        """Search the turns of all conversations, best first.

        Raises:
            UsageError: when the query is empty or a filter makes no sense.
        """
        from toolnexus.transcripts.fused import search_fused

        self.turns.refresh()
        return tuple(
            search_fused(
                self.turns,
                query,
                self.searching.closeness,
                limit=limit,
                after=after,
                before=before,
                role=role,
                conversation=conversation,
            )
        )

    def dream(
        self,
        *,
        dry_run: bool = False,
        propose: bool = False,
        check: bool = False,
        full: bool = False,
        instructions: str | None = None,
        model: Model | None = None,
        budget_usd: float | None = None,
        record: str | Path | None = None,
        replay: str | Path | None = None,
    ) -> Pass:
        """Run one pass: verify, demote, merge, repair links; all or nothing, logged, revertible.

        Args:
            dry_run: Decide everything, write nothing.
            propose: Leave the changes for `review` and write nothing else.
            check: As `dry_run`; the caller asks whether there is anything to do.
            full: Look at every claim, whatever earlier passes have verified.
            instructions: Standing guidance for a model, beyond DREAM.md.
            model: Who thinks, in place of the model that the settings name.
            budget_usd: Money, in US dollars, that it may cost, in place of the settings' bound.
            record: A file to write down what the model is asked and replies; keys are masked.
            replay: Such a file, which replies in the model's place: no key and no network.

        Raises:
            LockedError: when another dream is under way.
            DiskError: when the disk is full or failing; the home is as it was.
            ConfigError: when the settings are wrong.
            UsageError: when a recording does not fit the pass; nothing has changed then.
        """
        from toolnexus.app.dreaming import DreamOptions, dream

        wanted = DreamOptions(
            dry_run or check, propose, full, instructions or "", model, budget_usd, record, replay
        )
        return dream(self, wanted)

    def beat(
        self,
        *,
        force: bool = False,
        model: Model | None = None,
        tools: Iterable[Tool | Callable[..., object]] = (),
        say: Callable[[str], None] | None = None,
    ) -> Beat:
        """Make one heartbeat: do what HEARTBEAT.md asks for now, and deliver what there is to say.

        Args:
            force: Pass every gate but busy.
            model: Who thinks, in place of the model that the settings name.
            tools: The host's own tools, beside memory and search: functions with type hints.
            say: Is given the reply where it goes to ``stdout``; None leaves that to the caller.

        Raises:
            ConfigError: when the settings are wrong. Anything else is told in `Beat.error`.
        """
        from toolnexus.app.beating import beat

        return beat(self, force=force, model=model, tools=tools, say=say)

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
            steps = [waiting.steps[number - 1] for number in done.discarded]
            remember_undone(self, [change for step in steps for change in step.changes])
        return done

    def log(self, limit: int | None = None) -> list[LogRecord]:
        """List what was written, oldest first.

        Args:
            limit: Only this many of the newest.
        """
        entries = [LogRecord(e.id, e.time, e.job, e.changes) for e in self.store.history()]
        return entries if limit is None else entries[-limit:] if limit else []

    def revert(self, wanted: str = "last") -> Reverted:
        """Undo a write claim by claim; what was changed since is left and listed.

        Args:
            wanted: Its id, or ``last`` for the newest pass.

        Raises:
            UsageError: when there is no such write.
            DiskError: when the disk is full or failing; the home is as it was.
        """
        from toolnexus.app.model_dreaming import remember_undone

        undone = self.store.record(wanted).entry.changes
        done = self.store.revert(wanted)
        if done.id:
            remember_undone(self, undone)
        left = tuple(
            Left(h.path, h.line, (h.before or h.after).strip(), h.reason) for h in done.left
        )
        return Reverted(done.id, done.plan.changes if done.id else (), left)

    def reindex(self, *, rebuild: bool = False) -> Refreshed:
        """Bring the search index up to date, or make it anew."""
        return self.searching.refresh(self.read(), rebuild=rebuild, verify=not rebuild)

    def doctor(self) -> list[Diagnosis]:
        """Look at everything that could be wrong around the home, each with its fix."""
        from toolnexus.app.doctor import diagnose

        return diagnose(self)

    def perform(self, job: str, operate: Callable[[Snapshot], Step]) -> tuple[Committed, Step]:
        """Do one operation, all or nothing, on the home as it is when it is written.

        Args:
            job: Who wants it, as the history tells it.
            operate: Decides what changes; called anew where the home changed meanwhile.

        Raises:
            UsageError: when the operation is refused; nothing has changed then.
            DiskError: when the disk is full or failing; the home is as it was.
        """
        from toolnexus.dream.draft import write_of

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
        done = self.store.commit(plan(self.read()), replan=plan)
        return done, steps[-1]
