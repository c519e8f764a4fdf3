"""The desk: where a model's calls land. Each task has a door of its own, which lets little in."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Protocol

from toolnexus.agent.memory_actions import READING_ACTIONS, step_for
from toolnexus.errors import UsageError
from toolnexus.evolve.compacting.merging import merge_cluster
from toolnexus.evolve.compacting.skills import draft_skill
from toolnexus.home.operations.step import find_target

if TYPE_CHECKING:
    from toolnexus.agent.memory_actions import MemoryAction, MemoryArguments
    from toolnexus.evolve.compacting.extract import Fact, Teacher
    from toolnexus.evolve.compacting.nearby import Cluster
    from toolnexus.evolve.compacting.work import Work


class Judge(Protocol):
    """What a door lets a call do, beside reading."""

    def __call__(self, arguments: MemoryArguments) -> str:
        """Do it, and tell in a sentence what was done.

        Raises:
            UsageError: when it may not be done; nothing has changed then.
        """
        ...


class Door:
    """A door for the memory tool: it shows notes, and lets one action in.

    Args:
        work: The compaction.
        action: The action that is let in.
        judge: Judges it, and does it.
    """

    def __init__(self, work: Work, action: MemoryAction, judge: Judge) -> None:
        self._work = work
        self._action = action
        self._judge = judge
        self._lock = threading.Lock()

    def perform(self, action: MemoryAction, arguments: MemoryArguments) -> str:
        """Do what a call asks for, if it may be done.

        Raises:
            UsageError: when it may not; nothing has changed then.
        """
        with self._lock:
            if action in READING_ACTIONS:
                return step_for(self._work.home, action, arguments).reply
            if action != self._action:
                raise UsageError(
                    f"'{action}' is not asked for here", hint=f"use '{self._action}', or end"
                )
            return self._judge(arguments)


def merge_door(work: Work, cluster: Cluster) -> Door:
    """Make the door that lets notes of one cluster be merged, once."""
    left = set(cluster.paths)

    def judge(arguments: MemoryArguments) -> str:
        if arguments.text or arguments.title:
            raise UsageError(
                "the notes' own words live on", hint="leave 'text' and 'title' out of 'merge'"
            )
        paths = [_path(work, name) for name in (arguments.to, *arguments.from_)]
        if len(set(paths)) < 2 or not left.issuperset(paths):
            named = ", ".join(sorted(left))
            raise UsageError("only notes that were shown may be merged", hint=f"they are {named}")
        step = merge_cluster(work.home, paths, "a model says that they say the same")
        if not work.draft.take(step):
            reason = work.draft.refused.pop().reason if work.draft.refused else "it was taken back"
            raise UsageError(f"these cannot be one: {reason}", hint="leave them apart")
        left.difference_update(step.moved)
        return step.reply

    return Door(work, "merge", judge)


def skill_door(work: Work, path: str) -> Door:
    """Make the door that takes the draft of one skill, and lets it wait for a person."""
    drafted = False

    def judge(arguments: MemoryArguments) -> str:
        nonlocal drafted
        if drafted:
            raise UsageError("the skill is written", hint="end")
        step = draft_skill(work.home, path, arguments, work.means.now)
        if not work.let_wait(step):
            reason = work.refused.pop().reason if work.refused else "it was taken back"
            raise UsageError(f"this cannot be kept: {reason}", hint="write it otherwise, or end")
        drafted = True
        return "The draft waits for a person."

    return Door(work, "write", judge)


def fact_door(work: Work, teacher: Teacher, facts: list[Fact]) -> Door:
    """Make the door that takes facts out of sources; what it lets in is added to a list."""

    def judge(arguments: MemoryArguments) -> str:
        fact = teacher.judge(work.home, arguments, tuple(facts))
        facts.append(fact)
        return "Kept." if not fact.doubt else f"This waits for a person: {fact.doubt}."

    return Door(work, "add", judge)


def _path(work: Work, name: str) -> str:
    note = find_target(work.home, name)
    return "" if note is None else note.path
