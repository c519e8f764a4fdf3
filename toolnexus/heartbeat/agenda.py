"""The agenda: what HEARTBEAT.md asks for, with the due part of it shown and done tasks ticked."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from toolnexus.home.operations.place import descendants, take_out
from toolnexus.home.schedule import At
from toolnexus.home.tasks import Task, tasks_of
from toolnexus.text.edits import apply_edits
from toolnexus.text.types import Document

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from datetime import datetime

    from toolnexus.text.types import Claim, Problem

_BOX = re.compile(r"\[[ xX]\](?:\s+|$)")
_EMPTY_BOX = re.compile(r"\[ \]")
_SILENT_STRUCTURE = frozenset({"comment", "rule"})


@dataclass(frozen=True, slots=True)
class Entry:
    """A task, and where it stands.

    Attributes:
        task: What it says.
        claim: Its index in the document's claims.
        details: The texts of the items nested in it, each indented by its depth.
    """

    task: Task
    claim: int
    details: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """What it is known by: two tasks with equal text are one."""
        return key_of(self.task.text)


@dataclass(frozen=True, slots=True)
class Agenda:
    """HEARTBEAT.md, read.

    Attributes:
        text: The file's text.
        document: The same, parsed.
        entries: Its tasks in order, the ticked ones as well.
        problems: Tasks whose schedule cannot be read; they are never run at a guess.
        is_empty: It asks for nothing at all.
        has_prose: It says something beside its tasks.
        spans: The lines of each task with all that is nested in it, by the index of its claim.
    """

    text: str = ""
    document: Document = field(default_factory=Document)
    entries: tuple[Entry, ...] = ()
    problems: tuple[Problem, ...] = ()
    is_empty: bool = True
    has_prose: bool = False
    spans: Mapping[int, tuple[int, int]] = field(default_factory=dict)

    @property
    def open(self) -> tuple[Entry, ...]:
        """The tasks that are not ticked."""
        return tuple(entry for entry in self.entries if not entry.task.done)

    def shown(self, due: Collection[str]) -> str:
        """Return the text with the prose and the due tasks only.

        Args:
            due: The keys of the tasks to show; tasks that are ticked never are.
        """
        shown = {entry.claim for entry in self.open if entry.key in due}
        hidden = [span for index, span in self.spans.items() if index not in shown]
        return take_out(self.text, _outermost(hidden)) if hidden else self.text

    def ticked(self, ticks: Collection[tuple[str, datetime]]) -> str:
        """Return the text with the boxes of one-time tasks ticked, every other byte as it was.

        Args:
            ticks: Key and moment of each: one that was given another date meanwhile stays open.
        """
        edits = []
        for entry in self._matching(ticks):
            start = self.document.claims[entry.claim].body_start
            box = _EMPTY_BOX.match(self.text, start)
            edits.append((start, box.end(), "[x]") if box else (start, start, "[x] "))
        return apply_edits(self.text, edits)

    def matching(self, ticks: Collection[tuple[str, datetime]]) -> tuple[Task, ...]:
        """Return the open one-time tasks with these keys and moments."""
        return tuple(entry.task for entry in self._matching(ticks))

    def _matching(self, ticks: Collection[tuple[str, datetime]]) -> list[Entry]:
        return [
            entry
            for entry in self.open
            if isinstance(entry.task.schedule, At)
            and (entry.key, entry.task.schedule.moment) in ticks
        ]


def read_agenda(text: str, document: Document) -> Agenda:
    r"""Read HEARTBEAT.md.

    Args:
        text: The file's text.
        document: The same, parsed.

    Example:
        >>> from toolnexus.text.document import parse_document
        >>> text = "Be kind.\n\n## Tasks\n- [ ] Water (every 3d)\n- [ ] Pay (at 2027-01-15)\n"
        >>> read_agenda(text, parse_document(text)).shown({"water"})
        'Be kind.\n\n## Tasks\n- [ ] Water (every 3d)\n'
    """
    tasks, problems = tasks_of(document)
    places = _first_items(document)
    claims = {places[line] for line in (*(t.line for t in tasks), *(p.line for p in problems))}
    spans = {index: _span(text, document, index) for index in sorted(claims)}
    owned = {*claims, *(inner for index in claims for inner in descendants(document, index))}
    loud = [part for part in document.structure if part.kind not in _SILENT_STRUCTURE]
    speaks = any(_words(claim) for n, claim in enumerate(document.claims) if n not in owned)
    outer = _outermost(spans.values())
    return Agenda(
        text,
        document,
        tuple(_entry(document, task, places[task.line], claims) for task in tasks),
        problems,
        is_empty=not loud and not any(map(_words, document.claims)),
        has_prose=speaks or any(not _is_within(part.start, outer) for part in loud),
        spans=spans,
    )


def key_of(text: str) -> str:
    """Return what a task's text is known by.

    Example:
        >>> key_of("Water  the plants")
        'water the plants'
    """
    return " ".join(text.split()).casefold()


def unique(entries: Iterable[Entry]) -> tuple[Entry, ...]:
    """Return the first entry of each key."""
    first: dict[str, Entry] = {}
    for entry in entries:
        first.setdefault(entry.key, entry)
    return tuple(first.values())


def _entry(document: Document, task: Task, index: int, claims: Collection[int]) -> Entry:
    depths = {index: 0}
    details = []
    for number in descendants(document, index):
        claim = document.claims[number]
        depths[number] = depths[claim.parent] + 1
        if number not in claims:
            details.append(f"{'  ' * depths[number]}- {claim.text}")
    return Entry(task, index, tuple(details))


def _first_items(document: Document) -> dict[int, int]:
    """Return the index of the first item that begins on each line."""
    places: dict[int, int] = {}
    for index, claim in enumerate(document.claims):
        if claim.kind == "item":
            places.setdefault(claim.line, index)
    return places


def _span(text: str, document: Document, index: int) -> tuple[int, int]:
    """Return the span of an item's lines with all that is nested in it, code included."""
    inside = [index, *descendants(document, index)]
    start, end = document.claims[index].start, max(document.claims[n].end for n in inside)
    limit = len(text)
    if inside[-1] + 1 < len(document.claims):
        limit = document.claims[inside[-1] + 1].start
    heading = bisect_left(document.headings, end, key=lambda one: one.start)
    if heading < len(document.headings):
        limit = min(limit, document.headings[heading].start)
    first = bisect_left(document.structure, end, key=lambda part: part.start)
    for part in document.structure[first:]:
        if part.start >= limit or not text[part.start].isspace():
            break
        end = part.end
    return start, end


def _outermost(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int, str]]:
    """Leave out spans that lie in another; what they hold is to be left empty."""
    kept: list[tuple[int, int, str]] = []
    for start, end in sorted(spans, key=lambda span: (span[0], -span[1])):
        if not kept or start >= kept[-1][1]:
            kept.append((start, end, ""))
    return kept


def _is_within(at: int, spans: Sequence[tuple[int, int, str]]) -> bool:
    before = bisect_right(spans, at, key=lambda span: span[0])
    return before > 0 and at < spans[before - 1][1]


def _words(claim: Claim) -> str:
    """Return what a claim says, without a box."""
    match = _BOX.match(claim.text)
    return claim.text if match is None else claim.text[match.end() :].strip()
