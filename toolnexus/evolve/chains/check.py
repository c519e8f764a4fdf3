"""Checks of typed links: those that lead nowhere, go in circles, or rest on what was taken back."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING

from toolnexus.evolve.chains.circles import find_circles
from toolnexus.evolve.chains.refs import find_target
from toolnexus.evolve.chains.retraction import Retraction, resting_on
from toolnexus.home.finding import Finding
from toolnexus.home.ripening import LINK_KINDS, ripening_of, states_basis

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from toolnexus.evolve.chains.refs import Target, TurnRef
    from toolnexus.home.note import Note
    from toolnexus.home.ripening import LinkKind, Ripening
    from toolnexus.home.snapshot import Snapshot


def check_chains(
    home: Snapshot,
    retractions: Callable[[], Iterable[Retraction]],
    is_turn: Callable[[TurnRef], bool],
) -> Iterator[Finding]:
    r"""Yield ``broken-basis``, ``circular-basis`` and ``retracted-basis``.

    Args:
        home: The home as read.
        retractions: Tells what dreams took back; it is asked where notes rest on notes alone.
        is_turn: Whether there is such a turn.

    Example:
        >>> from toolnexus.home.snapshot import Snapshot
        >>> cup = "---\nderived_from: [tea]\n---\n- Red.\n"
        >>> home = Snapshot(name="ava").with_texts({"memory/cup.md": cup})
        >>> [found.rule for found in check_chains(home, tuple, lambda turn: True)]
        ['broken-basis']
    """
    found = _Links(home)
    for path, kind, target in found.targets:
        if (reason := _broken(target, is_turn)) is not None:
            yield _finding(home, path, kind, "broken-basis", *reason)
    order, circles = found.ordered()
    for circle in circles:
        paths = [found.paths[number] for number in circle]
        for path in paths:
            others = ", ".join(other for other in paths if other != path) or "itself"
            message = f"this note rests on {others}, which rests on it"
            hint = "nothing supports itself: take one of the links out"
            yield Finding(path, _line_of(home, path, ""), "circular-basis", "info", message, hint)
    own = found.taken_back(retractions()) if found.parents else {}
    for number, backs in resting_on(order, found.parents, own, found.ripe).items():
        path = found.paths[number]
        for back in backs:
            message = f"this note rests on what was taken back: {back.told}"
            hint = "see whether it still holds, then set 'updated:' to today"
            if back.when is None:  # nobody can tell which of the two came first
                hint += f", and date {back.path} by an 'updated:' of its own"
            line = _line_of(home, path, "")
            yield Finding(path, line, "retracted-basis", "warning", message, hint)


class _Links:
    """The typed links of a home, by number of note."""

    def __init__(self, home: Snapshot) -> None:
        self.paths: list[str] = []
        self.ripe: dict[int, Ripening] = {}
        self.parents: defaultdict[int, list[int]] = defaultdict(list)
        self.targets: list[tuple[str, LinkKind, Target]] = []
        self._numbers: dict[str, int] = {}
        self._refuted: dict[int, list[Retraction]] = {}
        for path, note in home.notes.items():
            if states_basis(note):
                self._add(home, path, note)

    def ordered(self) -> tuple[list[int], tuple[tuple[int, ...], ...]]:
        """Return all numbers, parents first, and the circles."""
        pairs = [(child, parent) for child, found in self.parents.items() for parent in found]
        return find_circles(len(self.paths), pairs)

    def taken_back(self, retractions: Iterable[Retraction]) -> Mapping[int, Sequence[Retraction]]:
        """Return what was taken back in each note."""
        own = {number: [*found] for number, found in self._refuted.items()}
        for back in retractions:
            if back.path in self._numbers:
                own.setdefault(self._numbers[back.path], []).append(back)
        return own

    def _add(self, home: Snapshot, path: str, note: Note) -> None:
        number = self._number(path)
        self.ripe[number] = ripe = ripening_of(note)
        for kind, names in ripe.links.items():
            for name in names:
                target = find_target(home, path, name)
                self.targets.append((path, kind, target))
                if kind == "refuted_by" and target.kind in {"note", "turn"}:
                    refuter = target.path or target.written
                    back = Retraction(path, "", when=ripe.updated, refuter=refuter)
                    self._refuted.setdefault(number, []).append(back)
                elif kind != "refuted_by" and target.kind == "note":
                    self.parents[number].append(self._number(target.path))

    def _number(self, path: str) -> int:
        if path not in self._numbers:
            self._numbers[path] = len(self.paths)
            self.paths.append(path)
        return self._numbers[path]


def _broken(target: Target, is_turn: Callable[[TurnRef], bool]) -> tuple[str, str] | None:
    """Tell what is wrong with a typed link and what to do; None when nothing is."""
    written = target.written
    if target.kind == "ambiguous":
        ways = ", ".join(target.candidates[:5])
        first = target.candidates[0].removesuffix(".md")
        return f"'{written}' could mean {ways}", f"name it by its path, such as {first}"
    if target.kind == "turn" and target.turn is not None:
        if is_turn(target.turn):
            return None
        hint = "'toolnexus transcripts list' shows the conversations; a turn is a line's number"
        return f"'{written}' leads to no turn", hint
    if target.kind == "missing":
        hint = "name a note by its slug, or a turn as transcript:CONVERSATION#TURN"
        return f"'{written}' leads to no note", hint
    return None


def _finding(
    home: Snapshot, path: str, kind: LinkKind, rule: str, message: str, hint: str
) -> Finding:
    line = _line_of(home, path, kind)
    return Finding(path, line, rule, "warning", f"{kind}: {message}", hint)


def _line_of(home: Snapshot, path: str, kind: str) -> int:
    """Return the line of a key in front matter; without a key, of the first typed link."""
    front = home.text(path)[: home.notes[path].document.front.end]
    keys = re.escape(kind) if kind else "|".join(LINK_KINDS)
    written = re.compile(rf"['\"]?(?:{keys})['\"]?\s*:")
    lines = enumerate(front.split("\n"), 1)
    return next((number for number, line in lines if written.match(line)), 1)
