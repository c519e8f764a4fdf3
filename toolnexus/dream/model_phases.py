"""The phases that a model does: verify claim by claim, learn, demote what is too much, merge."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from toolnexus.dream.asked import Asked
from toolnexus.dream.demotion import is_over
from toolnexus.dream.desk import Desk
from toolnexus.dream.dossier import make_dossiers
from toolnexus.dream.dreamer import make_dreamer
from toolnexus.dream.due import find_due
from toolnexus.dream.guard import Facts
from toolnexus.dream.hand import digest_of_claim
from toolnexus.dream.learning.course import Course
from toolnexus.dream.learning.judge import Learning
from toolnexus.dream.learning.known import Known
from toolnexus.dream.phase_prompts import demote_prompt, learn_prompt, merge_prompt
from toolnexus.dream.recalled import Recalled
from toolnexus.errors import Malformed, ModelError
from toolnexus.home.claims import all_claims, holds_claims
from toolnexus.home.drafts.draft import Refusal
from toolnexus.models.completion import Usage
from toolnexus.text.secrets import mask

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from toolnexus.agent.budget import Meter
    from toolnexus.agent.loop import Agent
    from toolnexus.agent.run import Run
    from toolnexus.agent.run_file import RunFile
    from toolnexus.change.plan import Change
    from toolnexus.dream.due import Due
    from toolnexus.dream.hand import Hand
    from toolnexus.dream.turn_source import SearchedTurns
    from toolnexus.home.drafts.draft import Draft, TakenStep
    from toolnexus.home.snapshot import Snapshot
    from toolnexus.models.model import Model
    from toolnexus.transcripts.cursor import Cursor

_MODEL_TOOL = "the model"
_TOLD = "the model was told, and nothing was changed; where it comes up often, try another model"


@dataclass(frozen=True, slots=True)
class ModelJob:
    """What the phases with a model work with.

    Attributes:
        model: Who thinks.
        meter: Counts what the pass spends, over all its runs.
        turns: The transcripts, refreshed.
        asked: What was asked in earlier passes.
        hand: What a person did.
        owner: Whose memory it is.
        recalled: What memory says and said: a turn that merely repeats it proves nothing.
        waiting: Claims that wait for a person already, by path and fold.
        waiting_facts: Additions that wait, by fold.
        learns: Whether facts that new turns state are added.
        learnt: How far conversations were learnt from; None before the first time.
        full: Whether every claim and note is due.
        instructions: The host's guidance.
        soul: The dreamer's soul, where that was composed before; empty composes it now.
        run_file: Where each step is written as it happens; None writes nothing.
    """

    model: Model
    meter: Meter
    turns: SearchedTurns
    asked: Asked = field(default_factory=Asked)
    hand: Hand | None = None
    owner: str = ""
    recalled: Recalled = field(default_factory=Recalled)
    waiting: frozenset[tuple[str, str]] = frozenset()
    waiting_facts: frozenset[str] = frozenset()
    learns: bool = False
    learnt: Mapping[str, Cursor] | None = None
    full: bool = False
    instructions: str = ""
    soul: str = ""
    run_file: RunFile | None = None


@dataclass(frozen=True, slots=True)
class ModelWork:
    """What the phases with a model came to; what they changed is in the draft.

    Attributes:
        waiting: Steps that wait for a person.
        refused: What was not let through.
        usage: What it cost.
        checked: How many claims were put to turns.
        turns_new: How many turns were new.
        left: How many due claims are left for the next pass.
        stopped: Why it ended early; empty when it did not.
        error: What made the model fail; None when nothing did.
        asked: What to keep for the next pass, before the home as it was left is known.
        unasked: The digests of the claims that are left for the next pass.
        learnt: How far conversations are learnt from now; None where nothing is learnt.
        turns_left: How many turns are left to be learnt from.
        skipped: How many claims were left alone because a change of them waits.
    """

    waiting: tuple[TakenStep, ...] = ()
    refused: tuple[Refusal, ...] = ()
    usage: Usage = field(default_factory=Usage)
    checked: int = 0
    turns_new: int = 0
    left: int = 0
    stopped: str = ""
    error: ModelError | None = None
    asked: Asked = field(default_factory=Asked)
    unasked: frozenset[str] = frozenset()
    learnt: Mapping[str, Cursor] | None = None
    turns_left: int = 0
    skipped: int = 0

    @property
    def waiting_changes(self) -> tuple[Change, ...]:
        """What waits, in a person's terms."""
        return tuple(change for step in self.waiting for change in step.changes)

    def keep(self, home: Snapshot) -> Asked:
        """Return what to keep for the next pass, once the pass has left the home like this.

        What the pass itself corrected, moved or merged counts as verified.
        """
        claims = {
            digest: self.asked.claims.get(digest, "kept")
            for digest in map(digest_of_claim, all_claims(home))
            if digest not in self.unasked
        }
        return replace(self.asked, claims=claims, notes=self._notes(home))

    def _notes(self, home: Snapshot) -> dict[str, str]:
        return dict(self.asked.notes) if self.stopped or self.error else note_digests(home)


def dream_with_model(draft: Draft, job: ModelJob) -> ModelWork:
    """Verify, learn, demote and merge with a model; what the guard accepts goes into the draft.

    Nothing that the model or a budget does raises; it is told in the result.

    Raises:
        DiskError: when a run file cannot be written.
    """
    phases = _Phases(draft, job)
    phases.verify()
    phases.learn()
    phases.demote()
    phases.merge()
    return phases.result()


