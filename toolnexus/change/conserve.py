"""The conservation law: no claim disappears, and none comes out of nowhere.

Each claim before a pass is, after it, exactly one of: kept, corrected (with evidence), dropped
(with evidence), or folded into a claim that is the same. Each claim after it that was not there
before is a correction, a pointer to what was demoted, an addition with evidence, or stands in a new
note that names what it is derived from (`derived`). A note that is archived is the note that it was
(`archiving`). Structure (headings, code, comments, front matter) is conserved as well. A plan that
would break the law is never committed.

The law is judged over the files that a plan changes: every other file is the same on both sides.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from toolnexus.change.archiving import archived_in
from toolnexus.change.derived import derived_paths, structure_in, without
from toolnexus.change.matching import find_lost, find_made_up
from toolnexus.change.pointer import is_pointer
from toolnexus.text.fold import fold_claim

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from toolnexus.change.located import LocatedClaim, Side
    from toolnexus.change.plan import Change


@dataclass(frozen=True, slots=True)
class Violation:
    """One way in which a plan would break the law: where, which words, and why it is one."""

    path: str
    line: int
    text: str
    reason: str


def find_violations(before: Side, after: Side, changes: Sequence[Change]) -> tuple[Violation, ...]:
    """Judge a plan by the law.

    What one plan may do, and what a next one may do to its outcome, both may do as one plan.

    Args:
        before: The files it changes, before, links already mapped to where they lead after it.
        after: The same files after it.
        changes: What it says it did.

    Returns:
        Every way in which it would break the law; empty when it keeps it.
    """
    derived = derived_paths(before, after, changes)
    violations = [
        Violation(path, 0, piece[:200], "a derived note holds claims and headings alone")
        for path, piece in structure_in(after, derived)
    ]
    before, changes = archived_in(before, after, changes)
    after = without(after, derived)
    old = _folded_in(before, after, changes)
    lost = find_lost(old, after.claims, {})
    found = find_made_up(old, after.claims, {})
    lost, found = _explain_corrections(lost, found, old, changes)
    lost = _explain_drops(lost, changes)
    found = _explain_arrivals(found, before, after, changes)
    violations += [
        Violation(c.path, c.claim.line, c.claim.text, "this claim would be lost") for c in lost
    ]
    violations += [
        Violation(c.path, c.claim.line, c.claim.text, "this claim would come out of nowhere")
        for c in found
    ]
    violations += _structure_violations(before, after)
    violations += _heading_violations(before, after, changes)
    violations += _front_violations(before, after, changes)
    return tuple(violations)


def _folded_in(before: Side, after: Side, changes: Sequence[Change]) -> list[LocatedClaim]:
    """Return the claims before, those that a merge folds as claims of the note that took them in.

    What that note did not say itself keeps the title it was said under: what is true of Clara is
    not said of Ines because their notes became one.
    """
    titles = _merged_titles(before, after, changes)
    merged = {change.path for change in changes if change.kind == "merged"} - set(after.titles)
    said = {(claim.fold, claim.context) for claim in before.claims if claim.path not in merged}
    said |= _corrected(before.claims, changes)
    old = []
    for claim in before.claims:
        context = tuple(titles.get(part, part) for part in claim.context)
        is_folded = claim.path in merged and (claim.fold, context) in said
        old.append(replace(claim, context=context) if is_folded else claim)
    return old


def _corrected(
    claims: Iterable[LocatedClaim], changes: Sequence[Change]
) -> set[tuple[str, tuple[str, ...]]]:
    """Return what corrections with evidence made of claims, with what it is said under."""
    became = {
        (change.path, fold_claim(change.before)): fold_claim(change.after)
        for change in changes
        if change.kind == "corrected" and change.evidence
    }
    pairs = ((became.get((claim.path, claim.claim.fold)), claim.context) for claim in claims)
    return {(fold, context) for fold, context in pairs if fold is not None}


def _merged_titles(before: Side, after: Side, changes: Sequence[Change]) -> dict[str, str]:
    """Map the folded title of each note that was merged to that of the note that took it in."""
    went = {c.path: c.to for c in changes if c.kind == "merged" and c.path != c.to}
    titles = {}
    for path in went:
        if path in before.titles and (to := _last_of(went, path)) in after.titles:
            titles[fold_claim(before.titles[path])] = fold_claim(after.titles[to])
    return titles


def _last_of(went: Mapping[str, str], path: str) -> str:
    """Follow a note that was merged into one that was merged in its turn."""
    seen = {path}
    while path in went and went[path] not in seen:
        path = went[path]
        seen.add(path)
    return path


def _explain_corrections(
    lost: list[LocatedClaim],
    found: list[LocatedClaim],
    before: Sequence[LocatedClaim],
    changes: Sequence[Change],
) -> tuple[list[LocatedClaim], list[LocatedClaim]]:
    """Leave out one claim on either side for each correction with evidence.

    A corrected parent changes the context of its nested items; those are paired here as well.
    """
    lost, found, standing = list(lost), list(found), list(before)
    renamed: dict[str, str] = {}
    for change in changes:
        if change.kind != "corrected" or not change.evidence:
            continue
        old, new = fold_claim(change.before), fold_claim(change.after)
        gone = _written(lost, change.path, old) or _written(standing, change.path, old)
        if gone is None:
            continue
        renamed[old] = new
        standing.remove(gone)
        if gone in lost:
            lost.remove(gone)
        come = _written(found, change.path, new)
        if come is not None:
            found.remove(come)
    for claim in list(lost):
        context = tuple(renamed.get(part, part) for part in claim.context)
        moved = next((c for c in found if (c.fold, c.context) == (claim.fold, context)), None)
        if context != claim.context and moved is not None:
            lost.remove(claim)
            found.remove(moved)
    return lost, found


def _explain_drops(lost: list[LocatedClaim], changes: Sequence[Change]) -> list[LocatedClaim]:
    lost = list(lost)
    for change in changes:
        if change.kind == "dropped" and change.evidence:
            gone = _written(lost, change.path, fold_claim(change.before))
            if gone is not None:
                lost.remove(gone)
    return lost


def _written(claims: Iterable[LocatedClaim], path: str, fold: str) -> LocatedClaim | None:
    """Find the claim of a file that is written so, links not followed."""
    return next((c for c in claims if c.path == path and c.claim.fold == fold), None)


def _explain_arrivals(
    found: list[LocatedClaim], before: Side, after: Side, changes: Sequence[Change]
) -> list[LocatedClaim]:
    """Leave out of what arrived the pointers to what was demoted and additions with evidence."""
    demoted: defaultdict[str, list[str]] = defaultdict(list)
    for change in changes:
        if change.kind == "demoted":
            demoted[change.to].append(change.before)
    added = Counter(
        fold_claim(change.after) for change in changes if change.kind == "added" and change.evidence
    )
    rest = []
    for claim in found:
        if added[claim.claim.fold] > 0:
            added[claim.claim.fold] -= 1
            continue
        targets = [path for path in claim.links if path in demoted]
        said = [after.titles.get(p) or before.titles.get(p, "") for p in targets]
        said += [text for path in targets for text in demoted[path]]
        if not (targets and is_pointer(claim.claim.text, said)):
            rest.append(claim)
    return rest


def _structure_violations(before: Side, after: Side) -> list[Violation]:
    """Find code, comments, rules and table heads that would be lost or made up.

    Equal pieces may be folded into one when notes are merged: one of them must remain.
    """
    kept = {piece for pieces in after.structure.values() for piece in pieces}
    known = {piece for pieces in before.structure.values() for piece in pieces}
    violations = [
        Violation(path, 0, piece[:200], "this code, comment or table head would be lost")
        for path, pieces in before.structure.items()
        for piece in pieces
        if piece not in kept
    ]
    for path, pieces in before.structure.items():
        if path in after.structure:
            gone = Counter(pieces) - Counter(after.structure[path])
            violations += [
                Violation(path, 0, piece[:200], "this piece of structure would leave its file")
                for piece in gone
                if piece in kept
            ]
    violations += [
        Violation(path, 0, piece[:200], "this code or comment would come out of nowhere")
        for path, pieces in after.structure.items()
        for piece in pieces
        if piece not in known
    ]
    return violations


def _heading_violations(before: Side, after: Side, changes: Sequence[Change]) -> list[Violation]:
    """Find headings that would be lost without a demotion having emptied them, or be made up."""
    receivers = {change.to for change in changes if change.kind in {"demoted", "merged"}}
    demoted_from = {change.path for change in changes if change.kind == "demoted"}
    known = {fold_claim(h.text) for headings in before.headings.values() for h in headings}
    merged = {change.path for change in changes if change.kind == "merged"}
    known |= {fold_claim(title) for path, title in before.titles.items() if path in merged}
    violations: list[Violation] = []
    for path, headings in after.headings.items():
        old = Counter((h.level, fold_claim(h.text)) for h in before.headings.get(path, ()))
        new = Counter((h.level, fold_claim(h.text)) for h in headings)
        for level, text in new - old:
            is_title = level == 1 and path not in before.headings
            if path not in receivers or not (text in known or is_title):
                violations.append(
                    Violation(path, 0, text, "this heading would come out of nowhere")
                )
        for level, text in old - new:
            emptied = path in demoted_from and not any(
                text in claim.context for claim in after.claims if claim.path == path
            )
            if not emptied:
                violations.append(Violation(path, 0, text, f"heading {level} would be lost"))
    return violations


def _front_violations(before: Side, after: Side, changes: Sequence[Change]) -> list[Violation]:
    """Find front matter that would change in a file that took in no other note."""
    receivers = {c.to for c in changes if c.kind == "merged" and c.path != c.to}
    return [
        Violation(path, 1, "", "this file's front matter would be changed")
        for path, front in before.fronts.items()
        if path in after.fronts and path not in receivers and after.fronts[path] != front
    ]
