"""Drafts: a pass as it grows, step by step, before anything is written."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from toolnexus.change.conserve import Violation, find_violations
from toolnexus.change.plan import Change, FileWrite, Plan
from toolnexus.home.claims import CLAIM_FILES, Later, side_of
from toolnexus.home.drafts.copied import copied_secret
from toolnexus.home.drafts.spared import Spared
from toolnexus.home.names import folded
from toolnexus.home.operations.relink import bare_target

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from toolnexus.home.operations.step import Step
    from toolnexus.home.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class Refusal:
    """Something a job would not do, why, and what would settle it."""

    action: str
    reason: str
    next: str = ""


@dataclass(frozen=True, slots=True)
class TakenStep:
    """One step of a pass, small enough for a person to decide on by itself."""

    changes: tuple[Change, ...]
    writes: tuple[FileWrite, ...]
    moved: Mapping[str, str]


@dataclass(slots=True)
class Draft:
    """What a pass has decided so far.

    Attributes:
        before: The home as the pass found it.
        spared: What it leaves alone.
        home: The home as it would be after the steps taken so far.
        changes: What the steps did.
        moved: Where notes live on, by the path that they had before the pass.
        repaired: Where links that led nowhere lead now, by folded target.
        refused: Steps that the conservation law did not let through.
        steps: The steps taken, each by itself.
    """

    before: Snapshot
    spared: Spared = field(default_factory=Spared)
    home: Snapshot = field(init=False)
    changes: list[Change] = field(default_factory=list)
    moved: dict[str, str] = field(default_factory=dict)
    repaired: dict[str, str] = field(default_factory=dict)
    refused: list[Refusal] = field(default_factory=list)
    steps: list[TakenStep] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.home = self.before

    def take(self, step: Step) -> bool:
        """Take a step if it keeps the law and what is spared; tell whether it changed anything."""
        texts = {path: text for path, text in step.texts.items() if text != _text(self.home, path)}
        if not texts or self.spared.objection(self.home, step):
            return False
        if kind := copied_secret(self.home, texts, step.changes):
            self.refused.append(_secret_refusal(step, kind))
            return False
        after = self.home.with_texts(texts)
        repaired = repairs_of(step.changes)
        violations = law_broken(
            self.home,
            after,
            {*texts, *step.moved.values()},
            step.changes,
            moved=step.moved,
            repaired=repaired,
        )
        if violations:
            self.refused.append(_refusal(step, violations))
            return False
        writes = tuple(write_of(self.home, after, path) for path in texts)
        self.steps.append(TakenStep(step.changes, writes, step.moved))
        self.home = after
        self.changes += step.changes
        self.repaired |= repaired
        for old, new in step.moved.items():
            self.moved = {key: new if to == old else to for key, to in self.moved.items()}
            self.moved[old] = new
        return True

    def violations(self) -> tuple[Violation, ...]:
        """Judge the whole draft, from the home as it was found to the home as it would be."""
        return law_broken(
            self.before,
            self.home,
            {*self.changed_paths(), *self.moved.values()},
            self.changes,
            moved=self.moved,
            repaired=self.repaired,
        )

    def changed_paths(self) -> tuple[str, ...]:
        """Return the files that differ from those that the pass found."""
        before, after = self.before.notes, self.home.notes
        touched = {path for path, note in after.items() if before.get(path) is not note}
        touched.update(path for path in before if path not in after)
        return tuple(
            sorted(path for path in touched if _text(self.before, path) != _text(self.home, path))
        )

    def plan(self, job: str, summary: Mapping[str, int] | None = None) -> Plan:
        """Return what is to be written."""
        writes = tuple(write_of(self.before, self.home, path) for path in self.changed_paths())
        return Plan(job, writes, tuple(self.changes), summary=dict(summary or {}))


def law_broken(
    before: Snapshot,
    after: Snapshot,
    paths: Iterable[str],
    changes: Iterable[Change],
    *,
    moved: Mapping[str, str],
    repaired: Mapping[str, str],
) -> tuple[Violation, ...]:
    """Judge what lies between two snapshots by the conservation law."""
    changed, judged = tuple(changes), set(paths)
    # What moved to a note that said it already, and was folded there, left that note as it was.
    judged |= {change.to for change in changed if change.kind in {"demoted", "merged"}}
    if any(change.kind != "relinked" for change in changed):
        judged |= set(_speaking_alike(after, judged))
    return find_violations(
        side_of(before, sorted(judged), Later(moved, repaired, after)),
        side_of(after, sorted(judged), Later(repaired=repaired)),  # a pinned one stays as it was
        changed,
    )


def _speaking_alike(home: Snapshot, paths: Iterable[str]) -> Iterator[str]:
    """Yield the files that speak of the same as some files do, by their titles.

    A claim that comes to stand in one of the files could become the same as one of theirs.
    """
    yield from (path for path in CLAIM_FILES if path in home.notes)
    for path in paths:
        if path in home.notes:
            yield from home.names.titles.get(folded(home.notes[path].title), ())


def repairs_of(changes: Iterable[Change]) -> dict[str, str]:
    """Gather where repaired links lead, by the folded name that led nowhere.

    The file does not count: a claim may be demoted first and have its link repaired in the note.
    """
    return {
        folded(bare_target(change.before)): change.to
        for change in changes
        if change.kind == "relinked"
    }


def write_of(before: Snapshot, after: Snapshot, path: str) -> FileWrite:
    """Return one file's bytes on either side."""
    old, new = _text(before, path), _text(after, path)
    return FileWrite(
        path, None if old is None else old.encode(), None if new is None else new.encode()
    )


def _text(home: Snapshot, path: str) -> str | None:
    return home.text(path) if path in home.notes else None


def _refusal(step: Step, violations: tuple[Violation, ...]) -> Refusal:
    first = violations[0]
    kind = step.changes[0].kind if step.changes else "change"
    return Refusal(
        f"{kind} {step.changes[0].path if step.changes else ''}".strip(),
        f"{first.reason}: {first.path}: '{first.text}'",
        "change it by hand, or leave it as it is: nothing was lost",
    )


def _secret_refusal(step: Step, kind: str) -> Refusal:
    named = f"{step.changes[0].kind} {step.changes[0].path}" if step.changes else "change"
    return Refusal(
        named,
        f"{kind} would be copied into memory",
        "leave it out, of the words and of the quote; a person keeps it in a password manager",
    )
