"""Checks anew, after a few files changed: the same findings as `checks.check`, for less."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from toolnexus.home.check_notes import check_slugs
from toolnexus.home.check_soul import check_index, check_soul_size
from toolnexus.home.checks import RULES, masked
from toolnexus.home.graph import Graph, StaleGraph

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from toolnexus.home.checks import Rule
    from toolnexus.home.finding import Finding
    from toolnexus.home.note import Note
    from toolnexus.home.snapshot import Snapshot

# What these find of one file hangs on all the others.
_WHOLE: Mapping[Rule, str] = {
    check_slugs: "duplicate-slug",
    check_index: "over-cap",
    check_soul_size: "soul-too-large",
}
_OF_LINKS = frozenset({"broken-link", "ambiguous-link", "broken-anchor"})


def recheck(
    before: Snapshot, findings: Iterable[Finding], after: Snapshot, changed: Collection[str]
) -> list[Finding]:
    r"""Return everything that is wrong in a home of which a few files changed.

    Args:
        before: The home as it was.
        findings: What was wrong in it, others' findings among them: those stay as they are.
        after: The home as it is, made of `before` by `Snapshot.with_texts`.
        changed: The files that changed, are new or gone.

    Example:
        >>> from toolnexus.home.checks import check
        >>> from toolnexus.home.snapshot import Snapshot
        >>> before = Snapshot(name="ava").with_texts({"MEMORY.md": "- See [[tea]].\n"})
        >>> after = before.with_texts({"memory/tea.md": "- Green.\n"})
        >>> recheck(before, check(before), after, ["memory/tea.md"])
        []
    """
    findings = tuple(findings)
    stale = _affected(before, after, changed)
    if not _are_named_alike(before, after):
        # What a link that leads nowhere may have meant, and how to write it, hangs on all names.
        stale |= {finding.path for finding in findings if finding.rule in _OF_LINKS}
    anew = set(_WHOLE.values())
    if _are_named_alike(before, after):
        anew.remove(_WHOLE[check_slugs])
    found = {
        each
        for each in findings
        if each.rule not in anew and (each.path not in stale or each.rule in _WHOLE.values())
    }
    found.update(after.problems)
    part = _part(after, stale)
    for rule in RULES:
        if rule not in _WHOLE:
            found.update(rule(part))
        elif _WHOLE[rule] in anew:
            found.update(rule(after))
    return sorted(
        {*(masked(each) for each in found.difference(findings)), *found.intersection(findings)}
    )


def _are_named_alike(before: Snapshot, after: Snapshot) -> bool:
    """Whether no name changed; tables that did not are handed on as they are."""
    old, new = before.names, after.names
    return old.slugs is new.slugs and old.titles is new.titles and old.aliases is new.aliases


def _affected(before: Snapshot, after: Snapshot, changed: Collection[str]) -> set[str]:
    """Return the files that changed, whose links lead elsewhere, or that other links lead to."""
    old, new = before.graph, after.graph
    stale = set(changed)
    # What did not change was handed on as it was: the very same objects.
    stale.update(_others(old.resolutions, new.resolutions))
    stale.update(_others(old.backlinks, new.backlinks))
    return stale


def _others(old: Mapping[str, object], new: Mapping[str, object]) -> set[str]:
    gone = old.keys() - new.keys()
    return gone | {path for path, value in new.items() if old.get(path) is not value}


def _part(home: Snapshot, paths: Collection[str]) -> Snapshot:
    """Return a home whose rules walk through these files only, with all others to look up."""
    graph = home.graph
    return replace(
        home,
        notes=_Walk(home.notes, [path for path in paths if path in home.notes]),
        inherited_names=home.names,
        inherited_graph=StaleGraph(
            Graph(
                {path: graph.resolutions[path] for path in paths if path in graph.resolutions},
                graph.backlinks,
            )
        ),
    )


class _Walk(Mapping[str, "Note"]):
    """Notes of which a few are walked through; any of them can be asked for."""

    def __init__(self, notes: Mapping[str, Note], walked: Collection[str]) -> None:
        self._notes = notes
        self._walked = walked

    def __getitem__(self, path: str) -> Note:
        return self._notes[path]

    def __contains__(self, path: object) -> bool:
        return path in self._notes

    def __iter__(self) -> Iterator[str]:
        return iter(self._walked)

    def __len__(self) -> int:
        return len(self._walked)
