"""Asking: one run of a model at one task, with a tool whose door judges every call."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Literal

from toolnexus.agent.bounds import Bounds
from toolnexus.agent.loop import Agent
from toolnexus.agent.memory_tool import memory_tool
from toolnexus.errors import Malformed, ModelError
from toolnexus.home.drafts.draft import Refusal
from toolnexus.text.secrets import mask

if TYPE_CHECKING:
    from toolnexus.agent.memory_tool import MemoryDoor
    from toolnexus.agent.run import Run
    from toolnexus.evolve.compacting.work import Thinker, Work
    from toolnexus.home.note import Note

Task = Literal["extract", "merge", "distil"]

_BOUNDS = Bounds(steps=24, same_call=3, idle_steps=4)
_TOLD = "the model was told, and nothing was changed"
_TICKS = re.compile(r"`+")


def ask(work: Work, thinker: Thinker, task: Task, door: MemoryDoor, prompt: str) -> bool:
    """Let a model work on one prompt with a fresh context; tell whether it came to an end.

    Nothing that the model or a budget does raises; it is told in the work.

    Args:
        work: The compaction, where cost and failures are told.
        thinker: Who thinks.
        task: Which instructions it gets.
        door: What its calls land on.
        prompt: What to work on.

    Raises:
        DiskError: when a run file cannot be written.
    """
    agent = Agent(
        f"{work.home.name}-compactor",
        task_prompt(task),
        thinker.model,
        (memory_tool(door, "dreamer"),),
        bounds=_BOUNDS,
    )
    run = agent.run(prompt, meter=thinker.meter, run_file=thinker.run_file)
    work.usage += run.usage
    work.refused += [Refusal(each.tool or "the model", each.reason, _TOLD) for each in run.refused]
    return _ended(work, run)


@cache
def task_prompt(task: Task) -> str:
    """Return what a model is told of a task."""
    source = files(__package__) / "data" / f"{task}_prompt.md"
    return source.read_text(encoding="utf-8").strip()


def shown(note: Note, text: str) -> str:
    r"""Write a note for a model, between fences that it cannot close; secrets are masked.

    Example:
        >>> from toolnexus.home.snapshot import Snapshot
        >>> home = Snapshot("ava").with_texts({"memory/tea.md": "- Green.\n"})
        >>> shown(home.notes["memory/tea.md"], "- Green.\n").splitlines()
        ["The note 'tea' (Tea):", '```', '- Green.', '```']
    """
    longest = max((len(run) for run in _TICKS.findall(text)), default=0)
    fence = "`" * max(3, longest + 1)
    title = mask(" ".join(note.title.split()))
    return f"The note '{note.slug}' ({title}):\n{fence}\n{mask(text.strip())}\n{fence}"


def _ended(work: Work, run: Run) -> bool:
    if run.outcome in {"budget", "cancelled"}:
        work.stopped = run.reason or run.outcome
        return False
    if run.outcome != "failed":
        return True
    if not isinstance(run.error, ModelError):
        if run.error is not None:
            raise run.error
        return True
    if isinstance(run.error, Malformed):
        work.refused.append(Refusal("the model", str(run.error), run.error.hint or _TOLD))
        return True
    work.failed, work.hint = run.error.message, run.error.hint
    return False
