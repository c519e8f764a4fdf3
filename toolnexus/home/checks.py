"""Checks: everything that can be wrong in a home, each found by one pure function."""

from __future__ import annotations

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
from toolnexus.home.check_soul import check_headings, check_index, check_soul_size, check_tasks

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
    return sorted(findings)
