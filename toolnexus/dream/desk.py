"""The desk: where a dreaming model's calls land, are judged, and become steps of the draft."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import TYPE_CHECKING

from toolnexus.agent.memory_actions import READING_ACTIONS, step_for
from toolnexus.dream.guard import Request, Verdict, judge, judge_move
from toolnexus.dream.linking import find_unresolved
from toolnexus.errors import ToolnexusError, UsageError
from toolnexus.home.claims import located_claims
from toolnexus.home.drafts.draft import Draft, Refusal, TakenStep
from toolnexus.home.operations.relink import bare_target
from toolnexus.home.ripening import is_proposed
from toolnexus.text.secrets import mask, shorten

if TYPE_CHECKING:
    from toolnexus.agent.memory_actions import CitedTurn, MemoryAction, MemoryArguments
    from toolnexus.change.located import LocatedClaim
    from toolnexus.change.plan import Change
    from toolnexus.dream.guard import Facts
    from toolnexus.dream.guard.request import GuardedAction
    from toolnexus.dream.learning.judge import Learning
    from toolnexus.home.operations.step import Step
    from toolnexus.home.snapshot import Snapshot

_SHOWN = 80
_TOLD = "the model was told, and nothing was changed"
_MERGE_HINT = (
    "leave 'text' out, or keep what moves under a heading with the title of the note it came from; "
    "notes about different things stay apart"
)
_GUARDED: dict[str, GuardedAction] = {"dropped": "remove", "added": "add"}


class Desk:
    """A door for the memory tool that changes a draft, and only as the guard allows.

    Args:
        draft: The pass as it grows.
        facts: What the guard judges by.
        learning: What may be added; None lets nothing be added.
    """

    def __init__(self, draft: Draft, facts: Facts, learning: Learning | None = None) -> None:
        self.draft = draft
        self.waiting: list[TakenStep] = []
        self.refused: list[Refusal] = []
        self._facts = facts
        self._learning = learning
        self._settled: set[tuple[str, str]] = set()
        self._lock = threading.Lock()

    def perform(self, action: MemoryAction, arguments: MemoryArguments) -> str:
        """Do what a call asks for, if it may be done.

        Raises:
            UsageError: when it cannot or may not be done; nothing has changed then.
        """
        with self._lock:
            try:
                return self._perform(action, arguments)
            except ToolnexusError as error:
                named = _shown(arguments.text or " ".join(arguments.from_))
                what = f"{action} {arguments.target or 'self'}: {named}".rstrip(": ")
                self.refused.append(
                    Refusal(mask(what), mask(error.message), mask(error.hint or _TOLD))
                )
                raise

    def _perform(self, action: MemoryAction, arguments: MemoryArguments) -> str:
        home = self.draft.home
        if action in READING_ACTIONS:
            return step_for(home, action, arguments).reply
        if action == "write" or (action == "add" and self._learning is None):
            raise UsageError(
                "a dream writes nothing new",
                hint="correct or remove claims that turns contradict; the others stay",
            )
        if action == "relink":
            self._require_broken(arguments.text)
        step = step_for(home, action, arguments)
        if not step.changes:
            return step.reply
        _require_settled(home, step)
        if action in {"replace", "remove", "add"}:
            return self._judge(step, arguments.evidence)
        return self._move(step)

    def _move(self, step: Step) -> str:
        """Put a move of claims or links to the guard, and do as it says."""
        verdict = judge_move(self.draft.home, step)
        if verdict.answer == "refuse":
            raise UsageError(verdict.reason, hint=verdict.next)
        if not verdict.is_accepted:
            return self._wait(_with_evidence(step, verdict), None, verdict)
        return self._take(step)

    def _judge(self, step: Step, evidence: tuple[CitedTurn, ...]) -> str:
        """Put a change of one claim to the guard, and do as it says."""
        change = step.changes[0]
        claim = self._claim(change)
        action = _GUARDED.get(change.kind, "replace")
        if claim is not None and (claim.path, claim.fold) in self._settled:
            raise UsageError("this claim was settled in this pass", hint="go on with the next")
        verdict = self._verdict(Request(action, claim, change.after, evidence), change.path)
        if verdict.answer == "refuse":
            raise UsageError(verdict.reason, hint=verdict.next)
        cited = _with_evidence(step, verdict)
        if not verdict.is_accepted:
            return self._wait(cited, claim, verdict)
        said = self._take(cited)
        self._settle(change.path, change.after, claim)
        return said

    def _verdict(self, request: Request, path: str) -> Verdict:
        if request.action == "add" and self._learning is not None:
            return self._learning.judge(request, self._facts, self.draft.home, path)
        return judge(request, self._facts)

    def _take(self, step: Step) -> str:
        if objection := self.draft.spared.objection(self.draft.home, step):
            raise UsageError(objection, hint="leave it as it is, and go on with the next")
        if self.draft.take(step):
            return step.reply
        self._raise_refusal(self.draft)
        raise UsageError("this would change nothing", hint="leave it as it is")

    def _wait(self, step: Step, claim: LocatedClaim | None, verdict: Verdict) -> str:
        trial = Draft(self.draft.home)
        if not trial.take(step):
            self._raise_refusal(trial)
        self.waiting += trial.steps
        self.draft.spared = self.draft.spared.with_waiting(trial.steps)
        if claim is not None:
            self._settled.add((claim.path, claim.fold))
        return f"This waits for a person: {verdict.reason}. Go on with the next claim."

    @staticmethod
    def _raise_refusal(draft: Draft) -> None:
        """Raise what the conservation law said, once, where the caller can hear it."""
        if draft.refused:
            refusal = draft.refused.pop()
            is_merge = refusal.action.startswith("merged ")
            raise UsageError(refusal.reason, hint=_MERGE_HINT if is_merge else refusal.next)

    def _settle(self, path: str, after: str, claim: LocatedClaim | None) -> None:
        """Note that a claim has had its correction in this pass."""
        if claim is not None:
            self._settled.add((claim.path, claim.fold))
        self._settled |= {
            (path, located.fold)
            for located in located_claims(self.draft.home, path)
            if after and located.claim.text == after
        }

    def _claim(self, change: Change) -> LocatedClaim | None:
        if change.kind == "added":
            return None
        for located in located_claims(self.draft.home, change.path):
            if located.claim.line == change.line and located.claim.text == change.before:
                return located
        return None

    def _require_broken(self, words: str) -> None:
        broken = {bare_target(one.link) for one in find_unresolved(self.draft.home)}
        if bare_target(words) not in broken:
            raise UsageError(
                f"'{words}' is no broken link", hint="a dream points only broken links elsewhere"
            )


def _require_settled(home: Snapshot, step: Step) -> None:
    """Refuse to change a note that waits for a person, or to put anything into it."""
    for path in {path for change in step.changes for path in (change.path, change.to)}:
        if path in home.notes and is_proposed(home.notes[path]):
            raise UsageError(
                f"'{home.notes[path].slug}' is a guess that waits for a person",
                hint="leave it as it is, and go on with the next",
            )


def _with_evidence(step: Step, verdict: Verdict) -> Step:
    reason = "" if verdict.is_accepted else str(verdict)
    changes = (replace(change, evidence=verdict.evidence, reason=reason) for change in step.changes)
    return replace(step, changes=tuple(changes))


def _shown(text: str) -> str:
    return shorten(" ".join(text.split()), _SHOWN)
