"""What a pass leaves alone: claims that wait for a person, and changes that a person took back."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from toolnexus.text.document import parse_document
from toolnexus.text.fold import fold_claim

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from toolnexus.change.plan import Change
    from toolnexus.home.drafts.draft import TakenStep
    from toolnexus.home.operations.step import Step
    from toolnexus.home.snapshot import Snapshot

Unmade = tuple[str, str, str]
"""What a change without evidence is known by once it was taken back."""

WAITS = "a change of this claim waits for a person already"
TAKEN_BACK = "a person took this change back"


@dataclass(frozen=True, slots=True)
class Spared:
    """Claims and changes that no phase of a pass touches.

    Attributes:
        waiting: Claims that a proposal would change, by path and fold.
        unmade: Demotions, merges, repairs of links and the like that a person took back.
        demotion_waits: Whether a demotion waits: until it is decided no other claims go instead.

    Example:
        >>> spared = Spared(frozenset({("MEMORY.md", "likes tea")}))
        >>> spared.leaves("MEMORY.md", "Likes tea."), spared.leaves("MEMORY.md", "Likes jazz.")
        (True, False)
    """

    waiting: frozenset[tuple[str, str]] = frozenset()
    unmade: frozenset[Unmade] = frozenset()
    demotion_waits: bool = False

    def with_waiting(self, steps: Iterable[TakenStep]) -> Spared:
        """Return the same with what some steps would change left alone, too."""
        return replace(self, waiting=self.waiting.union(at_stake(steps)))

    def leaves(self, path: str, claim: str, kind: str = "demoted") -> bool:
        """Whether a claim of a file is left where and as it is."""
        if not (self.waiting or self.unmade):
            return False
        fold = fold_claim(claim)
        what = fold if kind == "demoted" else f"{path}\n{fold}"
        return (path, fold) in self.waiting or (kind, what, "") in self.unmade

    def objection(self, home: Snapshot, step: Step) -> str:
        """Say why a step must not be taken; empty when it may."""
        if self.unmade and any(unmade_key(change) in self.unmade for change in step.changes):
            return TAKEN_BACK
        paths = {path for path, _ in self.waiting}
        for path in paths.intersection(step.texts, home.notes):
            lost = _lost_claims(home.text(path), step.texts[path] or "")
            if any((path, fold) in self.waiting for fold in lost):
                return WAITS
        return ""


def at_stake(steps: Iterable[TakenStep]) -> Iterator[tuple[str, str]]:
    """Yield the claims that steps would change or move, by path and fold."""
    for step in steps:
        # A note without claims that would move waits as a whole.
        yield from ((path, "") for path in step.moved)
        # So does the note that another is to be merged into: without it the merge fits no more.
        merges = (each for each in step.changes if each.kind == "merged" and not each.line)
        yield from ((each.to, "") for each in merges)
        for write in step.writes:
            before, after = (write.before or b"").decode(), (write.after or b"").decode()
            yield from ((write.path, fold) for fold in _lost_claims(before, after))


def unmade_key(change: Change) -> Unmade | None:
    """Return what a change is known by when a person took it back; None for one that has evidence.

    Example:
        >>> from toolnexus.change.plan import Change
        >>> unmade_key(Change("demoted", "MEMORY.md", 3, "Likes tea.", to="memory/tea.md"))
        ('demoted', 'likes tea', '')
    """
    if change.kind == "demoted":
        return (change.kind, fold_claim(change.before), "")
    if change.kind == "merged" and change.line:
        return (change.kind, f"{change.path}\n{fold_claim(change.before)}", "")
    if change.kind == "merged":
        return (change.kind, change.path, change.to)
    if change.kind == "archived":
        return (change.kind, change.path, "")
    return (change.kind, change.before, change.to) if change.kind == "relinked" else None


def _lost_claims(before: str, after: str) -> Iterator[str]:
    """Yield the folds of the claims that a text has and another has no more, as they stand."""
    lost = Counter(claim.text for claim in parse_document(before).claims)
    lost.subtract(claim.text for claim in parse_document(after).claims)
    return (fold_claim(text) for text, count in lost.items() if count > 0)
