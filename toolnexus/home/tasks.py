"""Tasks: what HEARTBEAT.md asks for, and whether it asks for anything at all."""

from __future__ import annotations

import re
from dataclasses import dataclass

from toolnexus.home.schedule import BadSchedule, Schedule, parse_schedule
from toolnexus.text.document import parse_document
from toolnexus.text.types import Claim, Document, Problem

TASKS_HEADING = "tasks"

_BOX = re.compile(r"\[([ xX])\](?:\s+|$)")
_SCHEDULE = re.compile(r"(?:at|every|cron)(?:\s|$)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Task:
    """One item under the heading ``Tasks``.

    Attributes:
        text: Its words, without box and schedule.
        line: Its first line, counted from 1.
        done: Whether its box is ticked; on a recurring task that means paused.
        schedule: When it is due; None for always.
    """

    text: str
    line: int
    done: bool = False
    schedule: Schedule | None = None


def parse_tasks(text: str) -> tuple[tuple[Task, ...], tuple[Problem, ...]]:
    r"""Read the tasks of HEARTBEAT.md; one whose schedule cannot be read is a problem instead.

    Args:
        text: The file's text.

    Example:
        >>> tasks, problems = parse_tasks("## Tasks\n- [ ] Water the plants (every 3d at 09:00)\n")
        >>> tasks[0].text, problems
        ('Water the plants', ())
    """
    return tasks_of(parse_document(text))


def tasks_of(document: Document) -> tuple[tuple[Task, ...], tuple[Problem, ...]]:
    """Return what `parse_tasks` does, for a HEARTBEAT.md that is parsed already."""
    tasks: list[Task] = []
    problems: list[Problem] = []
    for claim in document.claims:
        if not _is_task(claim):
            continue
        done, words = _split_box(claim.text)
        words, when = _split_schedule(words)
        try:
            schedule = parse_schedule(when) if when else None
        except BadSchedule as error:
            problems.append(Problem("bad-task", claim.line, str(error), error.hint))
        else:
            if words:
                tasks.append(Task(words, claim.line, done, schedule))
    return tuple(tasks), tuple(problems)


def is_empty_heartbeat(text: str) -> bool:
    r"""Whether HEARTBEAT.md asks for nothing: headings, comments, blanks and empty items alone.

    Example:
        >>> is_empty_heartbeat("# Heartbeat\n<!-- add tasks below -->\n- [ ]\n")
        True
    """
    document = parse_document(text)
    says = any(_split_box(claim.text)[1] for claim in document.claims)
    return not says and all(part.kind in {"comment", "rule"} for part in document.structure)


def _is_task(claim: Claim) -> bool:
    """Items under the heading are; what is nested in one is its detail, unless it has a box."""
    under_tasks = any(heading.strip().casefold() == TASKS_HEADING for heading in claim.headings)
    is_own = claim.parent < 0 or _BOX.match(claim.text) is not None
    return claim.kind == "item" and under_tasks and is_own


def _split_box(text: str) -> tuple[bool, str]:
    """Part ``[x]`` from the words behind it."""
    match = _BOX.match(text)
    return (False, text) if match is None else (match[1] != " ", text[match.end() :].strip())


def _split_schedule(text: str) -> tuple[str, str]:
    """Part a schedule in the last parenthesis from the words; empty when it holds none."""
    end = text.rfind(")")
    start = _opening_of(text, end)
    inside = text[start + 1 : end].strip()
    if start < 0 or not _SCHEDULE.match(inside):
        return text, ""
    before, after = text[:start].rstrip(), text[end + 1 :].strip()
    gap = "" if after[:1] in ".,;:!?" else " "
    return f"{before}{gap}{after}".strip(), inside


def _opening_of(text: str, end: int) -> int:
    """Return where the parenthesis that closes at `end` opens; -1 when there is none."""
    depth = 0
    for index in range(end, -1, -1):
        depth += {")": 1, "(": -1}.get(text[index], 0)
        if depth == 0:
            return index
    return -1
