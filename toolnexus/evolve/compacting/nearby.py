"""Nearby notes: clusters that may say the same, behind a guard of values.

How like two texts are says little about whether they say the same: of pairs that contradict each
other the median cosine is .95. So the values have to agree first: numbers, dates, addresses, quotes
and negations are equal, and a name in one note is a word of the other. What passes may still say
something else, and is merged on a model's or a person's word alone.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from toolnexus.home.claims import holds_claims
from toolnexus.home.operations.merge import is_mergeable
from toolnexus.home.ripening import ripening_of
from toolnexus.home.scope import in_scope
from toolnexus.text.lexicon import fold_words
from toolnexus.text.values import Values, values

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from toolnexus.home.note import Note
    from toolnexus.home.snapshot import Snapshot

    FindNear = Callable[[Sequence[Sequence[str]], float], Iterable[tuple[str, str, float]]]
    """Gives the near pairs of groups of notes, by their paths, with their cosine."""

MOST_IN_CLUSTER = 8
"""How many notes one cluster holds: more are no duplicates but a topic."""

_DIGITS = re.compile(r"\d+")


class Cluster(NamedTuple):
    """Notes that may say the same, by their paths in order, and the least cosine of two of them."""

    paths: tuple[str, ...]
    cosine: float


@dataclass(frozen=True, slots=True)
class ValueGuard:
    """Says whether the values of two notes agree; each note's are read once.

    Attributes:
        home: The home as read.
    """

    home: Snapshot
    _values: dict[str, Values] = field(default_factory=dict, init=False)

    def agree(self, one: str, other: str) -> bool:
        """Whether two notes may say the same, as far as their values tell.

        Example:
            >>> from toolnexus.home.snapshot import Snapshot
            >>> said = {"a": "Ines pays 3 euros.", "b": "She pays 4.", "c": "So Ines pays 3 euros."}
            >>> texts = {f"memory/{slug}.md": f"- {text}" for slug, text in said.items()}
            >>> guard = ValueGuard(Snapshot("ava").with_texts(texts))
            >>> guard.agree("memory/a.md", "memory/b.md"), guard.agree("memory/a.md", "memory/c.md")
            (False, True)
        """
        mine, theirs = self._of(one), self._of(other)
        if (mine.numbers, mine.dates, mine.negations) != (
            theirs.numbers,
            theirs.dates,
            theirs.negations,
        ):
            return False
        if (mine.addresses, mine.quoted) != (theirs.addresses, theirs.quoted):
            return False
        return self._names(mine, other) and self._names(theirs, one)

    def _of(self, path: str) -> Values:
        if path not in self._values:
            self._values[path] = values(said_by(self.home.notes[path]))
        return self._values[path]

    def _names(self, mine: Values, path: str) -> bool:
        """Whether each name stands in another note, be it in small letters or as its first word."""
        if not mine.names:
            return True
        words = frozenset(fold_words(said_by(self.home.notes[path])))
        return all(words.issuperset(fold_words(name)) for name in mine.names)


def said_by(note: Note) -> str:
    """Return what a note claims, a claim a line."""
    return "\n".join(claim.text for claim in note.document.claims)


def may_be_near(home: Snapshot, path: str, scope: str = "") -> bool:
    """Whether a note may be merged with one that says nearly the same.

    Raw notes are extracted from, skills have their own sources beside them, and what is archived,
    pinned or waits for a person stays as it is.
    """
    note = home.notes[path]
    if note.kind != "note" or not (note.is_writable and holds_claims(note)):
        return False
    if not note.document.claims or not in_scope(path, scope):
        return False
    ripening = ripening_of(note)
    if ripening.is_archived or ripening.stage in {"raw", "skill"}:
        return False
    return not any(claim.pinned for claim in note.document.claims)


def group_by_values(home: Snapshot, paths: Iterable[str]) -> list[list[str]]:
    """Part notes into groups that alone can hold near-duplicates; those that stand alone are out.

    Notes of two folders are never of one group: a scope does not read its sibling. The digits are
    compared as they are written, which is fast, and never lets through what the guard would not.
    """
    groups: defaultdict[tuple[str, ...], list[str]] = defaultdict(list)
    for path in paths:
        digits = sorted(set(_DIGITS.findall(said_by(home.notes[path]))))
        groups[(path.rpartition("/")[0], *digits)].append(path)
    return [group for group in groups.values() if len(group) > 1]


def find_clusters(
    home: Snapshot,
    groups: Sequence[Sequence[str]],
    near: FindNear,
    least: float,
    is_due: Callable[[str], bool] = lambda _: True,
) -> tuple[Cluster, ...]:
    """Find clusters of two and more notes of which every two are near, and agree in their values.

    Args:
        home: The home as read.
        groups: From `group_by_values`.
        near: Finds the near pairs of groups.
        least: The least cosine.
        is_due: Whether a note is new or changed; a cluster without such a note was looked at.
    """
    wanted = [group for group in groups if any(is_due(path) for path in group)]
    if not wanted:
        return ()
    guard = ValueGuard(home)
    cosines = {
        (one, other): cosine
        for one, other, cosine in near(wanted, least)
        if guard.agree(one, other) and _can_merge(home, one, other)
    }
    found = _joined(cosines)
    return tuple(cluster for cluster in found if any(is_due(path) for path in cluster.paths))


def _can_merge(home: Snapshot, one: str, other: str) -> bool:
    return is_mergeable(home, one, other) and is_mergeable(home, other, one)


def _joined(cosines: Mapping[tuple[str, str], float]) -> list[Cluster]:
    """Join pairs to clusters, the nearest first; all of a cluster are near to each other."""
    clusters: dict[str, frozenset[str]] = {}
    for one, other in sorted(cosines, key=lambda pair: (-cosines[pair], pair)):
        mine = clusters.get(one, frozenset({one}))
        theirs = clusters.get(other, frozenset({other}))
        joined = mine | theirs
        across = [tuple(sorted((a, b))) for a in mine for b in theirs]
        if mine == theirs or len(joined) > MOST_IN_CLUSTER:
            continue
        if all(pair in cosines for pair in across):
            clusters |= dict.fromkeys(joined, joined)
    return [
        Cluster(paths, min(cosines[pair] for pair in cosines if set(pair) <= set(paths)))
        for paths in sorted({tuple(sorted(paths)) for paths in clusters.values()})
    ]
