"""Watching: what is wrong in a home and what is found in it, kept up to date as it is edited.

What the system tells of changes is taken for a hint: a few changed files are looked at one by one,
and everything else, from a moved folder to a hint that never came, is settled by reading the home
again as a whole.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from toolnexus.change.plan import digest_of
from toolnexus.errors import ToolnexusError
from toolnexus.home.checks import check
from toolnexus.home.layout import SETTINGS_FILE
from toolnexus.home.operations.relink import links_left_behind
from toolnexus.home.rechecks import recheck
from toolnexus.home.snapshot import classify
from toolnexus.store.notes import paused_collection
from toolnexus.store.texts import read_capped

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from pathlib import Path

    from toolnexus.app.home import Home
    from toolnexus.home.finding import Finding
    from toolnexus.home.snapshot import Snapshot
    from toolnexus.index.hit import Refreshed

_NUMBER = re.compile(r"\d+")
_REMEMBERED = frozenset({"broken-basis", "circular-basis", "needs-review", "retracted-basis"})
MOST_FILES = 100
"""More changed files than this, as after a checkout, and the home is read again as a whole."""


@dataclass(frozen=True, slots=True)
class Moved:
    """A note that a person renamed or moved: the same content under another name.

    Attributes:
        old: Its path before.
        new: Its path now.
        links: How many links lead nowhere since.
    """

    old: str
    new: str
    links: int


@dataclass(frozen=True, slots=True)
class Seen:
    """What came of looking.

    Attributes:
        changed: Whether anything in the home was other than before.
        new: What is wrong that was not before.
        gone: What is wrong no more.
        moved: Notes that were renamed by hand.
    """

    changed: bool = False
    new: tuple[Finding, ...] = ()
    gone: tuple[Finding, ...] = ()
    moved: tuple[Moved, ...] = ()


class Watching:
    """Keeps a home's findings and index up to date.

    Args:
        reopen: Opens the home; asked again when its settings change.

    Raises:
        HomeError: when it is no home.

    Example:
        >>> watching = Watching(lambda: Home.open("ava"))  # doctest: +SKIP
        >>> watching.reconcile().new  # doctest: +SKIP
        (Finding(path='MEMORY.md', line=4, rule='broken-link', …),)
    """

    def __init__(self, reopen: Callable[[], Home]) -> None:
        self._reopen = reopen
        self.home = reopen()
        self.root = self.home.root.resolve()
        self.findings: list[Finding] = []
        self._snapshot: Snapshot | None = None

    def reconcile(self) -> Seen:
        """Read the home as a whole, and tell what is other than at the last look.

        Raises:
            HomeError: when it is no home any more.
            DiskError: when the disk is full or failing.
        """
        before, self._snapshot = self._snapshot, self.home.read()
        with paused_collection():
            outer = self.home.outer_findings()
            findings = self._remembered(self._snapshot, check(self._snapshot, outer))
        return self._seen(before, findings)

    def index(self) -> Refreshed:
        """Bring the search index up to what the last look saw.

        Raises:
            SearchIndexError: when the index cannot be used.
            DiskError: when the disk is full or failing.
        """
        return self.home.searching.refresh(self._snapshot or self.home.read())

    def look(self, paths: Iterable[Path]) -> Seen:
        """Look at the files that may have changed, and tell what is other than at the last look.

        Raises:
            As `reconcile`.
        """
        before = self._snapshot
        names = {path.relative_to(self.root).as_posix() for path in paths if self._is_below(path)}
        if SETTINGS_FILE in names:
            self.home = self._reopen()
        if before is None or SETTINGS_FILE in names or len(names) > MOST_FILES:
            return self.reconcile()
        texts = self._texts(before, names)
        if texts is None:
            return self.reconcile()
        findings = self.findings
        if any(self._is_transcript(name) for name in names):
            outer = self.home.outer_findings()
            kept = [each for each in findings if not self._is_transcript(each.path)]
            findings = self._remembered(before, sorted({*kept, *outer}))
        if texts:
            before.graph  # noqa: B018 - what is known of links is handed on
            self._snapshot = before.with_texts(texts)
            findings = recheck(before, findings, self._snapshot, texts)
            findings = self._remembered(self._snapshot, findings)
            return self._seen(before, findings, texts)
        return self._seen(before, findings, ())

    def _remembered(self, home: Snapshot, findings: list[Finding]) -> list[Finding]:
        """Put what only history and turns can tell of a home in the place of what they told."""
        own = [each for each in findings if each.rule not in _REMEMBERED]
        return sorted({*own, *self.home.remembered_findings(home)})

    def _is_below(self, path: Path) -> bool:
        return path == self.root or path.is_relative_to(self.root)

    def _is_transcript(self, name: str) -> bool:
        folder = self.home.store.layout.transcripts_path
        return name == folder or name.startswith(folder + "/")

    def _texts(self, before: Snapshot, names: Iterable[str]) -> dict[str, str | None] | None:
        """Read what changed; None where that takes reading the home as a whole."""
        texts: dict[str, str | None] = {}
        for name in names:
            place = self.root / name
            if self._is_transcript(name) or _is_hidden(name):
                continue
            if place.is_dir() or place.is_symlink() or _was_folder(before, name):
                return None
            if classify(before.layout, name) is None:
                if place.exists() != (name in before.assets):
                    texts[name] = "" if place.exists() else None
                continue
            try:
                data = read_capped(self.root, name) if place.exists() else None
                if (data and digest_of(data)) != before.digests.get(name):
                    texts[name] = None if data is None else data.decode()
            except (OSError, UnicodeDecodeError, ToolnexusError):
                return None
        return texts

    def _seen(
        self, before: Snapshot | None, findings: list[Finding], names: Iterable[str] | None = None
    ) -> Seen:
        """Compare with what was known; where `names` are given only they can have come or gone."""
        after = self._snapshot
        assert after is not None
        known, self.findings = self.findings, findings
        return Seen(
            changed=before is not after,
            new=tuple(_beyond(findings, known)),
            gone=tuple(_beyond(known, findings)),
            moved=() if before is None else tuple(moved_notes(before, after, names)),
        )


def _beyond(findings: Iterable[Finding], others: Iterable[Finding]) -> Iterator[Finding]:
    """Yield the findings that are not among others; one that only moved to another line is."""
    there = Counter(map(_essence, others))
    for finding in findings:
        essence = _essence(finding)
        if there[essence]:
            there[essence] -= 1
        else:
            yield finding


def _essence(finding: Finding) -> tuple[str, str, str]:
    """Return what tells a finding from others wherever it stands: lines and counts left out."""
    return finding.path, finding.rule, _NUMBER.sub("", finding.message)


def moved_notes(
    before: Snapshot, after: Snapshot, names: Iterable[str] | None = None
) -> Iterator[Moved]:
    """Find the notes that a person renamed or moved, each by its unchanged content.

    Two notes of the same content cannot be told apart, and are none.

    Args:
        before: The home as it was.
        after: The home as it is.
        names: The files that may have come or gone; None for any.
    """
    names = {*before.digests, *after.digests} if names is None else set(names)
    gone = _by_digest(before, (each for each in names if each not in after.digests))
    come = _by_digest(after, (each for each in names if each not in before.digests))
    for digest in gone.keys() & come.keys():
        if len(gone[digest]) == len(come[digest]) == 1:
            old, new = gone[digest][0], come[digest][0]
            lost = links_left_behind(after, old)
            yield Moved(old, new, sum(len(links) for _, links in lost))


def _by_digest(home: Snapshot, paths: Iterable[str]) -> Mapping[str, list[str]]:
    found: defaultdict[str, list[str]] = defaultdict(list)
    for path in paths:
        if path in home.digests:
            found[home.digests[path]].append(path)
    return found


def _is_hidden(name: str) -> bool:
    return any(part.startswith(".") and part != "." for part in name.split("/"))


def _was_folder(before: Snapshot, name: str) -> bool:
    """Whether files lay in a folder of this name."""
    if name in before.digests or name in before.assets:
        return False
    return any(path.startswith(f"{name}/") for path in (*before.digests, *before.assets))
