"""Passes in each of the formats that ``dream`` speaks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolnexus.cli.annotations import Level, annotation
from toolnexus.cli.changes import (
    change_fields,
    change_hunks,
    change_line,
    evidence_fields,
    evidence_line,
    reason_of,
)
from toolnexus.cli.console import Styled
from toolnexus.cli.findings import finding_annotation
from toolnexus.cli.homes import shown_path

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolnexus.change.plan import Change
    from toolnexus.cli.console import Line
    from toolnexus.dream.types import Pass, PassStats, Unresolved

HELD = 3
WOULD_CHANGE = 1
FAILED = 69
_UNRESOLVED = ("no note is near", "one note is near, but not for certain", "several may be meant")


def exit_code(done: Pass, *, check: bool = False, strict: bool = False) -> int:
    """Decide what a pass means to the shell.

    Args:
        done: The pass.
        check: It was only asked whether something would change.
        strict: Changes that wait for a person count as well.
    """
    if done.outcome == "failed":
        return FAILED
    if done.outcome == "held" or (strict and done.waiting):
        return HELD
    return WOULD_CHANGE if check and done.changes else 0


def pass_fields(done: Pass, named: str) -> dict[str, object]:
    """Return a pass as a document's fields."""
    review = f"decide it with: toolnexus review {named}"
    look = "look it up and correct the claim, or leave it"
    mend = "write that note, or point the link at another"
    return {
        "pass": done.id,
        "outcome": done.outcome,
        "wrote": done.wrote,
        "reply": done.reply,
        "changes": [change_fields(change) for change in done.changes],
        "waiting": [{**change_fields(change), "next": review} for change in done.waiting],
        "suspected": [
            {
                "path": item.path,
                "line": item.line,
                "claim": item.claim,
                "evidence": evidence_fields(item.evidence),
                "reason": "rules see a contradiction, and do not edit on a suspicion",
                "next": look,
            }
            for item in done.suspected
        ],
        "refused": done.refused,
        "unresolved": [
            {
                "path": item.path,
                "line": item.line,
                "link": item.link,
                "candidates": item.candidates,
                "reason": _UNRESOLVED[min(len(item.candidates), 2)],
                "next": mend,
            }
            for item in done.unresolved
        ],
        "findings": done.findings,
        "notices": done.notices,
        "commit": done.commit,
        "stats": done.stats,
    }


def pass_lines(done: Pass, named: str, *, verbose: bool = False) -> Iterator[Line]:
    """Write a pass for a person: each change as a hunk, then what is left, then its reply."""
    yield from change_hunks(done.changes)
    if done.waiting:
        yield (Styled("Waiting for you", "bold"), f" (decide with: toolnexus review {named})")
        yield from change_hunks(done.waiting)
    yield from _left_lines(done)
    if verbose:
        yield (_stats_line(done.stats),)
    suffix = f" (pass {done.id})" if done.id and done.wrote and done.id not in done.reply else ""
    yield (f"{shown_path(named, '')}: {done.reply}{suffix}",)


def _stats_line(stats: PassStats) -> str:
    checked = f"{stats.checked} of {stats.claims} claims checked"
    turns = f"{stats.turns_new} of {stats.turns} turns new"
    left = f"{stats.claims_left} claims and {stats.turns_left} turns left for the next pass"
    return f"{checked}, {turns}, {left}, {stats.model_calls} model calls, {stats.seconds:.2f} s"


def _left_lines(done: Pass) -> Iterator[Line]:
    """Write what a pass saw and left as it is."""
    for item in done.suspected:
        yield (Styled("suspected", "yellow"), f" {item.path}:{item.line}: {item.claim}")
        for evidence in item.evidence:
            yield (f"  but {evidence_line(evidence)}",)
    for refusal in done.refused:
        yield (Styled("refused", "yellow"), f" {refusal.action}: {refusal.reason}")
        if refusal.next:
            yield (f"  next: {refusal.next}",)
    for link in done.unresolved:
        told = f" {link.path}:{link.line}: {link.link}{perhaps(link)}"
        yield (Styled("unresolved", "yellow"), told)
    for finding in done.findings:
        place = f"{finding.path}:{finding.line}" if finding.line else finding.path
        yield (Styled(finding.severity, "yellow"), f" {place}: {finding.message} [{finding.rule}]")
        if finding.hint:
            yield (f"  hint: {finding.hint}",)


def perhaps(link: Unresolved) -> str:
    """Name the notes that a link may mean."""
    return f" (perhaps {', '.join(link.candidates)})" if link.candidates else ""


def _told(change: Change, head: str) -> str:
    return "\n".join([head, reason_of(change), *map(evidence_line, change.evidence)])


def pass_annotations(done: Pass, named: str) -> Iterator[str]:
    """Write a pass as annotations of GitHub Actions."""
    for change in done.changes:
        message = _told(change, change_line(change))
        path = shown_path(named, change.path)
        yield annotation("notice", path, change.line, change.kind, message)
    for change in done.waiting:
        message = _told(change, f"waits for a person: {change_line(change)}")
        path = shown_path(named, change.path)
        yield annotation("warning", path, change.line, change.kind, message)
    for item in done.suspected:
        seen = "\n".join(evidence_line(evidence) for evidence in item.evidence)
        path = shown_path(named, item.path)
        yield annotation("warning", path, item.line, "suspected", f"{item.claim}\n{seen}")
    for refusal in done.refused:
        message = "\n".join(filter(None, (refusal.action, refusal.reason, refusal.next)))
        yield annotation("warning", "", 0, "refused", message)
    for link in done.unresolved:
        message = f"{link.link} leads nowhere{perhaps(link)}"
        yield annotation("warning", shown_path(named, link.path), link.line, "unresolved", message)
    for finding in done.findings:
        yield finding_annotation(named, finding)
    ended: Level = "error" if done.outcome in {"held", "failed"} else "notice"
    yield annotation(ended, "", 0, f"dream {done.outcome}", f"{named}: {done.reply}")
