"""Checks: everything that can be wrong in a home, each found by one pure function."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from toolnexus.home.check_links import check_links
from toolnexus.home.check_notes import (
    check_duplicate_claims,
    check_empty,
    check_front_matter,
    check_orphans,
    check_reserved,
    check_slugs,
)
from toolnexus.home.check_secrets import check_secrets
from toolnexus.home.check_soul import check_headings, check_index, check_soul_size, check_tasks
from toolnexus.text.secrets import holds_secret, mask

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from toolnexus.home.finding import Finding
    from toolnexus.home.snapshot import Snapshot

    Rule = Callable[[Snapshot], Iterator[Finding]]

RULES: list[Rule] = [
    check_links,
    check_slugs,
    check_reserved,
    check_orphans,
    check_empty,
    check_front_matter,
    check_duplicate_claims,
    check_index,
    check_soul_size,
    check_tasks,
    check_headings,
    check_secrets,
]


def check(snapshot: Snapshot, extra: Iterable[Finding] = ()) -> list[Finding]:
    r"""Return everything that is wrong in a home, by path, line and rule.

    Args:
        snapshot: The home; what was wrong on reading it is among the findings.
        extra: What others found: bad settings, torn transcripts.

    Example:
        >>> from toolnexus.home.snapshot import Snapshot
        >>> home = Snapshot(name="ava").with_texts({"MEMORY.md": "- See [[tea]].\n"})
        >>> [(found.rule, found.line) for found in check(home)]
        [('broken-link', 1)]
    """
    findings = {*snapshot.problems, *extra}
    for rule in RULES:
        findings.update(rule(snapshot))
    return sorted(map(masked, findings))


def masked(finding: Finding) -> Finding:
    """Return a finding that quotes no secret of the file that it is about.

    Example:
        >>> from toolnexus.home.finding import Finding
        >>> masked(Finding("A.md", 2, "duplicate-claim", "warning", "'PIN: 4821'")).message
        "'PIN: [redacted]'"
    """
    if not holds_secret(f"{finding.message}\n{finding.hint}"):
        return finding
    return replace(finding, message=mask(finding.message), hint=mask(finding.hint))