def note_digests(home: Snapshot) -> dict[str, str]:
    """Return the digests of the notes that could be merged, by path."""
    return {
        path: note.digest
        for path, note in home.notes.items()
        if note.kind == "note" and holds_claims(note)
    }


class _Phases:
    """The phases of one pass, in order; one that ends it early leaves the rest undone."""

    def __init__(self, draft: Draft, job: ModelJob) -> None:
        self._job = job
        self._draft = draft
        asked = Asked(notes=job.asked.notes) if job.full else job.asked
        self._due: Due = find_due(
            draft.home, job.turns, asked, job.owner, job.waiting, job.recalled
        )
        self._before = asked
        self._course = _course(job, asked)
        self._desk = Desk(draft, _facts(draft.home, job), _learning(job, self._course))
        self._agent: Agent = make_dreamer(
            draft.home,
            job.model,
            self._desk,
            job.turns.index.search,
            instructions=job.instructions,
            soul=job.soul,
        )
        self._verdicts: dict[str, str] = dict.fromkeys(self._due.silent, "unmentioned")
        self._left = {due.digest for due in self._due.claims}
        self._refused: list[Refusal] = []
        self._usage = Usage()
        self._stopped = ""
        self._error: ModelError | None = None

    def verify(self) -> None:
        for dossier in make_dossiers(self._due.claims):
            if self._is_over():
                return
            run = self._run(dossier.render())
            if self._is_over():
                return
            verdict = "kept" if run.outcome == "done" else "tried"
            digests = [due.digest for due in dossier.claims]
            self._verdicts |= dict.fromkeys(digests, verdict)
            self._left.difference_update(digests)

    def learn(self) -> None:
        if self._course is None or self._is_over():
            return
        for lesson in self._course.lessons(self._draft.home):
            self._run(lesson.render(learn_prompt()))
            if self._is_over():
                return
            self._course.finish(lesson)

    def demote(self) -> None:
        waits = self._draft.spared.demotion_waits
        if not (waits or self._is_over()) and is_over(self._draft.home):
            self._run(demote_prompt(self._draft.home))

    def merge(self) -> None:
        home = self._draft.home
        notes = note_digests(home)
        is_due = self._job.full or notes != self._before.notes
        if not self._is_over() and is_due and len(notes) > 1:
            self._run(merge_prompt(home))

    def result(self) -> ModelWork:
        claims = {**self._before.claims, **self._verdicts}
        course = self._course
        cut = () if course is None else course.cut
        return ModelWork(
            waiting=tuple(self._desk.waiting),
            refused=(*self._desk.refused, *self._refused, *cut),
            usage=self._usage,
            checked=len(self._due.claims) - len(self._left) + len(self._due.silent),
            turns_new=self._due.turns_new,
            left=len(self._left),
            stopped=self._stopped,
            error=self._error,
            asked=Asked(self._due.cursors, claims, self._before.notes),
            unasked=frozenset(self._left),
            learnt=None if course is None else course.learnt(),
            turns_left=0 if course is None else course.left,
            skipped=self._due.skipped,
        )

    def _is_over(self) -> bool:
        return bool(self._stopped) or self._error is not None

    def _run(self, prompt: str) -> Run:
        """Let the model work on one prompt with a fresh context; it is told no secret."""
        run = self._agent.run(mask(prompt), meter=self._job.meter, run_file=self._job.run_file)
        self._usage += run.usage
        told = {refusal.reason for refusal in self._desk.refused}
        self._refused += _untold(run, told)
        if run.outcome in {"budget", "cancelled"}:
            self._stopped = run.reason or run.outcome
        elif run.outcome == "failed" and isinstance(run.error, ModelError):
            if isinstance(run.error, Malformed):
                self._refused.append(Refusal(_MODEL_TOOL, str(run.error), run.error.hint or _TOLD))
            else:
                self._error = run.error
        elif run.outcome == "failed" and run.error is not None:
            raise run.error
        elif run.outcome != "done":
            self._refused.append(
                Refusal(_MODEL_TOOL, run.reason, "these claims are due when they or turns change")
            )
        return run


def _untold(run: Run, told: Iterable[str]) -> list[Refusal]:
    """Return what a run refused before it reached the desk: unknown tools, malformed calls."""
    return [
        Refusal(refusal.tool or _MODEL_TOOL, mask(refusal.reason), _TOLD)
        for refusal in run.refused
        if not any(reason in refusal.reason for reason in told)
    ]


def _course(job: ModelJob, asked: Asked) -> Course | None:
    """Return what is to be learnt from; turns of before learning was asked for are not."""
    if not job.learns:
        return None
    learnt = asked.cursors if job.learnt is None else job.learnt
    return Course(job.turns, {} if job.full else learnt)


def _learning(job: ModelJob, course: Course | None) -> Learning | None:
    if course is None:
        return None
    return Learning(course.places, job.waiting_facts, Known(job.owner))


def _facts(home: Snapshot, job: ModelJob) -> Facts:
    hand = job.hand
    return Facts(
        turns=job.turns,
        owner=job.owner,
        evidence_roles=frozenset(job.turns.roles),
        recalled=job.recalled,
        edited={} if hand is None else hand.edits(home),
        undone={} if hand is None else hand.undos(),
        waiting=job.waiting,
        may_add=job.learns,
    )
